"""How accurately games were played, kept from one time to the next: a review takes a while."""

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from lineduel.coach import Review
from lineduel.errors import StorageError
from lineduel.record import Record
from lineduel.rules import Side, format_rules
from lineduel.storage import cache_folder, locked, read_bytes, write_atomically

_VERSION = 1
_MOST_GAMES = 20_000
_LARGEST = 8 << 20


class KeptChoices(NamedTuple):
    """How many choices a side had in a game, and how many of them kept the value."""

    kept: int
    choices: int


class KnownAccuracies:
    """A file of them; one that is damaged, foreign or cannot be written is as good as none."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or cache_folder() / "accuracies.json"
        self._known = self._read()
        self._new: dict[str, list[int]] = {}

    def of(self, record: Record, side: Side) -> KeptChoices | None:
        """What is known about a side's choices in a game."""
        found = self._known.get(_key(record))
        return None if found is None else KeptChoices(*found[2 * side - 2 : 2 * side])

    def note(self, found: Review) -> None:
        """Take in what an exact review found; `save` keeps it."""
        sides = map(found.accuracy, Side)
        self._new[_key(found.record)] = [n for one in sides for n in (one.kept, one.choices)]
        self._known |= self._new

    def save(self) -> None:
        """Write down what is new."""
        if not self._new:
            return
        with suppress(StorageError, OSError), locked(self._path):
            kept = [*(self._read() | self._new).items()][-_MOST_GAMES:]
            text = json.dumps({"version": _VERSION, "games": dict(kept)})
            write_atomically(self._path, text + "\n")
        self._new = {}

    def _read(self) -> dict[str, list[int]]:
        try:
            document = json.loads(read_bytes(self._path, _LARGEST))
        except (StorageError, OSError, ValueError, RecursionError):
            return {}
        match document:
            case {"version": version, "games": dict(games)} if version == _VERSION:
                return {key: figures for key, figures in games.items() if _are_sound(figures)}
            case _:
                return {}


def keep_accuracy(found: Review) -> None:
    """Keep what a single exact review found."""
    known = KnownAccuracies()
    known.note(found)
    known.save()


def _are_sound(figures: object) -> bool:
    match figures:
        case [int(kept1), int(choices1), int(kept2), int(choices2)]:
            return 0 <= kept1 <= choices1 and 0 <= kept2 <= choices2
        case _:
            return False


def _key(record: Record) -> str:
    """A game by its rules, its start and its moves; the players do not matter."""
    moves = " ".join(map(str, record.moves))
    text = "\n".join((format_rules(record.rulebook.rules), str(record.start), moves))
    return sha256(text.encode()).hexdigest()[:24]
