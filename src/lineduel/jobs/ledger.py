"""A file of results that grows line by line and survives whatever stops its writer.

JSON lines: the first says what the work is, each other one is a result. What has been appended is
on the disk. A last line that was cut short is as good as not written.
"""

import json
import os
from collections.abc import Iterator, Mapping
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, BinaryIO

from lineduel.errors import (
    AlreadyExists,
    LedgerError,
    LedgerExists,
    LedgerLine,
    StorageError,
    shown,
)
from lineduel.storage import can_hold, hold, open_regular, reason, write_atomically

Header = Mapping[str, Any]
LEDGER_KIND = "lineduel"
"""The key of the header that says what kind of work it is."""
LONGEST = 64 << 20
"""Bytes of a line."""
LONGEST_READ = 1 << 20
_LONGEST_REASON = 500
MOST_LINES = 2000
"""Lines of a followed file that are read in one go, so that nobody waits long for them."""


class ReadableLedger:
    """An open file of results, read one whole line at a time."""

    def __init__(self, path: Path, file: BinaryIO, kind: str) -> None:
        self.path = path
        self._file = file
        self.header: Header = {}
        """What the first line says."""
        _, first = next(self._lines(), (1, b""))
        self.header = self._parsed(1, first) if first else {}
        if self.header.get(LEDGER_KIND) != kind:
            raise LedgerError(f"{shown(path, 200)} is not the file of a {kind}.")

    def contents(self) -> Iterator[tuple[int, bytes]]:
        """Whole lines after the first, with their numbers."""
        raise NotImplementedError

    def refusal(self, number: int, why: str) -> LedgerLine:
        """The error to raise about one of its lines."""
        told = shown(" ".join(why.split()), _LONGEST_REASON)
        return LedgerLine(self.path, number, told.removesuffix("."))

    def _parsed(self, number: int, content: bytes) -> dict[str, Any]:
        try:
            found = json.loads(content)
        except (ValueError, RecursionError):
            raise self.refusal(number, "this is not a line of JSON") from None
        if not isinstance(found, dict):
            raise self.refusal(number, "this is not a JSON object")
        return found

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _lines(self, at: int = 0, number: int = 0, end: float = inf) -> Iterator[tuple[int, bytes]]:
        """The whole lines from byte `at` to byte `end`; `number` lines are before them."""
        with open(os.dup(self._file.fileno()), "rb") as file:  # noqa: PTH123  a second way in
            file.seek(at)
            while at < end:
                content, number = file.readline(LONGEST + 1), number + 1
                if len(content) > LONGEST:
                    raise self.refusal(number, f"longer than {LONGEST >> 20} MiB")
                if not content.endswith(b"\n"):
                    return  # nothing more, or its writer is not done with it
                at += len(content)
                yield number, content


class Ledger(ReadableLedger):
    """A file of results that is written, locked against a second writer."""

    def __init__(self, path: Path, file: BinaryIO, kind: str) -> None:
        self._whole = self._end = _whole(file)
        """How many bytes were whole lines when it was opened, and with what was appended since.

        Whatever comes after them is cut off before more is written: a line cut short, or what an
        attempt left that failed.
        """
        super().__init__(path, file, kind)

    @classmethod
    def begin(cls, path: Path, header: Header) -> "Ledger":
        """A new file, never in place of another."""
        try:
            write_atomically(path, json.dumps(header, ensure_ascii=False) + "\n", new=True)
        except AlreadyExists:
            raise LedgerExists(path) from None
        return cls.go_on(path, str(header[LEDGER_KIND]))

    @classmethod
    def begin_again(cls, path: Path, header: Header) -> "Ledger":
        """A new file in place of that of stopped work; one in use is left to its writer."""
        try:
            with open_regular(path, os.O_RDWR) as file:
                _hold(file, path)
                _remove(file, path)
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            raise _unusable(path, error) from None
        return cls.begin(path, header)

    @classmethod
    def go_on(cls, path: Path, kind: str) -> "Ledger":
        """Open the file of interrupted work of that kind; an incomplete last line is cut off."""
        try:
            file = open_regular(path, os.O_RDWR)
        except FileNotFoundError:
            raise StorageError(f"There is no file {shown(path, 200)} to resume.") from None
        except (OSError, ValueError) as error:
            raise _unusable(path, error) from None
        try:
            _hold(file, path)
            return cls(path, file, kind)
        except BaseException:
            file.close()
            raise

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The results it contained when it was opened, with their lines, one at a time."""
        for number, content in self.contents():
            yield number, self._parsed(number, content)

    def contents(self) -> Iterator[tuple[int, bytes]]:
        """The whole lines after the first as they were when it was opened, one at a time."""
        return islice(self._lines(end=self._whole), 1, None)

    def append(self, lines: bytes) -> None:
        """Write whole lines; on return they are on the disk."""
        left = memoryview(lines)
        try:
            if self._file.seek(0, os.SEEK_END) != self._end:
                self._file.truncate(self._end)
                self._file.seek(self._end)
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
            self._end += len(lines)
        except OSError as error:
            raise _unusable(self.path, error) from None

    def remove(self) -> None:
        """Close the file, and delete it."""
        try:
            _remove(self._file, self.path)
        except OSError as error:
            raise _unusable(self.path, error) from None

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *how: object) -> None:
        self.close()


def _whole(file: BinaryIO) -> int:
    """How many bytes of a file are whole lines."""
    end = file.seek(0, os.SEEK_END)
    while end:
        begin = max(0, end - LONGEST_READ)
        file.seek(begin)
        at = file.read(end - begin).rfind(b"\n")
        if at >= 0:
            return begin + at + 1
        end = begin
    return 0


def _hold(file: BinaryIO, path: Path) -> None:
    """Keep others from writing; where the file system cannot, nothing is lost by trying."""
    if not hold(file):
        raise StorageError(f"Another program is writing to {shown(path, 200)}.")


def _remove(file: BinaryIO, path: Path) -> None:
    """Delete an open file before anybody else can hold it."""
    if not can_hold():  # where files cannot be held, open ones cannot be deleted
        file.close()
    path.unlink(missing_ok=True)
    file.close()


def _unusable(path: Path, error: Exception, done: str = "written") -> StorageError:
    return StorageError(f"{shown(path, 200)} cannot be {done}: {reason(error)}.")


class FollowedLedger(ReadableLedger):
    """A file that another program may still be writing, read on from where reading stopped before.

    It is never locked: its writer does not notice.
    """

    def __init__(self, path: Path, kind: str) -> None:
        try:
            file = open_regular(path)
        except FileNotFoundError:
            raise StorageError(f"There is no file {shown(path, 200)}.") from None
        except (OSError, ValueError) as error:
            raise _unusable(path, error, "read") from None
        try:
            super().__init__(path, file, kind)
        except BaseException:
            file.close()
            raise
        self._at, self._number = 0, 0
        """How many bytes and how many lines have been read."""
        next(self._next_lines(1))

    @property
    def changed(self) -> float:
        """When it was last written to, in seconds since 1970."""
        return os.fstat(self._file.fileno()).st_mtime

    def contents(self) -> Iterator[tuple[int, bytes]]:
        """The whole lines that have not been read before, with their numbers; a few at a time."""
        self._check_same()
        yield from self._next_lines(MOST_LINES)

    def _next_lines(self, most: int) -> Iterator[tuple[int, bytes]]:
        for number, content in islice(self._lines(self._at, self._number), most):
            self._at, self._number = self._at + len(content), number
            yield number, content

    def _check_same(self) -> None:
        """Raise if the file was removed, cut, or replaced by another."""
        try:
            now, ours = self.path.stat(), os.fstat(self._file.fileno())
        except OSError:
            raise LedgerError(f"{shown(self.path, 200)} is gone.") from None
        if not os.path.samestat(now, ours) or now.st_size < self._at:
            raise LedgerError(f"{shown(self.path, 200)} was replaced by another file.")
