"""What there is to play: the shipped games, and the rulebook files that this user has used."""

import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from lineduel.errors import LineduelError, StorageError
from lineduel.storage import data_folder, locked, read_bytes, write_atomically

SHIPPED = ("cross-over", "ctf-tokens", "ctf-soldiers", "flag-chase", "blockade-duel")
"""The ids of the shipped rulebooks, in the order of the menu: first those that suit newcomers."""
START_HERE = SHIPPED[0]
"""The game with the most to decide."""

_FOLDER = Path(__file__).parent


class CatalogueEntry(NamedTuple):
    """A game that comes with the program, or a rulebook file of this user."""

    address: str
    """What a command takes as GAME: an id, or the path of the user's file."""
    title: str
    summary: str
    variants: tuple[tuple[str, str], ...]
    """Each variant's name and summary."""

    def addresses(self) -> tuple[str, ...]:
        """The game's own address and those of its variants."""
        return (self.address, *(f"{self.address}:{name}" for name, _ in self.variants))


def catalogue() -> tuple[CatalogueEntry, ...]:
    """The shipped games in the order of the menu."""
    return tuple(map(_entry, SHIPPED))


def shipped_path(id: str) -> Path:
    return _FOLDER / f"{id}.toml"


_LISTED = re.compile(r'^(?:\[variants\.([\w-]+)\]\n)?(?:title|summary) = "(.*)"$', re.M)
"""The lines of a shipped file that `lineduel games` shows; parsing all of it would take longer
than the rest of that command."""


def _entry(id: str) -> CatalogueEntry:
    (_, title), (_, summary), *variants = _LISTED.findall(
        shipped_path(id).read_text(encoding="utf-8")
    )
    return CatalogueEntry(id, title, summary, tuple(variants))


MOST_OWN = 30
_LARGEST_STORE = 1 << 20


def remember_rulebook(address: str) -> None:
    """Put a rulebook file first in the list; if that cannot be stored, nothing happens."""
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


def own_rulebooks() -> tuple[CatalogueEntry, ...]:
    """The user's rulebooks that can be played, the most recent first."""
    found = []
    for one in _remembered():
        from lineduel.rulebooks.find import read_rulebook

        with suppress(LineduelError, OSError):
            rulebook = read_rulebook(Path(one))
            variants = tuple((variant.name, variant.summary) for variant in rulebook.variants)
            found.append(CatalogueEntry(one, rulebook.title, rulebook.summary, variants))
    return tuple(found)


def _store() -> Path:
    return data_folder() / "rulebooks.json"


def _remembered() -> list[str]:
    """The paths in the file; damaged entries are ignored."""
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
