"""What each side can guarantee in a battle, in doubles, whatever is lost by rounding.

A mixture is made of multiples of 2**-53 that add up to exactly 1. The sum of at most 9 products of
such chances with numbers from -1 to 1 is off by less than 10 * 2**-53 in doubles, one more
such unit covers a fraction in place of its double, and one the last subtraction: `ERROR` is 16.
"""

from typing import NamedTuple

import numpy as np

from lineduel.compiled import borrowing, inner
from lineduel.graph import ChanceArray, NumberArray, Tableau, solve_in, tableau_for

ROUNDING_UNIT = 2.0**-53
ERROR = 16 * ROUNDING_UNIT
"""More than the rounding error of an expected value."""
_NARROW = 1e-11
"""If one pair of mixtures leaves a wider gap, player 2's mixture is found separately."""
_GRIDS = (2.0**-40, 2.0**-30, 2.0**-20)
"""Grids on which payoffs are rounded if the simplex method was misled."""


class Scratch(NamedTuple):
    """Arrays to work with on one battle."""

    lows: ChanceArray
    highs: ChanceArray
    mixture1: ChanceArray
    mixture2: ChanceArray
    spare: ChanceArray
    """A mixture that nobody needs."""
    key: ChanceArray
    tableau: Tableau


@inner
def scratch_for(numbers: int) -> Scratch:
    """Room for a battle in which each side has so many numbers."""
    return Scratch(
        np.empty((numbers, numbers)),
        np.empty((numbers, numbers)),
        np.empty(numbers),
        np.empty(numbers),
        np.empty(numbers),
        np.empty(numbers * numbers),
        tableau_for(numbers),
    )


@borrowing
def fill_matrices(
    reached: NumberArray,
    low: ChanceArray,
    high: ChanceArray,
    lows: ChanceArray,
    highs: ChanceArray,
) -> None:
    """Bounds after each pair of numbers, rounded outward where they stand for fractions."""
    size = len(lows)
    for one in range(size):
        for two in range(size):
            to = reached[one * size + two]
            lows[one, two], highs[one, two] = low[to], high[to]
            if lows[one, two] == highs[one, two]:
                slack = slack_of(lows[one, two])
                lows[one, two] -= slack
                highs[one, two] += slack


@borrowing
def battle_bounds(scratch: Scratch) -> tuple[float, float]:
    """What both sides can guarantee in a battle with these bounds; fills in the mixtures."""
    lows, highs, mixture1, mixture2, spare, _, tableau = scratch
    least = side_guarantee(tableau, lows, mixture1, mixture2, 1)
    most = -guarantee(highs, mixture2, True)
    if most - least > _NARROW:
        most = min(most, -side_guarantee(tableau, highs, spare, mixture2, 2))
    return least, most


@borrowing
def mixtures_for(
    at: int,
    reached: NumberArray,
    low: ChanceArray,
    high: ChanceArray,
    scratch: Scratch,
    mixture1: ChanceArray,
    mixture2: ChanceArray,
) -> None:
    """Fill in mixtures of both sides that are sure of the bounds of a battle."""
    lows, highs, tableau = scratch.lows, scratch.highs, scratch.tableau
    fill_matrices(reached, low, high, lows, highs)
    side_guarantee(tableau, lows, mixture1, mixture2, 1)
    if -guarantee(highs, mixture2, True) > high[at]:
        side_guarantee(tableau, highs, scratch.spare, mixture2, 2)


@borrowing
def side_guarantee(
    tableau: Tableau,
    payoffs: ChanceArray,
    mixture1: ChanceArray,
    mixture2: ChanceArray,
    player: int,
) -> float:
    """What a player can guarantee if these are player 1's payoffs; fills in its mixture.

    Payoffs that differ by almost nothing can mislead the simplex method. If the two sides'
    guarantees are far apart, it is tried again on rounded payoffs.
    """
    solve_in(tableau, payoffs, mixture1, mixture2, 0.0)
    sure1, sure2 = guarantee(payoffs, mixture1, False), guarantee(payoffs, mixture2, True)
    best = sure1 if player == 1 else sure2
    if -sure2 - sure1 <= _NARROW:
        return best
    chosen = 0.0
    for grid in _GRIDS:
        now = _guarantee_on(grid, tableau, payoffs, mixture1, mixture2, player)
        if now > best:
            best, chosen = now, grid
    return _guarantee_on(chosen, tableau, payoffs, mixture1, mixture2, player)


@borrowing
def _guarantee_on(
    grid: float,
    tableau: Tableau,
    payoffs: ChanceArray,
    mixture1: ChanceArray,
    mixture2: ChanceArray,
    player: int,
) -> float:
    """What a player can guarantee with a mixture for payoffs that are rounded to a grid."""
    solve_in(tableau, payoffs, mixture1, mixture2, grid)
    if player == 1:
        return guarantee(payoffs, mixture1, False)
    return guarantee(payoffs, mixture2, True)


@borrowing
def guarantee(payoffs: ChanceArray, mixture: ChanceArray, turned: bool) -> float:
    """What a side's mixture is sure of; `turned` for player 2, who chooses the column.

    The mixture becomes one of multiples of `ROUNDING_UNIT` that add up to 1, or a single number
    that is sure of as much.
    """
    size, total, largest = len(mixture), 0.0, 0
    for own in range(size):
        mixture[own] = (
            np.floor(mixture[own] / ROUNDING_UNIT) * ROUNDING_UNIT if mixture[own] > 0.0 else 0.0
        )
        if mixture[own] > mixture[largest]:
            largest = own
    for own in range(size):
        if own != largest:
            total += mixture[own]
    mixture[largest] = 1.0 - total
    expected, best, number = 2.0, -2.0, 0
    for other in range(size):
        worth = 0.0
        for own in range(size):
            worth += mixture[own] * (-payoffs[other, own] if turned else payoffs[own, other])
        expected = min(expected, worth)
    for own in range(size):
        worst = 2.0
        for other in range(size):
            worst = min(worst, -payoffs[other, own] if turned else payoffs[own, other])
        if worst > best:
            best, number = worst, own
    if not best < expected - ERROR:  # also if the mixture is no number at all
        for own in range(size):
            mixture[own] = 1.0 if own == number else 0.0
        return best
    return expected - ERROR


@borrowing
def slack_of(exact: float) -> float:
    """How far a fraction may be from its double."""
    return 0.0 if exact == 1.0 or exact == -1.0 or exact == 0.0 else ROUNDING_UNIT
