"""A web solved by taking its members out one by one, which is exact however long play goes round.

Taking a member out hands its chances on to those that lead there. What is left over at each step
is a sum of positive numbers and never a difference, so that no digits are lost.

Grassmann, Taksar and Heyman, Regenerative analysis and steady state distributions for Markov
chains (1985).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.batch.chart import Numbers
from lineduel.batch.levels import Chances
from lineduel.batch.room import longer
from lineduel.batch.webs import Web
from lineduel.kernel.compiled import compiled

_NOWHERE = -1


class Loops(NamedTuple):
    """What each member led to, and what led there, when it was taken out.

    Its lists lie in the pools, from `start` on, so many entries, with so much room.
    """

    order: Numbers
    """The members as they were taken out."""
    start: Numbers
    length: Numbers
    room: Numbers
    start_in: Numbers
    length_in: Numbers
    room_in: Numbers
    left_in: Numbers
    """How many of those that lead there have not been taken out."""
    leave: Chances
    onward: Chances
    """All that led elsewhere."""
    out: NDArray[np.bool_]
    place: Numbers
    """While a list is worked on: where it names a member, else _NOWHERE."""
    reached: Numbers
    chance: Chances
    origin: Numbers
    flow: Chances
    """The chance to lead there."""
    used: Numbers
    """How much of the two pools is used."""


@compiled
def take_out(web: Web) -> Loops:
    """Take out all members, those with few ways in and out first.

    A rough order does: there is a limit to the ways, and it is doubled again and again.
    """
    loops = _lists(web)
    size, gone, limit = len(web.leave), 0, 2
    left = np.arange(size)
    while gone < size:
        kept = 0
        for one in range(size - gone):
            at = left[one]
            if loops.length[at] * loops.left_in[at] > limit:
                left[kept] = at
                kept += 1
            else:
                loops = _with_room(at, loops)
                _hand_on(at, loops)
                loops.order[size - 1 - gone] = at
                gone += 1
        limit *= 2
    return loops


@compiled
def expect(loops: Loops, values: Chances) -> None:
    """From what each member is given to what it can expect: given and after one step."""
    order = loops.order
    for turn in range(len(order) - 1, -1, -1):
        at = order[turn]
        share = values[at] / loops.onward[at]
        for entry in range(loops.start_in[at], loops.start_in[at] + loops.length_in[at]):
            values[loops.origin[entry]] += share * loops.flow[entry]
    for at in order:
        total = values[at]
        for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
            total += loops.chance[entry] * values[loops.reached[entry]]
        values[at] = total / loops.onward[at]


@compiled
def pass_on(loops: Loops, visits: Chances) -> None:
    """From how often a web is entered at each member to how often each is visited."""
    order = loops.order
    for turn in range(len(order) - 1, -1, -1):
        at = order[turn]
        share = visits[at] / loops.onward[at]
        for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
            visits[loops.reached[entry]] += share * loops.chance[entry]
    for at in order:
        total = visits[at]
        for entry in range(loops.start_in[at], loops.start_in[at] + loops.length_in[at]):
            total += visits[loops.origin[entry]] * loops.flow[entry]
        visits[at] = total / loops.onward[at]


@compiled
def _lists(web: Web) -> Loops:
    """The lists of a web, each member once in a list; nothing is taken out yet."""
    size, ways = len(web.leave), len(web.reached)
    start, length = np.empty(size, np.int64), np.zeros(size, np.int64)
    start_in, length_in = np.empty(size, np.int64), np.zeros(size, np.int64)
    room, room_in = np.empty(size, np.int64), np.zeros(size, np.int64)
    place = np.full(size, _NOWHERE, np.int64)
    reached, chance = np.empty(4 * ways, np.int64), np.empty(4 * ways)
    origin, flow = np.empty(4 * ways, np.int64), np.empty(4 * ways)
    used = np.zeros(2, np.int64)
    for at in range(size):
        start[at] = used[0]
        for way in range(web.first[at], web.first[at + 1]):
            to = web.reached[way]
            if place[to] == _NOWHERE:
                entry = start[at] + length[at]
                place[to] = entry
                reached[entry], chance[entry] = to, 0.0
                length[at] += 1
                room_in[to] += 2
            chance[place[to]] += web.chance[way]
        for entry in range(start[at], start[at] + length[at]):
            place[reached[entry]] = _NOWHERE
        room[at] = 2 * length[at]
        used[0] += room[at]
    for at in range(size):
        start_in[at] = used[1]
        used[1] += room_in[at]
    for at in range(size):
        for entry in range(start[at], start[at] + length[at]):
            to = reached[entry]
            origin[start_in[to] + length_in[to]] = at
            length_in[to] += 1
    return Loops(
        np.empty(size, np.int64),
        start,
        length,
        room,
        start_in,
        length_in,
        room_in,
        length_in.copy(),
        web.leave.copy(),
        np.empty(size),
        np.zeros(size, np.bool_),
        place,
        reached,
        chance,
        origin,
        flow,
        used,
    )


@compiled
def _with_room(at: int, loops: Loops) -> Loops:
    """Lists that have room for what taking out a member can add to them."""
    needs, needs_in = 0, 0
    for entry in range(loops.start_in[at], loops.start_in[at] + loops.length_in[at]):
        one = loops.origin[entry]
        wanted = loops.length[one] + loops.length[at]
        if not loops.out[one] and wanted > loops.room[one]:
            needs += 2 * wanted
    for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
        one = loops.reached[entry]
        wanted = loops.length_in[one] + loops.left_in[at]
        if wanted > loops.room_in[one]:
            needs_in += 2 * wanted
    loops = _enlarged(loops, needs, needs_in)
    if needs:
        for entry in range(loops.start_in[at], loops.start_in[at] + loops.length_in[at]):
            one = loops.origin[entry]
            wanted = loops.length[one] + loops.length[at]
            if not loops.out[one] and wanted > loops.room[one]:
                begin, end = loops.start[one], loops.used[0]
                for item in range(loops.length[one]):
                    loops.reached[end + item] = loops.reached[begin + item]
                    loops.chance[end + item] = loops.chance[begin + item]
                loops.start[one], loops.room[one] = end, 2 * wanted
                loops.used[0] += 2 * wanted
    if needs_in:
        for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
            one = loops.reached[entry]
            wanted = loops.length_in[one] + loops.left_in[at]
            if wanted > loops.room_in[one]:
                begin, end = loops.start_in[one], loops.used[1]
                for item in range(loops.length_in[one]):
                    loops.origin[end + item] = loops.origin[begin + item]
                loops.start_in[one], loops.room_in[one] = end, 2 * wanted
                loops.used[1] += 2 * wanted
    return loops


@compiled
def _enlarged(loops: Loops, more: int, more_in: int) -> Loops:
    """The lists in larger pools, where so many entries more would not fit."""
    reached, chance = loops.reached, loops.chance
    origin, flow, used = loops.origin, loops.flow, loops.used
    if used[0] + more <= len(reached) and used[1] + more_in <= len(origin):
        return loops
    size, size_in = 2 * (used[0] + more), 2 * (used[1] + more_in)
    return Loops(
        loops.order,
        loops.start,
        loops.length,
        loops.room,
        loops.start_in,
        loops.length_in,
        loops.room_in,
        loops.left_in,
        loops.leave,
        loops.onward,
        loops.out,
        loops.place,
        longer(reached, max(size, len(reached))),
        longer(chance, max(size, len(reached))),
        longer(origin, max(size_in, len(origin))),
        longer(flow, max(size_in, len(origin))),
        used,
    )


@compiled
def _hand_on(at: int, loops: Loops) -> None:
    """Take out one member: whoever leads there now leads to where it leads."""
    onward = loops.leave[at]
    for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
        onward += loops.chance[entry]
        loops.left_in[loops.reached[entry]] -= 1
    loops.onward[at], loops.out[at] = onward, True
    begin, ways = loops.start_in[at], 0
    for entry in range(begin, begin + loops.length_in[at]):
        origin = loops.origin[entry]
        if not loops.out[origin]:
            flow = _lead_past(origin, at, onward, loops)
            loops.leave[origin] += flow / onward * loops.leave[at]
            loops.origin[begin + ways], loops.flow[begin + ways] = origin, flow
            ways += 1
    loops.length_in[at] = ways


@compiled
def _lead_past(origin: int, at: int, onward: float, loops: Loops) -> float:
    """Let one list lead past a member, and return the chance that led there."""
    low, high = loops.start[origin], loops.start[origin] + loops.length[origin]
    for entry in range(low, high):
        loops.place[loops.reached[entry]] = entry
    gap, high = loops.place[at], high - 1
    flow = float(loops.chance[gap])
    loops.reached[gap], loops.chance[gap] = loops.reached[high], loops.chance[high]
    loops.place[loops.reached[gap]] = gap
    loops.place[at] = _NOWHERE
    for entry in range(loops.start[at], loops.start[at] + loops.length[at]):
        to, more = loops.reached[entry], flow * loops.chance[entry] / onward
        if to == origin:
            continue  # back to itself: nothing is gained or lost
        if loops.place[to] != _NOWHERE:
            loops.chance[loops.place[to]] += more
            continue
        loops.reached[high], loops.chance[high] = to, more
        loops.place[to] = high
        high += 1
        loops.origin[loops.start_in[to] + loops.length_in[to]] = origin
        loops.length_in[to] += 1
        loops.left_in[to] += 1
    for entry in range(low, high):
        loops.place[loops.reached[entry]] = _NOWHERE
    loops.length[origin] = high - low
    return flow
