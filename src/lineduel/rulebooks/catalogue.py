"""What there is to play: the shipped files' names and summaries, without taking in their rules."""

import tomllib
from pathlib import Path
from typing import NamedTuple

SHIPPED = ("ctf-soldiers", "flag-chase", "blockade-duel", "ctf-tokens", "cross-over")
"""The ids of the shipped rulebooks, in the order of the menu."""

_FOLDER = Path(__file__).parent


class CatalogueEntry(NamedTuple):
    """A game of the catalogue, with its variants as (name, summary)."""

    id: str
    title: str
    summary: str
    variants: tuple[tuple[str, str], ...]

    def addresses(self) -> tuple[str, ...]:
        """The game's own address and those of its variants."""
        return (self.id, *(f"{self.id}:{name}" for name, _ in self.variants))


def catalogue() -> tuple[CatalogueEntry, ...]:
    """The shipped games in the order of the menu."""
    return tuple(map(_entry, SHIPPED))


def shipped_path(id: str) -> Path:
    return _FOLDER / f"{id}.toml"


def _entry(id: str) -> CatalogueEntry:
    data = tomllib.loads(shipped_path(id).read_text(encoding="utf-8"))
    variants = data.get("variants", {}).items()
    listed = tuple((name, variant["summary"]) for name, variant in variants)
    return CatalogueEntry(id, data["title"], data["summary"], listed)
