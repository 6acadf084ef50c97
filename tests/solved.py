"""Games that are shipped, solved once for all the tests that need them."""

from functools import cache

from lineduel.engine import Game
from lineduel.rulebooks import find_rulebook
from lineduel.solve import PlainSolution, solve


@cache
def solution_of(address: str) -> PlainSolution:
    """From the start; every game that is shipped is small enough to be solved in this way."""
    solution = solve(Game(find_rulebook(address)))
    assert isinstance(solution, PlainSolution)
    return solution
