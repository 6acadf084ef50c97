"""A subchain solved by eliminating its states, which is exact however long play stays in it.

Eliminating a state hands its chances on to those that lead there. The pivot is a sum of positive
numbers and never a difference, so that no digits are lost. The states are taken in an order in
which those that lead to one another stand close together, so that most of the matrix stays empty:
a breadth-first search from the edge (Cuthill and McKee, 1969).

Grassmann, Taksar and Heyman, Regenerative analysis and steady state distributions for Markov
chains (1985).
"""

from typing import NamedTuple

import numpy as np

from lineduel.compiled import inner
from lineduel.graph.array_types import ChanceArray, NumberArray
from lineduel.graph.subchain import Subchain, reversed_subchain


class Elimination(NamedTuple):
    """A subchain whose states have been eliminated, the last of the order first.

    Row and column of a state hold, up to itself, what it led to and what led there when it was
    eliminated; where they cross stands its pivot, all that led elsewhere. A row holds only the
    `width` states before and behind its own.
    """

    factors: ChanceArray
    width: int
    order: NumberArray


@inner
def eliminate(chain: Subchain) -> Elimination:
    """Eliminate all states."""
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
    """The members by their distance from one that is far from another."""
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
            last = size - 1 - member  # the reversed subchain is counted from the last
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
    """From what each state is given to what it expects: that, and what it expects a step later."""
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
    """From how often a subchain is entered at each state to how often each is visited."""
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
