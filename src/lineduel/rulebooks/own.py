"""The rulebook files that this user made, validated or played, remembered from run to run."""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from lineduel.errors import LineduelError, StorageError
from lineduel.rulebooks.catalogue import SHIPPED
from lineduel.storage import data_folder, locked, read_bytes, write_atomically

MOST_OWN = 30
_LARGEST_STORE = 1 << 20


class OwnRulebook(NamedTuple):
    """A rulebook file of the user's."""

    path: Path
    title: str
    summary: str
    variants: tuple[tuple[str, str], ...]
    """Each variant's name and summary."""

    @property
    def address(self) -> str:
        """What a command takes as GAME."""
        return str(self.path)


def remember_rulebook(address: str) -> None:
    """Put a rulebook file in front of those remembered; of what cannot be kept nothing is said."""
    if address in SHIPPED or address.partition(":")[0] in SHIPPED:
        return
    import json

    from lineduel.rulebooks.find import rulebook_file

    store = _store()
    with suppress(OSError, StorageError):
        path = str(rulebook_file(address).resolve())
        with locked(store):
            others = [one for one in _remembered() if one != path]
            text = json.dumps([path, *others][:MOST_OWN], indent=1, ensure_ascii=False)
            write_atomically(store, text + "\n")


def own_rulebooks() -> tuple[OwnRulebook, ...]:
    """The user's rulebooks that can be played, the last one first; others are left out."""
    found = []
    for one in _remembered():
        from lineduel.rulebooks.find import read_rulebook

        with suppress(LineduelError, OSError):
            rulebook = read_rulebook(Path(one))
            variants = tuple((variant.name, variant.summary) for variant in rulebook.variants)
            found.append(OwnRulebook(Path(one), rulebook.title, rulebook.summary, variants))
    return tuple(found)


def _store() -> Path:
    return data_folder() / "rulebooks.json"


def _remembered() -> list[str]:
    """The paths in the file; what is damaged is as good as not there."""
    try:
        content = read_bytes(_store(), _LARGEST_STORE)
    except StorageError:
        return []
    import json  # not needed by most users, and slow to import

    try:
        known = json.loads(content)
    except (ValueError, RecursionError):
        return []
    return [one for one in known if isinstance(one, str)] if isinstance(known, list) else []
