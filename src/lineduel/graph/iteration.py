"""Solve a subchain by iteration: fast, and only accepted with a bound on the error.

Uses van der Vorst's stabilised biconjugate gradient method (BiCGSTAB, 1992), preconditioned by one
Gauss-Seidel sweep. A result is used only if its error is bounded: if values h exceed their
expectation after one step by at least 1/2 everywhere, the error of any result is at most twice the
largest h times the largest residual. (For the reversed subchain, the sum of the errors is at most
twice the largest h times the sum of the residuals.)
"""

import numpy as np

from lineduel.compiled import inner
from lineduel.graph.array_types import ChanceArray
from lineduel.graph.subchain import Subchain

AIM = 1e-12
"""The target error."""

_MOST_STEPS = 300
_MOST_STARTS = 4
_ROUNDING = 2e-16


@inner
def longest_stay(chain: Subchain) -> float:
    """A bound on the steps spent in the subchain, used in the error bound; inf if none is found."""
    size = len(chain.leave)
    steps, ones = np.zeros(size), np.ones(size)
    _accelerate(chain, ones, steps, 0.25)
    most, _, longest = _residual(chain, ones, steps)
    return 2.0 * longest if most <= 0.5 else np.inf


@inner
def iterate(
    chain: Subchain, given: ChanceArray, values: ChanceArray, stay: float
) -> tuple[float, float]:
    """Solve values = given + their expectation after one step; returns two error bounds.

    The first bounds the error of each value; the second, for a reversed subchain, the sum of all.
    """
    if stay == np.inf:
        return np.inf, np.inf
    _accelerate(chain, given, values, max(AIM / stay, _ROUNDING))
    most, total, _ = _residual(chain, given, values)
    return stay * most, stay * total


@inner
def _residual(
    chain: Subchain, given: ChanceArray, values: ChanceArray
) -> tuple[float, float, float]:
    """The largest residual, the sum of absolute residuals, and the largest value."""
    most, total, largest = 0.0, 0.0, 0.0
    for at in range(len(given)):
        off = given[at] - values[at]
        for entry in range(chain.first[at], chain.first[at + 1]):
            off += chain.chance[entry] * values[chain.reached[entry]]
        most, total = max(most, abs(off)), total + abs(off)
        largest = max(largest, values[at])
    if not total < np.inf:  # also true for NaN
        return np.inf, np.inf, np.inf
    return most, total, largest


@inner
def _accelerate(chain: Subchain, given: ChanceArray, values: ChanceArray, tolerance: float) -> None:
    """Iterate until a sweep changes no value by more than `tolerance`, or convergence fails."""
    size = len(given)
    nothing, shadow = np.zeros(size), np.zeros(size)
    rest, search = np.empty(size), np.empty(size)
    rest_change, search_change = np.empty(size), np.empty(size)
    for _ in range(_MOST_STARTS):
        _change(chain, given, values, shadow, rest)
        off, aim = 0.0, 0.0
        for at in range(size):
            rest[at] = shadow[at] = search[at] = -rest[at]
            off, aim = max(off, abs(rest[at])), aim + rest[at] * rest[at]
        steps = 0
        while off > tolerance and aim != 0.0 and steps < _MOST_STEPS:
            steps += 1
            slope, _, _ = _change(chain, nothing, search, shadow, search_change)
            if slope == 0.0:
                break
            alpha = aim / slope
            for at in range(size):
                rest[at] -= alpha * search_change[at]
            _, fit, norm = _change(chain, nothing, rest, shadow, rest_change)
            omega = fit / norm if norm > 0.0 else 0.0
            off, before, aim = 0.0, aim, 0.0
            for at in range(size):
                values[at] += alpha * search[at] + omega * rest[at]
                rest[at] -= omega * rest_change[at]
                off, aim = max(off, abs(rest[at])), aim + shadow[at] * rest[at]
            if omega == 0.0:
                break
            beta = aim / before * alpha / omega
            for at in range(size):
                search[at] = rest[at] + beta * (search[at] - omega * search_change[at])
        if steps == 0:
            break


@inner
def _change(
    chain: Subchain,
    given: ChanceArray,
    values: ChanceArray,
    shadow: ChanceArray,
    change: ChanceArray,
) -> tuple[float, float, float]:
    """Fill `change` with the decrease of each value in one sweep.

    Returns its scalar products with `shadow`, with `values` and with itself.
    """
    for at in range(len(given)):
        change[at] = values[at]
    for at in range(len(given)):
        total = given[at]
        for entry in range(chain.first[at], chain.first[at + 1]):
            total += chain.chance[entry] * change[chain.reached[entry]]
        change[at] = total
    slope, fit, norm = 0.0, 0.0, 0.0
    for at in range(len(given)):
        less = values[at] - change[at]
        change[at] = less
        slope += shadow[at] * less
        fit += values[at] * less
        norm += less * less
    return slope, fit, norm
