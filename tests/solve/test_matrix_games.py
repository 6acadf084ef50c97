"""Single battles as matrix games, under every rule."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba import njit

from lineduel.graph import BATTLE, battle_plans, keep_plan, planned_value
from lineduel.rules import Battle, BattleRule, Side
from lineduel.solve.stochastic.matrix import solve_matrix


@pytest.mark.parametrize("numbers", range(2, 10))
@pytest.mark.parametrize("rule", list(BattleRule))
def test_battles_worth_the_same_to_both_are_even(rule: BattleRule, numbers: int) -> None:
    """Win 1, loss -1, tie 0: a fair battle under every rule, worth 0 by symmetry."""
    if rule is BattleRule.CYCLIC and numbers % 2 == 0:
        return
    battle = Battle(numbers=numbers, wins=rule)
    worth = {Side.ONE: Fraction(1), Side.TWO: Fraction(-1), None: Fraction(0)}
    choices = range(1, numbers + 1)
    rows = [[worth[battle.winner(one, two)] for two in choices] for one in choices]
    value, mixture1, _ = solve_matrix(rows)
    assert value == 0
    if rule is BattleRule.HIGHER:
        assert mixture1[-1] == 1
    if rule is BattleRule.CYCLIC:
        assert set(mixture1) == {Fraction(1, numbers)}


def test_a_tie_can_be_worth_more_than_a_victory() -> None:
    """If only a tie is good for player 1, he has to guess, and so has the other."""
    battle = Battle(numbers=3)
    worth = {Side.ONE: Fraction(0), Side.TWO: Fraction(0), None: Fraction(1)}
    rows = [[worth[battle.winner(one, two)] for two in (1, 2, 3)] for one in (1, 2, 3)]
    assert solve_matrix(rows)[0] == Fraction(1, 3)


@njit  # type: ignore[misc,untyped-decorator,unused-ignore]
def planned_after_each(first: Any, after: Any, mover: Any, mixtures: Any, values: Any) -> Any:
    """Only compiled code calls what is compiled to be called by it."""
    plans, worth = battle_plans(first, after, mover, 2), np.empty(len(mixtures))
    for at in range(len(mixtures)):
        keep_plan(plans, 0, first, after, mixtures[at, 0], mixtures[at, 1])
        worth[at] = planned_value(plans, 0, values)
    return worth


def test_the_plan_of_a_battle_is_the_one_that_was_kept_last() -> None:
    """Whatever was kept before; three outcomes of four pairs."""
    first, after = np.array([0, 4, 4, 4, 4]), np.array([1, 2, 2, 3])
    mover, values = np.array([BATTLE, 0, 0, 0], np.int8), np.array([0.0, 1.0, -0.5, 0.25])
    mixtures = np.array([[[0.5, 0.5], [0.25, 0.75]], [[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0]] * 2])
    outcomes = values[after].reshape(2, 2)
    right = [one @ outcomes @ other for one, other in mixtures]
    assert planned_after_each(first, after, mover, mixtures, values) == pytest.approx(right)
