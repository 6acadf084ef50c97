"""What the play of one side is worth against the best reply, in graphs with battles.

Hoffman and Karp's algorithm (On nonterminating stochastic games, 1966) improves the play of one
side by what it is worth against the best reply. It takes few rounds, however long a game can last.
The best reply is found by policy iteration, and what a pair of plays is worth is the solution of
linear equations. This only finds values: whether they are bounds is proved elsewhere.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import borrowing, inner
from lineduel.graph import (
    BATTLE,
    BattlePlans,
    ChanceArray,
    NumberArray,
    ShortNumbers,
    SideArray,
    Subchain,
    battle_plans,
    solve_subchain,
)

_MOST_REPLIES = 8
"""The most replies to the same play that are tried."""
_CLOSER = 0.02
"""The share of an error that is left when equations are solved."""
_BETTER = 2.0**-43
"""What a different reply has to gain."""
_NO_ROW = -1
_STEP = 4
"""The steps of work for a position in one step of an iteration that solves equations."""


class OneSide(NamedTuple):
    """A player, the graph with forced wins as ends, and what the player is sure of."""

    player: int
    first: NumberArray
    after: ShortNumbers
    mover: SideArray
    winner: SideArray
    sure: ChanceArray


class Play(NamedTuple):
    """How a player plays, and how the other replies."""

    plans: BattlePlans
    """Both mixtures of each battle when it was solved last, as chances of what follows."""
    own: ChanceArray
    """The player's own mixture in each battle."""
    reply: SideArray
    """The other's number in each battle, counted from 0."""
    choice: SideArray
    """For each position, the move of the side to move, counted from 0."""
    place: NDArray[np.int32]
    """Scratch space: the row of a position in the equations, or `_NO_ROW`."""


@inner
def no_play(side: OneSide, numbers: int) -> Play:
    """Room for how a player plays."""
    size = len(side.mover)
    plans = battle_plans(side.first, side.after, side.mover, numbers)
    battles = len(plans.chance)
    return Play(
        plans,
        np.zeros((battles, numbers)),
        np.zeros(battles, np.int8),
        np.zeros(size, np.int8),
        np.full(size, _NO_ROW, np.int32),
    )


@inner
def evaluate_play(
    side: OneSide,
    members: NumberArray,
    play: Play,
    cost: float,
    below: bool,
    least: float,
    enough: float,
) -> int:
    """Bring what the player is sure of closer to the worth of the play; returns the work done.

    Every step costs something above 0, and with `below` also below 0. It is close enough if the
    best reply changes no value by more than `enough`.
    """
    work = 0
    for tried in range(_MOST_REPLIES):
        gained = _improve_reply(side, members, play, cost, below, least)
        work += 2 * len(members)
        if tried > 0 and gained < enough:
            break
        tolerance = max(_CLOSER * gained, 0.125 * cost)
        work += _solve_equations(side, members, play, cost, below, least, tolerance)
    return work


@inner
def _solve_equations(
    side: OneSide,
    members: NumberArray,
    play: Play,
    cost: float,
    below: bool,
    least: float,
    tolerance: float,
) -> int:
    """Take the values that solve the equations, if they can be solved; returns the work done."""
    chain, given, values = _equations(side, members, play, cost, below)
    steps, solved = solve_subchain(chain, given, values, tolerance)
    if solved:
        row = 0
        for at in members:
            if side.winner[at] == 0:
                side.sure[at] = min(1.0, max(least, values[row]))
                row += 1
    return (2 + _STEP * steps) * len(members)


@borrowing
def _improve_reply(
    side: OneSide, members: NumberArray, play: Play, cost: float, below: bool, least: float
) -> float:
    """Value every position by those after it, with the best reply; returns the largest change."""
    most, first, after, sure = 0.0, side.first, side.after, side.sure
    for at in members:
        if side.winner[at] != 0:
            continue
        if side.mover[at] == BATTLE:
            row = play.plans.place[at]
            now, number = worst_number(at, side, play.own[row], play.reply[row])
            play.reply[row] = number
        else:
            now = float(sure[after[first[at] + play.choice[at]]])
            if side.mover[at] != side.player:
                for choice in range(first[at + 1] - first[at]):
                    if sure[after[first[at] + choice]] < now - _BETTER:
                        now = float(sure[after[first[at] + choice]])
                        play.choice[at] = choice
        if now > 0.0 or (below and now < 0.0):
            now -= cost
        now = max(now, least)
        most = max(most, abs(now - sure[at]))
        sure[at] = now
    return most


@borrowing
def worst_number(at: int, side: OneSide, own: ChanceArray, reply: int) -> tuple[float, int]:
    """What a player's mixture is worth against the other's best number, and that number.

    The number stays `reply` if no other is clearly better.
    """
    size, begin, least, number = len(own), side.first[at], 2.0, reply
    for place in range(size):
        other = (reply + place) % size
        worth = 0.0
        for one in range(size):
            if own[one] > 0.0:
                choice = one * size + other if side.player == 1 else other * size + one
                worth += own[one] * side.sure[side.after[begin + choice]]
        if worth < least - _BETTER:
            number = other
        least = min(least, worth)
    return least, number


@inner
def _equations(
    side: OneSide, members: NumberArray, play: Play, cost: float, below: bool
) -> tuple[Subchain, ChanceArray, ChanceArray]:
    """The equations for what a pair of plays is worth, and the values known so far.

    If play cannot leave some positions, they keep their values as far as the equations allow it.
    """
    place, numbers, size, most = play.place, play.own.shape[1], 0, 0
    for at in members:
        if side.winner[at] == 0:
            place[at] = size
            size += 1
            most += numbers if side.mover[at] == BATTLE else 1
    first, reached = np.zeros(size + 1, np.uint32), np.empty(most, np.uint32)
    chance, given, leave = np.empty(most), np.zeros(size), np.zeros(size)
    values, end = np.empty(size), 0
    for at in members:
        row = place[at]
        if row < 0:
            continue
        values[row] = side.sure[at]
        for own in range(numbers if side.mover[at] == BATTLE else 1):
            share, to = _follows(at, side, play, own)
            if share <= 0.0:
                continue
            if place[to] < 0:
                given[row] += share * side.sure[to]
                leave[row] += share
                continue
            entry = first[row]
            while entry < end and reached[entry] != place[to]:
                entry += 1
            if entry == end:
                reached[end], chance[end] = place[to], 0.0
                end += 1
            chance[entry] += share
        if side.sure[at] > 0.0 or (below and side.sure[at] < 0.0):
            given[row] -= cost
        first[row + 1] = end
    for at in members:
        place[at] = _NO_ROW
    return Subchain(first, reached[:end], chance[:end], leave, np.ones(size)), given, values


@borrowing
def _follows(at: int, side: OneSide, play: Play, own: int) -> tuple[float, int]:
    """The chance of a player's number, or 1 for a move, and the position that follows."""
    begin = side.first[at]
    if side.mover[at] != BATTLE:
        return 1.0, int(side.after[begin + play.choice[at]])
    row, numbers = play.plans.place[at], play.own.shape[1]
    other = play.reply[row]
    pair = own * numbers + other if side.player == 1 else other * numbers + own
    return play.own[row, own], int(side.after[begin + pair])
