"""What is said about a game."""
