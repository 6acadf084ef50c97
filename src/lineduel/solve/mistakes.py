"""What is proved to be a mistake: the one place that decides it, for everyone who speaks of one.

A value may be known as an interval only. A choice is a mistake when the most that it leaves is
less than what was sure before; nothing else is called worse, better or the only good move.
"""

from collections.abc import Sequence
from fractions import Fraction

from lineduel.engine import Move, Numbers, Position
from lineduel.rules import Side
from lineduel.solve.solution import Solution
from lineduel.solve.value import Number, Value


def kept(value: Value, after: Sequence[Value], side: Side) -> tuple[bool, ...]:
    """For each choice of a side, whether it is not proved to give anything away.

    The position is worth what its best choice leads to, so any of them may raise what is sure.
    """
    sure = max(value.sure(side), *(one.sure(side) for one in after)) if after else 0
    return tuple(one.hoped(side) >= sure for one in after)


def keeping_moves(solution: Solution, position: Position) -> tuple[Move, ...]:
    """The moves that are not proved to give anything away; none in an open battle."""
    if position.battle is not None:
        return ()
    moves = solution.game.moves(position)
    keeps = kept(solution.value(position), solution.outlook(position), position.side)
    return tuple(move for move, keep in zip(moves, keeps, strict=True) if keep)


def is_mistake(solution: Solution, position: Position, move: Move) -> bool:
    """Whether a move is proved to give something away."""
    moves = solution.game.moves(position)
    keeps = kept(solution.value(position), solution.outlook(position), position.side)
    return not keeps[moves.index(move)]


def only_move(solution: Solution, position: Position) -> Move | None:
    """The one move that keeps the value, where every other is proved to give something away.

    Moves of like pieces that do the same are one move.
    """
    game, standing = solution.game, solution.likeness.standing_for
    keeping = keeping_moves(solution, position)
    reached = {standing(game.play(position, move)) for move in keeping}
    return keeping[0] if len(reached) == 1 and len(keeping) < len(game.moves(position)) else None


def number_leaves(solution: Solution, position: Position, side: Side, number: int) -> Fraction:
    """The most that a number in a battle leaves, against the other side's optimal mixture."""
    game = solution.game

    def after(other: int) -> Number:
        pair = Numbers(number, other) if side is Side.ONE else Numbers(other, number)
        return solution.value(game.play(position, pair)).hoped(side)

    mixture = solution.mixture(position, side.other)
    return sum((chance * after(other) for other, chance in mixture.items() if chance), Fraction(0))


def keeping_numbers(solution: Solution, position: Position, side: Side) -> tuple[int, ...]:
    """The numbers in a battle that are not proved to give anything away."""
    sure = solution.value(position).sure(side)
    return tuple(
        number
        for number in solution.mixture(position, side)
        if number_leaves(solution, position, side, number) >= sure
    )
