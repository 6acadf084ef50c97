"""The exact result of two players over a game laid out in arrays: an absorbing chain.

Kemeny and Snell, Finite Markov Chains, chapter 3. Parts in which nothing comes back are done in
one sweep; the others are solved by many sweeps, or by taking their positions out one by one where
they are few or no bound on the error is found.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lineduel.batch.chart import Numbers, Sides
from lineduel.batch.levels import Chances
from lineduel.batch.loops import expect, pass_on, take_out
from lineduel.batch.parts import parts_of
from lineduel.batch.sweeps import longest_stay, swept
from lineduel.batch.webs import Web, reversed_web, web_of
from lineduel.kernel.compiled import compiled

Score = tuple[float, float, float, float]
"""The chances that player 1 wins, that player 2 does, that play is endless; plies, or NaN."""

FEW = 16
"""Positions that come back to one another up to which they are taken out one by one."""
_ROUNDING = 1e-15


@dataclass(frozen=True, eq=False, kw_only=True)
class Meeting:
    """What comes of a game between two players; the three chances add up to 1."""

    win1: float
    win2: float
    endless: float
    """The chance that play never ends."""
    plies: float | None
    """The expected length of the games that end; None if none does."""
    visits: Chances
    """How often each position is met, as long as an end can still be reached; the ends too."""
    wins: Chances
    """Two rows: the chance that player 1, that player 2 wins from each position that is met."""


def meet(
    first: Numbers,
    after: Numbers,
    winner: Sides,
    chances: Chances,
    start: int = 0,
    *,
    everywhere: bool = False,
) -> Meeting:
    """How play ends from `start` when each choice has its chance.

    The choices of position p are `first[p]` to `first[p + 1]`, leading to `after`; `winner` is 1
    or 2 where the game is over, else 0. Positions that cannot be met have neither visits nor
    wins, unless wins are asked for `everywhere`.
    """
    visits, wins = np.zeros(len(winner)), np.zeros((2, len(winner)))
    score = absorb(first, after, winner, chances, start, everywhere, visits, wins)
    win1, win2, endless, plies = score
    return Meeting(
        win1=win1,
        win2=win2,
        endless=endless,
        plies=None if np.isnan(plies) else plies,
        visits=visits,
        wins=wins,
    )


@compiled
def absorb(
    first: Numbers,
    after: Numbers,
    winner: Sides,
    chances: Chances,
    start: int,
    everywhere: bool,
    visits: Chances,
    wins: Chances,
) -> Score:
    """Compute a meeting; `visits` and `wins` come in as zeros."""
    size = len(winner)
    order, cuts, part = parts_of(first, after, chances, start, everywhere)
    parts = len(cuts) - 1
    place = np.empty(size if parts < len(order) else 0, np.int64)
    stays = np.zeros(parts)
    ends = np.zeros(size, np.bool_)  # whether an end can be reached
    for number in range(parts):
        members = order[cuts[number] : cuts[number + 1]]
        can_end = _look_ahead(members, first, after, winner, chances, part, ends, wins)
        if can_end and len(members) > 1:
            web = web_of(members, first, after, chances, part, place)
            stays[number] = _win_in(web, members, wins)
    if not ends[start]:
        return 0.0, 0.0, 1.0, np.nan
    visits[start] = 1.0
    endless, plies = 0.0, 0.0
    for number in range(part[start], -1, -1):
        members = order[cuts[number] : cuts[number + 1]]
        if not ends[members[0]] or winner[members[0]] != 0:
            continue
        if len(members) > 1:
            web = web_of(members, first, after, chances, part, place)
            _visit(web, members, stays[number], visits)
        endless += _look_back(members, first, after, chances, part, ends, visits)
        for at in members:
            plies += visits[at] * (wins[0, at] + wins[1, at])
    win1, win2 = wins[0, start], wins[1, start]
    total = win1 + win2 + endless  # 1, but for the last digits of rounding
    return win1 / total, win2 / total, endless / total, plies / (win1 + win2)


@compiled
def _win_in(web: Web, members: Numbers, wins: Chances) -> float:
    """From what leaving a part at once wins to what is won in the end.

    Returned is how long play can stay there, inf for a part that was taken out member by member.
    """
    size = len(members)
    given, sure = np.empty(size), True
    won1, won2 = np.zeros(size), np.empty(size)
    for one in range(size):
        given[one] = wins[0, members[one]] / web.scale[one]
        both = given[one] + wins[1, members[one]] / web.scale[one]
        sure &= abs(both - web.leave[one]) <= _ROUNDING
        won2[one] = wins[1, members[one]] / web.scale[one]
    stay = longest_stay(web) if size > FEW else np.inf
    done = swept(web, given, won1, stay, False)
    if done and sure:  # whoever leaves ends, so that what one does not win the other does
        for one in range(size):
            won2[one] = max(0.0, 1.0 - won1[one])
    elif done:
        given[:] = won2
        won2[:] = 0.0
        done = swept(web, given, won2, stay, False)
    for one in range(size if done else 0):
        wins[0, members[one]], wins[1, members[one]] = won1[one], won2[one]
    return stay if done else _win_exactly(web, members, wins)


@compiled
def _win_exactly(web: Web, members: Numbers, wins: Chances) -> float:
    """The same, however long play stays there."""
    loops, won = take_out(web), np.empty(len(members))
    for side in range(2):
        for one in range(len(members)):
            won[one] = wins[side, members[one]] / web.scale[one]
        expect(loops, won)
        for one in range(len(members)):
            wins[side, members[one]] = won[one]
    return np.inf


@compiled
def _visit(web: Web, members: Numbers, stay: float, visits: Chances) -> None:
    """From how often a part is entered to how often its members are visited."""
    last = len(members) - 1
    entered, often = np.empty(last + 1), np.zeros(last + 1)
    for one in range(last + 1):  # a reversed web is counted from the last
        entered[last - one] = visits[members[one]]
    if swept(reversed_web(web), entered, often, stay, True):
        for one in range(last + 1):
            visits[members[one]] = often[last - one] / web.scale[one]
        return
    for one in range(last + 1):
        often[one] = visits[members[one]]
    pass_on(take_out(web), often)
    for one in range(last + 1):
        visits[members[one]] = often[one] / web.scale[one]


@compiled
def _look_ahead(
    members: Numbers,
    first: Numbers,
    after: Numbers,
    winner: Sides,
    chances: Chances,
    part: Numbers,
    ends: NDArray[np.bool_],
    wins: Chances,
) -> bool:
    """Whether a part can reach an end; if so, what leaving it at once wins is written down.

    For a position that is alone in its part that is all there is to win.
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
            if chance > 0 and part[reached] != part[at]:
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


@compiled
def _look_back(
    members: Numbers,
    first: Numbers,
    after: Numbers,
    chances: Chances,
    part: Numbers,
    ends: NDArray[np.bool_],
    visits: Chances,
) -> float:
    """Hand a part's visits on to where it leads; returned is what goes where nothing ends."""
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
            if chances[choice] > 0 and part[reached] != part[at]:
                if ends[reached]:
                    visits[reached] += share * chances[choice]
                else:
                    endless += share * chances[choice]
    return endless
