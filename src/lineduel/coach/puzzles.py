"""Puzzles: positions in which exactly one move is good."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from lineduel.engine import Move, Position
from lineduel.facts import Fact
from lineduel.players import LEVELS, Level
from lineduel.rules import Side
from lineduel.solve import PlainSolution, Solution, Value, as_effect, only_move

_LINE = 6
"""How many moves of the answer to a wrong move are shown."""


@dataclass(frozen=True, slots=True)
class Puzzle(Fact):
    """A position, its only good move, and how many of the levels miss it."""

    position: Position
    answer: Move
    grade: int


def find_puzzles(solution: PlainSolution, rng: Random) -> Iterator[Puzzle]:
    """Puzzles of a solved game in random order."""
    positions = [position for position, _ in solution.items()]
    puzzles = (puzzle_at(solution, one) for one in rng.sample(positions, len(positions)))
    return filter(None, puzzles)


def puzzle_at(solution: Solution, position: Position) -> Puzzle | None:
    """The puzzle of a position, if it is one."""
    answer = only_move(solution, position)
    return None if answer is None else Puzzle(position, answer, _grade(solution, position, answer))


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleVerdict(Fact):
    """A move in a puzzle: whether it is the good one, and what it leads to."""

    side: Side
    move: Move
    right: bool
    value: Value
    """Plies are counted from the puzzle's position."""
    alike: tuple[Move, ...]
    """Other legal moves that lead to the same: those of interchangeable pieces."""
    line: tuple[Move, ...]
    """Best play after a wrong move."""
    moves_again: bool
    """Whether the side that answers moves again after it."""

    def __str__(self) -> str:
        effect = as_effect(self.value, self.side)
        if self.right:
            alike = f", except {' and '.join(map(str, self.alike))}, which is the same"
            return (
                f"Right: {self.move} {effect}; every other move is worse"
                f"{alike if self.alike else ''}."
            )
        follows = "Then" if self.moves_again else "The reply"
        line = f" {follows}: {' '.join(map(str, self.line))}" if self.line else ""
        return f"No: {self.move} {effect}.{line}"

    def as_answer(self) -> str:
        """The good move, for somebody who has not found it."""
        return f"The good move was {self.move}: it {as_effect(self.value, self.side)}."


def judge(solution: Solution, puzzle: Puzzle, move: Move) -> PuzzleVerdict:
    """Whether a move is the good one, or the same move of an interchangeable piece, and why."""
    game, position = solution.game, puzzle.position

    def reached(one: Move) -> Position:
        return solution.likeness.standing_for(game.play(position, one))

    after, right = game.play(position, move), reached(move) == reached(puzzle.answer)
    return PuzzleVerdict(
        side=position.side,
        move=move,
        right=right,
        value=solution.value(after).one_ply_earlier(),
        alike=tuple(
            one for one in game.moves(position) if one != move and reached(one) == reached(move)
        ),
        line=() if right else solution.line(after, _LINE),
        moves_again=after.side is position.side,
    )


def _grade(solution: Solution, position: Position, answer: Move) -> int:
    """How many levels are more likely to miss the good move than to find it."""
    game, standing = solution.game, solution.likeness.standing_for
    right = standing(game.play(position, answer))
    good = [standing(game.play(position, move)) == right for move in game.moves(position)]
    return sum(
        sum(
            chance
            for chance, fits in zip(level.chances(position, position.side), good, strict=True)
            if fits
        )
        < 0.5
        for level in (Level(number, solution) for number in LEVELS)
    )
