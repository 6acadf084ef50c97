"""What a rulebook is worth: its claims put to proof, its figures, its readings, its repairs."""
