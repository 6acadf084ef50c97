"""Battles as matrix games: exact in fractions, and the same as a linear program says."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from lineduel.rules import Battle, BattleRule, Side
from lineduel.solve.matrix import solve_matrix

ENTRIES = st.fractions(-1, 1, max_denominator=12)


@st.composite
def matrices(draw: st.DrawFn) -> list[list[Fraction]]:
    width = draw(st.integers(1, 6))
    return draw(st.lists(st.lists(ENTRIES, min_size=width, max_size=width), min_size=1, max_size=6))


@given(rows=matrices())
def test_both_mixtures_prove_the_value(rows: list[list[Fraction]]) -> None:
    """Player 1 is sure of it against every column, player 2 against every row: exactly."""
    value, mixture1, mixture2 = solve_matrix(rows)
    assert sum(mixture1) == sum(mixture2) == 1
    assert min(mixture1) >= 0
    assert min(mixture2) >= 0
    columns = list(zip(*rows, strict=True))
    assert min(_expected(column, mixture1) for column in columns) == value
    assert max(_expected(row, mixture2) for row in rows) == value


def _expected(entries: tuple[Fraction, ...] | list[Fraction], mixture: object) -> Fraction:
    assert isinstance(mixture, tuple | list)
    return sum((a * b for a, b in zip(entries, mixture, strict=True)), Fraction(0))


def test_values_agree_with_a_linear_program() -> None:
    """Random 9 x 9 games in floats, against scipy."""
    rng = Random(3)
    for _ in range(60):
        height, width = rng.randint(1, 9), rng.randint(1, 9)
        rows = [
            [rng.choice((-1.0, -0.25, 0.0, 0.5, 1.0)) for _ in range(width)] for _ in range(height)
        ]
        value = float(solve_matrix(rows)[0])
        costs = [0.0] * height + [-1.0]
        above = [[-row[column] for row in rows] + [1.0] for column in range(width)]
        program = linprog(
            costs,
            A_ub=above,
            b_ub=[0.0] * width,
            A_eq=[[1.0] * height + [0.0]],
            b_eq=[1.0],
            bounds=[(0, None)] * height + [(None, None)],
        )
        assert value == pytest.approx(-program.fun, abs=1e-9)


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
