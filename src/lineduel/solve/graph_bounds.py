"""Proved bounds on every value of a graph with battles, by compiled code, in floating point.

Each position gets two doubles. If they differ, they are bounds on its value, and they hold in spite
of rounding. If they are the same number, the value is known exactly, see `known_battles.py`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import borrowing
from lineduel.graph import BATTLE, NOT_FORCED, ChanceArray, NumberArray
from lineduel.solve.battle_guarantees import (
    ROUNDING_UNIT,
    Scratch,
    battle_bounds,
    fill_matrices,
    slack_of,
)
from lineduel.solve.known_battles import KnownBattles, remember, row_of_battle
from lineduel.solve.solution import Mixture

NumberColumn = NDArray[np.int16] | NDArray[np.int32]


class GraphBounds(NamedTuple):
    """For each position of a graph: bounds on what player 1 can expect, and how to prove them."""

    low: ChanceArray
    high: ChanceArray
    plies: NumberColumn
    """The plies of a forced win, or `NOT_FORCED`."""
    form: NumberColumn
    """In a battle: k for the mixtures of number k in `exact`; -1 - n * a - b if number a + 1 of
    player 1 and b + 1 of player 2 are sure of the bounds (there are n numbers); otherwise 0."""
    rank: NumberColumn
    """A position leads to lower ranks, except to positions from which it can come up again."""
    exact: dict[int, tuple[Mixture, Mixture]]
    """The mixtures of both sides in battles of exactly known values."""
    returning: int
    """How many positions can come up again; if none, every choice leads to a lower rank."""


class BoundColumns(NamedTuple):
    """The columns of `GraphBounds` that a pass fills in."""

    low: ChanceArray
    high: ChanceArray
    plies: NumberColumn
    form: NumberColumn


@borrowing
def settle_position(
    at: int,
    reached: NumberArray,
    mover: int,
    winner: int,
    numbers: int,
    bounds: BoundColumns,
    known: KnownBattles,
    scratch: Scratch,
) -> bool:
    """Settle a position that leads to these; False if it is a battle that has to be remembered."""
    low, high, plies = bounds.low, bounds.high, bounds.plies
    if winner != 0:
        low[at] = high[at] = 1.0 if winner == 1 else -1.0
        plies[at] = 0
        return True
    _force(at, reached, mover, numbers, low, plies)
    if plies[at] != NOT_FORCED:
        high[at] = low[at]
    elif mover != BATTLE:
        low[at], high[at] = _best_of_moves(reached, mover, low, high)
    else:
        return _settle_battle(at, reached, bounds, known, scratch)
    return True


@borrowing
def settle_missed(
    at: int,
    reached: NumberArray,
    bounds: BoundColumns,
    known: KnownBattles,
    scratch: Scratch,
) -> None:
    """Settle a battle that was not known, and remember it if there is room."""
    if _settle_battle(at, reached, bounds, known, scratch):
        return  # one like it was missed, too
    fill_matrices(reached, bounds.low, bounds.high, scratch.lows, scratch.highs)
    bounds.low[at], bounds.high[at] = battle_bounds(scratch)
    if known.used[0] < len(known.keys):
        remember(known, scratch.key, bounds.low[at], bounds.high[at])
        _settle_battle(at, reached, bounds, known, scratch)


@borrowing
def _settle_battle(
    at: int,
    reached: NumberArray,
    bounds: BoundColumns,
    known: KnownBattles,
    scratch: Scratch,
) -> bool:
    """Settle a battle; False if it is one of exact values that is not known."""
    low, high, form = bounds.low, bounds.high, bounds.form
    key, numbers = scratch.key, len(scratch.lows)
    exact = True
    for choice in range(len(key)):
        key[choice] = low[reached[choice]]
        exact = exact and key[choice] == high[reached[choice]]
    if not exact:
        fill_matrices(reached, low, high, scratch.lows, scratch.highs)
        low[at], high[at] = battle_bounds(scratch)
        return True
    low[at], form[at] = _saddle(key, numbers)
    if form[at] != 0:
        high[at] = low[at]
        return True
    row = row_of_battle(known, key)
    if row == 0:
        return False
    low[at], high[at] = known.low[row], known.high[row]
    form[at] = row if low[at] == high[at] else 0
    return True


@borrowing
def _saddle(key: ChanceArray, numbers: int) -> tuple[float, int]:
    """The value if each side has a number that is sure of it, and their form; otherwise form 0."""
    least, most, row, column = -2.0, 2.0, 0, 0
    for one in range(numbers):
        worst, best = 2.0, -2.0
        for two in range(numbers):
            worst = min(worst, key[one * numbers + two])
            best = max(best, key[two * numbers + one])
        if worst > least:
            least, row = worst, one
        if best < most:
            most, column = best, one
    return least, -1 - row * numbers - column if least == most else 0


@borrowing
def _best_of_moves(
    reached: NumberArray, mover: int, low: ChanceArray, high: ChanceArray
) -> tuple[float, float]:
    """The bounds of a position with a side to move."""
    sign = 1.0 if mover == 1 else -1.0
    exact, sure, hoped = -2.0, -2.0, -2.0  # as the mover sees it
    for to in reached:
        least, most = low[to], high[to]
        if least == most:
            exact = max(exact, sign * least)
        else:
            sure = max(sure, least if sign > 0 else -most)
            hoped = max(hoped, most if sign > 0 else -least)
    if exact - ROUNDING_UNIT >= hoped:
        return sign * exact, sign * exact
    sure = max(sure, exact - slack_of(exact))
    hoped = max(hoped, exact + slack_of(exact))
    return (sure, hoped) if sign > 0 else (-hoped, -sure)


@borrowing
def _force(
    at: int,
    reached: NumberArray,
    mover: int,
    numbers: int,
    low: ChanceArray,
    plies: NumberColumn,
) -> None:
    """Fill in the plies of a forced win, and 1 or -1 in `low`, if there is one."""
    low[at] = 0.0
    for side in range(1, 3):
        won = 1.0 if side == 1 else -1.0
        best = NOT_FORCED
        if mover == BATTLE:
            for own in range(numbers):
                longest = 0
                for other in range(numbers):
                    to = reached[own * numbers + other if side == 1 else other * numbers + own]
                    if plies[to] == NOT_FORCED or low[to] != won:
                        longest = NOT_FORCED
                        break
                    longest = max(longest, int(plies[to]))
                if longest != NOT_FORCED and (best == NOT_FORCED or longest < best):
                    best = longest
        else:
            for to in reached:
                forced = plies[to] != NOT_FORCED and low[to] == won
                if mover == side:
                    if forced and (best == NOT_FORCED or plies[to] < best):
                        best = int(plies[to])
                elif not forced:
                    best = NOT_FORCED
                    break
                else:
                    best = max(best, int(plies[to]))
        if best != NOT_FORCED:
            plies[at], low[at] = best + 1, won
            return
