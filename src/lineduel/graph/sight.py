"""How players with limited sight judge positions: the part of the policies a live game needs."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from lineduel.engine import Hands
from lineduel.rules import Battle, Side

BattleSolver = Callable[[list[list[float]]], tuple[Any, Sequence[Any], Sequence[Any]]]
"""Takes a matrix of player 1's payoffs; returns its value and both sides' optimal mixtures."""

ALL_PLIES = 100_000
"""A win loses 1/ALL_PLIES of its value per ply, so that a faster win is preferred."""
PREFERS_TO_WIN = 0.01
"""A small bonus for keeping the cell of a battle, which decides if nothing else does."""
SAME_PROSPECTS = 1e-11
"""Prospects that differ by at most this count as equal."""


def battle_mixtures(
    looks: Sequence[float],
    battle: Battle,
    hands: Hands,
    attacker: Side,
    solve_battle: BattleSolver,
) -> tuple[list[float], list[float]]:
    """The mixtures of both sides over their hands, given player 1's view of each pair's outcome."""
    bonus, seen = keeping_bonus(battle, attacker), iter(looks)
    rows = [[next(seen) + bonus[one - 1][two - 1] for two in hands[1]] for one in hands[0]]
    _, mixture1, mixture2 = solve_battle(rows)
    return list(map(float, mixture1)), list(map(float, mixture2))


@cache
def keeping_bonus(battle: Battle, attacker: Side) -> list[list[float]]:
    """The bonus of player 1 for each pair of numbers, for keeping the cell of the battle."""
    prefers = {Side.ONE: PREFERS_TO_WIN, Side.TWO: -PREFERS_TO_WIN, None: 0.0}
    numbers = range(1, battle.numbers + 1)
    return [[prefers[battle.keeper(one, two, attacker)] for two in numbers] for one in numbers]
