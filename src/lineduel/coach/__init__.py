"""What helps a player to get better: advice, reviews of games, and puzzles."""

from lineduel.coach.adviser import Adviser, MoveAdvice

__all__ = ["Adviser", "MoveAdvice"]
