"""The size of a table, estimated before it is created, and its memory here and on a GPU."""

from dataclasses import dataclass
from math import isqrt

import numpy as np

from lineduel.engine import Position
from lineduel.rules import Rules, Side
from lineduel.tablebase.formations import (
    SideRules,
    TooMany,
    formations,
    game_of,
    most_formations,
    rules_of_sides,
)
from lineduel.tablebase.tables import Tables

MOST_WORK = 1 << 20
"""Work spent on counting formations before an upper bound is used: some tenths of a second."""
STRETCH_COLUMNS = 256
"""Columns of a stretch: in retrograde analysis, the stretches with new values are listed."""
QUEUES = 4
"""Lists of stretches for each side. A new value is at most 3 larger than the one that it follows
from, so no two values that wait at the same time need the same list."""
MARKED_AT_ONCE = 1 << 30
"""Pairs of formations for which ended positions are marked at once, one byte each."""
_STRETCH_BYTES = 2 * QUEUES * 8


@dataclass(frozen=True, slots=True)
class TableSize:
    """The resources needed to solve a rulebook in one table; upper bounds if not `exact`."""

    positions: int
    """Number of entries in the table, including pairs of formations that cannot occur together."""
    bytes: int
    """Peak memory, not counting Python and its libraries."""
    pairs: int
    """Number of pairs of formations, including ended ones: the entries per side in a file."""
    rows: int
    """Number of formations of player 1."""
    lists: int
    """The part of the memory used for formations and moves."""
    exact: bool
    """Whether the formations have been counted."""
    one_pass: bool
    """Whether no position can repeat, so that the values need no more memory than their own."""


def estimate(rules: Rules, start: Position) -> TableSize:
    """The size of a table of all positions reachable from `start`, and its memory."""
    sizes, exact = [], True
    for side_rules in rules_of_sides(rules):
        size = _count(side_rules, start, MOST_WORK)
        exact = exact and size is not None
        sizes.append(
            most_formations(side_rules, start.cells(side_rules.side)) if size is None else size
        )
    return _estimate(rules, start, sizes[0], sizes[1], exact)


def estimate_of_pairs(rules: Rules, start: Position, pairs: int) -> TableSize | None:
    """The size of a table with `pairs` pairs; None if the rules and start give another number.

    The work is limited by `pairs`: if both sides have more formations than its square root, the
    counting stops early.
    """
    both_rules = rules_of_sides(rules)
    sizes = [
        _count(side_rules, start, isqrt(pairs) * side_rules.looks) for side_rules in both_rules
    ]
    if game_of(rules).outcome(start) is not None:  # whatever formations there would be
        sizes = [0, 0]
    known = [size for size in sizes if size is not None]
    if not known:
        return None
    most = pairs // (known[0] + 1)
    size1, size2 = (
        _count(side_rules, start, most * side_rules.looks) if size is None else size
        for side_rules, size in zip(both_rules, sizes, strict=True)
    )
    if size1 is None or size2 is None:
        return None
    found = _estimate(rules, start, size1, size2, exact=True)
    return found if found.pairs == pairs else None


def _estimate(rules: Rules, start: Position, size1: int, size2: int, exact: bool) -> TableSize:
    if game_of(rules).outcome(start) is not None:
        return TableSize(positions=0, bytes=0, pairs=1, rows=0, lists=0, exact=True, one_pass=True)
    onward = not rules.pieces_come_back and not rules.movement.edge.keeps_cell
    steps = rules.all_steps
    swept = onward and (all(step > 0 for step in steps) or all(step < 0 for step in steps))
    pairs = (size1 + 1) * (size2 + 1)
    lists = size1 * _bytes_each(rules, Side.ONE) + size2 * _bytes_each(rules, Side.TWO)
    # Two bytes for each side to move. Retrograde analysis needs four more for the list of a side's
    # positions with one value, which may be all of them.
    return TableSize(
        positions=2 * size1 * size2,
        bytes=pairs * (4 if swept else 8) + lists,
        pairs=pairs,
        rows=size1,
        lists=lists,
        exact=exact,
        one_pass=swept,
    )


def _count(side_rules: SideRules, start: Position, most_work: float) -> int | None:
    """The number of formations; None if counting them takes too much work."""
    try:
        return len(formations(side_rules, start.cells(side_rules.side), most_work))
    except TooMany:
        return None


def _bytes_each(rules: Rules, side: Side) -> int:
    """Memory per formation for its own data, its moves and its losses, forward and backward."""
    pieces = range(len(rules.team(side).pieces))
    moves = sum(len(rules.steps_of(side, place)) for place in pieces) + 1
    return 200 + 64 * moves + 24 * (len(rules.track) + 1)


def bytes_to_solve(size: TableSize) -> int:
    """Bytes on the device: two per value, the lists of moves, and what the method needs."""
    # The last stretch of each row may be short.
    stretches = 0 if size.one_pass else size.pairs // STRETCH_COLUMNS + size.rows
    return _for_values(size.pairs) + size.lists + stretches * _STRETCH_BYTES


def bytes_to_check(tables: Tables) -> int:
    """Bytes on the device to check a table: two per value, and the lists of moves."""
    rows, columns = tables.shape
    moves = (tables.formations1.moves, tables.formations2.moves)
    lists = sum(array.nbytes for side in moves for array in side if isinstance(array, np.ndarray))
    return _for_values(rows * columns) + 2 * lists


def _for_values(pairs: int) -> int:
    """Two bytes for each side to move, and marks for ended positions."""
    return 4 * pairs + min(MARKED_AT_ONCE, pairs)
