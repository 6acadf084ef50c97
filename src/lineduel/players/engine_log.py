"""A log file of the messages between lineduel and its engines."""

import os
import re
from datetime import datetime
from pathlib import Path

from lineduel.errors import StorageError, shown
from lineduel.storage import open_regular

_LONGEST = 10_000
"""The most characters of a line."""
_BEGIN = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+ [0-9]+ [<>!] |# Lines are missing here")
"""What each of our lines begins with."""


class EngineLog:
    """Appends every line as it comes; several processes may write to one file.

    `>` is sent to the engine, `<` comes from it, `!` is on its standard error.
    """

    def __init__(self, path: Path) -> None:
        self._missing = ""
        _check_appendable(path)
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        except (OSError, ValueError) as error:
            why = (getattr(error, "strerror", None) or str(error)).lower()
            raise StorageError(f"{shown(path, 200)} cannot be written: {why}.") from None

    def note(self, process: int, mark: str, line: str) -> None:
        """One line of the dialogue with that process."""
        text = f"{datetime.now().isoformat(timespec='milliseconds')} {process} {mark} "
        text = f"{self._missing}{text}{shown(line, _LONGEST)}\n"
        try:
            os.write(self._file, text.encode(errors="replace"))
        except OSError as error:  # a game does not end for want of a log, but the log tells
            self._missing = f"# Lines are missing here: {error.strerror}.\n"
        else:
            self._missing = ""

    def close(self) -> None:
        os.close(self._file)


def _check_appendable(path: Path) -> None:
    """Refuse to append to a file that is there and is no such log."""
    try:
        if not path.is_file():
            return
        with open_regular(path) as file:
            first = file.read(100)
    except (OSError, ValueError):
        return  # opening it tells why
    if first and not _BEGIN.match(first):
        raise StorageError(
            f"{shown(path, 200)} is not a log of engines, and was left as it is.\n"
            "Choose another name for the log."
        )
