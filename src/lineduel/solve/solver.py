"""Solving a rulebook from a position: one by one while it is small, compiled when it is large."""

from typing import Protocol

from lineduel.engine import Game, Position
from lineduel.solve.cache import Cache
from lineduel.solve.forced import Forced, forced_wins
from lineduel.solve.graph import Graph, explore
from lineduel.solve.likeness import Likeness
from lineduel.solve.solution import PlainSolution, Solution
from lineduel.solve.value import ENDLESS, Value

MOST_PLAIN = 100_000
"""Positions up to which one by one is quick enough, and faster than waiting for a compiler."""


class Report(Protocol):
    """Whoever shows how a long solution is coming along."""

    def __call__(self, done: float) -> None: ...

    def note(self, text: str) -> None: ...


def solve(
    game: Game,
    start: Position | None = None,
    *,
    memory: int | None = None,
    cached: bool = True,
    report: Report | None = None,
) -> Solution:
    """The solution of all that can come up from `start`."""
    first = Likeness(game.rules).standing_for(start or game.start())
    cache = Cache() if cached else None
    if cache and (known := cache.load(game, first)):
        return known
    solution = solve_plainly(explore(game, first, MOST_PLAIN))
    if cache:
        cache.store(solution)
    return solution


def solve_plainly(graph: Graph) -> PlainSolution:
    """Every position of a graph, one by one."""
    forced = forced_wins(graph)
    if graph.game.rules.battle is not None:
        from lineduel.solve.battles import solve_battles

        return solve_battles(graph, forced)
    values = {position: _forced_value(forced, at) for at, position in enumerate(graph.positions)}
    return PlainSolution(graph.game, graph.positions[0], values)


def _forced_value(forced: Forced, at: int) -> Value:
    winner, plies = forced.winner[at], forced.plies[at]
    return ENDLESS if winner is None or plies is None else Value.won(winner, plies)
