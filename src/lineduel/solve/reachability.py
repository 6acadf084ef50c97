"""Backward reachability in a graph."""

from collections.abc import Iterable, Sequence


def leading_to(after: Sequence[Iterable[int]], targets: Iterable[int]) -> set[int]:
    """Every node from which a target can be reached, the targets included."""
    return reached_backward(predecessors(after), targets)


def predecessors(after: Sequence[Iterable[int]]) -> list[list[int]]:
    """For each node, the nodes with an edge to it, each listed once."""
    before: list[list[int]] = [[] for _ in after]
    for at, reached in enumerate(after):
        for to in set(reached):
            before[to].append(at)
    return before


def reached_backward(before: Sequence[Sequence[int]], targets: Iterable[int]) -> set[int]:
    """Like `leading_to`, for a graph given by its predecessors."""
    found = set(targets)
    waiting = list(found)
    for at in waiting:
        for one in before[at]:
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found
