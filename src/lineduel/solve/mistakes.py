"""The definition of a mistake, used by all other code that reports one.

Sometimes only an interval is known for a value. A choice is a mistake if the upper bound after it
is less than the lower bound before it. Nothing else makes a move count as worse, better or the
only good one.
"""

from collections.abc import Sequence
from fractions import Fraction

from lineduel.engine import Move, Numbers, Position
from lineduel.rules import Side
from lineduel.solve.solution import Solution
from lineduel.solve.value import Number, Value


def kept(value: Value, after: Sequence[Value], side: Side) -> tuple[bool, ...]:
    """For each choice of a side, True unless it is proved to be a mistake.

    The position is worth as much as its best choice, so a choice can raise the lower bound.
    """
    sure = max(value.sure(side), *(one.sure(side) for one in after)) if after else 0
    return tuple(one.hoped(side) >= sure for one in after)


def keeping_moves(solution: Solution, position: Position) -> tuple[Move, ...]:
    """The moves that are not proved to be mistakes; none in an open battle."""
    if position.battle is not None:
        return ()
    moves = solution.game.moves(position)
    keeps = kept(solution.value(position), solution.outlook(position), position.side)
    return tuple(move for move, keep in zip(moves, keeps, strict=True) if keep)


def is_mistake(solution: Solution, position: Position, move: Move) -> bool:
    """Whether a move is proved to be a mistake."""
    moves = solution.game.moves(position)
    keeps = kept(solution.value(position), solution.outlook(position), position.side)
    return not keeps[moves.index(move)]


def only_move(solution: Solution, position: Position) -> Move | None:
    """The only move that keeps the value, if every other move is proved to be a mistake.

    Moves of like pieces with the same result count as one move.
    """
    game, standing = solution.game, solution.likeness.standing_for
    keeping = keeping_moves(solution, position)
    reached = {standing(game.play(position, move)) for move in keeping}
    return keeping[0] if len(reached) == 1 and len(keeping) < len(game.moves(position)) else None


def number_leaves(solution: Solution, position: Position, side: Side, number: int) -> Fraction:
    """The most a side can expect from a number in a battle against the other's optimal mixture."""
    game = solution.game

    def after(other: int) -> Number:
        pair = Numbers(number, other) if side is Side.ONE else Numbers(other, number)
        return solution.value(game.play(position, pair)).hoped(side)

    mixture = solution.mixture(position, side.other)
    return sum((chance * after(other) for other, chance in mixture.items() if chance), Fraction(0))


def keeping_numbers(solution: Solution, position: Position, side: Side) -> tuple[int, ...]:
    """The numbers in a battle that are not proved to be mistakes."""
    sure = solution.value(position).sure(side)
    return tuple(
        number
        for number in solution.mixture(position, side)
        if number_leaves(solution, position, side, number) >= sure
    )
