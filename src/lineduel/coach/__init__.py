"""Help for players: advice, reviews of games, and puzzles."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.coach.adviser import HOPE, Adviser, MoveAdvice, NumberAdvice, value_in_words
    from lineduel.coach.commentary import account, comment, ending, explained, folded
    from lineduel.coach.phrases import NUMBERED, YOU, Names, counted
    from lineduel.coach.puzzle_rating import PuzzleRating, load_rating
    from lineduel.coach.puzzles import (
        Puzzle,
        find_puzzles,
        is_right,
        praise,
        puzzle_at,
        refutation,
        solved_by,
    )
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
    "explained",
    "find_puzzles",
    "folded",
    "is_right",
    "load_rating",
    "praise",
    "puzzle_at",
    "refutation",
    "review",
    "solved_by",
    "solved_or_estimated",
    "value_in_words",
]

offer(
    __name__,
    {
        "adviser": ("HOPE", "Adviser", "MoveAdvice", "NumberAdvice", "value_in_words"),
        "commentary": ("account", "comment", "ending", "explained", "folded"),
        "phrases": ("NUMBERED", "Names", "YOU", "counted"),
        "puzzle_rating": ("PuzzleRating", "load_rating"),
        "puzzles": (
            "Puzzle",
            "find_puzzles",
            "is_right",
            "praise",
            "puzzle_at",
            "refutation",
            "solved_by",
        ),
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
