"""Retrograde analysis of a table on a GPU, for games in which positions can repeat.

The method is that of `retrograde_tables.py`. The positions with a new value are not listed one by
one: their rows are cut into stretches, and those stretches are listed in which a value is new. A
block of threads searches a stretch and updates the predecessors of the positions that it finds.
Several threads may take away a move of the same position, so that is an atomic operation.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import cuda as numba_cuda

from lineduel.compiled import (
    DeviceArray,
    compiled,
    device_function,
    device_operations,
    empty_on_device,
    kernel,
    start,
    to_device,
    to_host,
    zeros_on_device,
)
from lineduel.tablebase.dense import LARGEST_PLIES, OPEN, STUCK, Plies, plies_of
from lineduel.tablebase.gpu.device_tables import DeviceTable
from lineduel.tablebase.gpu.visits import THREADS, begin_visit, visitor, whole_table
from lineduel.tablebase.retrograde_tables import (
    Back,
    Telling,
    back_moves,
    first_state,
    telling_of,
    value_at_once,
)
from lineduel.tablebase.table_size import QUEUES, STRETCH_COLUMNS
from lineduel.tablebase.tables import Moves, Tables
from lineduel.tablebase.turns import can_move, keeps_turn

_cuda: Any = numba_cuda
_device: Any = device_operations()


class Queues(NamedTuple):
    """For each of the next values, the stretches in which it is new."""

    newest: DeviceArray
    """By list and stretch: the last value for which the stretch was listed."""
    stretches: DeviceArray
    """By list: the stretches, numbered through all rows."""
    counts: DeviceArray
    """By list: how many there are."""


class UpdatedTable(NamedTuple):
    """A table whose positions are updated, with its lists."""

    plies: DeviceArray
    halves: DeviceArray
    queues: Queues


def retrograde_on_gpu(
    tables: Tables, one: Moves, two: Moves, plies1: DeviceTable, plies2: DeviceTable
) -> None:
    """Fill tables of zeros with values; endless positions are left as `OPEN` or `STUCK`.

    Raises OverflowError if a value is too large for the table.
    """
    again = one.again
    longer = 3 if again else 1
    back1, back2 = (
        _on_device(back_moves(side_formations.moves))
        for side_formations in (tables.formations1, tables.formations2)
    )
    rows, columns = tables.shape
    stretches = (rows - 1) * -(-(columns - 1) // STRETCH_COLUMNS)
    target1, target2 = (
        UpdatedTable(table.plies, table.halves, _no_queues(stretches)) for table in (plies1, plies2)
    )
    parts, visit = whole_table(one, two)
    begin_visit(_open, visit, parts, one, two, target1, target2)
    lost = telling_of(1, kept=False, again=again).value
    begin_visit(_count, visit, parts, one, two, target1, target2, lost)
    written = 1 if again else 2
    while True:
        counts1, counts2 = (to_host(one_side.queues.counts) for one_side in (target1, target2))
        if not (counts1.any() or counts2.any()):
            return
        if written + longer > LARGEST_PLIES:
            most = plies_of(LARGEST_PLIES, again)
            raise OverflowError(f"A position is won only after more than {most} plies.")
        found1, found2 = (int(counts[written % QUEUES]) for counts in (counts1, counts2))
        for kept in (False, True):
            if not (again if kept else written > 1):
                continue
            telling = telling_of(written, kept=kept, again=again)
            of1, of2 = (found1, found2) if kept else (found2, found1)
            from1, from2 = (target1, target2) if kept else (target2, target1)
            start(_tell1, of1, THREADS, written, telling, from1, target1, one, two, back1, back2)
            start(_tell2, of2, THREADS, written, telling, from2, target2, one, two, back1, back2)
        for side in (target1, target2):
            start(_forget, 1, 1, side.queues.counts, written % QUEUES)
        written += 1


def _on_device(back: Back) -> Back:
    return Back(*(to_device(array) for array in back))


def _no_queues(stretches: int) -> Queues:
    return Queues(
        zeros_on_device(QUEUES * stretches, np.uint32).reshape(QUEUES, stretches),
        empty_on_device(QUEUES * stretches, np.uint32).reshape(QUEUES, stretches),
        zeros_on_device(QUEUES, np.uint32),
    )


@device_function
def announce(queues: Queues, columns: int, row: int, column: int, value: int) -> None:
    """List the stretch of a position that has a new value, unless it is listed already."""
    queue = value % QUEUES
    stretch = row * ((columns + STRETCH_COLUMNS - 2) // STRETCH_COLUMNS) + column // STRETCH_COLUMNS
    if queues.newest[queue, stretch] == value:  # most often so, and cheaper to find out
        return
    if _device.atomic.exch(queues.newest, (queue, stretch), np.uint32(value)) != value:
        at = _device.atomic.add(queues.counts, queue, np.uint32(1))
        queues.stretches[queue, at] = stretch


@device_function
def open_pair(
    a: int, b: int, one: Moves, two: Moves, state: tuple[UpdatedTable, UpdatedTable]
) -> None:
    """Write down whether each side wins at once; if a side moves again, such wins are news."""
    target1, target2 = state
    columns = target1.plies.shape[1]
    value1, value2 = value_at_once(one, a, two, b), value_at_once(two, b, one, a)
    target1.plies[a, b] = value1
    target2.plies[a, b] = value2
    if one.again:
        if value1 == 1:
            announce(target1.queues, columns, a, b, 1)
        if value2 == 1:
            announce(target2.queues, columns, a, b, 1)


@device_function
def count_pair(
    a: int, b: int, one: Moves, two: Moves, state: tuple[UpdatedTable, UpdatedTable, int]
) -> None:
    """Count the moves that do not let the enemy win at once, for each side to move."""
    target1, target2, lost = state
    plies1, plies2 = target1.plies, target2.plies
    columns = plies1.shape[1]
    if plies1[a, b] == OPEN:
        legal, safe = count_moves(one, a, two, b, plies2, True)
        first = first_state(legal, safe, plies2[a, b], lost)
        plies1[a, b] = first
        if first == lost:
            announce(target1.queues, columns, a, b, lost)
    if plies2[a, b] == OPEN:
        legal, safe = count_moves(two, b, one, a, plies1, False)
        first = first_state(legal, safe, plies1[a, b], lost)
        plies2[a, b] = first
        if first == lost:
            announce(target2.queues, columns, a, b, lost)


@compiled
def count_moves(
    mover: Moves, own: int, enemy: Moves, other: int, theirs: Plies, is_player1: bool
) -> tuple[int, int]:
    """The legal moves of a position that is not won at once, and those that are safe."""
    legal, safe, occupied = 0, 0, enemy.occupied[other]
    for move in range(mover.start[own], mover.start[own + 1]):
        to = mover.to[move]
        if mover.bar[move] & occupied or to == len(mover.occupied):
            continue
        legal += 1
        hit = enemy.hit[mover.land[move], other]
        reached = theirs[to, hit] if is_player1 else theirs[hit, to]
        safe += reached != 1 or keeps_turn(mover, to, enemy, other, hit)
    return legal, safe


@kernel
def _tell1(
    written: int,
    telling: Telling,
    source: UpdatedTable,
    target: UpdatedTable,
    one: Moves,
    two: Moves,
    back1: Back,
    back2: Back,
) -> None:
    """Update the positions with player 1 to move from which a move leads to a new value."""
    columns = source.plies.shape[1]
    stretches = (columns + STRETCH_COLUMNS - 2) // STRETCH_COLUMNS
    stretch = np.int64(source.queues.stretches[written % QUEUES, _cuda.blockIdx.x])
    a, first = stretch // stretches, stretch % stretches * STRETCH_COLUMNS
    for b in range(
        first + _cuda.threadIdx.x, min(first + STRETCH_COLUMNS, columns - 1), _cuda.blockDim.x
    ):
        if source.plies[a, b] == written:
            tell_predecessors(telling, target, one, a, two, b, back1, back2, True)


@kernel
def _tell2(
    written: int,
    telling: Telling,
    source: UpdatedTable,
    target: UpdatedTable,
    one: Moves,
    two: Moves,
    back1: Back,
    back2: Back,
) -> None:
    """Update the positions with player 2 to move from which a move leads to a new value."""
    columns = source.plies.shape[1]
    stretches = (columns + STRETCH_COLUMNS - 2) // STRETCH_COLUMNS
    stretch = np.int64(source.queues.stretches[written % QUEUES, _cuda.blockIdx.x])
    a, first = stretch // stretches, stretch % stretches * STRETCH_COLUMNS
    for b in range(
        first + _cuda.threadIdx.x, min(first + STRETCH_COLUMNS, columns - 1), _cuda.blockDim.x
    ):
        if source.plies[a, b] == written:
            tell_predecessors(telling, target, two, b, one, a, back2, back1, False)


@kernel
def _forget(counts: DeviceArray, queue: int) -> None:
    """Empty a list whose stretches have all been searched."""
    counts[queue] = 0


@device_function
def tell_predecessors(
    telling: Telling,
    target: UpdatedTable,
    mover: Moves,
    own: int,
    enemy: Moves,
    other: int,
    back: Back,
    enemy_back: Back,
    is_player1: bool,
) -> None:
    """Update all positions from which the mover reaches a pair of formations."""
    occupied, kept = enemy.occupied[other], telling.kept
    if not kept:
        tell_pass(telling, target, own if is_player1 else other, other if is_player1 else own)
    by_strike = can_move(mover, own, occupied) == kept if mover.again else not kept
    for at in range(back.start[own], back.start[own + 1]):
        origin, land, bar = back.origin[at], back.land[at], back.bar[at]
        if not kept and enemy.hit[land, other] == other and bar & occupied == 0:
            row, column = (origin, other) if is_player1 else (other, origin)
            tell(telling, target, row, column)
        if by_strike:
            place = np.int64(land) * len(enemy.occupied) + other
            for j in range(enemy_back.struck_start[place], enemy_back.struck_start[place + 1]):
                before = enemy_back.struck[j]
                if bar & enemy.occupied[before] == 0:
                    row, column = (origin, before) if is_player1 else (before, origin)
                    tell(telling, target, row, column)


@device_function
def tell(telling: Telling, target: UpdatedTable, row: int, column: int) -> None:
    """Update a position that has a move to a position of the value described by `telling`."""
    columns = target.plies.shape[1]
    if target.plies[row, column] < OPEN:
        return
    if not telling.loses:  # several threads may write this, all the same value
        target.plies[row, column] = telling.value
        announce(target.queues, columns, row, column, telling.value)
        return
    index = np.int64(row) * columns + column
    shift = np.uint32(16 * (index % 2))
    before = _device.atomic.sub(target.halves, index // 2, np.uint32(1) << shift)
    if (before >> shift) & np.uint32(0xFFFF) == OPEN + 1:  # that was its last safe move
        rest = np.uint32(OPEN - telling.value)
        _device.atomic.sub(target.halves, index // 2, rest << shift)
        announce(target.queues, columns, row, column, telling.value)


@device_function
def tell_pass(telling: Telling, target: UpdatedTable, row: int, column: int) -> None:
    """Update a position in which the mover can only pass."""
    if target.plies[row, column] != STUCK:
        return
    columns = target.plies.shape[1]
    index = np.int64(row) * columns + column
    rest = np.uint32(STUCK - telling.value)
    _device.atomic.sub(target.halves, index // 2, rest << np.uint32(16 * (index % 2)))
    announce(target.queues, columns, row, column, telling.value)


_open = visitor(open_pair)
_count = visitor(count_pair)
