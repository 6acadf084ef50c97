"""The values of a game with battles in floats, by value iteration: quick, and not a proof.

A search looks at many rulebooks this way and proves what it keeps with `lineduel.solve`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lineduel.compiled import borrowing, compiled
from lineduel.graph.array_types import BoolArray, ChanceArray, NumberArray, SideArray
from lineduel.graph.battle_plans import battle_plans, keep_plan, planned_value
from lineduel.graph.components import components_of
from lineduel.graph.game_graph import BATTLE, GameGraph
from lineduel.graph.matrix_game import GRID, Tableau, solve_in, tableau_for
from lineduel.graph.policies import UNLIMITED, PolicyTable, level_table, with_best_prospects

SAME_VALUE = 1e-5
"""Values that differ by at most this count as equal."""
PREFERENCE = 2e-6
"""The weight of doing well against any number, which decides among optimal mixtures."""
_CONVERGED = 1e-8
_MOST_ROUNDS = 100
_MOST_KEPT = 20
"""The most sweeps with the same mixtures."""
_MOST_CREEPING = 8
"""Rounds with that many sweeps which hardly slowed the values down; then nothing will soon."""


class Shape(NamedTuple):
    """How much there is to choose.

    A decision is a side to move with two different successors, or an open battle, once for each
    side. It matters if one of its choices is known to give something away.
    """

    branching: float
    """Legal moves on average, where somebody is to move."""
    decisions: float
    """The share of the decisions that matter."""
    only_moves: float
    """The share in which every choice but one is known to give something away."""
    matters: SideArray
    """How many of a position's decisions matter: 0 or 1, in an open battle up to 2."""


@dataclass(frozen=True, eq=False, slots=True)
class ApproximateValues:
    """What each position of a graph is worth to player 1, and how to play for it."""

    values: ChanceArray
    policy: PolicyTable
    """All moves that keep the value, equally likely, and the optimal mixtures."""
    shape: Shape
    mixed: int
    """Open battles in which neither side has a number that is sure of the value."""
    always_best: int
    """As bits: the numbers that are best for both sides in every open battle; bit 0 is number 1."""
    converged: bool
    """Whether the iteration came to rest; if not, the values are further off."""


def approximate_values(graph: GameGraph) -> ApproximateValues:
    """Values and play of a graph, with or without battles; play without end is worth 0."""
    values = np.zeros(len(graph))
    converged = _fill_values(*graph.arrays, max(graph.numbers, 1), values)
    return play_by_values(graph, values, converged)


def play_by_values(
    graph: GameGraph, values: ChanceArray, converged: bool = True
) -> ApproximateValues:
    """How to play for these values, and how much there is to choose."""
    battles, matters = len(graph.battles), np.zeros(len(graph), np.int8)
    moves, mixtures = np.zeros(len(graph.after)), np.zeros((2, battles, graph.numbers))
    numbers = max(graph.numbers, 1)
    in_hand = graph.in_hand if graph.numbers else np.ones((2, 1, 1), np.bool_)
    counts = _fill_policy(*graph.arrays, numbers, in_hand, values, moves, mixtures, matters)
    mixtures = graph.folded(mixtures)
    choices, movers, decisions, only, mixed, always_best = counts
    share = 1 / max(decisions, 1)
    return ApproximateValues(
        values=values,
        policy=PolicyTable(moves, mixtures),
        shape=Shape(choices / max(movers, 1), int(matters.sum()) * share, only * share, matters),
        mixed=mixed,
        always_best=always_best if battles else 0,
        converged=converged,
    )


def approximate_perfect(
    graph: GameGraph, known: ApproximateValues, opponent: PolicyTable
) -> PolicyTable:
    """Perfect play by approximate values: the fastest forced wins, elsewhere traps for that
    opponent among the moves that keep the value, and the optimal mixtures."""
    hurried = level_table(graph, UNLIMITED, 0.0, None)
    forced = np.asarray(graph.forced_wins.winner)[graph.origin] != 0
    moves = np.where(forced, hurried.moves, known.policy.moves)
    return with_best_prospects(graph, PolicyTable(moves, known.policy.numbers), opponent)


@compiled
def _fill_values(
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    winner: SideArray,
    numbers: int,
    values: ChanceArray,
) -> bool:
    """Fill in the values, component by component; whether all came to rest."""
    order, cuts, _ = components_of(first, after, np.ones(len(after)), 0, False)
    tableau, payoffs = tableau_for(numbers), np.empty((numbers, numbers))
    mixture1, mixture2 = np.empty(numbers), np.empty(numbers)
    plans = battle_plans(first, after, mover, numbers)
    converged = True
    for part in range(len(cuts) - 1):
        begin, end = cuts[part], cuts[part + 1]
        settled, before, creeping = False, 0.0, 0
        for _ in range(_MOST_ROUNDS):
            change = 0.0
            for place in range(begin, end):
                at = order[place]
                now = _value_of(
                    at, first, after, mover, winner, values, tableau, payoffs, mixture1, mixture2
                )
                if mover[at] == BATTLE and end - begin > 1:
                    keep_plan(plans, at, first, after, mixture1, mixture2)
                change = max(change, abs(now - values[at]))
                values[at] = now
            if end - begin == 1 or change < _CONVERGED:
                settled = True
                break
            rest = change
            for _ in range(_MOST_KEPT):
                if rest < 0.1 * change or rest < _CONVERGED:
                    break
                rest = 0.0
                for place in range(begin, end):
                    at = order[place]
                    if mover[at] == BATTLE:
                        now = planned_value(plans, at, values)
                    else:
                        now = _value_of(
                            at,
                            first,
                            after,
                            mover,
                            winner,
                            values,
                            tableau,
                            payoffs,
                            mixture1,
                            mixture2,
                        )
                    rest = max(rest, abs(now - values[at]))
                    values[at] = now
            if before == change == rest:  # values go round in a cycle, and none of them changes
                break
            before = change
            creeping += rest > 0.5 * change
            if creeping == _MOST_CREEPING:
                break
        converged = converged and settled
    return converged


@borrowing
def _value_of(
    at: int,
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    winner: SideArray,
    values: ChanceArray,
    tableau: Tableau,
    payoffs: ChanceArray,
    mixture1: ChanceArray,
    mixture2: ChanceArray,
) -> float:
    """What a position is worth to player 1 if its successors are worth what they seem."""
    if winner[at] != 0:
        return 1.0 if winner[at] == 1 else -1.0
    begin, end = first[at], first[at + 1]
    if begin == end:
        return 0.0
    if mover[at] == BATTLE:
        size = len(payoffs)
        for choice in range(begin, end):
            payoffs[(choice - begin) // size, (choice - begin) % size] = values[after[choice]]
        return solve_in(tableau, payoffs, mixture1, mixture2, GRID)
    best = float(values[after[begin]])
    for choice in range(begin + 1, end):
        one = float(values[after[choice]])
        best = max(best, one) if mover[at] == 1 else min(best, one)
    return best


@compiled
def _fill_policy(
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    winner: SideArray,
    numbers: int,
    in_hand: BoolArray,
    values: ChanceArray,
    moves: ChanceArray,
    mixtures: ChanceArray,
    matters: SideArray,
) -> tuple[int, int, int, int, int, int]:
    """Fill in how to play and which decisions matter.

    Returns the number of choices, of positions with a side to move, of decisions, of decisions
    in which only one choice keeps the value, of battles in which both have to mix, and the numbers
    that are best in every battle, as bits.
    """
    choices, movers, decisions, only, battle, mixed = 0, 0, 0, 0, 0, 0
    always = (1 << numbers) - 1
    tableau, payoffs = tableau_for(numbers), np.empty((numbers, numbers))
    preferred = np.empty((numbers, numbers))
    for at in range(len(mover)):
        begin, end = first[at], first[at + 1]
        if winner[at] != 0 or begin == end:
            continue
        if mover[at] == BATTLE:
            for choice in range(begin, end):
                row, column = (choice - begin) // numbers, (choice - begin) % numbers
                payoffs[row, column] = values[after[choice]]
            value = values[at]
            _fill_preferred(payoffs, preferred)
            solve_in(tableau, preferred, mixtures[0, battle], mixtures[1, battle], GRID)
            place = battle % in_hand.shape[1]
            hand1, hand2 = in_hand[0, place], in_hand[1, place]
            for side in range(2):
                hand = hand1 if side == 0 else hand2
                kept = _keeping(payoffs, mixtures[1 - side, battle], value, side, hand)
                matters[at] += kept < hand.sum()
                only += kept == 1
                decisions += 1
            sure1 = _sure_numbers(payoffs, value, 0, hand1)
            sure2 = _sure_numbers(payoffs, value, 1, hand2)
            mixed += sure1 == 0 and sure2 == 0
            always &= (sure1 | _missing(hand1)) & (sure2 | _missing(hand2))
            battle += 1
            continue
        kept, reached, other = 0, 0, 0
        choices, movers = choices + end - begin, movers + 1
        for choice in range(begin, end):
            if abs(values[after[choice]] - values[at]) <= SAME_VALUE:
                kept += 1
        for choice in range(begin, end):
            new = True
            for earlier in range(begin, choice):
                new = new and after[earlier] != after[choice]
            keeps = abs(values[after[choice]] - values[at]) <= SAME_VALUE
            if keeps:
                moves[choice] = 1.0 / kept
            if new:
                reached += 1
                other += keeps
        if reached > 1:
            matters[at] = other < reached
            only += other == 1
            decisions += 1
    return choices, movers, decisions, only, mixed, always


@borrowing
def _fill_preferred(payoffs: ChanceArray, preferred: ChanceArray) -> None:
    """Fill in the payoffs with a little more for numbers that do well against all numbers alike.

    Of several optimal mixtures, one without dominated numbers is then found.
    """
    size = len(payoffs)
    for row in range(size):
        for column in range(size):
            mean = 0.0
            for other in range(size):
                mean += payoffs[row, other] + payoffs[other, column]
            preferred[row, column] = payoffs[row, column] + PREFERENCE * mean / size


@borrowing
def _keeping(
    payoffs: ChanceArray, against: ChanceArray, value: float, side: int, hand: BoolArray
) -> int:
    """How many numbers in hand are worth the battle's value against the other's mixture."""
    size, kept = len(payoffs), 0
    for number in range(size):
        worth = 0.0
        for other in range(size):
            one = payoffs[number, other] if side == 0 else payoffs[other, number]
            worth += against[other] * one
        kept += hand[number] and abs(worth - value) <= SAME_VALUE
    return kept


@borrowing
def _missing(hand: BoolArray) -> int:
    """As bits: the numbers that are not in hand."""
    bits = 0
    for number in range(len(hand)):
        if not hand[number]:
            bits |= 1 << number
    return bits


@borrowing
def _sure_numbers(payoffs: ChanceArray, value: float, side: int, hand: BoolArray) -> int:
    """As bits: the numbers in hand that are sure of the value, whatever the other chooses."""
    size, sure = len(payoffs), 0
    for number in range(size):
        holds = bool(hand[number])
        for other in range(size):
            short = value - payoffs[number, other] if side == 0 else payoffs[other, number] - value
            holds = holds and short <= SAME_VALUE
        if holds:
            sure |= 1 << number
    return sure
