"""Games that are shipped, solved and audited once for all the tests that need them."""

from functools import cache
from typing import Any

from lineduel.engine import Game
from lineduel.graph import GameGraph
from lineduel.graph.chain import Result, result_of
from lineduel.graph.explore import explore_by_engine, explore_compiled
from lineduel.lab.audit import Audit, audit
from lineduel.players import Policy
from lineduel.players.policy import policy_table
from lineduel.rulebooks import find_rulebook
from lineduel.solve import PlainSolution, Solution, solve

_SHARED: dict[str, Any] = {
    "title": "To the End",
    "summary": "",
    "turn": {"first": "player1"},
    "move": {"steps": [1, 2], "edge": "illegal", "jump": False},
    "meet": {"own": "blocked", "enemy": "battle"},
}
IN_THE_END = {
    name: {**_SHARED, **data}
    for name, data in {
        "lost in the end": {
            "track": {"first": 0, "last": 3},
            "player1": {"pieces": {"A": 0}, "goal": [2]},
            "player2": {"pieces": {"B": 2}, "goal": [1]},
            "battle": {"numbers": 2, "wins": "higher"},
        },
        "won in the end": {
            "track": {"first": 0, "last": 4},
            "player1": {"pieces": {"A": 0, "B": 1}, "goal": [3]},
            "player2": {"pieces": {"C": 3}, "goal": [0]},
            "battle": {"numbers": 3, "wins": "undercut"},
        },
    }.items()
}
"""Games that player 1 is sure to lose or to win, but not within a fixed number of turns.

As the data of rulebook files.
"""


@cache
def solution_of(address: str) -> PlainSolution:
    """From the start; every game that is shipped is small enough to be solved in this way."""
    solution = solve(Game(find_rulebook(address)))
    assert isinstance(solution, PlainSolution)
    return solution


@cache
def audited(address: str) -> Audit:
    """Against every claim that a rulebook might make."""
    return audit(find_rulebook(address), everything=True)


@cache
def graph_of(address: str) -> GameGraph:
    """All that can come up from the start, as the engine plays it."""
    game = Game(find_rulebook(address))
    return explore_by_engine(game, game.start(), 50_000)


def result_between(solution: Solution, player1: Policy, player2: Policy) -> Result:
    """The exact result of two policies from where the solution starts."""
    graph = explore_compiled(solution.game, solution.start)
    return result_of(graph, policy_table(player1, graph), policy_table(player2, graph))
