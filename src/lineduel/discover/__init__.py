"""Finds good duels that nobody has written yet, and proves what it keeps."""
