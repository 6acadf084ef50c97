"""Help for players: advice, reviews of games, and puzzles."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.coach.adviser import Adviser, MoveAdvice, NumberAdvice, value_in_words
    from lineduel.coach.chances import Forecast, WinningChances, chances_in_words, figures
    from lineduel.coach.commentary import account, comment, ending, explained, folded
    from lineduel.coach.hints import MistakeWarning, MoveHint, NumberHint
    from lineduel.coach.phrases import NUMBERED, YOU, Names, counted
    from lineduel.coach.puzzle_rating import PuzzleRating, load_rating
    from lineduel.coach.puzzles import Puzzle, PuzzleVerdict, find_puzzles, judge, puzzle_at
    from lineduel.coach.review import (
        Accuracy,
        Draw,
        Judgement,
        Mistake,
        Review,
        review,
        solved_or_estimated,
    )
    from lineduel.coach.training import NoPuzzleLeft, Training
    from lineduel.coach.value_curve import ROWS, draw_curve_svg, draw_curve_text

__all__ = [
    "NUMBERED",
    "ROWS",
    "YOU",
    "Accuracy",
    "Adviser",
    "Draw",
    "Forecast",
    "Judgement",
    "Mistake",
    "MistakeWarning",
    "MoveAdvice",
    "MoveHint",
    "Names",
    "NoPuzzleLeft",
    "NumberAdvice",
    "NumberHint",
    "Puzzle",
    "PuzzleRating",
    "PuzzleVerdict",
    "Review",
    "Training",
    "WinningChances",
    "account",
    "chances_in_words",
    "comment",
    "counted",
    "draw_curve_svg",
    "draw_curve_text",
    "ending",
    "explained",
    "figures",
    "find_puzzles",
    "folded",
    "judge",
    "load_rating",
    "puzzle_at",
    "review",
    "solved_or_estimated",
    "value_in_words",
]

offer(
    __name__,
    {
        "adviser": ("Adviser", "MoveAdvice", "NumberAdvice", "value_in_words"),
        "chances": ("Forecast", "WinningChances", "chances_in_words", "figures"),
        "commentary": ("account", "comment", "ending", "explained", "folded"),
        "hints": ("MistakeWarning", "MoveHint", "NumberHint"),
        "phrases": ("NUMBERED", "Names", "YOU", "counted"),
        "puzzle_rating": ("PuzzleRating", "load_rating"),
        "puzzles": ("Puzzle", "PuzzleVerdict", "find_puzzles", "judge", "puzzle_at"),
        "review": (
            "Accuracy",
            "Draw",
            "Judgement",
            "Mistake",
            "Review",
            "review",
            "solved_or_estimated",
        ),
        "training": ("NoPuzzleLeft", "Training"),
        "value_curve": ("ROWS", "draw_curve_svg", "draw_curve_text"),
    },
)
