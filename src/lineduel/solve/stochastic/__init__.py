"""Proved bounds for Everett's recursive games: simultaneous choices, and play that may never end.

This package does not depend on tracks or pieces. `arena` defines its input, `bounds` its output.
"""
