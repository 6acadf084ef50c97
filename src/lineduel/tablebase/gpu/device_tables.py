"""Tables of moves and of values in the memory of a GPU."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lineduel.compiled import DeviceArray, copy_to_device, to_device, to_host, zeros_on_device
from lineduel.tablebase.dense import Plies
from lineduel.tablebase.tables import Moves

COPIED_AT_ONCE = 1 << 26
"""Values copied to or from the device at once, so that ordinary memory stays small."""
_PER_WORD = 4


class DeviceTable(NamedTuple):
    """The values of one side to move."""

    plies: DeviceArray
    """By both formations, 16 bits each."""
    halves: DeviceArray
    """The same memory in words of 32 bits, two values each, for atomic operations."""

    @property
    def size(self) -> int:
        rows, columns = self.plies.shape
        return int(rows) * int(columns)

    def value(self, row: int, column: int) -> int:
        """One value."""
        return int(to_host(self.plies[row, column : column + 1])[0])

    def pieces(self, size: int = COPIED_AT_ONCE) -> Iterator[Plies]:
        """All values row by row, in pieces of at most that size."""
        flat = self.plies.reshape(self.size)
        for first in range(0, self.size, size):
            yield to_host(flat[first : first + size])

    def to_host(self) -> Plies:
        """The whole table in ordinary memory."""
        return np.concatenate(list(self.pieces())).reshape(self.plies.shape)


def new_table(shape: tuple[int, int]) -> DeviceTable:
    """A table of zeros."""
    rows, columns = shape
    words = zeros_on_device(-(-rows * columns // _PER_WORD), np.uint64)
    plies = words.view(np.uint16)[: rows * columns].reshape(shape)
    return DeviceTable(plies, words.view(np.uint32))


def table_on_device(table: Plies) -> DeviceTable:
    """A copy of a table, which may be a file mapped into memory."""
    found = new_table((table.shape[0], table.shape[1]))
    source, target = table.reshape(-1), found.plies.reshape(found.size)
    for first in range(0, found.size, COPIED_AT_ONCE):
        piece = source[first : first + COPIED_AT_ONCE]
        copy_to_device(np.asarray(piece), target[first : first + len(piece)])
    return found


def moves_on_device(moves: Moves) -> Moves:
    """The same tables of moves, with their arrays on the device."""
    arrays = {
        name: to_device(array)
        for name, array in moves._asdict().items()
        if isinstance(array, np.ndarray)
    }
    return moves._replace(**arrays)
