"""The exact result of two policies: an absorbing Markov chain.

See Kemeny and Snell, Finite Markov Chains, chapter 3. Strongly connected components are solved in
turn: a single position in one step, larger ones by iteration, or by elimination if they are small
or if the error of the iteration cannot be bounded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import borrowing, compiled, inner
from lineduel.errors import TooLarge
from lineduel.graph.array_types import ChanceArray, NumberArray, SideArray
from lineduel.graph.components import (
    MergedChoices,
    Subchain,
    components_of,
    eliminate,
    expected_values,
    expected_visits,
    iterate,
    longest_stay,
    merge_chances,
    reversed_subchain,
    subchain_of,
)
from lineduel.graph.game_graph import GameGraph
from lineduel.graph.policies import PolicyTable, compiled_forms

FEW = 24
"""Components of at most this many positions are solved by elimination straight away."""
MOST_ELIMINATED = 5_000
"""The largest component to eliminate if the error of the iteration cannot be bounded."""
ACCEPTED = 1e-10
"""The largest accepted error, to allow for rounding; the iteration aims for less."""
_ROUNDING = 1e-15
_LEAST = 5e-324
"""The smallest probability given to an event that is possible."""


_joint = compiled_forms().joint


class Result(NamedTuple):
    """The result of a game between two policies; the three probabilities add up to 1."""

    win1: float
    """The probability that player 1 wins."""
    win2: float
    endless: float
    """The probability that play never ends; 0 if and only if it cannot go on for ever."""
    plies: float | None
    """The expected length of the games that end, counting a battle as a ply.

    None if no game ends, or if the length was not requested.
    """

    @property
    def value(self) -> float:
        """The expected payoff of player 1: win 1, loss -1, endless 0."""
        return self.win1 - self.win2

    @property
    def score(self) -> float:
        """The expected points of player 1: win 1, loss 0, endless 1/2."""
        return (1 + self.value) / 2


@dataclass(frozen=True, eq=False, slots=True)
class Absorption:
    """The result of a chain, and the positions it visits."""

    result: Result
    visits: ChanceArray
    """Expected visits to each position from which an end can be reached, ends included."""
    wins: ChanceArray
    """The probability that player 1 (row 0) or 2 (row 1) wins from each position that can occur."""


def result_of(
    graph: GameGraph, player1: PolicyTable, player2: PolicyTable, start: int = 0
) -> Result:
    """The exact result of two policies, starting from a position of the graph."""
    chances = joint_chances(graph, player1, player2)
    return absorb(graph.first, graph.after, graph.winner, chances, start).result


def joint_chances(graph: GameGraph, player1: PolicyTable, player2: PolicyTable) -> ChanceArray:
    """The probability of each choice of the graph when these two policies play."""
    chances = np.empty(len(graph.after))
    _joint(
        graph.first,
        graph.mover,
        player1.moves,
        player2.moves,
        player1.numbers[0],
        player2.numbers[1],
        graph.numbers,
        chances,
    )
    return chances


def absorb(
    first: NumberArray,
    after: NumberArray,
    winner: SideArray,
    chances: ChanceArray,
    start: int = 0,
    *,
    everywhere: bool = False,
) -> Absorption:
    """The result of play from `start` if each choice is made with the given probability.

    The choices of position p are `first[p]` to `first[p + 1]`, and `after` holds their targets.
    `winner` is 1 or 2 if the game is over, otherwise 0. Visits and wins are 0 for positions that
    cannot occur; with `everywhere`, wins are computed for those too.
    """
    size = len(winner)
    scores, visits, wins = np.empty(4), np.zeros(size), np.zeros((2, size))
    absorb_one(first, after, winner, chances, start, everywhere, scores, visits, wins)
    return Absorption(_result(scores, size), visits, wins)


def absorb_equals(graph: GameGraph, player: PolicyTable) -> Absorption:
    """The full result of a policy against itself, with the expected length."""
    scores, visits, wins = _absorb_pairs(graph, [player], [(0, 0)])
    return Absorption(_result(scores[0, 0], len(graph)), visits, wins)


def absorb_pairs(
    graph: GameGraph, players: Sequence[PolicyTable], pairs: Sequence[tuple[int, int]]
) -> list[Result]:
    """The results of some pairs of policies, given by the numbers of player 1 and player 2.

    Only a policy against itself has an expected length.
    """
    scores, _, _ = _absorb_pairs(graph, players, pairs)
    return [_result(scores[pair], len(graph)) for pair in pairs]


def _absorb_pairs(
    graph: GameGraph, players: Sequence[PolicyTable], pairs: Sequence[tuple[int, int]]
) -> tuple[ChanceArray, ChanceArray, ChanceArray]:
    number, size = len(players), len(graph)
    scores, visits, wins = np.empty((number, number, 4)), np.zeros(size), np.zeros((2, size))
    moves, numbers = (np.stack(tables) for tables in zip(*players, strict=True))
    asked = np.array(pairs, np.int64)
    absorb_all(*graph.arrays, graph.merged, moves, numbers, asked, scores, visits, wins)
    return scores, visits, wins


def _result(scores: ChanceArray, size: int) -> Result:
    win1, win2, endless, plies = scores.tolist()
    if isnan(win1):
        told = (
            f"More than {MOST_ELIMINATED:,} positions come back to one another, and play can stay "
            "there too long to compute how it ends."
        )
        raise TooLarge(size, MOST_ELIMINATED, told)
    return Result(win1, win2, endless, None if isnan(plies) else plies)


@compiled
def absorb_one(
    first: NumberArray,
    after: NumberArray,
    winner: SideArray,
    chances: ChanceArray,
    start: int,
    everywhere: bool,
    scores: ChanceArray,
    visits: ChanceArray,
    wins: ChanceArray,
) -> None:
    """Fill in one result, its visits and its wins; pass visits and wins as zeros."""
    _absorb(first, after, winner, chances, start, everywhere, True, scores, visits, wins)


@compiled
def absorb_all(
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    winner: SideArray,
    merged: MergedChoices,
    moves: ChanceArray,
    numbers: ChanceArray,
    pairs: NumberArray,
    scores: ChanceArray,
    visits: ChanceArray,
    wins: ChanceArray,
) -> None:
    """Fill in the results of some pairs; visits and wins are of the last of them."""
    chances, together = np.empty(len(after)), np.empty(len(merged.after))
    for one, two in pairs:
        _joint(
            first,
            mover,
            moves[one],
            moves[two],
            numbers[one, 0],
            numbers[two, 1],
            numbers.shape[3],
            chances,
        )
        merge_chances(merged.place, chances, together)
        visits[:], wins[:] = 0.0, 0.0
        _absorb(
            merged.first,
            merged.after,
            winner,
            together,
            0,
            False,
            one == two,
            scores[one, two],
            visits,
            wins,
        )


@inner
def _absorb(
    first: NumberArray,
    after: NumberArray,
    winner: SideArray,
    chances: ChanceArray,
    start: int,
    everywhere: bool,
    lengths: bool,
    scores: ChanceArray,
    visits: ChanceArray,
    wins: ChanceArray,
) -> None:
    """Solve one chain; its first score is NaN if a component is too large to solve exactly.

    The scores are the probabilities that player 1 wins, that player 2 wins and that play is
    endless, and the expected plies of the games that end (NaN if none ends or without `lengths`).
    """
    size = len(winner)
    order, cuts, component = components_of(first, after, chances, start, everywhere)
    components = len(cuts) - 1
    place = np.empty(size if components < len(order) else 0, np.int64)
    stays = np.zeros(components)
    ends = np.zeros(size, np.bool_)  # whether an end can be reached
    all_end = True
    chain, held = subchain_of(order[:0], first, after, chances, component, place), -1
    for number in range(components):
        members = order[cuts[number] : cuts[number + 1]]
        can_end = _look_ahead(members, first, after, winner, chances, component, ends, wins)
        all_end &= can_end
        if can_end and len(members) > 1:
            chain = subchain_of(members, first, after, chances, component, place)
            held = number
            stays[number] = _win_in(chain, members, wins)
            if np.isnan(stays[number]):
                scores[0] = np.nan
                return
    if all_end and not lengths:  # visits are not needed
        win1, win2 = wins[0, start], wins[1, start]
        scores[0], scores[1], scores[2] = win1 / (win1 + win2), win2 / (win1 + win2), 0.0
        scores[3] = np.nan
        return
    visits[start] = 1.0 if ends[start] else 0.0
    endless, plies = 1.0 - visits[start], 0.0
    for number in range(component[start], -1, -1):
        members = order[cuts[number] : cuts[number + 1]]
        if not ends[members[0]] or winner[members[0]] != 0:
            continue
        if len(members) > 1:
            if held != number:  # a single one is still held from above
                chain = subchain_of(members, first, after, chances, component, place)
                held = number
            if not _visit(chain, members, stays[number], visits):
                scores[0] = np.nan
                return
        endless += _look_back(members, first, after, chances, component, ends, visits)
        for at in members:
            plies += visits[at] * (wins[0, at] + wins[1, at])
    for number in range(components):
        if not everywhere and not ends[order[cuts[number]]]:
            endless = max(endless, _LEAST)
    win1, win2 = wins[0, start], wins[1, start]
    total = win1 + win2 + endless  # 1, except for rounding errors
    scores[0], scores[1], scores[2] = win1 / total, win2 / total, endless / total
    # An end can be so unlikely that its chance is rounded to 0.
    scores[3] = plies / (win1 + win2) if lengths and win1 + win2 > 0.0 else np.nan


@inner
def _win_in(chain: Subchain, members: NumberArray, wins: ChanceArray) -> float:
    """Replace the chances to win by leaving a component in one step by the chances to win at all.

    Returns a bound on how long play stays there: inf if the component was solved by elimination,
    NaN if it was too large for that.
    """
    size, sure = len(members), True
    given1, given2 = np.empty(size), np.empty(size)
    won1, won2 = np.zeros(size), np.zeros(size)
    some1, some2 = 0.0, 0.0
    for one in range(size):
        given1[one] = wins[0, members[one]] / chain.scale[one]
        given2[one] = wins[1, members[one]] / chain.scale[one]
        some1, some2 = some1 + given1[one], some2 + given2[one]
        sure &= abs(given1[one] + given2[one] - chain.leave[one]) <= _ROUNDING
    stay = longest_stay(chain) if size > FEW else np.inf
    # If play that leaves the component always ends, the two chances to win add up to 1.
    error = 0.0
    if some1 > 0.0 and (some2 > 0.0 or not sure):
        error = iterate(chain, given1, won1, stay)[0]
    if some2 > 0.0 and not sure:
        error = max(error, iterate(chain, given2, won2, stay)[0])
    if error > ACCEPTED:
        if size > MOST_ELIMINATED:
            return np.nan
        stay, factors = np.inf, eliminate(chain)
        won1, won2 = given1, given2
        expected_values(factors, won1)
        expected_values(factors, won2)
    elif sure:
        for one in range(size):
            won1[one] = won1[one] if some2 > 0.0 else 1.0
            won2[one] = max(0.0, 1.0 - won1[one])
    for one in range(size):
        wins[0, members[one]], wins[1, members[one]] = won1[one], won2[one]
    return stay


@inner
def _visit(chain: Subchain, members: NumberArray, stay: float, visits: ChanceArray) -> bool:
    """Replace the entries into a component by its members' visits; returns whether it succeeded."""
    last = len(members) - 1
    entered, often = np.empty(last + 1), np.zeros(last + 1)
    total = 1.0
    for one in range(last + 1):  # a reversed subchain is numbered from the last
        entered[last - one] = visits[members[one]]
    _, error = iterate(reversed_subchain(chain), entered, often, stay)
    for one in range(last + 1):
        visits[members[one]] = often[last - one] / chain.scale[one]
        total += often[one]
    if error <= ACCEPTED * total or last >= MOST_ELIMINATED:
        return error <= ACCEPTED * total
    for one in range(last + 1):
        often[one] = entered[last - one]
    expected_visits(eliminate(chain), often)
    for one in range(last + 1):
        visits[members[one]] = often[one] / chain.scale[one]
    return True


@borrowing
def _look_ahead(
    members: NumberArray,
    first: NumberArray,
    after: NumberArray,
    winner: SideArray,
    chances: ChanceArray,
    component: NumberArray,
    ends: NDArray[np.bool_],
    wins: ChanceArray,
) -> bool:
    """Whether a component can reach an end; writes the chances to win by leaving it in one step.

    For a component with a single position, these are its chances to win.
    """
    can_end = False
    for at in members:
        if winner[at] != 0:
            ends[at] = True
            wins[winner[at] - 1, at] = 1.0
            return True
        win1, win2, leave = 0.0, 0.0, 0.0
        for choice in range(first[at], first[at + 1]):
            reached, chance = after[choice], chances[choice]
            if chance > 0 and component[reached] != component[at]:
                can_end |= ends[reached]
                leave += chance
                win1 += chance * wins[0, reached]
                win2 += chance * wins[1, reached]
        if len(members) == 1 and leave > 0:
            win1, win2 = win1 / leave, win2 / leave
        wins[0, at], wins[1, at] = win1, win2
    for at in members:
        ends[at] = can_end
    return can_end


@borrowing
def _look_back(
    members: NumberArray,
    first: NumberArray,
    after: NumberArray,
    chances: ChanceArray,
    component: NumberArray,
    ends: NDArray[np.bool_],
    visits: ChanceArray,
) -> float:
    """Pass a component's visits on to its successors; returns the share that becomes endless."""
    endless = 0.0
    for at in members:
        share = visits[at]
        if len(members) == 1:
            back = 0.0
            for choice in range(first[at], first[at + 1]):
                back += chances[choice] if after[choice] == at else 0.0
            if back > 0:
                share = visits[at] = visits[at] / (1.0 - back)
        for choice in range(first[at], first[at + 1]):
            reached = after[choice]
            if chances[choice] > 0 and component[reached] != component[at]:
                if ends[reached]:
                    visits[reached] += share * chances[choice]
                else:
                    endless += share * chances[choice]
    return endless
