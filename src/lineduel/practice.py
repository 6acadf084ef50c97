"""Which puzzles were solved or missed, and when each comes back: spaced repetition."""

import json
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from lineduel.errors import StorageError
from lineduel.storage import data_folder, read_text, write_atomically

WAITS = (0, 1, 2, 4, 8, 16, 32)
"""Days until a puzzle comes back, by how often in a row it was solved."""


@dataclass
class Practice:
    """A player's results, by puzzle."""

    path: Path
    results: dict[str, tuple[int, date]] = field(default_factory=dict)
    """How often in a row each was solved, and the day it comes back."""

    @classmethod
    def load(cls, path: Path | None = None) -> "Practice":
        """The results so far; a damaged file is kept aside and reported."""
        practice = cls(path or data_folder() / "puzzles.json")
        if not practice.path.exists():
            return practice
        try:
            for name, (streak, day) in json.loads(read_text(practice.path)).items():
                practice.results[str(name)] = int(streak), date.fromisoformat(day)
        except (ValueError, TypeError, AttributeError):
            aside = practice.path.with_suffix(".damaged")
            practice.path.replace(aside)
            raise StorageError(
                f"The results of the puzzles are damaged; kept as {aside}."
            ) from None
        return practice

    def note(self, name: str, solved: bool, today: date) -> None:
        """Write down a result; a missed puzzle comes back at once, a solved one later and later."""
        streak = self.results.get(name, (0, today))[0] + 1 if solved else 0
        wait = WAITS[min(streak, len(WAITS) - 1)]
        self.results[name] = streak, today + timedelta(days=wait)
        shown = {key: [count, day.isoformat()] for key, (count, day) in self.results.items()}
        write_atomically(self.path, json.dumps(shown, indent=1) + "\n")

    def due(self, names_begin: str, today: date) -> list[str]:
        """The puzzles of a game that are to come back, the longest overdue first."""
        waiting = [
            (day, name)
            for name, (_, day) in self.results.items()
            if name.startswith(names_begin) and day <= today
        ]
        return [name for _, name in sorted(waiting)]
