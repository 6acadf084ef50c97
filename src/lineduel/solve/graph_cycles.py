"""Proved bounds for graphs with battles in which positions can come up again.

The two sides are bounded separately, component by component. A bound holds if it is at most its own
value one step later, under some play of the side, whatever the other does; and if the bounds above
0 grow on average with every step in the component, so that play cannot stay among them for ever.

Bounds are found by value iteration in a game in which every step costs the side a little wherever
it hopes for something. Its fixed point is such a bound, and so is everything below it that the
last sweeps did not have to lower. That two sweeps differ by little proves nothing, and is not used.
"""

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import Threads, borrowing, compiled, inner
from lineduel.graph import (
    BATTLE,
    ChanceArray,
    GameGraph,
    NumberArray,
    ShortNumbers,
    SideArray,
    components_of,
    keep_plan,
    planned_value,
)
from lineduel.solve.battle_guarantees import (
    ERROR,
    ROUNDING_UNIT,
    Scratch,
    scratch_for,
    side_guarantee,
)
from lineduel.solve.best_replies import OneSide, Play, evaluate_play, no_play, worst_number
from lineduel.solve.graph_bounds import GraphBounds

_Graph = tuple[NumberArray, NumberArray, SideArray, SideArray, ChanceArray, ChanceArray]
"""The columns of a graph, followed by the bounds."""
_COST, _COST_IF_MANY = 2.0**-43, 2.0**-30
"""What a step costs at first: about 1e-13, or 1e-9 in components of more than `_MANY` positions.
Bounds are off by that for each step that play is expected to stay in the component."""
_MANY = 500_000
_MOST_WORK, _MOST_EACH = 600_000_000, 2000
"""The steps of work for a side in a component, and for each of its positions, after which bounds
are made to hold at a greater cost."""
_SOLVED = 8
"""The steps of work for a position if its battle is solved; otherwise it is one."""
_ENOUGH = 0.02
"""The share of the change from one play to the next that its worth may be off."""
_MOST_KEPT = 20
"""The most sweeps with the same mixtures."""
_MOST_LOWERING, _LOWERING_WORK = 60, 3_000_000
"""The most sweeps that lower bounds, before steps cost more; small components have more of them,
as many as visit this number of positions."""
_PATIENT = 4
"""Rounds of sweeps after which play is evaluated, and rounds without progress that are allowed."""


def bounds_of_components(
    graph: GameGraph, threads: Threads, cost: float = 0.0
) -> tuple[GraphBounds, bool]:
    """The bounds of any graph with battles, and whether the work limit was reached.

    With a higher `cost` of a step, bounds are wider and found sooner.
    """
    size, forced = len(graph), graph.forced_wins
    any_choice = np.broadcast_to(np.ones(1), len(graph.after))
    order, cuts, component = _components(graph.first, graph.after, any_choice)
    # In this order, what a sweep reads lies side by side: large components take half the time.
    first, after = _in_order(graph.first, graph.after, order)
    mover, winner = graph.mover[order], np.asarray(forced.winner)[order]
    sure = np.zeros((2, size))

    def bound(player: int) -> bool:
        side = OneSide(player, first, after, mover, winner, np.zeros(size))
        limited = _bound_side(side, cuts, graph.numbers, cost)
        sure[player - 1, order] = side.sure
        return limited

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
    first: NumberArray, after: NumberArray, chances: ChanceArray
) -> tuple[NumberArray, NumberArray, NumberArray]:
    return components_of(first, after, chances, 0, False)


@compiled
def _in_order(
    first: NumberArray, after: NumberArray, order: NumberArray
) -> tuple[NumberArray, ShortNumbers]:
    """The choices of a graph whose positions are numbered by their place in an order."""
    place = np.empty(len(order), np.int32)
    for at in range(len(order)):
        place[order[at]] = at
    begin, reached, end = np.zeros(len(first), np.int64), np.empty(len(after), np.int32), 0
    for at in range(len(order)):
        for choice in range(first[order[at]], first[order[at] + 1]):
            reached[end] = place[after[choice]]
            end += 1
        begin[at + 1] = end
    return begin, reached


@compiled
def _bound_side(side: OneSide, cuts: NumberArray, numbers: int, cost: float) -> bool:
    """Fill in what a player is sure of everywhere; whether the work limit was reached."""
    scratch, play, limited = scratch_for(numbers), no_play(side, numbers), False
    for at in range(len(side.mover)):
        if side.winner[at] != 0:
            side.sure[at] = 1.0 if side.winner[at] == side.player else -1.0
    for part in range(len(cuts) - 1):
        at, returns = cuts[part], cuts[part + 1] - cuts[part] > 1
        if side.winner[at] != 0 and not returns:
            continue
        for choice in range(side.first[at], side.first[at + 1]):
            returns = returns or side.after[choice] == at
        if returns:
            members = np.arange(at, cuts[part + 1])
            limited |= _bound_component(side, members, scratch, play, cost)
        else:
            side.sure[at] = _one_step(at, side, scratch)
    return limited


@inner
def _bound_component(
    side: OneSide,
    members: NumberArray,
    scratch: Scratch,
    play: Play,
    cost: float,
) -> bool:
    """Bound the positions of a component; those after it are bounded.

    Returns whether the work limit was reached.
    """
    work, least = np.zeros(1, np.int64), 0.0
    for at in members:
        if side.winner[at] != 0:
            least = min(least, side.sure[at])
        for choice in range(side.first[at], side.first[at + 1]):
            least = min(least, side.sure[side.after[choice]])
    most = _MOST_WORK + _MOST_EACH * len(members)
    cost = max(cost, _COST if len(members) <= _MANY else _COST_IF_MANY)
    limit, sweeps = most, _MOST_LOWERING + _LOWERING_WORK // len(members)
    while cost <= 1.0:
        rest, evaluated = _approach(side, members, scratch, play, cost, least, work, limit)
        if evaluated:  # once more, with a cost below 0 as well, so that little has to be lowered
            work[0] += evaluate_play(side, members, play, cost, True, least, 0.5 * cost)
        else:
            cost = max(cost, 4.0 * rest)  # enough to overtake what would still change
        for solving in range(2):
            lowered = 1
            for _ in range(sweeps):
                lowered = _lower(side, members, scratch, play, cost, least, solving == 1)
                work[0] += (_SOLVED if solving else 1) * len(members)
                if lowered == 0:
                    break
        if lowered == 0:
            return bool(work[0] > most)
        cost *= 8.0
        limit = work[0] + most // 8
    for at in members:
        if side.winner[at] == 0:
            side.sure[at] = least
    return True


@inner
def _approach(
    side: OneSide,
    members: NumberArray,
    scratch: Scratch,
    play: Play,
    cost: float,
    least: float,
    work: NumberArray,
    limit: int,
) -> tuple[float, bool]:
    """Come close to the fixed point.

    Most sweeps keep the mixtures of the last solved battles. If that does not end soon, what the
    player's play is worth against the best reply is computed in place of sweeps.
    Returns how much the last sweep changed, and whether that was computed.
    """
    change, rest, rounds, nearest, since = 1.0, 1.0, 0, 1.0, 0
    # Changes of a few units of the cost may be rounding errors, which do not get smaller.
    while (
        work[0] < limit
        and since < _PATIENT
        and change > (0.25 if rounds < _PATIENT else 16.0) * cost
    ):
        change = _sweep(side, members, scratch, play, cost, least, True)
        work[0] += _SOLVED * len(members)
        sweeps, rest = 0, change
        if rounds < _PATIENT:
            while sweeps < _MOST_KEPT and 0.25 * cost < rest and 0.01 * change < rest:
                rest = _sweep(side, members, scratch, play, cost, least, False)
                work[0] += len(members)
                sweeps += 1
        elif change > 16.0 * cost:
            enough = _ENOUGH * change
            work[0] += evaluate_play(side, members, play, cost, False, least, enough)
        rounds, since = rounds + 1, since + 1
        if change < 0.5 * nearest:
            nearest, since = change, 0
    return rest, rounds > _PATIENT


@borrowing
def _sweep(
    side: OneSide,
    members: NumberArray,
    scratch: Scratch,
    play: Play,
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
            now = _one_step(at, side, scratch)
            if solving and now != side.sure[side.after[side.first[at] + play.choice[at]]]:
                play.choice[at] = _first_worth(now, at, side)
        elif solving:
            now = _one_step(at, side, scratch)
            one, two = scratch.mixture1, scratch.mixture2
            keep_plan(play.plans, at, side.first, side.after, one, two)
            own = one if side.player == 1 else two
            for number in range(len(own)):
                play.own[play.plans.place[at], number] = own[number]
        else:
            now = planned_value(play.plans, at, side.sure)
        if now > 0.0:
            now -= cost
        now = max(now, least)
        most = max(most, abs(now - side.sure[at]))
        side.sure[at] = now
    return most


@borrowing
def _lower(
    side: OneSide,
    members: NumberArray,
    scratch: Scratch,
    play: Play,
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
            now = _one_step(at, side, scratch)
        else:
            now = worst_number(at, side, play.own[play.plans.place[at]], 0)[0] - ERROR
        if sure[at] > now or (sure[at] > 0.0 and sure[at] > now - 4.0 * ROUNDING_UNIT):
            sure[at] = max(least, now - cost)
            lowered += 1
    return lowered


@borrowing
def _one_step(at: int, side: OneSide, scratch: Scratch) -> float:
    """What a player is sure of one step before the bounds that are known."""
    begin, end = side.first[at], side.first[at + 1]
    if side.mover[at] == BATTLE:
        payoffs, sign = scratch.lows, 1.0 if side.player == 1 else -1.0
        size = len(payoffs)
        for choice in range(end - begin):
            payoffs[choice // size, choice % size] = sign * side.sure[side.after[begin + choice]]
        return side_guarantee(
            scratch.tableau, payoffs, scratch.mixture1, scratch.mixture2, side.player
        )
    best = float(side.sure[side.after[begin]])
    for choice in range(begin + 1, end):
        one = float(side.sure[side.after[choice]])
        best = max(best, one) if side.mover[at] == side.player else min(best, one)
    return best


@borrowing
def _first_worth(worth: float, at: int, side: OneSide) -> int:
    """The first choice that leads to a bound."""
    choice = 0
    while side.sure[side.after[side.first[at] + choice]] != worth:
        choice += 1
    return choice


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


@borrowing
def _spread(reached: NDArray[np.bool_], columns: _Graph) -> None:
    """Add every position from which best play can lead to one of these."""
    spreading = True
    while spreading:
        spreading = False
        for place in range(len(reached)):
            at = len(reached) - 1 - place
            if not reached[at] and _leads_to(at, reached, True, columns):
                reached[at] = spreading = True


@borrowing
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
