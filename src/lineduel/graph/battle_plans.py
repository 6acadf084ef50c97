"""The mixtures of open battles that are kept for a while, as chances of what follows.

A battle has few outcomes, however many pairs of numbers it has: who wins, or a tie. With both
mixtures fixed, its expected value is a sum over the outcomes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import borrowing, inner
from lineduel.graph.array_types import ChanceArray, NumberArray, ShortNumbers, SideArray
from lineduel.graph.game_graph import BATTLE


class BattlePlans(NamedTuple):
    """For each open battle of a graph, the positions that may follow and their chances."""

    place: NDArray[np.int32]
    """For each position, the row of its battle in the arrays below."""
    reached: NDArray[np.int32]
    chance: ChanceArray


@inner
def battle_plans(
    first: NumberArray, after: NumberArray | ShortNumbers, mover: SideArray, numbers: int
) -> BattlePlans:
    """Room for the plans of all battles, with the outcomes of each; every chance is 0."""
    battles, most = 0, 1
    place = np.zeros(len(mover), np.int32)
    outcomes = np.empty(numbers * numbers, np.int32)
    for at in range(len(mover)):
        if mover[at] == BATTLE:
            place[at] = battles
            battles += 1
            most = max(most, _fill_outcomes(at, first, after, outcomes))
    reached = np.zeros((battles, most), np.int32)
    for at in range(len(mover)):
        if mover[at] == BATTLE:
            different = _fill_outcomes(at, first, after, outcomes)
            reached[place[at], :different] = outcomes[:different]
    return BattlePlans(place, reached, np.zeros((battles, most)))


@borrowing
def _fill_outcomes(
    at: int, first: NumberArray, after: NumberArray | ShortNumbers, outcomes: NDArray[np.int32]
) -> int:
    """Fill in the different positions that a battle leads to; returns how many there are."""
    different = 0
    for choice in range(first[at], first[at + 1]):
        known = False
        for one in range(different):
            known = known or outcomes[one] == after[choice]
        if not known:
            outcomes[different] = after[choice]
            different += 1
    return different


@borrowing
def keep_plan(
    plans: BattlePlans,
    at: int,
    first: NumberArray,
    after: NumberArray | ShortNumbers,
    mixture1: ChanceArray,
    mixture2: ChanceArray,
) -> None:
    """Keep the mixtures of a battle."""
    row, size, begin = plans.place[at], len(mixture1), first[at]
    reached, chance = plans.reached[row], plans.chance[row]
    for outcome in range(len(chance)):
        chance[outcome] = 0.0
    for one in range(size):
        if mixture1[one] <= 0.0:
            continue
        for two in range(size):
            if mixture2[two] > 0.0:
                outcome = 0
                while reached[outcome] != after[begin + one * size + two]:
                    outcome += 1
                chance[outcome] += mixture1[one] * mixture2[two]


@borrowing
def planned_value(plans: BattlePlans, at: int, values: ChanceArray) -> float:
    """What a battle is worth if both sides keep their mixtures."""
    row, worth = plans.place[at], 0.0
    for outcome in range(plans.reached.shape[1]):
        worth += plans.chance[row, outcome] * values[plans.reached[row, outcome]]
    return worth
