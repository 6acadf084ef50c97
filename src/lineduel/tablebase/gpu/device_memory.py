"""The memory that solving and checking a table takes on a GPU, known before anything is created."""

import numpy as np

from lineduel.tablebase.table_size import TableSize
from lineduel.tablebase.tables import Tables

STRETCH_COLUMNS = 256
"""Columns of a stretch: in retrograde analysis, the stretches with new values are listed."""
QUEUES = 4
"""Lists of stretches for each side. A new value is at most 3 larger than the one that it follows
from, so no two values that wait at the same time need the same list."""
MARKED_AT_ONCE = 1 << 30
"""Pairs of formations for which ended positions are marked at once, one byte each."""
_STRETCH_BYTES = 2 * QUEUES * 8


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
