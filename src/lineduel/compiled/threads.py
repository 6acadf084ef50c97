"""Compiled work in pieces, on all cores, with reports of the share done."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from itertools import pairwise
from types import TracebackType
from typing import TypeVar

import numpy as np

from lineduel.compiled.address_space import usable_cores

_Item = TypeVar("_Item")
_Done = TypeVar("_Done")
PIECE = 1 << 21
"""Units of work in one piece, each about a position: some hundredths of a second."""


class Threads:
    """As many threads as there are cores; compiled code lets go of the interpreter's lock."""

    def __init__(self, report: Callable[[float], None]) -> None:
        self._size = usable_cores()
        self._pool = ThreadPoolExecutor(self._size)
        self._report = report
        self._done = 0.0

    def __enter__(self) -> "Threads":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """What has not begun is dropped, so that an interrupt is heard at once."""
        self._pool.shutdown(cancel_futures=True)

    def work(
        self,
        kernel: Callable[..., object],
        low: int,
        high: int,
        *arguments: object,
        units: int,
        share: float,
    ) -> None:
        """Let a kernel do the rows from `low` up to `high`.

        It takes the bounds of some rows and the arguments, and writes to no other rows. In all
        there are so many units to do, and they are such a share of the whole.
        """
        pieces = 1 if units < PIECE // 8 else max(units // PIECE, 2 * self._size)
        cuts = np.linspace(low, high, min(pieces, high - low) + 1).astype(int).tolist()
        if len(cuts) <= 2:  # a thread would take longer
            kernel(low, high, *arguments)
            self._add(share)
            return
        waiting = {
            self._submit(kernel, begin, end, *arguments): share * (end - begin)
            for begin, end in pairwise(cuts)
        }
        for piece in as_completed(waiting):
            piece.result()
            self._add(waiting[piece] / (high - low))

    def map(self, function: Callable[[_Item], _Done], items: Sequence[_Item]) -> list[_Done]:
        """The results of a function for all items, in their order; they are the whole work."""
        waiting = [self._submit(function, item) for item in items]
        found = []
        for result in waiting:
            found.append(result.result())
            self._report(len(found) / len(items))
        return found

    def _submit(self, function: Callable[..., _Done], *arguments: object) -> Future[_Done]:
        try:
            return self._pool.submit(function, *arguments)
        except RuntimeError:  # there is no room for the stack of another thread
            raise MemoryError from None

    def _add(self, share: float) -> None:
        self._done = min(1.0, self._done + share)
        self._report(self._done)
