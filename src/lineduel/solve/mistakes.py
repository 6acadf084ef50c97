"""The definition of a mistake, used by all other code that reports one.

Sometimes only an interval is known for a value. A choice is a mistake if the upper bound after it
is less than the lower bound before it. Nothing else makes a move count as worse, better or the
only good one.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from lineduel.engine import Move, Position
from lineduel.rules import Side
from lineduel.solve.solution import Solution
from lineduel.solve.value import Number, Value


def given_away(value: Value, after: Sequence[Value], side: Side) -> tuple[Number, ...]:
    """What each choice of a side is proved to give away; 0 unless it is a mistake.

    The position is worth as much as its best choice, so a choice can raise the lower bound.
    """
    sure = max(value.sure(side), *(one.sure(side) for one in after)) if after else 0
    return tuple(max(0, sure - one.hoped(side)) for one in after)


def kept(value: Value, after: Sequence[Value], side: Side) -> tuple[bool, ...]:
    """For each choice of a side, True unless it is proved to be a mistake."""
    return tuple(lost == 0 for lost in given_away(value, after, side))


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


def given_away_by_number(
    solution: Solution, position: Position, side: Side, mixture: Sequence[Fraction] | None = None
) -> dict[int, Fraction]:
    """What each number in a side's hand is proved to give away; 0 unless it is a mistake.

    The other side plays its optimal mixture, which can be given if it is known.
    """
    sure = solution.value(position).sure(side)
    hoped = number_values(solution, position, side, lambda value: value.hoped(side), mixture)
    return {number: max(Fraction(0), sure - one) for number, one in hoped.items()}


def number_values(
    solution: Solution,
    position: Position,
    side: Side,
    worth: Callable[[Value], Number],
    mixture: Sequence[Fraction] | None = None,
) -> dict[int, Fraction]:
    """What each number in a side's hand brings in a battle against the other's optimal mixture.

    `worth` is what the side takes a value for; the mixture over the other's hand can be given if it
    is known.
    """
    values = [Fraction(worth(value)) for value in solution.outlook(position)]
    if mixture is None:
        mixture = tuple(solution.mixture(position, side.other).values())
    hand, size = solution.game.hand(position, side), len(mixture)
    rows = (
        values[own * size :][:size] if side is Side.ONE else values[own :: len(hand)]
        for own in range(len(hand))
    )
    return {
        number: sum((chance * one for chance, one in zip(mixture, row, strict=True)), Fraction(0))
        for number, row in zip(hand, rows, strict=True)
    }


def keeping_numbers(solution: Solution, position: Position, side: Side) -> tuple[int, ...]:
    """The numbers in a side's hand that are not proved to be mistakes."""
    lost = given_away_by_number(solution, position, side)
    return tuple(number for number, less in lost.items() if less == 0)
