"""A subchain solved by eliminating its states, which is exact however long play stays in it.

Eliminating a state hands its chances on to those that lead there. The pivot is a sum of positive
numbers and never a difference, so that no digits are lost.

Grassmann, Taksar and Heyman, Regenerative analysis and steady state distributions for Markov
chains (1985).
"""

import numpy as np

from lineduel.compiled import inner
from lineduel.graph.array_types import ChanceArray
from lineduel.graph.subchain import Subchain


@inner
def eliminate(chain: Subchain) -> ChanceArray:
    """Eliminate all states, the last first.

    Row and column of a state hold, up to itself, what it led to and what led there when it was
    eliminated; where they cross stands its pivot, all that led elsewhere.
    """
    size = len(chain.leave)
    factors, leave = np.zeros((size, size)), np.empty(size)
    for at in range(size):
        leave[at] = chain.leave[at]
        for entry in range(chain.first[at], chain.first[at + 1]):
            factors[at, chain.reached[entry]] += chain.chance[entry]
    for at in range(size - 1, -1, -1):
        onward = leave[at]
        for to in range(at):
            onward += factors[at, to]
        factors[at, at] = onward
        for origin in range(at):
            share = factors[origin, at] / onward
            if share > 0.0:
                leave[origin] += share * leave[at]
                for to in range(at):
                    factors[origin, to] += share * factors[at, to]
    return factors


@inner
def expected_values(factors: ChanceArray, values: ChanceArray) -> None:
    """From what each state is given to what it expects: that, and what it expects a step later."""
    for at in range(len(values) - 1, -1, -1):
        share = values[at] / factors[at, at]
        for origin in range(at):
            values[origin] += share * factors[origin, at]
    for at in range(len(values)):
        total = values[at]
        for to in range(at):
            total += factors[at, to] * values[to]
        values[at] = total / factors[at, at]


@inner
def expected_visits(factors: ChanceArray, visits: ChanceArray) -> None:
    """From how often a subchain is entered at each state to how often each is visited."""
    for at in range(len(visits) - 1, -1, -1):
        share = visits[at] / factors[at, at]
        for to in range(at):
            visits[to] += share * factors[at, to]
    for at in range(len(visits)):
        total = visits[at]
        for origin in range(at):
            total += visits[origin] * factors[origin, at]
        visits[at] = total / factors[at, at]
