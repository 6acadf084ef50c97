"""A web solved by taking its members out one by one, which is exact however long play goes round.

Taking a member out hands its chances on to those that lead there. What is left over at each step
is a sum of positive numbers and never a difference, so that no digits are lost.

Grassmann, Taksar and Heyman, Regenerative analysis and steady state distributions for Markov
chains (1985).
"""

import numpy as np

from lineduel.batch.levels import Chances
from lineduel.batch.webs import Web
from lineduel.compiled import inner


@inner
def take_out(web: Web) -> Chances:
    """Take out all members, the last first.

    Row and column of a member hold, up to itself, what it led to and what led there when it was
    taken out; where they cross, all that led elsewhere.
    """
    size = len(web.leave)
    loops, leave = np.zeros((size, size)), np.empty(size)
    for at in range(size):
        leave[at] = web.leave[at]
        for entry in range(web.first[at], web.first[at + 1]):
            loops[at, web.reached[entry]] += web.chance[entry]
    for at in range(size - 1, -1, -1):
        onward = leave[at]
        for to in range(at):
            onward += loops[at, to]
        loops[at, at] = onward
        for origin in range(at):
            share = loops[origin, at] / onward
            if share > 0.0:
                leave[origin] += share * leave[at]
                for to in range(at):
                    loops[origin, to] += share * loops[at, to]
    return loops


@inner
def expect(loops: Chances, values: Chances) -> None:
    """From what each member is given to what it can expect: given and after one step."""
    for at in range(len(values) - 1, -1, -1):
        share = values[at] / loops[at, at]
        for origin in range(at):
            values[origin] += share * loops[origin, at]
    for at in range(len(values)):
        total = values[at]
        for to in range(at):
            total += loops[at, to] * values[to]
        values[at] = total / loops[at, at]


@inner
def pass_on(loops: Chances, visits: Chances) -> None:
    """From how often a web is entered at each member to how often each is visited."""
    for at in range(len(visits) - 1, -1, -1):
        share = visits[at] / loops[at, at]
        for to in range(at):
            visits[to] += share * loops[at, to]
    for at in range(len(visits)):
        total = visits[at]
        for origin in range(at):
            total += visits[origin] * loops[origin, at]
        visits[at] = total / loops[at, at]
