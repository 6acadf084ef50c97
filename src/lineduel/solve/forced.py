"""Forced wins by retrograde analysis: from the ended positions back to all that lead there.

Positions are settled in the order of the plies that are left, so each is settled once, with the
winner hurrying and the loser delaying. What is never settled, nobody can force.
"""

from dataclasses import dataclass

from lineduel.rules import Side
from lineduel.solve.graph import Graph


@dataclass(frozen=True, slots=True)
class Forced:
    """Who wins by force from each position of a graph, and in how many plies."""

    winner: list[Side | None]
    plies: list[int | None]


def forced_wins(graph: Graph) -> Forced:
    """Settle all positions that one side can force to a win, whatever the other does."""
    size = len(graph)
    forced = Forced([None] * size, [None] * size)
    before = _before(graph)
    escapes = _Escapes(graph)
    outcome = graph.game.outcome
    level = [at for at in range(size) if outcome(graph.positions[at]) is not None]
    for at in level:
        forced.winner[at], forced.plies[at] = outcome(graph.positions[at]), 0
    plies = 0
    while level:
        plies += 1
        settled = []
        for reached in level:
            winner = forced.winner[reached]
            assert winner is not None
            for at in before[reached]:
                if forced.winner[at] is None and escapes.close(at, reached, winner):
                    forced.winner[at], forced.plies[at] = winner, plies
                    settled.append(at)
        level = settled
    return forced


def _before(graph: Graph) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in range(len(graph))]
    for at, after in enumerate(graph.after):
        for reached in set(after):
            before[reached].append(at)
    return before


class _Escapes:
    """What still stands between a position and a forced win."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._numbers = graph.game.rules.battle.numbers if graph.game.rules.battle else 0
        self._left: dict[int, int] = {}
        self._open: dict[tuple[int, Side, int], int] = {}

    def close(self, at: int, reached: int, winner: Side) -> bool:
        """Take note that `reached` is won; whether that settles `at` for the same winner."""
        position, after = self._graph.positions[at], self._graph.after[at]
        if position.battle is not None:
            return self._close_battle(at, after, reached, winner)
        if position.side is winner:
            return True
        left = self._left.get(at, len(set(after))) - 1
        self._left[at] = left
        return left == 0

    def _close_battle(self, at: int, after: tuple[int, ...], reached: int, winner: Side) -> bool:
        """A battle is won by a number that wins whatever the other chooses."""
        settled = False
        for choice, to in enumerate(after):
            if to != reached:
                continue
            row, column = divmod(choice, self._numbers)
            key = at, winner, row if winner is Side.ONE else column
            left = self._open.get(key, self._numbers) - 1
            self._open[key] = left
            settled = settled or left == 0
        return settled
