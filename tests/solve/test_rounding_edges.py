"""Bounds in doubles at the last bit: what is not certain is not taken for proved."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba import njit

from lineduel.solve import battle_guarantees, graph_checker, known_battles
from lineduel.solve.graph_cycles import where_endless
from lineduel.solve.stochastic.matrix import solve_matrix

_holds, _why_rounded_wrong = graph_checker._holds, graph_checker._why_rounded_wrong


@njit  # type: ignore[misc,untyped-decorator,unused-ignore]
def holds_for(claims: Any, player: int) -> bool:
    """Only compiled code calls what is compiled to be called by it."""
    return _holds(claims, 0, 1, player)


@njit  # type: ignore[misc,untyped-decorator,unused-ignore]
def why_wrong(claims: Any, after: Any) -> int:
    return _why_rounded_wrong(2, claims, 0, after)


UNIT = battle_guarantees.ROUNDING_UNIT
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
    known, exact = known_battles.no_battles(2), dict[int, Any]()
    known.keys[1] = [float(one) for row in battle for one in row]
    known.used[0] = 2
    known.state[1] = known_battles.CLAIMED
    known.low[1] = known.high[1] = float(value if claimed == "true" else value + Fraction(1, 99))
    proofs = {1: known_battles.proof_of_battle(known, 1, 2)}
    assert known_battles.settle_claims(known, proofs, exact) is (claimed == "true")
    assert known.state[1] != known_battles.CLAIMED
    assert list(exact) == ([1] if claimed == "true" else [])
    low, high = (Fraction(float(one[1])) for one in (known.low, known.high))
    if claimed == "true":
        assert (
            known_battles.exact_value(float(low)) == known_battles.exact_value(float(high)) == value
        )
    else:
        assert low < value < high < low + Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("mixture", "bound", "why"),
    [
        ((0.5, 0.5), 0.6, 0),
        ((1.0, 0.0), 0.6, 0),
        ((0.5, 0.5), 0.3, 11),  # not sure of that much
        ((0.25, 0.25), 0.3, 7),  # of half a loss one would lose half as much
        ((0.5, 0.5 - UNIT), 0.6, 7),
        ((0.5, 0.5 + 2 * UNIT), 0.6, 7),
        ((1.5, -0.5), 0.6, 7),
        ((0.5, float("nan")), 0.6, 7),
    ],
)
def test_a_mixture_adds_up_to_one_exactly(
    mixture: tuple[float, float], bound: float, why: int
) -> None:
    """In a battle that may cost either side half a game, whatever they choose."""
    low, high = np.full(5, -0.5), np.full(5, 0.5)
    low[0], high[0] = -bound, bound
    column, pairs = np.zeros(5, np.int32), np.zeros(5, np.int64)
    mixtures = np.array([[mixture, (0.5, 0.5)]])
    claims = graph_checker.Claims(low, high, column - 1, column, column, mixtures, pairs, True)
    assert why_wrong(claims, np.arange(1, 5)) == why


@pytest.mark.parametrize("mover", [1, 2])
def test_a_move_that_may_be_as_good_counts_as_best_play(mover: int) -> None:
    """To wait is not proved to be a mistake, so play may never end; it is not certain either."""
    # The first position leads to the second, which leads back, and to an end.
    first, after = np.array([0, 2, 3, 3]), np.array([1, 2, 0])
    movers = np.array([mover, 3 - mover, mover], np.int8)
    winner = np.array([0, 0, mover], np.int8)
    low, high = np.array([0.0, -0.1, 1.0]), np.array([0.1, 0.1, 1.0])
    if mover == 2:
        low, high = -high, -low
    assert where_endless(first, after, movers, winner, low, high).tolist() == [1, 1, 0]
    proved = low.copy(), high.copy()  # now to wait is a mistake
    (proved[1] if mover == 1 else proved[0])[1] = -0.05 if mover == 1 else 0.05
    assert where_endless(first, after, movers, winner, *proved).tolist() == [0, 0, 0]
