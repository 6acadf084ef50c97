"""A ledger that another program may still be writing, read from where reading stopped before."""

import os
from collections.abc import Iterator
from pathlib import Path

from lineduel.errors import LedgerError, LedgerLine, StorageError, shown
from lineduel.jobs.ledger import LONGEST, Header, parse_header, refusal
from lineduel.storage import open_regular

MOST_LINES = 2000
"""Lines that are read in one go, so that nobody waits long for them."""


class FollowedLedger:
    """A file that is only read, and never locked: its writer does not notice."""

    def __init__(self, path: Path, kind: str) -> None:
        self.path = path
        try:
            self._file = open_regular(path)
        except FileNotFoundError:
            raise StorageError(f"There is no file {shown(path, 200)}.") from None
        except (OSError, ValueError) as error:
            why = (getattr(error, "strerror", None) or str(error)).lower()
            raise StorageError(f"{shown(path, 200)} cannot be read: {why}.") from None
        self._at, self._number = 0, 0
        """How many bytes and how many lines have been read."""
        try:
            first = next(self._lines(1), (1, b""))[1]
            self.header: Header = parse_header(path, first, kind)
        except BaseException:
            self._file.close()
            raise

    @property
    def changed(self) -> float:
        """When it was last written to, in seconds since 1970."""
        return os.fstat(self._file.fileno()).st_mtime

    def contents(self) -> Iterator[tuple[int, bytes]]:
        """The whole lines that have not been read before, with their numbers; a few at a time."""
        self._check_same()
        yield from self._lines(MOST_LINES)

    def refusal(self, number: int, why: str) -> LedgerLine:
        """The error to raise about one of its lines."""
        return refusal(self.path, number, why)

    def close(self) -> None:
        """Read no more."""
        self._file.close()

    def _lines(self, most: int) -> Iterator[tuple[int, bytes]]:
        with open(os.dup(self._file.fileno()), "rb") as file:  # noqa: PTH123  a buffered way in
            file.seek(self._at)
            for _ in range(most):
                content = file.readline(LONGEST + 1)
                if len(content) > LONGEST:
                    raise self.refusal(self._number + 1, f"longer than {LONGEST >> 20} MiB")
                if not content.endswith(b"\n"):
                    return  # nothing more, or its writer is not done with it
                self._at += len(content)
                self._number += 1
                yield self._number, content

    def _check_same(self) -> None:
        """Raise if the file was removed, cut, or replaced by another."""
        try:
            now, ours = self.path.stat(), os.fstat(self._file.fileno())
        except OSError:
            raise LedgerError(f"{shown(self.path, 200)} is gone.") from None
        if not os.path.samestat(now, ours) or now.st_size < self._at:
            raise LedgerError(f"{shown(self.path, 200)} was replaced by another file.")
