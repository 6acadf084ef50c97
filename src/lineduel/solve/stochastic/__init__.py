"""Recursive games in Everett's sense: simultaneous choices, play that may never end, proved bounds.

Nothing here knows of tracks or pieces; `arena` is what goes in, `bounds` what comes out.
"""
