"""Games in which no position can come up again, because every choice leads to a higher level.

The level of a position says how far all pieces have come; a captured piece has come further than
any other. At the same distance an open battle comes first, then a position whose only choice
leaves all pieces where they are, then all others. Whether each choice leads to a higher level is
checked, never assumed. Large games are explored without storing what choices lead to.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import (
    NO_BATTLE,
    OUT,
    CellRow,
    RuleNumbers,
    arrange,
    borrowing,
    compiled,
    row_of,
    rule_numbers,
)
from lineduel.engine import Game, Position
from lineduel.errors import TooLarge
from lineduel.graph.array_types import NumberArray, SideArray
from lineduel.graph.breadth_first import (
    MOST_CHOICES,
    FoundPositions,
    choices_of,
    empty_slots,
    number_in,
    place_all,
)
from lineduel.graph.game_graph import BATTLE

_Item = TypeVar("_Item", bound=np.generic)

LevelArray = NDArray[np.int16]
OrderArray = NDArray[np.uint32]

_AT_FIRST = 1 << 16
"""Initial number of slots in the hash table."""
_FILLED = 0.7
"""The share of the slots that may be in use."""
_KINDS = 4
"""A level is this number times the distance, plus one of the following."""
_FIGHTS, _WAITS, _GOES_ON = 0, 1, 2


class Levels(NamedTuple):
    """Positions in an order in which all that a position leads to comes later."""

    order: OrderArray
    cuts: NumberArray
    """Where each level begins in `order`, and the end; none leads to another of its level."""
    rank: NDArray[np.int16] | NDArray[np.int32]
    """For each position; it leads to lower ranks only."""


class OneWayPositions(NamedTuple):
    """All positions of a game that goes one way only, without their choices."""

    found: FoundPositions
    level: LevelArray


def explore_one_way(game: Game, start: Position, most: int) -> OneWayPositions | None:
    """All positions from `start`, or None if a choice leads to no higher level.

    Raises `TooLarge` if there are more than `most` positions. What they take is less than 25 bytes
    a position and the bytes of a row.
    """
    ruling = rule_numbers(game.rules)
    row, heading = row_of(game.rules, start), _headings(ruling)
    width, slots, done = len(row), empty_slots(_AT_FIRST), 0
    space = int(_FILLED * len(slots))
    rows, sides = np.empty(space * width, np.int8), np.empty(space, np.int8)
    found = FoundPositions(rows, sides, slots, np.zeros(1, np.int64))
    level = np.empty(space, np.int16)
    _begin(ruling, found, row, int(start.side))
    while True:
        climbs, done = _explore(ruling, heading, found, level, row, done, most)
        size = int(found.known[0])
        if not climbs:
            return None
        if size > most:
            raise TooLarge(size, most)
        if done == size:
            return OneWayPositions(found, level[:size])
        wanted = 2 * len(found.slots)
        space = int(_FILLED * wanted)
        rows, sides = _longer(found.rows, space * width), _longer(found.sides, space)
        level = _longer(level, space)
        known = found.known
        del slots, found  # before the new table is made
        slots = empty_slots(wanted)
        found = FoundPositions(rows, sides, slots, known)
        place_all(found, width)


def by_level(level: LevelArray) -> Levels:
    """The positions in the order of their levels."""
    order, cuts = _sorted(level)
    highest = level.max()
    return Levels(order, cuts, highest - level)


def levels_of_graph(
    ruling: RuleNumbers,
    rows: CellRow,
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
) -> Levels | None:
    """The positions of a graph by level, or None if there is a cycle.

    Where the distance of the pieces decides nothing, the level is the longest way from the start.
    """
    level = np.empty(len(mover), np.int16)
    if _fill_levels(ruling, _headings(ruling), rows, first, after, mover, level):
        return by_level(level)
    order, cuts = _longest_ways(first, after)
    if len(order) < len(mover):
        return None
    rank = np.empty(len(mover), np.int32)
    rank[order] = np.repeat(np.arange(len(cuts) - 2, -1, -1, dtype=np.int32), np.diff(cuts))
    return Levels(order, cuts, rank)


def _longer(array: NDArray[_Item], size: int) -> NDArray[_Item]:
    """A copy with room for more; memory that is not written to yet is not in use."""
    made = np.empty(size, array.dtype)
    made[: len(array)] = array
    return made


def _headings(ruling: RuleNumbers) -> NumberArray:
    """For each piece 1 or -1, the direction of its steps along the track, or of some of them."""
    ahead = [
        any(may[step] for step in ruling.steps.tolist() if step > 0) for may in ruling.may_step
    ]
    return np.array(
        [1 if goes == (piece < ruling.pieces1) else -1 for piece, goes in enumerate(ahead)],
        np.int64,
    )


@compiled
def _begin(ruling: RuleNumbers, found: FoundPositions, row: CellRow, side: int) -> None:
    """Add the start."""
    arrange(ruling, row[: len(ruling.homes)])
    number_in(found, row, side)


@compiled
def _explore(
    ruling: RuleNumbers,
    heading: NumberArray,
    found: FoundPositions,
    level: LevelArray,
    reached: CellRow,
    done: int,
    most: int,
) -> tuple[bool, int]:
    """Explore the positions from `done` on, until all are done or there is no room for more.

    Returns whether every choice leads to a higher level, and how many positions are done.
    """
    width, after = len(reached), np.empty(MOST_CHOICES, np.int64)
    while done < found.known[0] <= most and found.known[0] + MOST_CHOICES < len(level):
        _, choices = choices_of(ruling, found, done, reached, after, 0)
        row = found.rows[done * width : (done + 1) * width]
        here, kind = _distance(ruling, heading, row), _GOES_ON
        if row[-1] != NO_BATTLE:
            kind = _FIGHTS
        for choice in range(choices):
            to = after[choice]
            if choice > 0 and to == after[choice - 1]:
                continue
            there = _distance(ruling, heading, found.rows[to * width : (to + 1) * width])
            if there > here or (kind == _FIGHTS and there == here):
                continue
            # The other position may not wait as well. If it comes later, it will look here.
            waits = there == here and choices == 1
            if not waits or to == done or (to < done and level[to] % _KINDS == _WAITS):
                return False, done
            kind = _WAITS
        level[done] = _KINDS * here + kind
        done += 1
    return True, done


@borrowing
def _distance(ruling: RuleNumbers, heading: NumberArray, row: CellRow) -> int:
    """How far all pieces have come."""
    total = 0
    for piece in range(len(heading)):
        cell = int(row[piece])
        if cell == OUT:
            total += ruling.cells
        else:
            total += cell if heading[piece] > 0 else ruling.cells - 1 - cell
    return total


@compiled
def _fill_levels(
    ruling: RuleNumbers,
    heading: NumberArray,
    rows: CellRow,
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    level: LevelArray,
) -> bool:
    """Fill in the level of each position of a graph; whether each choice leads to a higher one."""
    size = len(mover)
    for at in range(size):
        fights = mover[at] == BATTLE
        level[at] = _KINDS * _distance(ruling, heading, rows[at]) + (0 if fights else _GOES_ON)
    for at in range(size):
        begin = first[at]
        if first[at + 1] - begin == 1 and level[after[begin]] == level[at]:
            level[at] += _WAITS - _GOES_ON
    for at in range(size):
        for choice in range(first[at], first[at + 1]):
            if level[after[choice]] <= level[at]:
                return False
    return True


@compiled
def _sorted(level: LevelArray) -> tuple[OrderArray, NumberArray]:
    """The positions by level, and where each level that occurs begins; a counting sort."""
    begins = np.zeros(level.max() + 2, np.int64)
    for one in level:
        begins[one + 1] += 1
    cuts, total = [0], 0
    for one in range(len(begins)):
        if begins[one] > 0:
            total += begins[one]
            cuts.append(total)
        begins[one] = total
    order = np.empty(len(level), np.uint32)
    for at in range(len(level)):
        order[begins[level[at]]] = at
        begins[level[at]] += 1
    return order, np.array(cuts)


@compiled
def _longest_ways(first: NumberArray, after: NumberArray) -> tuple[OrderArray, NumberArray]:
    """The positions by the longest way from the start, and where each length begins.

    All that a position leads to comes later. Positions on a cycle, and all after one, are left out.
    """
    size = len(first) - 1
    order, waiting = np.empty(size, np.uint32), np.zeros(size, np.int32)
    cuts = [0]
    for reached in after:
        waiting[reached] += 1
    found, done = 0, 0
    for at in range(size):
        if waiting[at] == 0:
            order[found] = at
            found += 1
    while done < found:
        end = found
        for place in range(done, end):
            at = order[place]
            for choice in range(first[at], first[at + 1]):
                reached = after[choice]
                waiting[reached] -= 1
                if waiting[reached] == 0:
                    order[found] = reached
                    found += 1
        done = end
        cuts.append(done)
    return order[:found], np.array(cuts)
