"""Positions that come back to one another, taken out of a chain one by one.

Taking a position out hands its chances on to those that lead there. What is left over at each
step is a sum of positive numbers and never a difference, so that every result is exact to the
last digits however long play goes round.

Grassmann, Taksar and Heyman, Regenerative analysis and steady state distributions for Markov
chains (1985).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.batch.chart import Numbers
from lineduel.batch.levels import Chances
from lineduel.batch.room import longer
from lineduel.kernel.compiled import compiled

_NOWHERE = -1


class Loops(NamedTuple):
    """By position of a chain: what leads on and what led there when it was taken out.

    The lists of a position lie in the pools, from `start` on, so many entries, with so much room.
    """

    start: Numbers
    length: Numbers
    room: Numbers
    start_in: Numbers
    length_in: Numbers
    room_in: Numbers
    left_in: Numbers
    """How many of those that lead there have not been taken out."""
    leave: Chances
    """The chance of leaving the part at once."""
    stay: Chances
    """All that leads elsewhere, when the position is taken out."""
    out: NDArray[np.bool_]
    place: Numbers
    """While a list is worked on: where it names a position, else _NOWHERE."""


class Pools(NamedTuple):
    """Room for the lists: positions led to with their chances, positions that lead there."""

    reached: Numbers
    chance: Chances
    origin: Numbers
    flow: Chances
    """The chance to lead there, when the position was taken out."""
    used: Numbers
    """How much of the two pools is used."""


@compiled
def no_loops(size: int) -> Loops:
    """Nothing taken out of a chain of that size."""
    return Loops(
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.float64),
        np.zeros(size, np.float64),
        np.zeros(size, np.bool_),
        np.full(size, _NOWHERE, np.int64),
    )


@compiled
def no_pools(size: int) -> Pools:
    """Empty pools with room for so many entries."""
    return Pools(
        np.empty(size, np.int64),
        np.empty(size, np.float64),
        np.empty(size, np.int64),
        np.empty(size, np.float64),
        np.zeros(2, np.int64),
    )


@compiled
def take_out(
    members: Numbers,
    first: Numbers,
    after: Numbers,
    chances: Chances,
    part: Numbers,
    loops: Loops,
    pools: Pools,
    wins: Chances,
) -> Pools:
    """Take out a whole part, and leave its members in the order in which they went.

    `wins` holds what is won by leaving at once, and gets what is won after all.
    """
    pools = _write_lists(members, first, after, chances, part, loops, pools)
    left, limit, gone = members.copy(), 2, 0
    # Those with few ways in and out first; a rough order does nearly as well as the best.
    while gone < len(members):
        kept = 0
        for one in range(len(members) - gone):
            at = left[one]
            if loops.length[at] * loops.left_in[at] > limit:
                left[kept] = at
                kept += 1
                continue
            pools = _with_room(at, loops, pools)
            _hand_on(at, loops, pools, wins)
            members[gone] = at
            gone += 1
        limit *= 2
    for turn in range(len(members) - 1, -1, -1):
        at = members[turn]
        for side in range(2):
            total = wins[side, at]
            for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
                total += pools.chance[entry] * wins[side, pools.reached[entry]]
            wins[side, at] = total / loops.stay[at]
    return pools


@compiled
def pass_on(members: Numbers, loops: Loops, pools: Pools, visits: Chances) -> None:
    """From how often a part is entered at each of its members to how often each is visited."""
    for at in members:
        share = visits[at] / loops.stay[at]
        for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
            visits[pools.reached[entry]] += share * pools.chance[entry]
    for turn in range(len(members) - 1, -1, -1):
        at = members[turn]
        total = visits[at]
        for entry in range(loops.start_in[at], loops.start_in[at] + loops.length_in[at]):
            total += visits[pools.origin[entry]] * pools.flow[entry]
        visits[at] = total / loops.stay[at]


@compiled
def _write_lists(
    members: Numbers,
    first: Numbers,
    after: Numbers,
    chances: Chances,
    part: Numbers,
    loops: Loops,
    pools: Pools,
) -> Pools:
    """The lists of a part's members, each position once in a list."""
    for at in members:
        degree = first[at + 1] - first[at]
        pools = _enlarged(pools, 2 * degree, 0)
        begin = end = pools.used[0]
        loops.leave[at] = 0.0
        for choice in range(first[at], first[at + 1]):
            reached, chance = after[choice], chances[choice]
            if chance <= 0 or reached == at:
                continue
            if part[reached] != part[at]:
                loops.leave[at] += chance
            elif loops.place[reached] != _NOWHERE:
                pools.chance[loops.place[reached]] += chance
            else:
                loops.place[reached] = end
                pools.reached[end], pools.chance[end] = reached, chance
                loops.left_in[reached] += 1
                end += 1
        for entry in range(begin, end):
            loops.place[pools.reached[entry]] = _NOWHERE
        loops.start[at], loops.length[at], loops.room[at] = begin, end - begin, 2 * degree
        pools.used[0] += 2 * degree
    for at in members:
        room = 2 * loops.left_in[at]
        pools = _enlarged(pools, 0, room)
        loops.start_in[at], loops.length_in[at], loops.room_in[at] = pools.used[1], 0, room
        pools.used[1] += room
    for at in members:
        for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
            reached = pools.reached[entry]
            pools.origin[loops.start_in[reached] + loops.length_in[reached]] = at
            loops.length_in[reached] += 1
    return pools


@compiled
def _with_room(at: int, loops: Loops, pools: Pools) -> Pools:
    """Lists that have room for what taking out a position can add to them."""
    needs, needs_in = 0, 0
    for entry in range(loops.start_in[at], loops.start_in[at] + loops.length_in[at]):
        origin = pools.origin[entry]
        if not loops.out[origin] and loops.length[origin] + loops.length[at] > loops.room[origin]:
            needs += 2 * (loops.length[origin] + loops.length[at])
    for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
        reached = pools.reached[entry]
        if loops.length_in[reached] + loops.left_in[at] > loops.room_in[reached]:
            needs_in += 2 * (loops.length_in[reached] + loops.left_in[at])
    pools = _enlarged(pools, needs, needs_in)
    if needs:
        for entry in range(loops.start_in[at], loops.start_in[at] + loops.length_in[at]):
            origin = pools.origin[entry]
            wanted = loops.length[origin] + loops.length[at]
            if not loops.out[origin] and wanted > loops.room[origin]:
                _move_list(origin, 2 * wanted, loops, pools)
    if needs_in:
        for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
            reached = pools.reached[entry]
            wanted = loops.length_in[reached] + loops.left_in[at]
            if wanted > loops.room_in[reached]:
                begin, end = loops.start_in[reached], pools.used[1]
                for one in range(loops.length_in[reached]):
                    pools.origin[end + one] = pools.origin[begin + one]
                loops.start_in[reached], loops.room_in[reached] = end, 2 * wanted
                pools.used[1] += 2 * wanted
    return pools


@compiled
def _move_list(at: int, room: int, loops: Loops, pools: Pools) -> None:
    begin, end = loops.start[at], pools.used[0]
    for one in range(loops.length[at]):
        pools.reached[end + one] = pools.reached[begin + one]
        pools.chance[end + one] = pools.chance[begin + one]
    loops.start[at], loops.room[at] = end, room
    pools.used[0] += room


@compiled
def _hand_on(at: int, loops: Loops, pools: Pools, wins: Chances) -> None:
    """Take out one position: whoever leads there now leads to where it leads."""
    begin, end = loops.start[at], loops.start[at] + loops.length[at]
    stay = loops.leave[at]
    for entry in range(begin, end):
        stay += pools.chance[entry]
        loops.left_in[pools.reached[entry]] -= 1
    loops.stay[at], loops.out[at] = stay, True
    begin_in, ways_in = loops.start_in[at], 0
    for entry_in in range(begin_in, begin_in + loops.length_in[at]):
        origin = pools.origin[entry_in]
        if loops.out[origin]:
            continue
        flow = _lead_round(origin, at, stay, loops, pools)
        share = flow / stay
        loops.leave[origin] += share * loops.leave[at]
        wins[0, origin] += share * wins[0, at]
        wins[1, origin] += share * wins[1, at]
        pools.origin[begin_in + ways_in], pools.flow[begin_in + ways_in] = origin, flow
        ways_in += 1
    loops.length_in[at] = ways_in


@compiled
def _lead_round(origin: int, at: int, stay: float, loops: Loops, pools: Pools) -> float:
    """Lead one list past a position, and return the chance that led there."""
    low, high = loops.start[origin], loops.start[origin] + loops.length[origin]
    for entry in range(low, high):
        loops.place[pools.reached[entry]] = entry
    gap, high = loops.place[at], high - 1
    flow = float(pools.chance[gap])
    pools.reached[gap], pools.chance[gap] = pools.reached[high], pools.chance[high]
    loops.place[pools.reached[gap]] = gap
    loops.place[at] = _NOWHERE
    for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
        reached, more = pools.reached[entry], flow * pools.chance[entry] / stay
        if reached == origin:
            continue  # back to itself: nothing is gained or lost
        if loops.place[reached] != _NOWHERE:
            pools.chance[loops.place[reached]] += more
            continue
        pools.reached[high], pools.chance[high] = reached, more
        loops.place[reached] = high
        high += 1
        pools.origin[loops.start_in[reached] + loops.length_in[reached]] = origin
        loops.length_in[reached] += 1
        loops.left_in[reached] += 1
    for entry in range(low, high):
        loops.place[pools.reached[entry]] = _NOWHERE
    loops.length[origin] = high - low
    return flow


@compiled
def _enlarged(pools: Pools, more: int, more_in: int) -> Pools:
    """The pools, larger where so many entries more would not fit."""
    reached, chance, origin, flow, used = pools
    if used[0] + more > len(reached):
        size = 2 * (used[0] + more)
        reached, chance = longer(reached, size), longer(chance, size)
    if used[1] + more_in > len(origin):
        size = 2 * (used[1] + more_in)
        origin, flow = longer(origin, size), longer(flow, size)
    return Pools(reached, chance, origin, flow, used)
