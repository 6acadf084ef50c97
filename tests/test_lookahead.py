"""Levels search for themselves: any rulebook, the same chances, and never less deep in silence."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineduel.engine import Game, Position
from lineduel.players import LEVELS, Level
from lineduel.players.levels import LevelSearch
from lineduel.players.lookahead import DEEPEST, UNSEEN, Lookahead
from lineduel.players.skills import SKILLS
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side
from lineduel.solve import PlainSolution, Solution, solve
from strategies import ALL_GAMES, rulebooks

SAMPLE = 40


def check_chances(solution: PlainSolution, positions: list[Position]) -> None:
    """Every level plays the same from the solution and by its own search."""
    game = solution.game
    for number in LEVELS:
        solved, searching = Level(number, solution), Level.searching(number, game)
        for position in positions:
            for side in Side if position.battle is not None else (position.side,):
                assert searching.chances(position, side) == solved.chances(position, side), (
                    f"level {number} in {position}"
                )


def running(solution: PlainSolution) -> list[Position]:
    return [one for one, _ in solution.items() if solution.game.outcome(one) is None]


def solved(rulebook: Rulebook) -> PlainSolution:
    solution = solve(Game(rulebook), cached=False)
    assert isinstance(solution, PlainSolution)
    return solution


@pytest.mark.parametrize("address", ALL_GAMES)
def test_a_level_plays_the_same_with_and_without_a_solution(address: str) -> None:
    """Not nearly the same: the very same chances, at the start and anywhere else."""
    solution = solved(find_rulebook(address))
    found = running(solution)
    check_chances(solution, [found[0], *Random(7).sample(found, min(len(found), SAMPLE))])


@settings(max_examples=120)
@given(rulebooks(), st.integers(0, 1000))
def test_in_any_rulebook_too(rulebook: Rulebook, seed: int) -> None:
    """Whatever the rulebook says: battles, sharing, captures, stays and passes."""
    solution = solved(rulebook)
    found = running(solution)
    check_chances(solution, Random(seed).sample(found, min(len(found), 12)))
