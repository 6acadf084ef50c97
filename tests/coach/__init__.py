"""Reviews, puzzles, and the sentences about moves."""
