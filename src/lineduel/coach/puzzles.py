"""Puzzles: positions in which exactly one move is good."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from lineduel.engine import Move, Position
from lineduel.players import LEVELS, Level
from lineduel.solve import PlainSolution, Solution, as_effect, only_move

MOST_LOOKED_AT = 20_000
_LINE = 6


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, its only good move, and how many of the levels miss it."""

    position: Position
    answer: Move
    grade: int


def find_puzzles(solution: PlainSolution, rng: Random) -> Iterator[Puzzle]:
    """Puzzles of a solved game in random order."""
    positions = [position for position, _ in solution.items()]
    levels = [Level(number, solution) for number in LEVELS]
    for position in rng.sample(positions, min(len(positions), MOST_LOOKED_AT)):
        answer = only_move(solution, position)
        if answer is not None:
            yield Puzzle(position, answer, _grade(solution, position, answer, levels))


def puzzle_at(solution: Solution, position: Position) -> Puzzle | None:
    """The puzzle of a position, if it is one."""
    answer = only_move(solution, position)
    if answer is None:
        return None
    levels = [Level(number, solution) for number in LEVELS]
    return Puzzle(position, answer, _grade(solution, position, answer, levels))


def is_right(solution: Solution, puzzle: Puzzle, move: Move) -> bool:
    """Whether a move is the good one, or the same move of an interchangeable piece."""
    play, standing = solution.game.play, solution.likeness.standing_for
    return standing(play(puzzle.position, move)) == standing(play(puzzle.position, puzzle.answer))


def praise(solution: Solution, puzzle: Puzzle) -> str:
    """Why the good move is good."""
    right = solution.value(solution.game.play(puzzle.position, puzzle.answer)).one_ply_earlier()
    told = as_effect(right, puzzle.position.side)
    return f"Right: {puzzle.answer} {told}; every other move is worse."


def refutation(solution: Solution, puzzle: Puzzle, move: Move) -> str:
    """Why a move is not the good one, without telling which is."""
    after = solution.game.play(puzzle.position, move)
    told = as_effect(solution.value(after).one_ply_earlier(), puzzle.position.side)
    line = " ".join(map(str, solution.line(after, _LINE)))
    follows = "Then" if after.side is puzzle.position.side else "The reply"
    return f"No: {move} {told}." + (f" {follows}: {line}" if line else "")


def solved_by(solution: Solution, puzzle: Puzzle) -> str:
    """The answer of a puzzle that was not found."""
    right = solution.value(solution.game.play(puzzle.position, puzzle.answer)).one_ply_earlier()
    return f"The good move was {puzzle.answer}: it {as_effect(right, puzzle.position.side)}."


def _grade(solution: Solution, position: Position, answer: Move, levels: list[Level]) -> int:
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
        for level in levels
    )
