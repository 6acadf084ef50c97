"""A file of results that grows line by line and survives whatever stops its writer.

JSON lines: the first says what the work is, each other one is a result. What has been appended is
on the disk. A last line that was cut short is as good as not written.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from lineduel.errors import AlreadyExists, LedgerError, StorageError, shown
from lineduel.storage import open_regular, write_atomically

try:
    import fcntl
except ImportError:  # not on this platform
    fcntl = None  # type: ignore[assignment]

Header = Mapping[str, Any]
KIND = "lineduel"
"""The key of the header that says what kind of work it is."""


class Ledger:
    """An open file, held so that no second writer can have it."""

    def __init__(self, path: Path, file: BinaryIO, header: Header, lines: list[Any]) -> None:
        self.path = path
        self.header = header
        self.lines = lines
        """What it held when it was opened."""
        self._file = file

    @classmethod
    def begin(cls, path: Path, header: Header) -> "Ledger":
        """A new file, never in place of another."""
        try:
            write_atomically(path, json.dumps(header, ensure_ascii=False) + "\n", new=True)
        except AlreadyExists:
            raise AlreadyExists(
                f"{shown(path, 200)} is there already.\n"
                "Go on with it by --resume, or name another file with --file."
            ) from None
        return cls.go_on(path, str(header[KIND]))

    @classmethod
    def go_on(cls, path: Path, kind: str) -> "Ledger":
        """The file of work of that kind that was stopped; what is no whole line is cut off."""
        try:
            file = open_regular(path, os.O_RDWR)
        except FileNotFoundError:
            raise StorageError(f"There is no file {shown(path, 200)} to go on with.") from None
        except (OSError, ValueError) as error:
            raise _unwritable(path, error) from None
        try:
            _hold(file, path)
            header, lines, whole = read_lines(file.read(), path, kind)
            file.truncate(whole)
            file.seek(whole)
        except BaseException:
            file.close()
            raise
        return cls(path, file, header, lines)

    def append(self, lines: bytes) -> None:
        """Write whole lines; on return they are on the disk."""
        left = memoryview(lines)
        try:
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _unwritable(self.path, error) from None

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def read_lines(content: bytes, path: Path, kind: str) -> tuple[Header, list[Any], int]:
    """The header, the other lines, and how many bytes of them are whole."""
    whole = content.rfind(b"\n") + 1
    lines: list[Any] = []
    for number, line in enumerate(content[:whole].splitlines(), start=1):
        try:
            lines.append(json.loads(line))
        except (ValueError, RecursionError):
            raise LedgerError(f"{shown(path, 200)}: line {number} is damaged.") from None
    if not lines or not isinstance(lines[0], dict) or lines[0].get(KIND) != kind:
        raise LedgerError(f"{shown(path, 200)} is no file of a {kind}.")
    if not all(isinstance(line, dict) for line in lines):
        raise LedgerError(f"{shown(path, 200)} holds lines that are no results.")
    return lines[0], lines[1:], whole


def _hold(file: BinaryIO, path: Path) -> None:
    """Keep others from writing; where the file system cannot, nothing is lost by trying."""
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StorageError(f"Another program is writing to {shown(path, 200)}.") from None
    except OSError:
        return


def _unwritable(path: Path, error: Exception) -> StorageError:
    why = (getattr(error, "strerror", None) or str(error)).lower()
    return StorageError(f"{shown(path, 200)} cannot be written: {why}.")
