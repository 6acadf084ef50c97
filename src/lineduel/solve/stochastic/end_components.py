"""Strongly connected components of a graph, and end components of a Markov decision process."""

from collections.abc import Iterable, Mapping, Sequence

Replies = Sequence[Sequence[Sequence[int]]]
"""For each state its choices, and for each choice the states it may lead to."""


def end_components(replies: Replies) -> list[list[int]]:
    """The maximal end components: sets of states that some policy never leaves."""
    found = []
    waiting = [({node: list(choices) for node, choices in enumerate(replies) if choices})]
    while waiting:
        part = waiting.pop()
        graph = {
            node: [target for choice in choices for target in choice if target in part]
            for node, choices in part.items()
        }
        for component in connected(graph):
            inside = set(component)
            within = {
                node: [choice for choice in part[node] if inside.issuperset(choice)]
                for node in component
            }
            kept = {node: choices for node, choices in within.items() if choices}
            if len(kept) == len(part) == len(component):
                unchanged = all(len(kept[node]) == len(part[node]) for node in component)
                if unchanged:
                    found.append(component)
                    continue
            if kept:
                waiting.append(kept)
    return found


def connected(graph: Mapping[int, Iterable[int]]) -> list[list[int]]:
    """Strongly connected components, each after those it leads to (Tarjan's algorithm)."""
    # `lineduel.graph` has a compiled version for the arrays of a whole game. For these small parts
    # of a network, which are not arrays, it was not faster, and importing it took longer than this
    # whole computation.
    found: list[list[int]] = []
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for start in graph:
        if start in order:
            continue
        order[start] = lowest[start] = len(order)
        stack.append(start)
        on_stack.add(start)
        path = [(start, iter(graph[start]))]
        while path:
            node, targets = path[-1]
            for target in targets:
                if target not in order:
                    order[target] = lowest[target] = len(order)
                    stack.append(target)
                    on_stack.add(target)
                    path.append((target, iter(graph[target])))
                    break
                if target in on_stack:
                    lowest[node] = min(lowest[node], order[target])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == order[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == node:
                            break
                    found.append(component)
    return found
