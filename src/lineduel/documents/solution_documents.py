"""The JSON of `solve` and `check`, and of values in other documents."""

from fractions import Fraction
from math import inf, nextafter
from typing import Literal

from msgspec import UNSET, UnsetType

from lineduel.documents.document import Document
from lineduel.engine import Move, Position
from lineduel.players import endless_chance
from lineduel.rules import Side
from lineduel.solve import Counted, Endless, Number, Solution, Value

ValueInterval = tuple[float, float]
"""The proved bounds of what player 1 can expect: win 1, loss -1, endless 0."""


class ValueDocument(Document, frozen=True, kw_only=True):
    """What a position is worth."""

    value: ValueInterval
    """What player 1 can expect, as a proved interval: win 1, loss -1, endless 0."""
    plies: int | None
    """The number of plies to a forced win, from this position; null if there is none."""
    exact: str | UnsetType = UNSET
    """The value as a fraction, if it is known exactly and is not a whole number."""


class MoveDocument(Document, frozen=True, kw_only=True):
    """A legal move and its value; plies are counted from the position after it."""

    move: str
    value: ValueInterval
    plies: int | None
    exact: str | UnsetType = UNSET


class Mixtures(Document, frozen=True, kw_only=True):
    """Optimal play of both sides in a battle: the probability of each number."""

    player1: dict[str, float]
    player2: dict[str, float]


class SolveDocument(Document, frozen=True, kw_only=True):
    """The solution of a game from one position."""

    game: str
    position: str
    positions: int
    """Positions solved, ended ones and open battles included; like pieces are not distinguished."""
    counted: Counted
    """Whether `positions` counts only positions that can be reached, not the whole table."""
    value: ValueInterval
    """What player 1 can expect, as a proved interval: win 1, loss -1, endless 0."""
    plies: int | None
    """The number of plies to a forced win, with best play of both sides; null if there is none."""
    exact: str | UnsetType = UNSET
    """The value as a fraction, if it is known exactly and is not a whole number."""
    longest: int | None
    """The largest number of plies to a forced win; null if there is none."""
    endless: Endless | None
    """Whether best play of both sides can go on for ever; null if unknown."""
    endless_chance: float
    """The chance of that between two perfect players."""
    limited: Literal[True] | UnsetType = UNSET
    """Set if the work limit was reached; tighter bounds may exist."""
    battle: Mixtures | UnsetType = UNSET
    """Only in an open battle, instead of `moves`."""
    moves: list[MoveDocument] | UnsetType = UNSET
    """All legal moves, in the order of the rulebook; empty if the game is over."""


class CheckDocument(Document, frozen=True, kw_only=True):
    """Whether a certificate is valid."""

    accepted: bool
    positions: int
    """How many positions it proves; 0 if it was refused."""
    why: str | None
    """Why it was refused; null if it was accepted."""


def solve_document(solution: Solution, position: Position) -> SolveDocument:
    """The solution of a position, with the value of every move or the mixtures of a battle."""
    value, is_battle = solution.value(position), position.battle is not None
    return SolveDocument.of(
        solution,
        game=solution.game.rulebook.id,
        position=str(position),
        value=interval(value),
        plies=value.plies,
        exact=fraction(value),
        endless=value.endless,
        endless_chance=_whole_if_possible(endless_chance(solution, position)),
        limited=True if solution.limited else UNSET,
        battle=_mixtures(solution, position) if is_battle else UNSET,
        moves=UNSET if is_battle else [_move(*one) for one in solution.moves(position)],
    )


def value_document(value: Value) -> ValueDocument:
    """A value by itself."""
    return ValueDocument(value=interval(value), plies=value.plies, exact=fraction(value))


def interval(value: Value) -> ValueInterval:
    """The proved bounds as JSON numbers, rounded outward if they are not exact."""
    return _outward(value.low, -inf), _outward(value.high, inf)


def fraction(value: Value) -> str | UnsetType:
    """The exact value as text, if it is a fraction."""
    exact = value.exact
    return str(exact) if exact is not None and Fraction(exact).denominator > 1 else UNSET


def _move(move: Move, value: Value) -> MoveDocument:
    return MoveDocument(
        move=str(move), value=interval(value), plies=value.plies, exact=fraction(value)
    )


def _mixtures(solution: Solution, position: Position) -> Mixtures:
    player1, player2 = (
        {str(number): float(chance) for number, chance in solution.mixture(position, side).items()}
        for side in Side
    )
    return Mixtures(player1=player1, player2=player2)


def _outward(number: Number, toward: float) -> int | float:
    """A bound as a JSON number, rounded so that it still holds."""
    if Fraction(number).denominator == 1:
        return int(number)
    near = float(number)
    return near if Fraction(near) == number else nextafter(near, toward)


def _whole_if_possible(number: float) -> int | float:
    return int(number) if number.is_integer() else number
