"""Positions, moves and games: what the rules mean, and the laws of every duel."""
