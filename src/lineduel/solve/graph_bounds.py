"""Proved bounds on every value of a graph with battles, by compiled code, in floating point.

Each position gets two doubles. If they differ, they are bounds on its value, and they hold in spite
of rounding. If they are the same number x, the value is known exactly: it is the fraction nearest
to x with a denominator of at most `MOST_DENOMINATOR` (there is only one that rounds to x).

A mixture is made of multiples of 2**-53 that add up to exactly 1. The sum of at most 9 products of
such chances with numbers from -1 to 1 is off by less than 10 * 2**-53 in doubles, one more
such unit covers a fraction in place of its double, and one the last subtraction: `ERROR` is 16.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import borrowing, compiled, inner
from lineduel.graph import (
    BATTLE,
    NOT_FORCED,
    ChanceArray,
    NumberArray,
    SideArray,
    Tableau,
    solve_in,
    tableau_for,
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
CLAIMED, _EXACT, _ROUNDED = 0, 1, 2

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


class KnownBattles(NamedTuple):
    """Battles between exactly known values, each found once; a hash table with open addressing."""

    keys: ChanceArray
    """The values after each pair of numbers; row 0 is scratch space."""
    slots: NumberArray
    """The row of a battle in `keys`, or 0."""
    low: ChanceArray
    high: ChanceArray
    state: SideArray
    """Whether the value is a fraction: `CLAIMED` if that is claimed and not yet proved."""
    used: NumberArray
    """The number of rows in use, as an array of one item."""


@cache
def exact_value(number: float) -> Fraction:
    """The fraction that two equal bounds stand for."""
    return Fraction(number).limit_denominator(MOST_DENOMINATOR)


def no_battles(numbers: int) -> KnownBattles:
    rows = MOST_EXACT + 1
    return KnownBattles(
        np.zeros((rows, numbers * numbers)),
        np.zeros(4 * MOST_EXACT, np.int64),
        np.zeros(rows),
        np.zeros(rows),
        np.full(rows, _ROUNDED, np.int8),
        np.ones(1, np.int64),
    )


def proof_of_battle(known: KnownBattles, row: int, numbers: int) -> Solved[Fraction] | None:
    """The mixtures of a battle whose value is claimed to be a fraction; None if it is another."""
    worth = known.keys[row].tolist()
    values = sorted(set(worth))
    low, high = exact_value(values[0]), exact_value(values[-1])
    places = {value: at for at, value in enumerate(values)}
    shares = tuple((exact_value(value) - low) / (high - low) for value in values)
    solved = solved_battle(tuple(places[value] for value in worth), shares, numbers)
    right = low + solved.value * (high - low) == exact_value(float(known.low[row]))
    return solved if right else None


def settle_claims(
    known: KnownBattles,
    proofs: Mapping[int, Solved[Fraction] | None],
    exact: dict[int, tuple[Mixture, Mixture]],
) -> bool:
    """Keep the mixtures of claims that are proved, and correct the others; whether none was."""
    for row, solved in proofs.items():
        if solved:
            known.state[row] = _EXACT
            exact[row] = solved.rows, solved.columns
        else:
            _withdraw_claim(known, row, int(np.sqrt(known.keys.shape[1])))
    return all(proofs.values())


@lru_cache(1 << 14)
def solved_battle(
    pattern: tuple[int, ...], shares: tuple[Fraction, ...], numbers: int
) -> Solved[Fraction]:
    """A battle whose worst outcome is worth 0 and whose best is worth 1; many are alike in that."""
    rows = range(0, len(pattern), numbers)
    return solve_matrix([[shares[one] for one in pattern[at : at + numbers]] for at in rows])


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
        _remember(known, scratch.key, bounds.low[at], bounds.high[at])
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
    row = _row_of_battle(known, key)
    if row == 0:
        return False
    low[at], high[at] = known.low[row], known.high[row]
    form[at] = row if low[at] == high[at] else 0
    return True


@borrowing
def _remember(known: KnownBattles, key: ChanceArray, low: float, high: float) -> None:
    """Add a battle; if its value is close to a fraction, that is claimed."""
    row = known.used[0]
    known.used[0] += 1
    slot = _hashed(key) & (len(known.slots) - 1)
    while known.slots[slot] != 0:
        slot = (slot + 1) & (len(known.slots) - 1)
    known.slots[slot] = row
    for choice in range(len(key)):
        known.keys[row, choice] = key[choice]
    claimed = near_fraction(0.5 * (low + high))
    if high - low < _CLOSE and abs(claimed - low) < _CLOSE:
        known.low[row] = known.high[row] = claimed
        known.state[row] = CLAIMED
    else:
        known.low[row], known.high[row] = low, high
        known.state[row] = _ROUNDED


@compiled
def _withdraw_claim(known: KnownBattles, row: int, numbers: int) -> None:
    """Bounds in place of a claim that was wrong."""
    known.state[row] = _ROUNDED
    scratch = scratch_for(numbers)
    for one in range(numbers):
        for two in range(numbers):
            value = known.keys[row, one * numbers + two]
            scratch.lows[one, two] = value - _slack(value)
            scratch.highs[one, two] = value + _slack(value)
    known.low[row], known.high[row] = battle_bounds(scratch)


@borrowing
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


@borrowing
def _hashed(key: ChanceArray) -> int:
    code = 0
    for choice in range(len(key)):
        part = int((key[choice] + 2.0) * 1099511627776.0)
        code = (code * 1_000_003 + part) & 0xFFFFFFFFFF
    return (code ^ (code >> 20)) * 1_000_003 >> 20


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


@borrowing
def _slack(exact: float) -> float:
    """How far a fraction may be from its double."""
    return 0.0 if exact == 1.0 or exact == -1.0 or exact == 0.0 else ROUNDING_UNIT


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
                slack = _slack(lows[one, two])
                lows[one, two] -= slack
                highs[one, two] += slack


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
    sure = max(sure, exact - _slack(exact))
    hoped = max(hoped, exact + _slack(exact))
    return (sure, hoped) if sign > 0 else (-hoped, -sure)


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
