"""Battles between exactly known values: each is solved once, in fractions if its value is one.

An exactly known value is a double x that stands for the fraction nearest to x with a denominator of
at most `MOST_DENOMINATOR` (there is only one that rounds to x).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from lineduel.compiled import borrowing, compiled
from lineduel.graph import ChanceArray, NumberArray, SideArray
from lineduel.solve.battle_guarantees import battle_bounds, scratch_for, slack_of
from lineduel.solve.solution import Mixture
from lineduel.solve.stochastic.matrix import Solved, solve_matrix

MOST_DENOMINATOR = 100_000
"""Larger denominators are not looked for; two smaller ones differ by 1e-10 or more."""
MOST_EXACT = 8192
"""The largest number of different battles, by what follows, that are solved in fractions."""
_CLOSE = 1e-12
"""How close a number has to be to a fraction for a proof to be tried."""
CLAIMED, _EXACT, _ROUNDED = 0, 1, 2


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


def proofs_of_battles(
    known: KnownBattles, rows: Sequence[int], numbers: int
) -> dict[int, Solved[Fraction] | None]:
    """The same for several battles."""
    return {row: proof_of_battle(known, row, numbers) for row in rows}


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


@borrowing
def remember(known: KnownBattles, key: ChanceArray, low: float, high: float) -> None:
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
            scratch.lows[one, two] = value - slack_of(value)
            scratch.highs[one, two] = value + slack_of(value)
    known.low[row], known.high[row] = battle_bounds(scratch)


@borrowing
def row_of_battle(known: KnownBattles, key: ChanceArray) -> int:
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
