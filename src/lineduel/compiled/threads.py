"""Compiled work in pieces, on all cores, with a word in between to whoever waits."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import pairwise
from types import TracebackType

import numpy as np

from lineduel.compiled.address_space import usable_cores

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
        try:
            waiting = {
                self._pool.submit(kernel, begin, end, *arguments): share * (end - begin)
                for begin, end in pairwise(cuts)
            }
        except RuntimeError:  # there is no room for the stack of another thread
            raise MemoryError from None
        for piece in as_completed(waiting):
            piece.result()
            self._add(waiting[piece] / (high - low))

    def _add(self, share: float) -> None:
        self._done = min(1.0, self._done + share)
        self._report(self._done)
