"""Positions of a chain that come back to one another, by themselves."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.batch.chart import Numbers
from lineduel.batch.levels import Chances
from lineduel.compiled import inner

Unsigned = NDArray[np.uint32]
"""Numbers that are never negative, which compiled code need not look at twice."""


class Web(NamedTuple):
    """A part of a chain; its members are counted from 0, and none leads to itself.

    The chances of a member and its chance to leave the part at once add up to 1; they have been
    divided by `scale`, the chance that play goes on elsewhere at all.
    """

    first: Unsigned
    reached: Unsigned
    chance: Chances
    leave: Chances
    scale: Chances


@inner
def web_of(
    members: Numbers,
    first: Numbers,
    after: Numbers,
    chances: Chances,
    part: Numbers,
    place: Numbers,
) -> Web:
    """A part by itself; `place` gets the number of each member within it."""
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
            if part[to] != part[at]:
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
    return Web(begin, reached[:end], chance[:end], leave, scale)


@inner
def reversed_web(web: Web) -> Web:
    """What leads to each member, the members counted from the last one."""
    last = len(web.leave) - 1
    begin = np.zeros(last + 3, np.uint32)
    reached, chance = np.empty(len(web.reached), np.uint32), np.empty(len(web.reached))
    for to in web.reached:
        begin[last - to + 2] += 1
    for one in range(last + 1):
        begin[one + 2] += begin[one + 1]
    for one in range(last + 1):
        for entry in range(web.first[one], web.first[one + 1]):
            to = last - web.reached[entry]
            reached[begin[to + 1]] = last - one
            chance[begin[to + 1]] = web.chance[entry]
            begin[to + 1] += 1
    return Web(begin[: last + 2], reached, chance, web.leave, web.scale)
