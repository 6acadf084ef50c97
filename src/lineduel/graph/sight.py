"""What players of limited sight go by: all that a live game needs of the policies over a graph."""

from collections.abc import Callable, Sequence
from typing import Any

from lineduel.rules import Battle, Side

BattleSolver = Callable[[list[list[float]]], tuple[Any, Sequence[Any], Sequence[Any]]]
"""From a matrix of what player 1 gets to its value and the optimal mixtures of both."""

ALL_PLIES = 100_000
"""What is won so many plies later is worth nothing: a sooner win is preferred to a later one."""
PREFERS_TO_WIN = 0.01
"""What staying alone on the cell of a battle is worth where nothing else is seen."""
SAME_PROSPECTS = 1e-11
"""Prospects that differ by no more are equal."""


def battle_mixtures(
    looks: Sequence[float], battle: Battle, attacker: Side, solve_battle: BattleSolver
) -> tuple[list[float], list[float]]:
    """How both play a battle by what player 1 sees of where each pair of numbers leads."""
    size = battle.numbers
    prefers = {Side.ONE: PREFERS_TO_WIN, Side.TWO: -PREFERS_TO_WIN, None: 0.0}
    rows = [
        [
            looks[one * size + two] + prefers[battle.keeper(one + 1, two + 1, attacker)]
            for two in range(size)
        ]
        for one in range(size)
    ]
    _, mixture1, mixture2 = solve_battle(rows)
    return list(map(float, mixture1)), list(map(float, mixture2))
