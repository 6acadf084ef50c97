"""Help for players: advice, reviews of games, and puzzles."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.coach.adviser import HOPE, Adviser, MoveAdvice, NumberAdvice
    from lineduel.coach.commentary import account, comment, ending, folded
    from lineduel.coach.phrases import NUMBERED, YOU, Names, counted
    from lineduel.coach.puzzle_rating import PuzzleRating, load_rating
    from lineduel.coach.puzzles import Puzzle, is_right, praise, refutation, solved_by
    from lineduel.coach.review import (
        Accuracy,
        Draw,
        Judgement,
        Mistake,
        Review,
        review,
        solved_or_estimated,
    )
    from lineduel.coach.training import Training
    from lineduel.coach.value_curve import ROWS, draw_curve_svg, draw_curve_text

__all__ = [
    "HOPE",
    "NUMBERED",
    "ROWS",
    "YOU",
    "Accuracy",
    "Adviser",
    "Draw",
    "Judgement",
    "Mistake",
    "MoveAdvice",
    "Names",
    "NumberAdvice",
    "Puzzle",
    "PuzzleRating",
    "Review",
    "Training",
    "account",
    "comment",
    "counted",
    "draw_curve_svg",
    "draw_curve_text",
    "ending",
    "folded",
    "is_right",
    "load_rating",
    "praise",
    "refutation",
    "review",
    "solved_by",
    "solved_or_estimated",
]

offer(
    __name__,
    {
        "adviser": ("HOPE", "Adviser", "MoveAdvice", "NumberAdvice"),
        "commentary": ("account", "comment", "ending", "folded"),
        "phrases": ("NUMBERED", "Names", "YOU", "counted"),
        "puzzle_rating": ("PuzzleRating", "load_rating"),
        "puzzles": ("Puzzle", "is_right", "praise", "refutation", "solved_by"),
        "review": (
            "Accuracy",
            "Draw",
            "Judgement",
            "Mistake",
            "Review",
            "review",
            "solved_or_estimated",
        ),
        "training": ("Training",),
        "value_curve": ("ROWS", "draw_curve_svg", "draw_curve_text"),
    },
)
