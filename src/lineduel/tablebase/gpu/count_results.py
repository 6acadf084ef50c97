"""Count the results of the positions in a table on a GPU, and the ended positions after them."""

from typing import Any

import numpy as np
from numba import cuda as numba_cuda

from lineduel.compiled import (
    DeviceArray,
    kernel,
    kernels_are_simulated,
    start,
    to_device,
    to_host,
    zeros_on_device,
)
from lineduel.engine import Position
from lineduel.rules import Side
from lineduel.tablebase.dense import ENDLESS, NO_POSITION, OPEN, Summary
from lineduel.tablebase.ended import (
    Steps,
    Totals,
    count_stuck,
    last_captures,
    step_wins,
    table_summary,
    winning_steps,
)
from lineduel.tablebase.gpu.device_tables import DeviceTable
from lineduel.tablebase.gpu.visits import THREADS
from lineduel.tablebase.table_size import MARKED_AT_ONCE
from lineduel.tablebase.tables import Moves, Tables

_cuda: Any = numba_cuda
_BLOCKS = 2 if kernels_are_simulated() else 4096


def count_on_gpu(
    tables: Tables,
    start_position: Position,
    one: Moves,
    two: Moves,
    plies1: DeviceTable,
    plies2: DeviceTable,
) -> Summary:
    """The counts of a table; entries that are still open are first changed to `ENDLESS`."""
    moves = {Side.ONE: (one, two), Side.TWO: (two, one)}
    ended = (_count_ended(tables, side, *both) for side, both in moves.items())
    return table_summary(tables, start_position, map(count_values, (plies1, plies2)), ended)


def count_values(table: DeviceTable) -> Totals:
    threads = _BLOCKS * THREADS
    totals = zeros_on_device(4 * threads, np.int64).reshape(4, threads)
    start(_count, _BLOCKS, THREADS, table.plies.reshape(table.size), totals)
    found = to_host(totals)
    won, lost, endless = found[:3].sum(axis=1).tolist()
    return won, lost, endless, int(found[3].max())


def _count_ended(tables: Tables, winner: Side, own: Moves, enemy: Moves) -> int:
    """The number of distinct ended positions won by that side that open positions lead to."""
    keys, host_steps = winning_steps(tables.formations_of(winner))
    steps = Steps(*(to_device(array) for array in host_steps))
    width = enemy.size + 1
    rows = max(1, MARKED_AT_ONCE // width)
    counted = len(last_captures(tables, winner)) + count_stuck(tables, winner)
    for first in range(0, len(keys), rows):
        part = min(rows, len(keys) - first)
        marks = zeros_on_device(part * width, np.uint8)
        threads = _BLOCKS * THREADS
        totals = zeros_on_device(threads, np.int64)
        start(_mark, part, THREADS, first, steps, own, enemy, marks)
        start(_count_marks, _BLOCKS, THREADS, marks, totals)
        counted += int(to_host(totals).sum())
    return counted


@kernel
def _count(flat: DeviceArray, totals: DeviceArray) -> None:
    won, lost, endless, longest = 0, 0, 0, 0
    thread = _cuda.grid(1)
    for at in range(thread, len(flat), _cuda.gridsize(1)):
        plies = flat[at]
        if plies >= OPEN:
            flat[at] = plies = np.uint16(ENDLESS)
        if plies == ENDLESS:
            endless += 1
        elif plies != NO_POSITION:
            if plies & 1:
                won += 1
            else:
                lost += 1
            longest = max(longest, int(plies))
    totals[0, thread], totals[1, thread] = won, lost
    totals[2, thread], totals[3, thread] = endless, longest


@kernel
def _mark(first: int, steps: Steps, own: Moves, enemy: Moves, marks: DeviceArray) -> None:
    """Mark, in one row, the enemy's formation after each step that wins."""
    row = np.int64(_cuda.blockIdx.x)
    size = len(enemy.occupied)
    for step in range(steps.start[first + row], steps.start[first + row + 1]):
        origin, bar, must = steps.origin[step], steps.bar[step], steps.must[step]
        land = steps.land[step]
        for other in range(_cuda.threadIdx.x, size, _cuda.blockDim.x):
            if step_wins(origin, bar, must, own, enemy, other):
                marks[row * (size + 1) + np.int64(enemy.hit[land, other])] = 1


@kernel
def _count_marks(marks: DeviceArray, totals: DeviceArray) -> None:
    count, thread = 0, _cuda.grid(1)
    for at in range(thread, len(marks), _cuda.gridsize(1)):
        count += int(marks[at])
    totals[thread] = count
