"""Bounds in doubles at the last bit: what is not certain is not taken for proved."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba import njit

from lineduel.solve import graph_bounds, graph_checker
from lineduel.solve.stochastic.matrix import solve_matrix

_holds = graph_checker._holds


@njit  # type: ignore[misc,untyped-decorator,unused-ignore]
def holds_for(claims: Any, player: int) -> bool:
    """Only compiled code calls what is compiled to be called by it."""
    return _holds(claims, 0, 1, player)


UNIT = graph_bounds.ROUNDING_UNIT
THIRD = 1 / 3


def claims(here: tuple[float, float], there: tuple[float, float]) -> Any:
    """A position with these bounds that leads to one with those."""
    low, high = np.array([here[0], there[0]]), np.array([here[1], there[1]])
    column = np.zeros(2, np.int32)
    mixtures = np.zeros((0, 2, 2))
    pairs = np.zeros(2, np.int64)
    return graph_checker.Claims(low, high, column - 1, column, column, mixtures, pairs, True)


def turned(bounds: tuple[float, float]) -> tuple[float, float]:
    return -bounds[1], -bounds[0]


@pytest.mark.parametrize(
    ("here", "there", "holds"),
    [
        ((THIRD, THIRD), (THIRD, THIRD), True),  # the same fraction
        ((THIRD, 1.0), (THIRD, 1.0), True),
        ((THIRD, 1.0), (THIRD, THIRD), False),  # the fraction may be less than its double
        ((THIRD - UNIT, 1.0), (THIRD, THIRD), True),
        ((THIRD, THIRD), (THIRD, 1.0), False),  # the fraction may be more than its double
        ((THIRD, THIRD), (THIRD + UNIT, 1.0), True),
        ((0.0, 0.5), (0.0, 0.0), True),  # 0, 1 and -1 are doubles
        ((-1.0, 0.5), (-1.0, -1.0), True),
        ((THIRD + UNIT, 1.0), (THIRD, 1.0), False),
    ],
)
def test_a_bound_holds_only_if_that_is_certain(
    here: tuple[float, float], there: tuple[float, float], holds: bool
) -> None:
    assert holds_for(claims(here, there), 1) is holds
    assert holds_for(claims(turned(here), turned(there)), 2) is holds


@pytest.mark.parametrize("claimed", ["true", "false"])
def test_a_value_that_was_claimed_and_is_another_becomes_a_bound(claimed: str) -> None:
    """What is proved has its mixtures; what is not has bounds that hold the value."""
    battle = [[Fraction(1, 3), Fraction(-1)], [Fraction(-1, 7), Fraction(1, 2)]]
    value = solve_matrix(battle).value
    known, exact = graph_bounds._no_battles(2), dict[int, Any]()
    known.keys[1] = [float(one) for row in battle for one in row]
    known.used[0] = 2
    known.state[1] = graph_bounds._UNKNOWN
    known.low[1] = known.high[1] = float(value if claimed == "true" else value + Fraction(1, 99))
    assert graph_bounds._prove_battles(known, 2, exact) is (claimed == "true")
    assert list(exact) == ([1] if claimed == "true" else [])
    low, high = (Fraction(float(one[1])) for one in (known.low, known.high))
    if claimed == "true":
        assert (
            graph_bounds.exact_value(float(low)) == graph_bounds.exact_value(float(high)) == value
        )
    else:
        assert low < value < high < low + Fraction(1, 10**9)
    assert graph_bounds._prove_battles(known, 2, exact)  # nothing is left to be proved
