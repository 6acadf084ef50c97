"""Which puzzles were solved or missed, and when each comes back: spaced repetition."""

import json
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from lineduel.errors import StorageError, shown
from lineduel.storage import data_folder, locked, put_aside, read_bytes, write_atomically

WAITS = (0, 1, 2, 4, 8, 16, 32)
"""Days until a puzzle comes back, by how often in a row it was solved."""

_MOST = 1_000_000

Results = dict[str, tuple[int, date]]
"""By puzzle: how often in a row it was solved, and the day it comes back."""


@dataclass
class Practice:
    """A player's results, in a file that several programs may write to."""

    path: Path
    results: Results = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path | None = None) -> "Practice":
        """The results so far; a damaged file is set aside and reported, valid entries are kept."""
        practice = cls(path or data_folder() / "puzzles.json")
        if practice._read():
            return practice
        with locked(practice.path):
            aside = practice._mend()
        if aside is None:  # another program has repaired it in the meantime
            return practice
        raise StorageError(
            f"{shown(practice.path, 300)}, with the results of the puzzles, was damaged.\n"
            f"It is kept as {shown(aside, 300)}; try again to go on with what could be read."
        )

    def note(self, name: str, solved: bool, today: date) -> None:
        """Write down a result; a missed puzzle comes back at once, a solved one later and later."""
        with locked(self.path):
            self._mend()  # another program may have noted something since
            streak = self.results.get(name, (0, today))[0] + 1 if solved else 0
            wait = WAITS[min(streak, len(WAITS) - 1)]
            self.results[name] = streak, today + timedelta(days=wait)
            self._write()

    def due(self, names_begin: str, today: date) -> list[str]:
        """The puzzles of a game that are due again, the longest overdue first."""
        waiting = [
            (day, name)
            for name, (_, day) in self.results.items()
            if name.startswith(names_begin) and day <= today
        ]
        return [name for _, name in sorted(waiting)]

    def _mend(self) -> Path | None:
        """Read the results; a damaged file is set aside, and its new path is returned."""
        if self._read():
            return None
        aside = put_aside(self.path)
        self._write()
        return aside

    def _read(self) -> bool:
        """Read the results from the file; returns whether all of it is valid."""
        if not self.path.exists():
            self.results = {}
            return True
        try:
            document = json.loads(read_bytes(self.path))
        except (ValueError, RecursionError):
            document = None
        entries = document if isinstance(document, dict) else {}
        read = {name: _result(entry) for name, entry in entries.items()}
        self.results = {name: result for name, result in read.items() if result is not None}
        return document is entries and len(self.results) == len(entries)

    def _write(self) -> None:
        entries = {name: [streak, str(day)] for name, (streak, day) in self.results.items()}
        write_atomically(self.path, json.dumps(entries, indent=1) + "\n")


def _result(entry: object) -> tuple[int, date] | None:
    """An entry of the file, or None if it is not valid."""
    match entry:
        case [int(streak), str(day)] if 0 <= streak < _MOST and not isinstance(streak, bool):
            try:
                return streak, date.fromisoformat(day)
            except ValueError:
                return None
        case _:
            return None
