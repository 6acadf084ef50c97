"""Run compiled work in pieces on all cores, with progress reports."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from itertools import pairwise
from typing import TypeVar

import numpy as np

from lineduel.compiled.compiler import usable_cores

_Item = TypeVar("_Item")
_Done = TypeVar("_Done")
PIECE = 1 << 21
"""Units of work per piece. A unit is about one position; a piece takes a few hundredths of a
second."""


class Threads:
    """A pool with one thread per usable core, or `size`; compiled code releases the GIL."""

    def __init__(self, report: Callable[[float], None], size: int | None = None) -> None:
        self._size = size or usable_cores()
        self._pool = ThreadPoolExecutor(self._size)
        self._report = report
        self._done = 0.0

    def __enter__(self) -> "Threads":
        return self

    def __exit__(self, *how: object) -> None:
        """Cancel work that has not started, so that an interrupt takes effect at once."""
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
        """Run a kernel on the rows from `low` up to `high`.

        The kernel is called with the bounds of some rows and the arguments, and must not write to
        other rows. `units` is the total amount of work; `share` is its part of the overall
        progress.
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
        """The results of a function for all items, in order; progress counts these items only."""
        waiting = [self._submit(function, item) for item in items]
        found = []
        for result in waiting:
            found.append(result.result())
            self._report(len(found) / len(items))
        return found

    def start(self, function: Callable[..., _Done], *arguments: object) -> Future[_Done]:
        """Begin something that is not waited for; with a single thread it is done at once."""
        if self._size > 1:
            return self._submit(function, *arguments)
        done: Future[_Done] = Future()
        done.set_result(function(*arguments))
        return done

    def _submit(self, function: Callable[..., _Done], *arguments: object) -> Future[_Done]:
        try:
            return self._pool.submit(function, *arguments)
        except RuntimeError:  # there is no memory for the stack of another thread
            raise MemoryError from None

    def _add(self, share: float) -> None:
        self._done = min(1.0, self._done + share)
        self._report(self._done)
