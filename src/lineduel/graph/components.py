"""The strongly connected components of a chain: positions that can reach each other.

Uses Tarjan's algorithm (Depth-first search and linear graph algorithms, 1972) without recursion.
"""

import numpy as np

from lineduel.compiled import compiled, inner
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
