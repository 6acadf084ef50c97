"""Proved bounds for graphs with battles in which positions can come up again.

The two sides are bounded separately, component by component. A bound holds if it is at most its own
value one step later, under some play of the side, whatever the other does; and if the bounds above
0 grow on average with every step in the component, so that play cannot stay among them for ever.

Bounds are found by value iteration in a game in which every step costs the side a little wherever
it hopes for something. Its fixed point is such a bound, and so is everything below it that the
last sweeps did not have to lower. That two sweeps differ by little proves nothing, and is not used.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import Threads, compiled, inner
from lineduel.graph import (
    BATTLE,
    BattlePlans,
    ChanceArray,
    GameGraph,
    NumberArray,
    SideArray,
    battle_plans,
    components_of,
    keep_plan,
    planned_value,
)
from lineduel.solve.graph_bounds import ERROR, ROUNDING_UNIT, GraphBounds, side_guarantee

_Graph = tuple[NumberArray, NumberArray, SideArray, SideArray, ChanceArray, ChanceArray]
"""The columns of a graph, followed by the bounds."""
_COST = 2.0**-43
"""What a step costs at first: about 1e-13."""
_MOST_WORK = 600_000_000
"""The steps of work for each side after which bounds are made to hold at a greater cost."""
_SOLVED = 8
"""The steps of work for a position if its battle is solved; otherwise it is one."""
_MOST_KEPT = 20
"""The most sweeps with the same mixtures."""
_MOST_LOWERING = 60
"""The most sweeps that lower bounds, before steps cost more."""
_PATIENT = 6
"""Rounds of sweeps after which bounds are extrapolated."""
_LARGEST_RATIO = 0.999
"""The largest ratio of changes from one round to the next that is extrapolated."""


def bounds_of_components(graph: GameGraph, threads: Threads) -> tuple[GraphBounds, bool]:
    """The bounds of any graph with battles, and whether the work limit was reached."""
    size, forced = len(graph), graph.forced_wins
    order, cuts, component = _components(graph.first, graph.after)
    winner = np.asarray(forced.winner)
    sure = np.zeros((2, size))

    def bound(player: int) -> bool:
        side = _Side(player, graph.first, graph.after, graph.mover, winner, sure[player - 1])
        return _bound_side(side, order, cuts, component, graph.numbers)

    limited = any(threads.map(bound, (1, 2)))
    return (
        GraphBounds(
            sure[0],
            -sure[1],
            np.asarray(forced.plies),
            np.zeros(size, np.int32),
            component.astype(np.int32),
            {},
            int((np.bincount(component)[component] > 1).sum()),
        ),
        limited,
    )


@compiled
def _components(
    first: NumberArray, after: NumberArray
) -> tuple[NumberArray, NumberArray, NumberArray]:
    return components_of(first, after, np.ones(len(after)), 0, False)


class _Side(NamedTuple):
    """A player, the graph with forced wins as ends, and what the player is sure of."""

    player: int
    first: NumberArray
    after: NumberArray
    mover: SideArray
    winner: SideArray
    sure: ChanceArray


class _Kept(NamedTuple):
    """What a player keeps of the battles that were solved last."""

    plans: BattlePlans
    """Both mixtures, as chances of what follows."""
    own: ChanceArray
    """The player's own mixture in each battle."""


@compiled
def _bound_side(
    side: _Side, order: NumberArray, cuts: NumberArray, component: NumberArray, numbers: int
) -> bool:
    """Fill in what a player is sure of everywhere; whether the work limit was reached."""
    payoffs, mixtures = np.empty((numbers, numbers)), np.empty((2, numbers))
    plans = battle_plans(side.first, side.after, side.mover, numbers)
    kept = _Kept(plans, np.zeros((len(plans.chance), numbers)))
    work = np.zeros(1, np.int64)
    for at in range(len(side.mover)):
        if side.winner[at] != 0:
            side.sure[at] = 1.0 if side.winner[at] == side.player else -1.0
    for part in range(len(cuts) - 1):
        members = order[cuts[part] : cuts[part + 1]]
        at, returns = members[0], len(members) > 1
        if side.winner[at] != 0 and not returns:
            continue
        for choice in range(side.first[at], side.first[at + 1]):
            returns = returns or side.after[choice] == at
        if returns:
            _bound_component(side, members, payoffs, mixtures, kept, work)
        else:
            side.sure[at] = _one_step(at, side, payoffs, mixtures)
    return bool(work[0] > _MOST_WORK)


@inner
def _bound_component(
    side: _Side,
    members: NumberArray,
    payoffs: ChanceArray,
    mixtures: ChanceArray,
    kept: _Kept,
    work: NumberArray,
) -> None:
    """Bound the positions of a component; those after it are bounded."""
    least = 0.0
    for at in members:
        if side.winner[at] != 0:
            least = min(least, side.sure[at])
        for choice in range(side.first[at], side.first[at + 1]):
            least = min(least, side.sure[side.after[choice]])
    limit, cost = work[0] + _MOST_WORK, _COST
    while True:
        rest = _approach(side, members, payoffs, mixtures, kept, cost, least, work, limit)
        cost = max(cost, 4.0 * rest)  # enough to overtake what would still change
        for solving in range(2):
            lowered = 1
            for _ in range(_MOST_LOWERING):
                lowered = _lower(side, members, payoffs, mixtures, kept, cost, least, solving == 1)
                work[0] += (_SOLVED if solving else 1) * len(members)
                if lowered == 0:
                    break
        if lowered == 0:
            return
        cost *= 8.0
        limit = work[0] + _MOST_WORK // 8
        if cost > 1.0:
            break
    for at in members:
        if side.winner[at] == 0:
            side.sure[at] = least


@inner
def _approach(
    side: _Side,
    members: NumberArray,
    payoffs: ChanceArray,
    mixtures: ChanceArray,
    kept: _Kept,
    cost: float,
    least: float,
    work: NumberArray,
    limit: int,
) -> float:
    """Come close to the fixed point; most sweeps keep the mixtures of the last solved battles.

    If that takes long, what is left to come is extrapolated from time to time.
    Returns how much the last sweep changed.
    """
    change, rest, rounds, points = 1.0, 1.0, 0, np.zeros((2, len(members)))
    # Changes of a few units of the cost may be rounding errors, which do not get smaller.
    while work[0] < limit and change > (0.25 if rounds < _PATIENT else 16.0) * cost:
        change = _sweep(side, members, payoffs, mixtures, kept, cost, least, True)
        work[0] += _SOLVED * len(members)
        sweeps, rest = 0, change
        while sweeps < _MOST_KEPT and 0.25 * cost < rest and 0.01 * change < rest:
            rest = _sweep(side, members, payoffs, mixtures, kept, cost, least, False)
            work[0] += len(members)
            sweeps += 1
        rounds += 1
        if rounds >= _PATIENT:
            if rounds % 3 == 2:
                _extrapolate(side, members, points, least)
            else:
                points[rounds % 3] = side.sure[members]
    return rest


@inner
def _extrapolate(side: _Side, members: NumberArray, points: ChanceArray, least: float) -> None:
    """Go where bounds would end that change in the same ratio from each round to the next."""
    above, below = 0.0, 0.0
    for place in range(len(members)):
        step = points[1, place] - points[0, place]
        above += step * (side.sure[members[place]] - points[1, place])
        below += step * step
    if not 0.1 * below < above < _LARGEST_RATIO * below:
        return
    further = above / (below - above)
    for place in range(len(members)):
        at = members[place]
        if side.winner[at] == 0:
            now = side.sure[at] + further * (side.sure[at] - points[1, place])
            side.sure[at] = min(1.0, max(least, now))


@inner
def _sweep(
    side: _Side,
    members: NumberArray,
    payoffs: ChanceArray,
    mixtures: ChanceArray,
    kept: _Kept,
    cost: float,
    least: float,
    solving: bool,
) -> float:
    """Value every position by those after it, with new mixtures or with those that are kept.

    Returns the largest change.
    """
    most = 0.0
    for at in members:
        if side.winner[at] != 0:
            continue
        if side.mover[at] != BATTLE:
            now = _one_step(at, side, payoffs, mixtures)
        elif solving:
            now = _one_step(at, side, payoffs, mixtures)
            keep_plan(kept.plans, at, side.first, side.after, mixtures[0], mixtures[1])
            kept.own[kept.plans.place[at]] = mixtures[side.player - 1]
        else:
            now = planned_value(kept.plans, at, side.sure)
        if now > 0.0:
            now -= cost
        now = max(now, least)
        most = max(most, abs(now - side.sure[at]))
        side.sure[at] = now
    return most


@inner
def _lower(
    side: _Side,
    members: NumberArray,
    payoffs: ChanceArray,
    mixtures: ChanceArray,
    kept: _Kept,
    cost: float,
    least: float,
    solving: bool,
) -> int:
    """Lower what is not sure of its bound, and count it.

    If nothing is lowered with battles solved again, all bounds hold. The player's own mixtures
    that are kept take less time, and are almost as good.
    """
    lowered, sure = 0, side.sure
    for at in members:
        if side.winner[at] != 0 or sure[at] <= least:
            continue
        if solving or side.mover[at] != BATTLE:
            now = _one_step(at, side, payoffs, mixtures)
        else:
            now = _kept_guarantee(at, side, kept.own[kept.plans.place[at]])
        if sure[at] > now or (sure[at] > 0.0 and sure[at] > now - 4.0 * ROUNDING_UNIT):
            sure[at] = max(least, now - cost)
            lowered += 1
    return lowered


@inner
def _kept_guarantee(at: int, side: _Side, own: ChanceArray) -> float:
    """What a player's kept mixture is sure of."""
    size, begin, least = len(own), side.first[at], 2.0
    for other in range(size):
        worth = 0.0
        for number in range(size):
            if own[number] > 0.0:
                choice = number * size + other if side.player == 1 else other * size + number
                worth += own[number] * side.sure[side.after[begin + choice]]
        least = min(least, worth)
    return least - ERROR


@inner
def _one_step(at: int, side: _Side, payoffs: ChanceArray, mixtures: ChanceArray) -> float:
    """What a player is sure of one step before the bounds that are known."""
    begin, end = side.first[at], side.first[at + 1]
    if side.mover[at] == BATTLE:
        size, sign = len(payoffs), 1.0 if side.player == 1 else -1.0
        for choice in range(end - begin):
            payoffs[choice // size, choice % size] = sign * side.sure[side.after[begin + choice]]
        return side_guarantee(payoffs, mixtures[0], mixtures[1], side.player)
    best = float(side.sure[side.after[begin]])
    for choice in range(begin + 1, end):
        one = float(side.sure[side.after[choice]])
        best = max(best, one) if side.mover[at] == side.player else min(best, one)
    return best


@compiled
def where_endless(
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    winner: SideArray,
    low: ChanceArray,
    high: ChanceArray,
) -> SideArray:
    """Whether best play can go on for ever from each position: 0 never, 1 possibly, 2 always.

    Any choice that is not proved to be a mistake counts as best play, and so does any number in a
    battle. So 'never' and 'always' are proved.
    """
    columns = first, after, mover, winner, low, high
    moving = (winner == 0) & ((low > 0.0) | (high < 0.0))
    # Positions from which best play has to leave those that may be worth 0, one after the other.
    left = True
    while left:
        left = False
        for place in range(len(mover)):
            at = len(mover) - 1 - place
            if winner[at] == 0 and not moving[at]:
                moving[at] = not _leads_to(at, moving, False, columns)
                left = left or moving[at]
    staying, over = (winner == 0) & ~moving, winner != 0
    _spread(staying, columns)
    _spread(over, columns)
    found = np.zeros(len(mover), np.int8)
    for at in range(len(mover)):
        if staying[at]:
            found[at] = 1 if over[at] else 2
    return found


@inner
def _spread(reached: NDArray[np.bool_], columns: _Graph) -> None:
    """Add every position from which best play can lead to one of these."""
    spreading = True
    while spreading:
        spreading = False
        for place in range(len(reached)):
            at = len(reached) - 1 - place
            if not reached[at] and _leads_to(at, reached, True, columns):
                reached[at] = spreading = True


@inner
def _leads_to(at: int, marked: NDArray[np.bool_], wanted: bool, columns: _Graph) -> bool:
    """Whether a choice that is not proved to be a mistake leads to a position marked so.

    Ended positions lead nowhere, and none of them counts as not marked.
    """
    first, after, mover, winner, low, high = columns
    sure = low[at] if mover[at] == 1 else -high[at]
    for choice in range(first[at], first[at + 1]):
        to = after[choice]
        kept = mover[at] == BATTLE or (high[to] if mover[at] == 1 else -low[to]) >= sure
        if kept and marked[to] == wanted and (wanted or winner[to] == 0):
            return True
    return False
