"""Kernels that visit many pairs of formations, cut into parts that blocks of threads share.

Most pairs of formations are not positions. A block first lists those of its pairs that are, and its
threads then share the list, so that they all have something to do. Neighbouring threads look at
neighbouring columns, which lie side by side in memory.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import cuda as numba_cuda

from lineduel.compiled import (
    DeviceArray,
    Kernel,
    kernel,
    kernels_are_simulated,
    start,
    to_device,
)
from lineduel.tablebase.tables import Moves
from lineduel.tablebase.turns import is_position

_cuda: Any = numba_cuda
PAIRS = 2048
"""Pairs of formations for each block of threads."""
THREADS = 4 if kernels_are_simulated() else 128
"""Threads of a block. The simulator starts a thread of the system for each, which takes longer
than its work."""


class Rectangle(NamedTuple):
    """Some rows and some columns of a table."""

    row: int
    rows: int
    column: int
    columns: int

    @property
    def blocks(self) -> int:
        return -(-self.rows * self.columns // PAIRS)


class VisitParts(NamedTuple):
    """Rectangles on the device, one after the other, as arrays of their numbers."""

    block: DeviceArray
    """The first block of each, counted within its visit."""
    row: DeviceArray
    column: DeviceArray
    columns: DeviceArray
    pairs: DeviceArray


class Visit(NamedTuple):
    """Rectangles that are visited at the same time, by their numbers, and their blocks."""

    first: int
    last: int
    blocks: int


def plan_visits(rounds: Iterable[Sequence[Rectangle]]) -> tuple[VisitParts, list[Visit]]:
    """The rectangles of all rounds on the device, and a visit for each round."""
    numbers, visits = [], []
    for rectangles in rounds:
        blocks = 0
        for one in rectangles:
            numbers.append((blocks, one.row, one.column, one.columns, one.rows * one.columns))
            blocks += one.blocks
        visits.append(Visit(len(numbers) - len(rectangles), len(numbers), blocks))
    columns = np.array(numbers, np.int64).reshape(-1, 5).T
    return VisitParts(*(to_device(np.ascontiguousarray(column)) for column in columns)), visits


def visitor(look: Callable[..., object], *, only_positions: bool = True) -> Kernel:
    """A kernel that calls `look` for each pair, or each position, of the rectangles of a visit.

    It is called with both formations, both sides' moves, and the kernel's `state`.
    """

    @kernel
    def visit_pairs(
        first: int, last: int, parts: VisitParts, one: Moves, two: Moves, state: tuple[object, ...]
    ) -> None:
        listed = _cuda.shared.array(PAIRS, np.uint16)
        count = _cuda.shared.array(1, np.int32)
        thread, threads = _cuda.threadIdx.x, _cuda.blockDim.x
        block = _cuda.blockIdx.x
        low, high = first, last
        while high - low > 1:  # the last part that begins at this block or before
            middle = (low + high) // 2
            if parts.block[middle] <= block:
                low = middle
            else:
                high = middle
        columns, column = np.uint64(parts.columns[low]), parts.column[low]
        begin = (np.int64(block) - parts.block[low]) * PAIRS
        pairs = min(np.int64(PAIRS), parts.pairs[low] - begin)
        row = parts.row[low] + np.int64(np.uint64(begin) // columns)
        rest = np.uint32(np.uint64(begin) % columns)
        width = np.uint32(columns)
        if thread == 0:
            count[0] = 0
        _cuda.syncthreads()
        for at in range(thread, pairs, threads):
            place = np.uint32(rest + np.uint32(at))
            a, b = row + np.int64(place // width), column + np.int64(place % width)
            if not only_positions or is_position(one, a, two, b):
                listed[_cuda.atomic.add(count, 0, 1)] = at
        _cuda.syncthreads()
        for at in range(thread, count[0], threads):
            place = np.uint32(rest + np.uint32(listed[at]))
            a, b = row + np.int64(place // width), column + np.int64(place % width)
            look(a, b, one, two, state)

    return visit_pairs


def begin_visit(
    visit_pairs: Kernel, visit: Visit, parts: VisitParts, one: Moves, two: Moves, *state: object
) -> None:
    """Start a visit and do not wait for it; later ones begin when it is done."""
    start(visit_pairs, visit.blocks, THREADS, visit.first, visit.last, parts, one, two, state)


def whole_table(one: Moves, two: Moves) -> tuple[VisitParts, Visit]:
    """One visit to all pairs of formations."""
    parts, visits = plan_visits([[Rectangle(0, one.size, 0, two.size)]])
    return parts, visits[0]
