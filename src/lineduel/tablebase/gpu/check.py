"""Check a table on a GPU: a program of its own, which shares nothing with the solver but the moves.

Every position is checked against the positions its moves lead to, as in `verify.py`.
"""

from typing import Any

import numpy as np
from numba import cuda as numba_cuda

from lineduel.compiled import (
    DeviceArray,
    device_function,
    device_operations,
    kernel,
    start,
    to_device as copied,
    to_host,
)
from lineduel.engine import Position
from lineduel.rules import Side
from lineduel.tablebase.dense import Plies, Summary
from lineduel.tablebase.gpu.count_results import count_on_gpu
from lineduel.tablebase.gpu.device_tables import DeviceTable, moves_on_device, table_on_device
from lineduel.tablebase.gpu.visits import THREADS, begin_visit, visitor, whole_table
from lineduel.tablebase.tables import Moves, Tables
from lineduel.tablebase.verify import wrong_sides

_cuda: Any = numba_cuda
_device: Any = device_operations()
_ALL_RIGHT = -1


def check_on_gpu(
    tables: Tables, start_position: Position, plies1: Plies, plies2: Plies
) -> tuple[int, int, Side] | Summary:
    """The counts of a table if all values are correct, otherwise a position that is wrong.

    A wrong position is given by its formations and its side to move.
    """
    one, two = (
        moves_on_device(tables.formations1.moves),
        moves_on_device(tables.formations2.moves),
    )
    table1, table2 = table_on_device(plies1), table_on_device(plies2)
    if _edges_hold_values(table1) or _edges_hold_values(table2):
        return one.size, two.size, Side.ONE
    found = copied(np.full((one.size, 2), _ALL_RIGHT, np.int64))
    parts, visit = whole_table(one, two)
    begin_visit(_check, visit, parts, one, two, table1.plies, table2.plies, found)
    wrong = to_host(found)
    for row, side in np.argwhere(wrong != _ALL_RIGHT).tolist():
        return row, int(wrong[row, side]), Side(side + 1)
    return count_on_gpu(tables, start_position, one, two, table1, table2)


def _edges_hold_values(table: DeviceTable) -> bool:
    """Whether the last row or column, which belong to ended games, hold anything but zeros."""
    found = copied(np.zeros(1, np.uint8))
    start(_look_at_edges, -(-sum(table.plies.shape) // THREADS), THREADS, table.plies, found)
    return bool(to_host(found)[0])


@kernel
def _look_at_edges(plies: DeviceArray, found: DeviceArray) -> None:
    at = _cuda.grid(1)
    rows, columns = plies.shape
    if at < columns:
        held = plies[rows - 1, at]
    elif at < columns + rows:
        held = plies[at - columns, columns - 1]
    else:
        held = np.uint16(0)
    if held:
        found[0] = 1


@device_function
def check_pair(
    a: int, b: int, one: Moves, two: Moves, state: tuple[Plies, Plies, DeviceArray]
) -> None:
    """Record the last wrong column of each row, for each side to move."""
    plies1, plies2, found = state
    wrong1, wrong2 = wrong_sides(a, b, plies1, plies2, one, two)
    if wrong1:
        _device.atomic.max(found, (a, 0), b)
    if wrong2:
        _device.atomic.max(found, (a, 1), b)


_check = visitor(check_pair, only_positions=False)
