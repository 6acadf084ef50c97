"""Single battles as matrix games, under every rule."""

from fractions import Fraction

import pytest

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
