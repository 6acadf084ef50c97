"""The game on the whole screen. It only shows: what happens is decided by the session below."""
