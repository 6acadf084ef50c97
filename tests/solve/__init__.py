"""Exact values, best play, and certificates with their checker."""
