"""Matrix games in floats, compiled: for searches that look at millions of battles.

A proof may use the mixtures, which can be anything, but never the value.
"""

from typing import NamedTuple

import numpy as np

from lineduel.compiled import borrowing, compiled, inner
from lineduel.graph.array_types import ChanceArray, NumberArray
from lineduel.graph.breadth_first import sides_of
from lineduel.graph.game_graph import GameGraph
from lineduel.graph.sight import keeping_bonus
from lineduel.rules import Side

_ZERO = 1e-12
GRID = 2.0**-23
"""A grid for payoffs from an iteration."""
_CAREFUL = 40
"""Pivots after which the first possible column is taken, which cannot go round in circles."""
_MOST_PIVOTS = 400


class Tableau(NamedTuple):
    """Arrays to work with on one matrix game."""

    table: ChanceArray
    basis: NumberArray
    outside: NumberArray


@inner
def tableau_for(size: int) -> Tableau:
    """Room for a square matrix of this size."""
    return Tableau(
        np.empty((size + 1, size + 1)), np.empty(size, np.int64), np.empty(size, np.int64)
    )


@compiled
def solve_square(
    payoffs: ChanceArray, mixture1: ChanceArray, mixture2: ChanceArray, grid: float = GRID
) -> float:
    """The value of a square matrix, as by `solve_in`."""
    return solve_in(tableau_for(len(payoffs)), payoffs, mixture1, mixture2, grid)


@borrowing
def solve_in(
    tableau: Tableau,
    payoffs: ChanceArray,
    mixture1: ChanceArray,
    mixture2: ChanceArray,
    grid: float,
) -> float:
    """The value of a square matrix of player 1's payoffs, to six digits; fills in both mixtures.

    Payoffs are rounded to multiples of `grid`, so that noise does not become a pivot; 0 means that
    they are exact to the last digits.

    The simplex method on a condensed tableau: player 2's linear program is solved, and player 1's
    mixture is its dual.
    """
    size = len(payoffs)
    least = payoffs[0, 0]
    for row in range(size):
        for column in range(size):
            least = min(least, payoffs[row, column])
    shift = 1.0 - least
    table, basis, outside = tableau
    for row in range(size):
        for column in range(size):
            shifted = payoffs[row, column] + shift
            table[row, column] = np.rint(shifted / grid) * grid if grid > 0.0 else shifted
        table[row, size], table[size, row] = 1.0, -1.0
        basis[row], outside[row] = size + row, row
    table[size, size] = 0.0
    for pivot in range(_MOST_PIVOTS):
        enters = _entering(table, outside, pivot > _CAREFUL)
        if enters < 0:
            break
        leaves = _leaving(table, basis, enters)
        if leaves < 0:  # only by rounding: the program is bounded
            break
        _pivot(table, leaves, enters)
        basis[leaves], outside[enters] = outside[enters], basis[leaves]
    value = 1.0 / table[size, size]
    for at in range(size):
        mixture1[at] = mixture2[at] = 0.0
    for at in range(size):
        if basis[at] < size:
            mixture2[basis[at]] = max(table[at, size] * value, 0.0)
        if outside[at] >= size:
            mixture1[outside[at] - size] = max(table[size, at] * value, 0.0)
    expected = 0.0
    for row in range(size):
        for column in range(size):
            expected += mixture1[row] * mixture2[column] * payoffs[row, column]
    return float(expected)


@borrowing
def _entering(table: ChanceArray, outside: NumberArray, careful: bool) -> int:
    """The column that improves most, or the first that improves; -1 if none does."""
    size = len(outside)
    best, chosen = -_ZERO, -1
    for column in range(size):
        if table[size, column] >= -_ZERO:
            continue
        if careful:
            if chosen < 0 or outside[column] < outside[chosen]:
                chosen = column
        elif table[size, column] < best:
            best, chosen = table[size, column], column
    return chosen


@borrowing
def _leaving(table: ChanceArray, basis: NumberArray, column: int) -> int:
    """The row that limits the column most; of equal ones the first by number."""
    size = len(basis)
    least, chosen = 0.0, -1
    for row in range(size):
        if table[row, column] <= _ZERO:
            continue
        ratio = table[row, size] / table[row, column]
        closer = chosen < 0 or ratio < least - _ZERO
        if closer or (ratio < least + _ZERO and basis[row] < basis[chosen]):
            least, chosen = ratio, row
    return chosen


@borrowing
def _pivot(table: ChanceArray, row: int, column: int) -> None:
    """Exchange a row with a column."""
    width, pivot = len(table), table[row, column]
    for one in range(width):
        if one == row:
            continue
        factor = table[one, column] / pivot
        for two in range(width):
            if two != column:
                table[one, two] -= factor * table[row, two]
        table[one, column] = -factor
    for two in range(width):
        if two != column:
            table[row, two] /= pivot
    table[row, column] = 1.0 / pivot


def fill_mixtures(graph: GameGraph, seen: ChanceArray, mixtures: ChanceArray) -> None:
    """Fill in both sides' mixtures in every open battle, by what player 1 sees of each position."""
    battle = graph.game.rules.battle
    assert battle is not None
    bonus = np.array([keeping_bonus(battle, side) for side in Side])
    open_ = graph.battles
    sides = sides_of(graph.positions)
    attackers = (3 - sides[open_]).astype(np.int64)
    standing = graph.stands_for
    _fill_mixtures(graph.first, graph.after, open_, attackers, bonus, standing, seen, mixtures)


@compiled
def _fill_mixtures(
    first: NumberArray,
    after: NumberArray,
    battles: NumberArray,
    attackers: NumberArray,
    bonus: ChanceArray,
    standing: NumberArray,
    seen: ChanceArray,
    mixtures: ChanceArray,
) -> None:
    size = bonus.shape[1]
    payoffs, tableau = np.empty((size, size)), tableau_for(size)
    for battle in range(len(battles)):
        begin, hand = first[battles[battle]], battle % standing.shape[1]
        for row in range(size):
            for column in range(size):
                look = seen[after[begin + row * size + column]]
                one, two = standing[0, hand, row], standing[1, hand, column]
                payoffs[row, column] = look + bonus[attackers[battle] - 1, one, two]
        solve_in(tableau, payoffs, mixtures[0, battle], mixtures[1, battle], GRID)
