"""A strongly connected component of a chain as a separate chain."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import inner
from lineduel.graph.array_types import ChanceArray, NumberArray

Unsigned = NDArray[np.uint32]
"""Unsigned indices; compiled code does not have to handle negative ones."""


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
