"""Solve a subchain by eliminating its states; this is exact however long play stays in it.

Eliminating a state passes its probabilities on to the states that lead to it. The pivot is a sum of
positive numbers, never a difference, so no digits are lost. The states are ordered by a
breadth-first search from a peripheral state (Cuthill and McKee, 1969). Connected states are then
close together, and most of the matrix stays empty.

See Grassmann, Taksar and Heyman, Regenerative analysis and steady state distributions for Markov
chains (1985).
"""

from typing import NamedTuple

import numpy as np

from lineduel.compiled import inner
from lineduel.graph.array_types import ChanceArray, NumberArray
from lineduel.graph.subchain import Subchain, reversed_subchain


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
        for to in range(low, at):
            onward += factors[at, to - at + width]
        factors[at, width] = onward
        for origin in range(low, at):
            share = factors[origin, at - origin + width] / onward
            if share > 0.0:
                leave[origin] += share * leave[at]
                for to in range(low, at):
                    factors[origin, to - origin + width] += share * factors[at, to - at + width]
    return Elimination(factors, width, order)


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
