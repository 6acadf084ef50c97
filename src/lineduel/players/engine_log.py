"""A log file of the messages between lineduel and its engines."""

import os
from datetime import datetime
from pathlib import Path

from lineduel.errors import StorageError, shown

_LONGEST = 10_000
"""The most characters of a line."""


class EngineLog:
    """Appends every line as it comes; several processes may write to one file.

    `>` is sent to the engine, `<` comes from it, `!` is on its standard error.
    """

    def __init__(self, path: Path) -> None:
        self._missing = ""
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
