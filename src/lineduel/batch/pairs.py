"""The exact result of two players over a game laid out in arrays: an absorbing chain.

Kemeny and Snell, Finite Markov Chains, chapter 3. Parts in which nothing comes back are done in
one sweep; the others are solved by many sweeps, or by taking their positions out one by one where
they are few or no bound on the error is found.
"""

from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from lineduel.batch.chart import Numbers, Sides
from lineduel.batch.levels import Chances
from lineduel.batch.loops import expect, pass_on, take_out
from lineduel.batch.parts import parts_of
from lineduel.batch.sweeps import longest_stay, swept
from lineduel.batch.webs import Web, reversed_web, web_of
from lineduel.compiled import compiled, inner
from lineduel.errors import TooLarge

FEW = 24
"""Positions that come back to one another up to which they are taken out one by one."""
MOST_EXACTLY = 5_000
"""The same where no bound is found on the error of anything quicker."""
ACCEPTED = 1e-10
"""An error that rounding can make; what is aimed at is less."""
_ROUNDING = 1e-15
_LEAST = 5e-324
"""The least chance of what can happen at all."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Meeting:
    """What comes of a game between two players; the three chances add up to 1."""

    win1: float
    win2: float
    endless: float
    """The chance that play never ends: 0 exactly where it cannot go on for ever."""
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
    pairing = pairings(first, after, winner, winner, chances.reshape(1, -1), start, everywhere)
    return pairing.meeting(0, 0)


@dataclass(frozen=True, eq=False)
class Pairings:
    """All meetings of some players: by player 1 and by player 2."""

    scores: Chances
    """The chances that player 1 wins, that player 2 does, that play is endless, and the plies of
    the games that end, NaN where none does."""
    visits: Chances
    """By position, as in a meeting."""
    wins: Chances
    """By winner and position, as in a meeting."""

    def meeting(self, player1: int, player2: int) -> Meeting:
        win1, win2, endless, plies = self.scores[player1, player2].tolist()
        return Meeting(
            win1=win1,
            win2=win2,
            endless=endless,
            plies=None if isnan(plies) else plies,
            visits=self.visits[player1, player2],
            wins=self.wins[player1, player2],
        )


def pairings(
    first: Numbers,
    after: Numbers,
    mover: Sides,
    winner: Sides,
    sheets: Chances,
    start: int = 0,
    everywhere: bool = False,
) -> Pairings:
    """All players against one another; a row of `sheets` is a player's chance of each choice."""
    players, size = len(sheets), len(winner)
    visits, wins = np.zeros((players, players, size)), np.zeros((players, players, 2, size))
    scores = np.empty((players, players, 4))
    pair_all(first, after, mover, winner, sheets, start, everywhere, scores, visits, wins)
    if np.isnan(scores[..., 0]).any():
        told = (
            f"More than {MOST_EXACTLY:,} positions come back to one another, and play can stay "
            "there too long to compute how it ends."
        )
        raise TooLarge(size, MOST_EXACTLY, told)
    return Pairings(scores, visits, wins)


@compiled
def pair_all(
    first: Numbers,
    after: Numbers,
    mover: Sides,
    winner: Sides,
    sheets: Chances,
    start: int,
    everywhere: bool,
    scores: Chances,
    visits: Chances,
    wins: Chances,
) -> None:
    """Fill in scores, visits and wins; the last two come in as zeros."""
    chances = np.empty(len(after))
    for one in range(len(sheets)):
        for two in range(len(sheets)):
            for at in range(len(mover)):
                player = one if mover[at] == 1 else two
                for choice in range(first[at], first[at + 1]):
                    chances[choice] = sheets[player, choice]
            absorb(
                first,
                after,
                winner,
                chances,
                start,
                everywhere,
                scores[one, two],
                visits[one, two],
                wins[one, two],
            )


@inner
def absorb(
    first: Numbers,
    after: Numbers,
    winner: Sides,
    chances: Chances,
    start: int,
    everywhere: bool,
    score: Chances,
    visits: Chances,
    wins: Chances,
) -> None:
    """One meeting; its score is NaN where a part is too large to be done exactly."""
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
            if np.isnan(stays[number]):
                score[0] = np.nan
                return
    visits[start] = 1.0 if ends[start] else 0.0
    endless, plies = 1.0 - visits[start], 0.0
    for number in range(part[start], -1, -1):
        members = order[cuts[number] : cuts[number + 1]]
        if not ends[members[0]] or winner[members[0]] != 0:
            continue
        if len(members) > 1:
            web = web_of(members, first, after, chances, part, place)
            if not _visit(web, members, stays[number], visits):
                score[0] = np.nan
                return
        endless += _look_back(members, first, after, chances, part, ends, visits)
        for at in members:
            plies += visits[at] * (wins[0, at] + wins[1, at])
    for number in range(parts):
        if not everywhere and not ends[order[cuts[number]]]:
            endless = max(endless, _LEAST)
    win1, win2 = wins[0, start], wins[1, start]
    total = win1 + win2 + endless  # 1, but for the last digits of rounding
    score[0], score[1], score[2] = win1 / total, win2 / total, endless / total
    score[3] = plies / (win1 + win2) if ends[start] else np.nan


@inner
def _win_in(web: Web, members: Numbers, wins: Chances) -> float:
    """From what leaving a part at once wins to what is won in the end.

    Returned is how long play can stay there: inf for a part that was taken out member by member,
    NaN for one that was too large for that.
    """
    size, sure = len(members), True
    given1, given2 = np.empty(size), np.empty(size)
    won1, won2 = np.zeros(size), np.zeros(size)
    some1, some2 = 0.0, 0.0
    for one in range(size):
        given1[one] = wins[0, members[one]] / web.scale[one]
        given2[one] = wins[1, members[one]] / web.scale[one]
        some1, some2 = some1 + given1[one], some2 + given2[one]
        sure &= abs(given1[one] + given2[one] - web.leave[one]) <= _ROUNDING
    stay = longest_stay(web) if size > FEW else np.inf
    # Where whoever leaves ends, what one does not win the other does.
    error = 0.0
    if some1 > 0.0 and (some2 > 0.0 or not sure):
        error = swept(web, given1, won1, stay)[0]
    if some2 > 0.0 and not sure:
        error = max(error, swept(web, given2, won2, stay)[0])
    if error > ACCEPTED:
        if size > MOST_EXACTLY:
            return np.nan
        stay, loops = np.inf, take_out(web)
        won1, won2 = given1, given2
        expect(loops, won1)
        expect(loops, won2)
    elif sure:
        for one in range(size):
            won1[one] = won1[one] if some2 > 0.0 else 1.0
            won2[one] = max(0.0, 1.0 - won1[one])
    for one in range(size):
        wins[0, members[one]], wins[1, members[one]] = won1[one], won2[one]
    return stay


@inner
def _visit(web: Web, members: Numbers, stay: float, visits: Chances) -> bool:
    """From how often a part is entered to how often its members are visited, if it can be done."""
    last = len(members) - 1
    entered, often = np.empty(last + 1), np.zeros(last + 1)
    total = 1.0
    for one in range(last + 1):  # a reversed web is counted from the last
        entered[last - one] = visits[members[one]]
    _, error = swept(reversed_web(web), entered, often, stay)
    for one in range(last + 1):
        visits[members[one]] = often[last - one] / web.scale[one]
        total += often[one]
    if error <= ACCEPTED * total or last >= MOST_EXACTLY:
        return error <= ACCEPTED * total
    for one in range(last + 1):
        often[one] = entered[last - one]
    pass_on(take_out(web), often)
    for one in range(last + 1):
        visits[members[one]] = often[one] / web.scale[one]
    return True


@inner
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


@inner
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
