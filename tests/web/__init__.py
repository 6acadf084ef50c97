"""The server and its page."""
