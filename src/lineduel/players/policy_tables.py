"""Policies written out over all positions of a graph."""

from typing import Protocol, runtime_checkable

from lineduel.graph import BATTLE, GameGraph, PolicyTable
from lineduel.players.policy import Policy
from lineduel.rules import Side


@runtime_checkable
class Tabular(Protocol):
    """A policy that can be written out over a whole graph at once."""

    def table(self, graph: GameGraph) -> PolicyTable:
        """Its chances in every position."""
        ...


def policy_table(policy: Policy, graph: GameGraph) -> PolicyTable:
    """A policy as a table over a graph: made at once if it can, else position by position."""
    return policy.table(graph) if isinstance(policy, Tabular) else written_out(policy, graph)


def written_out(policy: Policy, graph: GameGraph) -> PolicyTable:
    """Ask a policy about every position of a graph once."""
    import numpy as np

    moves = np.zeros(len(graph.after))
    first, mover = graph.first.tolist(), graph.mover.tolist()
    for at, position in enumerate(graph.positions):
        if mover[at] != BATTLE and first[at] != first[at + 1]:
            moves[first[at] : first[at + 1]] = policy.chances(position, position.side)
    numbers = [
        [policy.chances(graph.positions[at], side) for at in graph.battles.tolist()]
        for side in Side
    ]
    shape = len(Side), len(graph.battles), graph.numbers
    return PolicyTable(moves, np.array(numbers, np.float64).reshape(shape))
