"""How good somebody is at puzzles: an Elo rating, and how many were solved in a row."""

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

from lineduel.storage import data_folder, locked, put_aside, read_bytes, write_atomically

K = 32
"""How much one answer can change the rating."""
FIRST_RATING = 1000.0
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class PuzzleRating:
    """A player's rating, and the puzzles solved at the first try without a miss between them."""

    rating: float = FIRST_RATING
    streak: int = 0
    best_streak: int = 0
    answered: int = 0

    def after(self, grade: int, solved: bool) -> "PuzzleRating":
        """The rating after the first answer to a puzzle of that grade."""
        expected = 1 / (1 + 10 ** ((puzzle_rating(grade) - self.rating) / 400))
        streak = self.streak + 1 if solved else 0
        return PuzzleRating(
            rating=self.rating + K * (solved - expected),
            streak=streak,
            best_streak=max(streak, self.best_streak),
            answered=self.answered + 1,
        )

    def __str__(self) -> str:
        return f"rating {self.rating:.0f}, {self.streak} in a row"


def puzzle_rating(grade: int) -> int:
    """What a puzzle of a grade from 0 to 8 counts as an opponent."""
    return 600 + 200 * grade


def note_answer(grade: int, solved: bool, path: Path | None = None) -> PuzzleRating:
    """Write down the first answer to a puzzle; the rating after it."""
    file = path or _usual_file()
    with locked(file):
        rating = load_rating(file).after(grade, solved)
        write_atomically(file, json.dumps(asdict(rating)) + "\n")
    return rating


def load_rating(path: Path | None = None) -> PuzzleRating:
    """The rating so far; a damaged file is put aside, and the rating begins anew."""
    file = path or _usual_file()
    if not file.exists():
        return PuzzleRating()
    try:
        rating = _rating(json.loads(read_bytes(file)))
    except (ValueError, RecursionError):
        rating = None
    if rating is None:
        put_aside(file)
    return rating or PuzzleRating()


def _rating(data: object) -> PuzzleRating | None:
    """What the file says, or None for what no rating can be."""
    match data:
        case {
            "rating": float(rating),
            "streak": int(streak),
            "best_streak": int(best),
            "answered": int(answered),
        } if math.isfinite(rating) and abs(rating) < _MOST and 0 <= streak <= best <= answered:
            return PuzzleRating(rating, streak, best, answered) if answered < _MOST else None
        case _:
            return None


def _usual_file() -> Path:
    return data_folder() / "puzzle-rating.json"
