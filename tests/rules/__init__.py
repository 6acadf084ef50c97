"""Rulebooks: their files, their keys, and what is said of them."""
