"""A whole game as arrays: explored, solved by retrograde analysis, and played by policies."""
