"""A series of puzzles in one game: first those that are due again, then new ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from random import Random

from lineduel.coach.puzzle_history import Practice
from lineduel.coach.puzzle_rating import PuzzleRating, note_answer
from lineduel.coach.puzzles import Puzzle, find_puzzles, puzzle_at
from lineduel.engine import Game
from lineduel.errors import LineduelError, TooLarge
from lineduel.facts import Fact
from lineduel.record import read_position
from lineduel.rules import format_rules
from lineduel.solve import Cache, PlainSolution, solve


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

    def puzzles(self, rng: Random, today: date) -> Iterator[Puzzle]:
        """First the puzzles that are due again, then new ones."""
        for name in self._practice.due(self._key, today):
            try:
                position = read_position(self.solution.game, name.partition(" ")[2])
                puzzle = puzzle_at(self.solution, position)
            except LineduelError:  # a name that is not a position of this game
                continue
            if puzzle:
                yield puzzle
        for puzzle in find_puzzles(self.solution, rng):
            if self._name(puzzle) not in self._practice.results:
                yield puzzle

    def none_left(self, today: date) -> NoPuzzleLeft:
        """Why `puzzles` has nothing to ask on a day."""
        names = [self._name(puzzle) for puzzle in find_puzzles(self.solution, Random(0))]
        days = [day for name in names if (day := self._practice.results[name][1]) > today]
        return NoPuzzleLeft(len(names), min(days, default=None))

    def note(self, puzzle: Puzzle, solved: bool, today: date) -> PuzzleRating:
        """Write down a result, so that what was missed comes back."""
        self._practice.note(self._name(puzzle), solved, today)
        return note_answer(puzzle.grade, solved)

    def _name(self, puzzle: Puzzle) -> str:
        return f"{self._key}{puzzle.position}"
