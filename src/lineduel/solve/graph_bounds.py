"""Proved bounds on every value of a graph with battles, by compiled code, in floating point.

Each position gets two doubles. If they differ, they are bounds on its value, and they hold in spite
of rounding. If they are the same number x, the value is known exactly: it is the fraction nearest
to x with a denominator of at most `MOST_DENOMINATOR` (there is only one that rounds to x).

A mixture is made of multiples of 2**-53 that add up to exactly 1. The sum of at most 9 products of
such chances with numbers from -1 to 1 is off by less than 10 * 2**-53 in doubles, one more
such unit covers a fraction in place of its double, and one the last subtraction: `ERROR` is 16.
"""

from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import Threads, compiled, inner
from lineduel.graph import (
    BATTLE,
    NOT_FORCED,
    ChanceArray,
    GameGraph,
    NumberArray,
    SideArray,
    solve_square,
)
from lineduel.solve.solution import Mixture
from lineduel.solve.stochastic.matrix import Solved, solve_matrix

ROUNDING_UNIT = 2.0**-53
ERROR = 16 * ROUNDING_UNIT
"""More than the rounding error of an expected value."""
MOST_DENOMINATOR = 100_000
"""Larger denominators are not looked for; two smaller ones differ by 1e-10 or more."""
MOST_EXACT = 8192
"""The largest number of different battles, by what follows, that are solved in fractions."""
_CLOSE = 1e-12
"""How close a number has to be to a fraction for a proof to be tried."""
_NARROW = 1e-11
"""If one pair of mixtures leaves a wider gap, player 2's mixture is found separately."""
_GRIDS = (2.0**-40, 2.0**-30, 2.0**-20)
"""Grids on which payoffs are rounded if the simplex method was misled."""
_UNKNOWN, _EXACT, _ROUNDED = 0, 1, 2
_UNITS = 32
"""The work that a position is, in units of `Threads`."""

NumberColumn = NDArray[np.int32]


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


class KnownBattles(NamedTuple):
    """Battles between exactly known values, each found once; a hash table with open addressing."""

    keys: ChanceArray
    """The values after each pair of numbers; row 0 is scratch space."""
    slots: NumberArray
    """The row of a battle in `keys`, or 0."""
    low: ChanceArray
    high: ChanceArray
    state: SideArray
    """Whether the value is a fraction: `_UNKNOWN` if that is claimed and not yet proved."""
    used: NumberArray
    """The number of rows in use, as an array of one item."""


@cache
def exact_value(number: float) -> Fraction:
    """The fraction that two equal bounds stand for."""
    return Fraction(number).limit_denominator(MOST_DENOMINATOR)


def bounds_of_levels(
    graph: GameGraph, order: NumberArray, cuts: NumberArray, threads: Threads
) -> GraphBounds:
    """The bounds of a graph without cycles, whose `order` and `cuts` are those of `levels`.

    Values that look like fractions are taken for them, and the battles that say so are then solved
    in fractions. If one of them turns out to be something else, the pass is repeated without it.
    """
    known, size = _no_battles(graph.numbers), len(graph)
    exact: dict[int, tuple[Mixture, Mixture]] = {}
    rank = np.empty(size, np.int32)
    rank[order] = np.repeat(np.arange(len(cuts) - 2, -1, -1, dtype=np.int32), np.diff(cuts))
    while True:
        low, high = np.empty(size), np.empty(size)
        plies, form = np.full(size, NOT_FORCED, np.int32), np.zeros(size, np.int32)
        missed = np.zeros(size, np.bool_)
        for level in range(len(cuts) - 2, -1, -1):
            begin, end = int(cuts[level]), int(cuts[level + 1])
            columns = low, high, plies, form
            threads.work(
                _settle,
                begin,
                end,
                order,
                *graph.arrays,
                graph.numbers,
                *columns,
                known,
                missed,
                units=_UNITS * (end - begin),
                share=(end - begin) / size,
            )
            _settle_missed(
                begin, end, order, graph.first, graph.after, low, high, form, known, missed
            )
        if _prove_battles(known, graph.numbers, exact):
            return GraphBounds(low, high, plies, form, rank, exact, 0)


def _no_battles(numbers: int) -> KnownBattles:
    rows = MOST_EXACT + 1
    return KnownBattles(
        np.zeros((rows, numbers * numbers)),
        np.zeros(4 * MOST_EXACT, np.int64),
        np.zeros(rows),
        np.zeros(rows),
        np.full(rows, _ROUNDED, np.int8),
        np.ones(1, np.int64),
    )


def _prove_battles(
    known: KnownBattles, numbers: int, exact: dict[int, tuple[Mixture, Mixture]]
) -> bool:
    """Solve claimed battles in fractions, and correct those that are wrong; whether none was."""
    right = True
    for row in np.flatnonzero(known.state[: known.used[0]] == _UNKNOWN).tolist():
        worth = known.keys[row].tolist()
        values = sorted(set(worth))
        low, high = exact_value(values[0]), exact_value(values[-1])
        places = {value: at for at, value in enumerate(values)}
        shares = tuple((exact_value(value) - low) / (high - low) for value in values)
        solved = _solved(tuple(places[value] for value in worth), shares, numbers)
        if low + solved.value * (high - low) == exact_value(float(known.low[row])):
            known.state[row] = _EXACT
            exact[row] = solved.rows, solved.columns
        else:
            right = False
            known.state[row] = _ROUNDED
            _bound_row(known, row, numbers)
    return right


@lru_cache(1 << 14)
def _solved(
    pattern: tuple[int, ...], shares: tuple[Fraction, ...], numbers: int
) -> Solved[Fraction]:
    """A battle whose worst outcome is worth 0 and whose best is worth 1; many are alike in that."""
    rows = range(0, len(pattern), numbers)
    return solve_matrix([[shares[one] for one in pattern[at : at + numbers]] for at in rows])


@compiled
def levels(first: NumberArray, after: NumberArray) -> tuple[NumberArray, NumberArray]:
    """The positions by the longest way from the start, and where each length begins.

    All that a position leads to comes later. Positions on a cycle, and all after one, are left out.
    """
    size = len(first) - 1
    order, waiting = np.empty(size, np.int64), np.zeros(size, np.int32)
    cuts = [0]
    for reached in after:
        waiting[reached] += 1
    found, done = 0, 0
    for at in range(size):
        if waiting[at] == 0:
            order[found] = at
            found += 1
    while done < found:
        end = found
        for place in range(done, end):
            at = order[place]
            for choice in range(first[at], first[at + 1]):
                reached = after[choice]
                waiting[reached] -= 1
                if waiting[reached] == 0:
                    order[found] = reached
                    found += 1
        done = end
        cuts.append(done)
    return order[:found], np.array(cuts)


@compiled
def _settle(
    begin: int,
    end: int,
    order: NumberArray,
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    winner: SideArray,
    numbers: int,
    low: ChanceArray,
    high: ChanceArray,
    plies: NumberColumn,
    form: NumberColumn,
    known: KnownBattles,
    missed: NDArray[np.bool_],
) -> None:
    """Settle positions whose successors are settled; battles that are not known are `missed`."""
    scratch = _scratch(numbers)
    for place in range(begin, end):
        at = order[place]
        if winner[at] != 0:
            low[at] = high[at] = 1.0 if winner[at] == 1 else -1.0
            plies[at] = 0
            continue
        _force(at, first, after, mover, numbers, low, high, plies)
        if plies[at] != NOT_FORCED:
            high[at] = low[at]
        elif mover[at] != BATTLE:
            low[at], high[at] = _best_of_moves(at, first, after, mover, low, high)
        else:
            missed[at] = not _settle_battle(at, first, after, low, high, form, known, scratch)


@compiled
def _settle_missed(
    begin: int,
    end: int,
    order: NumberArray,
    first: NumberArray,
    after: NumberArray,
    low: ChanceArray,
    high: ChanceArray,
    form: NumberColumn,
    known: KnownBattles,
    missed: NDArray[np.bool_],
) -> None:
    """Settle the missed battles of a level one by one, and remember each."""
    scratch = _scratch(int(np.sqrt(known.keys.shape[1])))
    for place in range(begin, end):
        at = order[place]
        if not missed[at]:
            continue
        missed[at] = False
        if _settle_battle(at, first, after, low, high, form, known, scratch):
            continue  # one like it was missed, too
        fill_matrices(at, first, after, low, high, scratch.lows, scratch.highs)
        low[at], high[at] = battle_bounds(
            scratch.lows, scratch.highs, scratch.mixture1, scratch.mixture2
        )
        if known.used[0] < len(known.keys):
            _remember(known, scratch.key, low[at], high[at])
            _settle_battle(at, first, after, low, high, form, known, scratch)


class Scratch(NamedTuple):
    """Arrays to work with on one battle."""

    lows: ChanceArray
    highs: ChanceArray
    mixture1: ChanceArray
    mixture2: ChanceArray
    key: ChanceArray


@inner
def _scratch(numbers: int) -> Scratch:
    return Scratch(
        np.empty((numbers, numbers)),
        np.empty((numbers, numbers)),
        np.empty(numbers),
        np.empty(numbers),
        np.empty(numbers * numbers),
    )


@inner
def _settle_battle(
    at: int,
    first: NumberArray,
    after: NumberArray,
    low: ChanceArray,
    high: ChanceArray,
    form: NumberColumn,
    known: KnownBattles,
    scratch: Scratch,
) -> bool:
    """Settle a battle; False if it is one of exact values that is not known."""
    key, numbers = scratch.key, len(scratch.lows)
    exact = True
    for choice in range(len(key)):
        reached = after[first[at] + choice]
        key[choice] = low[reached]
        exact = exact and low[reached] == high[reached]
    if not exact:
        fill_matrices(at, first, after, low, high, scratch.lows, scratch.highs)
        low[at], high[at] = battle_bounds(
            scratch.lows, scratch.highs, scratch.mixture1, scratch.mixture2
        )
        return True
    low[at], form[at] = _saddle(key, numbers)
    if form[at] != 0:
        high[at] = low[at]
        return True
    row = _row_of_battle(known, key)
    if row == 0:
        return False
    low[at], high[at] = known.low[row], known.high[row]
    form[at] = row if low[at] == high[at] else 0
    return True


@inner
def _remember(known: KnownBattles, key: ChanceArray, low: float, high: float) -> None:
    """Add a battle; if its value is close to a fraction, that is claimed."""
    row = known.used[0]
    known.used[0] += 1
    slot = _hashed(key) & (len(known.slots) - 1)
    while known.slots[slot] != 0:
        slot = (slot + 1) & (len(known.slots) - 1)
    known.slots[slot] = row
    known.keys[row] = key
    claimed = near_fraction(0.5 * (low + high))
    if high - low < _CLOSE and abs(claimed - low) < _CLOSE:
        known.low[row] = known.high[row] = claimed
        known.state[row] = _UNKNOWN
    else:
        known.low[row], known.high[row] = low, high
        known.state[row] = _ROUNDED


@compiled
def _bound_row(known: KnownBattles, row: int, numbers: int) -> None:
    """Bounds in place of a claim that was wrong."""
    lows, highs = np.empty((numbers, numbers)), np.empty((numbers, numbers))
    for one in range(numbers):
        for two in range(numbers):
            value = known.keys[row, one * numbers + two]
            lows[one, two], highs[one, two] = value - _slack(value), value + _slack(value)
    known.low[row], known.high[row] = battle_bounds(
        lows, highs, np.empty(numbers), np.empty(numbers)
    )


@inner
def _row_of_battle(known: KnownBattles, key: ChanceArray) -> int:
    """The row of a known battle, or 0."""
    mask = len(known.slots) - 1
    slot = _hashed(key) & mask
    while known.slots[slot] != 0:
        row = known.slots[slot]
        same = True
        for choice in range(len(key)):
            if known.keys[row, choice] != key[choice]:
                same = False
                break
        if same:
            return int(row)
        slot = (slot + 1) & mask
    return 0


@inner
def _hashed(key: ChanceArray) -> int:
    code = 0
    for choice in range(len(key)):
        part = int((key[choice] + 2.0) * 1099511627776.0)
        code = (code * 1_000_003 + part) & 0xFFFFFFFFFF
    return (code ^ (code >> 20)) * 1_000_003 >> 20


@inner
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


@inner
def near_fraction(number: float) -> float:
    """The double of a fraction close to a number, or 3 if its denominator would be too large."""
    above, below, last_above, last_below = np.floor(number), 1.0, 1.0, 0.0
    rest = number - above
    while abs(number - above / below) > 2e-13:
        if rest < 1e-9:
            return 3.0
        rest = 1.0 / rest
        whole = np.floor(rest)
        rest -= whole
        above, last_above = whole * above + last_above, above
        below, last_below = whole * below + last_below, below
        if below > MOST_DENOMINATOR:
            return 3.0
    return float(above / below)


@inner
def _slack(exact: float) -> float:
    """How far a fraction may be from its double."""
    return 0.0 if exact == 1.0 or exact == -1.0 or exact == 0.0 else ROUNDING_UNIT


@inner
def fill_matrices(
    at: int,
    first: NumberArray,
    after: NumberArray,
    low: ChanceArray,
    high: ChanceArray,
    lows: ChanceArray,
    highs: ChanceArray,
) -> None:
    """Bounds after each pair of numbers, rounded outward where they stand for fractions."""
    size = len(lows)
    for one in range(size):
        for two in range(size):
            reached = after[first[at] + one * size + two]
            lows[one, two], highs[one, two] = low[reached], high[reached]
            if lows[one, two] == highs[one, two]:
                slack = _slack(lows[one, two])
                lows[one, two] -= slack
                highs[one, two] += slack


@inner
def _best_of_moves(
    at: int,
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    low: ChanceArray,
    high: ChanceArray,
) -> tuple[float, float]:
    """The bounds of a position with a side to move."""
    sign = 1.0 if mover[at] == 1 else -1.0
    exact, sure, hoped = -2.0, -2.0, -2.0  # as the mover sees it
    for choice in range(first[at], first[at + 1]):
        least, most = low[after[choice]], high[after[choice]]
        if least == most:
            exact = max(exact, sign * least)
        else:
            sure = max(sure, least if sign > 0 else -most)
            hoped = max(hoped, most if sign > 0 else -least)
    if exact - ROUNDING_UNIT >= hoped:
        return sign * exact, sign * exact
    sure = max(sure, exact - _slack(exact))
    hoped = max(hoped, exact + _slack(exact))
    return (sure, hoped) if sign > 0 else (-hoped, -sure)


@inner
def battle_bounds(
    lows: ChanceArray, highs: ChanceArray, mixture1: ChanceArray, mixture2: ChanceArray
) -> tuple[float, float]:
    """What both sides can guarantee in a battle; fills in the mixtures that do."""
    least = side_guarantee(lows, mixture1, mixture2, 1)
    most = -guarantee(highs, mixture2, True)
    if most - least > _NARROW:
        most = min(most, -side_guarantee(highs, np.empty(len(lows)), mixture2, 2))
    return least, most


@inner
def mixtures_for(
    at: int,
    first: NumberArray,
    after: NumberArray,
    low: ChanceArray,
    high: ChanceArray,
    lows: ChanceArray,
    highs: ChanceArray,
    mixture1: ChanceArray,
    mixture2: ChanceArray,
) -> None:
    """Fill in mixtures of both sides that are sure of the bounds of a battle."""
    fill_matrices(at, first, after, low, high, lows, highs)
    side_guarantee(lows, mixture1, mixture2, 1)
    if -guarantee(highs, mixture2, True) > high[at]:
        side_guarantee(highs, np.empty(len(lows)), mixture2, 2)


@inner
def side_guarantee(
    payoffs: ChanceArray, mixture1: ChanceArray, mixture2: ChanceArray, player: int
) -> float:
    """What a player can guarantee if these are player 1's payoffs; fills in its mixture.

    Payoffs that differ by almost nothing can mislead the simplex method. If the two sides'
    guarantees are far apart, it is tried again on rounded payoffs.
    """
    solve_square(payoffs, mixture1, mixture2, 0.0)
    sure1, sure2 = guarantee(payoffs, mixture1, False), guarantee(payoffs, mixture2, True)
    best = sure1 if player == 1 else sure2
    if -sure2 - sure1 <= _NARROW:
        return best
    chosen = 0.0
    for grid in _GRIDS:
        now = _guarantee_on(grid, payoffs, mixture1, mixture2, player)
        if now > best:
            best, chosen = now, grid
    return _guarantee_on(chosen, payoffs, mixture1, mixture2, player)


@inner
def _guarantee_on(
    grid: float,
    payoffs: ChanceArray,
    mixture1: ChanceArray,
    mixture2: ChanceArray,
    player: int,
) -> float:
    """What a player can guarantee with a mixture for payoffs that are rounded to a grid."""
    solve_square(payoffs, mixture1, mixture2, grid)
    if player == 1:
        return guarantee(payoffs, mixture1, False)
    return guarantee(payoffs, mixture2, True)


@inner
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
        mixture[:] = 0.0
        mixture[number] = 1.0
        return best
    return expected - ERROR


@inner
def _force(
    at: int,
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    numbers: int,
    low: ChanceArray,
    high: ChanceArray,
    plies: NumberColumn,
) -> None:
    """Fill in the plies of a forced win, and 1 or -1 in `low`, if there is one."""
    begin, end = first[at], first[at + 1]
    low[at] = 0.0
    for side in range(1, 3):
        won = 1.0 if side == 1 else -1.0
        best = np.int32(NOT_FORCED)
        if mover[at] == BATTLE:
            for own in range(numbers):
                longest = np.int32(0)
                for other in range(numbers):
                    step = own * numbers + other if side == 1 else other * numbers + own
                    reached = after[begin + step]
                    if plies[reached] == NOT_FORCED or low[reached] != won:
                        longest = np.int32(NOT_FORCED)
                        break
                    longest = max(longest, plies[reached])
                if longest != NOT_FORCED and (best == NOT_FORCED or longest < best):
                    best = longest
        else:
            for choice in range(begin, end):
                reached = after[choice]
                forced = plies[reached] != NOT_FORCED and low[reached] == won
                if mover[at] == side:
                    if forced and (best == NOT_FORCED or plies[reached] < best):
                        best = plies[reached]
                elif not forced:
                    best = np.int32(NOT_FORCED)
                    break
                else:
                    best = max(best, plies[reached])
        if best != NOT_FORCED:
            plies[at], low[at] = best + 1, won
            return
