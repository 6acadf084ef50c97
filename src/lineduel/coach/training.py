"""Training with puzzles: what was solved and when it comes back, a rating, the next puzzle."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random

from lineduel.coach.puzzles import (
    Puzzle,
    find_puzzles,
    mistake_puzzle,
    puzzle_of_the_day,
    puzzles_at,
)
from lineduel.coach.reason_facts import ReasonKind
from lineduel.engine import Game, Position
from lineduel.errors import LineduelError, StorageError, TooLarge, shown
from lineduel.facts import Fact
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import format_rules
from lineduel.solve import Cache, PlainSolution, solve
from lineduel.storage import data_folder, locked, put_aside, read_bytes, write_atomically

WAITS = (0, 1, 2, 4, 8, 16, 32)
"""Days until a puzzle comes back, by how often in a row it was solved."""

_MOST = 1_000_000
_Result = tuple[int, date]
"""How often in a row a puzzle was solved, and the day it comes back."""


@dataclass
class Practice:
    """A player's results, in a file that several programs may write to."""

    path: Path
    results: dict[str, _Result] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path | None = None) -> "Practice":
        """The results so far; a damaged file is set aside and reported, valid entries are kept."""
        practice = cls(path or data_folder() / "puzzles.json")
        if practice._read():
            return practice
        with locked(practice.path):
            aside = practice._mend()
        if aside is None:  # another program has repaired it in the meantime
            return practice
        raise StorageError(
            f"{shown(practice.path, 300)}, with the results of the puzzles, was damaged.\n"
            f"It is kept as {shown(aside, 300)}; try again to go on with what could be read."
        )

    def note(self, name: str, solved: bool, today: date) -> None:
        """Write down a result; a missed puzzle comes back at once, a solved one later and later."""
        with locked(self.path):
            self._mend()  # another program may have noted something since
            streak = self.results.get(name, (0, today))[0] + 1 if solved else 0
            wait = WAITS[min(streak, len(WAITS) - 1)]
            self.results[name] = streak, today + timedelta(days=wait)
            self._write()

    def due(self, names_begin: str, today: date) -> list[str]:
        """The puzzles of a game that are due again, the longest overdue first."""
        waiting = [
            (day, name)
            for name, (_, day) in self.results.items()
            if name.startswith(names_begin) and day <= today
        ]
        return [name for _, name in sorted(waiting)]

    def _mend(self) -> Path | None:
        """Read the results; a damaged file is set aside, and its new path is returned."""
        if self._read():
            return None
        aside = put_aside(self.path)
        self._write()
        return aside

    def _read(self) -> bool:
        """Read the results from the file; returns whether all of it is valid."""
        import msgspec

        if not self.path.exists():
            self.results = {}
            return True
        try:
            document = json.loads(read_bytes(self.path))
        except (ValueError, RecursionError):
            document = None
        entries = document if isinstance(document, dict) else {}
        self.results = {}
        for name, entry in entries.items():
            with suppress(msgspec.ValidationError):
                streak, day = msgspec.convert(entry, _Result)
                if 0 <= streak < _MOST:
                    self.results[name] = streak, day
        return document is entries and len(self.results) == len(entries)

    def _write(self) -> None:
        entries = {name: [streak, str(day)] for name, (streak, day) in self.results.items()}
        write_atomically(self.path, json.dumps(entries, indent=1) + "\n")


K = 32
"""How much one answer can change the rating."""
FIRST_RATING = 1000.0
_RATING_FILE = "puzzle-rating.json"


@dataclass(frozen=True, slots=True)
class PuzzleRating:
    """How good the person is at puzzles."""

    rating: float = FIRST_RATING
    streak: int = 0
    """How many of the latest puzzles were solved at the first try."""
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
    file = path or data_folder() / _RATING_FILE
    with locked(file):
        rating = load_rating(file).after(grade, solved)
        write_atomically(file, json.dumps(asdict(rating)) + "\n")
    return rating


def load_rating(path: Path | None = None) -> PuzzleRating:
    """The rating so far; a damaged file is put aside, and the rating starts again."""
    import msgspec

    file = path or data_folder() / _RATING_FILE
    if not file.exists():
        return PuzzleRating()
    with suppress(msgspec.MsgspecError, UnicodeDecodeError):
        rating = msgspec.json.decode(read_bytes(file), type=PuzzleRating)
        counts = 0, rating.streak, rating.best_streak, rating.answered, _MOST
        if rating.answered and counts == tuple(sorted(counts)) and abs(rating.rating) < _MOST:
            return rating
    put_aside(file)
    return PuzzleRating()


@dataclass(frozen=True, slots=True)
class NoPuzzleLeft(Fact):
    """Why no puzzle can be asked today."""

    puzzles: int
    """How many the game has; all of them are solved, and none is due again."""
    due: date | None
    """When the first of them comes back."""

    def __str__(self) -> str:
        if not self.puzzles:
            return "This game has no position with exactly one good move."
        what = "the only puzzle" if self.puzzles == 1 else f"all {self.puzzles:,} puzzles"
        return f"You have solved {what} of this game. The next one comes back on {self.due}."


class Training:
    """Puzzles of a game for a player whose results are kept."""

    def __init__(
        self, game: Game, practice: Practice | None = None, cache: Cache | None = None
    ) -> None:
        solution = solve(game, cache=cache)
        if not isinstance(solution, PlainSolution):
            raise TooLarge(
                solution.positions,
                0,
                "There are puzzles only for rulebooks with up to 60,000 positions.",
            )
        self.solution = solution
        self._practice = practice or Practice.load()
        # A game by its rules, so that its puzzles stay its own whatever it is called.
        self._key = sha256(format_rules(game.rules).encode()).hexdigest()[:12] + " "

    def puzzles(self, rng: Random, today: date, kind: ReasonKind | None = None) -> Iterator[Puzzle]:
        """First the puzzles that are due again, then new ones; of one kind, if one is given."""
        yield from puzzles_at(self.solution, self._due(today), kind)
        for puzzle in find_puzzles(self.solution, rng, kind):
            if self._name(puzzle.position) not in self._practice.results:
                yield puzzle

    def own_mistakes(self, positions: Iterable[Position], today: date) -> Iterator[Puzzle]:
        """The positions in which somebody went wrong, as puzzles: those due again, then new ones.

        One that was solved comes back later and later, as all puzzles do.
        """
        mistaken = list(positions)
        due = [one for one in self._due(today) if one in mistaken]
        new = (one for one in mistaken if self._name(one) not in self._practice.results)
        found = (mistake_puzzle(self.solution, one) for one in (*due, *new))
        yield from filter(None, found)

    def _due(self, today: date) -> Iterator[Position]:
        """The positions that are due again, the longest overdue first."""
        for name in self._practice.due(self._key, today):
            with suppress(LineduelError):  # a name that is not a position of this game
                position = read_position(self.solution.game, name.partition(" ")[2])
                self.solution.value(position)
                yield position

    def none_left(self, today: date) -> NoPuzzleLeft:
        """Why `puzzles` has nothing to ask on a day."""
        names = [self._name(puzzle.position) for puzzle in find_puzzles(self.solution, Random(0))]
        days = [day for name in names if (day := self._practice.results[name][1]) > today]
        return NoPuzzleLeft(len(names), min(days, default=None))

    def note(self, puzzle: Puzzle, solved: bool, today: date) -> PuzzleRating:
        """Write down a result, so that what was missed comes back."""
        self._practice.note(self._name(puzzle.position), solved, today)
        return note_answer(puzzle.grade, solved)

    def _name(self, position: Position) -> str:
        return f"{self._key}{position}"


def training_of_the_day(day: date, cache: Cache | None = None) -> tuple[Training, Puzzle]:
    """The puzzle of the day, and the training of its game."""
    trainings: list[Training] = []

    def solution_of(game: str) -> PlainSolution:
        trainings.append(Training(Game(find_rulebook(game)), cache=cache))
        return trainings[-1].solution

    _, puzzle = puzzle_of_the_day(day, solution_of)
    return trainings[-1], puzzle
