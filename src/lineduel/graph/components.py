"""The strongly connected components of a chain, and two ways to solve one as a separate chain.

They are found by Tarjan's algorithm (Depth-first search and linear graph algorithms, 1972), without
recursion.

Elimination is exact however long play stays in the component. Eliminating a state passes its
probabilities on to the states that lead to it. The pivot is a sum of positive numbers, never a
difference, so no digits are lost. The states are ordered by a breadth-first search from a
peripheral state (Cuthill and McKee, 1969). Connected states are then close together, and most of
the matrix stays empty. See Grassmann, Taksar and Heyman, Regenerative analysis and steady state
distributions for Markov chains (1985).

Iteration is fast, and its result is used only if its error is bounded. It is van der Vorst's
stabilised biconjugate gradient method (BiCGSTAB, 1992), preconditioned by one Gauss-Seidel sweep.
If values h exceed their expectation after one step by at least 1/2 everywhere, the error of any
result is at most twice the largest h times the largest residual. (For the reversed subchain, the
sum of the errors is at most twice the largest h times the sum of the residuals.)
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import borrowing, compiled, inner
from lineduel.graph.array_types import ChanceArray, NumberArray

_NONE = -1


@inner
def components_of(
    first: NumberArray, after: NumberArray, chances: ChanceArray, start: int, everywhere: bool
) -> tuple[NumberArray, NumberArray, NumberArray]:
    """The reachable positions by component, each component after those it leads to.

    Only choices with a positive probability count. Within a component, a position also comes after
    the positions it leads to, except along back edges.
    Returns the positions, the index at which each component begins (and the end), and the component
    number of each position. With `everywhere`, unreachable positions are included.
    """
    size = len(first) - 1
    order, cuts = np.empty(size, np.int64), np.empty(size + 1, np.int64)
    component, low = np.full(size, _NONE, np.int64), np.full(size, _NONE, np.int64)
    seen, waiting = np.empty(size, np.int64), np.empty(size, np.int64)
    path, next_choice = np.empty(size, np.int64), np.empty(size, np.int64)
    mark = np.empty(size, np.int64)  # `held` when a position was first seen
    placed, found, count, depth, held = 0, 0, 0, 0, 0
    for root in range(-1, size if everywhere else 0):
        at = start if root < 0 else root
        if low[at] != _NONE:
            continue
        path[0], depth = at, 1
        while depth:
            at = path[depth - 1]
            if low[at] == _NONE:
                seen[at] = low[at] = count
                count += 1
                next_choice[at], mark[at] = first[at], held
            deeper = False
            while next_choice[at] < first[at + 1] and not deeper:
                choice = next_choice[at]
                reached = after[choice]
                if chances[choice] > 0 and low[reached] == _NONE:
                    path[depth] = reached
                    depth += 1
                    deeper = True
                    continue  # this choice is examined again on return
                next_choice[at] += 1
                if chances[choice] > 0 and component[reached] == _NONE:
                    low[at] = min(low[at], low[reached])
            if deeper:
                continue
            depth -= 1
            waiting[held] = at
            held += 1
            if low[at] == seen[at]:
                cuts[found] = placed
                for one in range(mark[at], held):
                    component[waiting[one]] = found
                    order[placed] = waiting[one]
                    placed += 1
                held = mark[at]
                found += 1
    cuts[found] = placed
    return order[:placed], cuts[: found + 1], component


@compiled
def strong_components(first: NumberArray, after: NumberArray) -> NumberArray:
    """The component of each position that is reachable from position 0 by any choices."""
    return components_of(first, after, np.ones(len(after)), 0, False)[2]


@compiled
def all_components(
    first: NumberArray, after: NumberArray, chances: ChanceArray
) -> tuple[NumberArray, NumberArray]:
    """All positions by component, and where each begins, as in `components_of`."""
    order, cuts, _ = components_of(first, after, chances, 0, True)
    return order, cuts


class MergedChoices(NamedTuple):
    """The choices of a graph, those of a position that lead to the same position taken as one.

    A battle has few outcomes, however many pairs of numbers it has.
    """

    first: NumberArray
    after: NumberArray
    place: NumberArray
    """For each choice of the graph, the number of the one that it is part of."""


@compiled
def merged_choices(first: NumberArray, after: NumberArray) -> MergedChoices:
    """Merge the choices of every position."""
    begin, place = np.zeros(len(first), np.int64), np.empty(len(after), np.int64)
    reached, end = np.empty(len(after), np.int64), 0
    for at in range(len(first) - 1):
        for choice in range(first[at], first[at + 1]):
            entry = begin[at]
            while entry < end and reached[entry] != after[choice]:
                entry += 1
            if entry == end:
                reached[end] = after[choice]
                end += 1
            place[choice] = entry
        begin[at + 1] = end
    return MergedChoices(begin, reached[:end].copy(), place)


@compiled
def merge_chances(place: NumberArray, chances: ChanceArray, merged: ChanceArray) -> None:
    """Fill in the probabilities of merged choices."""
    merged[:] = 0.0
    for choice in range(len(chances)):
        merged[place[choice]] += chances[choice]


Unsigned = NDArray[np.uint32]
"""Unsigned indices; compiled code does not have to handle negative ones."""
AIM = 1e-12
"""The target error of an iteration."""

_MOST_STEPS = 300
_FEW_STEPS = 100
"""The most iterations for values that only have to be closer than before."""
_MOST_STARTS = 4
_ROUNDING = 2e-16


class Subchain(NamedTuple):
    """A component of a chain; its members are numbered from 0, and none leads to itself.

    The transition probabilities of a member and its probability to leave the component add up to 1.
    They have been divided by `scale`, the probability that a step leads to another position.
    """

    first: Unsigned
    reached: Unsigned
    chance: ChanceArray
    leave: ChanceArray
    scale: ChanceArray


@inner
def subchain_of(
    members: NumberArray,
    first: NumberArray,
    after: NumberArray,
    chances: ChanceArray,
    component: NumberArray,
    place: NumberArray,
) -> Subchain:
    """The subchain of a component; `place` is filled with each member's number in it."""
    size, choices = len(members), 0
    for one in range(size):
        place[members[one]] = one
        choices += first[members[one] + 1] - first[members[one]]
    begin, reached = np.zeros(size + 1, np.uint32), np.empty(choices, np.uint32)
    chance, leave, scale = np.empty(choices), np.zeros(size), np.zeros(size)
    end = 0
    for one in range(size):
        at = members[one]
        for choice in range(first[at], first[at + 1]):
            to = after[choice]
            if chances[choice] <= 0 or to == at:
                continue
            scale[one] += chances[choice]
            if component[to] != component[at]:
                leave[one] += chances[choice]
                continue
            entry = begin[one]
            while entry < end and reached[entry] != place[to]:
                entry += 1
            if entry == end:
                reached[end], chance[end] = place[to], 0.0
                end += 1
            chance[entry] += chances[choice]
        begin[one + 1] = end
        leave[one] /= scale[one]
        for entry in range(begin[one], end):
            chance[entry] /= scale[one]
    return Subchain(begin, reached[:end], chance[:end], leave, scale)


@inner
def reversed_subchain(chain: Subchain) -> Subchain:
    """The subchain with all transitions reversed, and its members numbered from the last."""
    last = len(chain.leave) - 1
    begin = np.zeros(last + 3, np.uint32)
    reached, chance = np.empty(len(chain.reached), np.uint32), np.empty(len(chain.reached))
    for to in chain.reached:
        begin[last - to + 2] += 1
    for one in range(last + 1):
        begin[one + 2] += begin[one + 1]
    for one in range(last + 1):
        for entry in range(chain.first[one], chain.first[one + 1]):
            to = last - chain.reached[entry]
            reached[begin[to + 1]] = last - one
            chance[begin[to + 1]] = chain.chance[entry]
            begin[to + 1] += 1
    return Subchain(begin[: last + 2], reached, chance, chain.leave, chain.scale)


class Elimination(NamedTuple):
    """A subchain whose states have been eliminated, starting with the last in the order.

    The row and the column of a state, up to its diagonal entry, hold its transitions to and from
    earlier states at the time it was eliminated. The diagonal entry is the pivot: the total
    probability of leading to another state. The matrix is banded: a row stores only `width` states
    on either side of the diagonal.
    """

    factors: ChanceArray
    width: int
    order: NumberArray


@inner
def eliminate(chain: Subchain) -> Elimination:
    """Eliminate all states of a subchain."""
    size = len(chain.leave)
    order, place = _narrow_order(chain), np.empty(size, np.int64)
    for at in range(size):
        place[order[at]] = at
    width = 0
    for member in range(size):
        for entry in range(chain.first[member], chain.first[member + 1]):
            width = max(width, abs(place[member] - place[chain.reached[entry]]))
    factors, leave = np.zeros((size, 2 * width + 1)), np.empty(size)
    for at in range(size):
        member = order[at]
        leave[at] = chain.leave[member]
        for entry in range(chain.first[member], chain.first[member + 1]):
            factors[at, place[chain.reached[entry]] - at + width] += chain.chance[entry]
    for at in range(size - 1, -1, -1):
        low, onward = max(0, at - width), leave[at]
        passed = factors[at, low - at + width : width]
        for chance in passed:
            onward += chance
        factors[at, width] = onward
        for origin in range(low, at):
            share = factors[origin, at - origin + width] / onward
            if share > 0.0:
                leave[origin] += share * leave[at]
                begin = low - origin + width
                _add_share(factors[origin, begin : begin + len(passed)], share, passed)
    return Elimination(factors, width, order)


@borrowing
def _add_share(row: ChanceArray, share: float, passed: ChanceArray) -> None:
    """Add a share of other numbers to a row; a loop over whole rows runs on vectors."""
    for at in range(len(row)):
        row[at] += share * passed[at]


@inner
def _narrow_order(chain: Subchain) -> NumberArray:
    """The members in breadth-first order from a peripheral member, for a narrow band."""
    size, back = len(chain.leave), reversed_subchain(chain)
    order, begin = np.empty(size, np.int64), 0
    for _ in range(2):
        known = np.zeros(size, np.bool_)
        order[0], known[begin], found = begin, True, 1
        at = 0
        while at < found:
            member = order[at]
            for entry in range(chain.first[member], chain.first[member + 1]):
                to = int(chain.reached[entry])
                if not known[to]:
                    order[found], known[to] = to, True
                    found += 1
            last = size - 1 - member  # the reversed subchain is numbered from the last
            for entry in range(back.first[last], back.first[last + 1]):
                to = size - 1 - int(back.reached[entry])
                if not known[to]:
                    order[found], known[to] = to, True
                    found += 1
            at += 1
        begin = order[size - 1]
    return order


@inner
def expected_values(solved: Elimination, values: ChanceArray) -> None:
    """Replace the reward of each state by its expected total reward, in place."""
    factors, width = solved.factors, solved.width
    expected = values[solved.order]
    for at in range(len(values) - 1, -1, -1):
        share = expected[at] / factors[at, width]
        for origin in range(max(0, at - width), at):
            expected[origin] += share * factors[origin, at - origin + width]
    for at in range(len(values)):
        total = expected[at]
        for to in range(max(0, at - width), at):
            total += factors[at, to - at + width] * expected[to]
        expected[at] = total / factors[at, width]
    values[solved.order] = expected


@inner
def expected_visits(solved: Elimination, visits: ChanceArray) -> None:
    """Replace the entries at each state by the expected visits to it, in place."""
    factors, width = solved.factors, solved.width
    expected = visits[solved.order]
    for at in range(len(visits) - 1, -1, -1):
        share = expected[at] / factors[at, width]
        for to in range(max(0, at - width), at):
            expected[to] += share * factors[at, to - at + width]
    for at in range(len(visits)):
        total = expected[at]
        for origin in range(max(0, at - width), at):
            total += expected[origin] * factors[origin, at - origin + width]
        expected[at] = total / factors[at, width]
    visits[solved.order] = expected


@inner
def longest_stay(chain: Subchain) -> float:
    """A bound on the steps spent in the subchain, used in the error bound; inf if none is found."""
    size = len(chain.leave)
    steps, ones = np.zeros(size), np.ones(size)
    _accelerate(chain, ones, steps, 0.25, _MOST_STEPS, _MOST_STARTS)
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
    tolerance = max(AIM / stay, _ROUNDING)
    _accelerate(chain, given, values, tolerance, _MOST_STEPS, _MOST_STARTS)
    most, total, _ = _residual(chain, given, values)
    return stay * most, stay * total


@inner
def solve_subchain(
    chain: Subchain, given: ChanceArray, values: ChanceArray, tolerance: float
) -> tuple[int, bool]:
    """Solve values = given + their expectation after one step, in place, about to a tolerance.

    Returns the number of iterations, and whether the values are closer to a solution than before.
    """
    before, _, _ = _residual(chain, given, values)
    steps = _accelerate(chain, given, values, tolerance, _FEW_STEPS, 1)
    return steps, _residual(chain, given, values)[0] < before


@borrowing
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
def _accelerate(
    chain: Subchain,
    given: ChanceArray,
    values: ChanceArray,
    tolerance: float,
    most_steps: int,
    most_starts: int,
) -> int:
    """Iterate until a sweep changes no value by more than `tolerance`, or convergence fails.

    Returns the number of iterations.
    """
    size, total = len(given), 0
    nothing, shadow = np.zeros(size), np.zeros(size)
    rest, search = np.empty(size), np.empty(size)
    rest_change, search_change = np.empty(size), np.empty(size)
    for _ in range(most_starts):
        _change(chain, given, values, shadow, rest)
        off, aim = 0.0, 0.0
        for at in range(size):
            rest[at] = shadow[at] = search[at] = -rest[at]
            off, aim = max(off, abs(rest[at])), aim + rest[at] * rest[at]
        steps = 0
        while off > tolerance and aim != 0.0 and steps < most_steps:
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
        total += steps
        if steps == 0:
            break
    return total


@borrowing
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
