"""The strongly connected parts of a chain: positions that can come back to one another.

Tarjan, Depth-first search and linear graph algorithms (1972), without recursion.
"""

import numpy as np

from lineduel.batch.chart import Numbers
from lineduel.batch.levels import Chances
from lineduel.compiled import inner

_NONE = -1


@inner
def parts_of(
    first: Numbers, after: Numbers, chances: Chances, start: int, everywhere: bool
) -> tuple[Numbers, Numbers, Numbers]:
    """The positions that can come up, part by part, each part after those it leads to.

    Within a part, too, a position comes after those it leads to, but for some that it leads
    back to.
    Returned are the positions, the places where a part begins (and the end), and the number of
    each position's part. `everywhere` takes up the positions that cannot come up, too.
    """
    size = len(first) - 1
    order, cuts = np.empty(size, np.int64), np.empty(size + 1, np.int64)
    part, low = np.full(size, _NONE, np.int64), np.full(size, _NONE, np.int64)
    seen, waiting = np.empty(size, np.int64), np.empty(size, np.int64)
    path, next_choice = np.empty(size, np.int64), np.empty(size, np.int64)
    mark = np.empty(size, np.int64)  # how many were waiting when a position was first seen
    placed, parts, count, depth, held = 0, 0, 0, 0, 0
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
                    continue  # this choice is looked at once more, with what was found
                next_choice[at] += 1
                if chances[choice] > 0 and part[reached] == _NONE:
                    low[at] = min(low[at], low[reached])
            if deeper:
                continue
            depth -= 1
            waiting[held] = at
            held += 1
            if low[at] == seen[at]:
                cuts[parts] = placed
                for one in range(mark[at], held):
                    part[waiting[one]] = parts
                    order[placed] = waiting[one]
                    placed += 1
                held = mark[at]
                parts += 1
    cuts[parts] = placed
    return order[:placed], cuts[: parts + 1], part
