"""Forced wins of all positions of a chart by retrograde analysis, in compiled code."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.batch.chart import Chart, Numbers, Sides
from lineduel.compiled import compiled, inner

Plies = NDArray[np.int32]

ENDLESS = -1
"""The plies of a position that nobody wins by force."""


class Values(NamedTuple):
    """Who wins each position by force, and when."""

    winner: Sides
    """1 or 2, or 0 where neither side can force a win."""
    plies: Plies
    """With the winner hurrying and the loser delaying, or ENDLESS."""


def values(chart: Chart) -> Values:
    """The value of every position of a chart."""
    return Values(*settle(chart.first, chart.after, chart.mover, chart.winner))


@compiled
def settle(first: Numbers, after: Numbers, mover: Sides, winner: Sides) -> tuple[Sides, Plies]:
    """Go back from the ends; positions are settled in the order of their plies."""
    size = len(mover)
    entry, before = turned_round(first, after)
    best, plies = winner.copy(), np.full(size, ENDLESS, np.int32)
    left, queue = np.empty(size, np.int64), np.empty(size, np.int64)
    settled = 0
    for at in range(size):
        left[at] = first[at + 1] - first[at]  # choices that are not yet known to lose
        if winner[at] != 0:
            plies[at] = 0
            queue[settled] = at
            settled += 1
    done = 0
    while done < settled:
        reached = queue[done]
        done += 1
        for one in range(entry[reached], entry[reached + 1]):
            at = before[one]
            if best[at] != 0:
                continue
            left[at] -= 1
            if mover[at] == best[reached] or left[at] == 0:
                best[at], plies[at] = best[reached], plies[reached] + 1
                queue[settled] = at
                settled += 1
    return best, plies


@inner
def turned_round(first: Numbers, after: Numbers) -> tuple[Numbers, Numbers]:
    """The choices by where they lead: those into p come from `before[entry[p]:entry[p + 1]]`."""
    size = len(first) - 1
    entry, before = np.zeros(size + 2, np.int64), np.empty(len(after), np.int64)
    for reached in after:
        entry[reached + 2] += 1
    for at in range(size):
        entry[at + 2] += entry[at + 1]
    for at in range(size):
        for choice in range(first[at], first[at + 1]):
            reached = after[choice]
            before[entry[reached + 1]] = at
            entry[reached + 1] += 1
    return entry[:-1], before
