"""The search for duels, and the duels it found."""
