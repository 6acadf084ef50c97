"""The duels that a search kept, as one page to look through: sorted and filtered there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from lineduel.discover.design_search import DesignSearch
from lineduel.discover.found import FoundDuel, best_on_front
from lineduel.discover.qualities import NEVER, QUALITIES
from lineduel.lab import DuelPage
from lineduel.page import write_page
from lineduel.rules import Property, assignments_between, design_link, write_rulebook
from lineduel.storage import write_atomically

GALLERY_FILE = "gallery.html"


def figure_text(found: float) -> str:
    """A figure as people read it."""
    if found >= NEVER:
        return "never ends"
    return f"{found:,.0f}" if abs(found) >= 100 or found == int(found) else f"{found:.3g}"


class FrontCell(NamedTuple):
    """A preferred figure of a duel on the front."""

    text: str
    is_best: bool


@dataclass(frozen=True, slots=True)
class GalleryPage(DuelPage):
    """The duels that a search found."""

    search: DesignSearch
    found: Sequence[FoundDuel]
    commands: Mapping[str, str]
    """How to play each duel, by its id."""
    server: str

    figure_text = staticmethod(figure_text)
    qualities = QUALITIES

    @property
    def title(self) -> str:
        return f"{len(self.found)} duels found" if len(self.found) != 1 else "One duel found"

    @property
    def figure_names(self) -> tuple[str, ...]:
        """All figures to sort by, the preferred ones first."""
        return tuple(dict.fromkeys((*self.search.question.preferred, *QUALITIES)))

    @property
    def meetings(self) -> list[str]:
        """What meeting an enemy does, in any of the duels."""
        return sorted({str(one.proved.design.enemy) for one in self.found})

    @property
    def properties(self) -> tuple[Property, ...]:
        """What is proved for any of the duels."""
        return tuple(dict.fromkeys(one for duel in self.found for one in duel.proved.properties))

    def front(self) -> Iterator[tuple[FoundDuel, list[FrontCell]]]:
        """The trade-offs between the preferred figures."""
        preferred = self.search.question.preferred
        best = best_on_front(self.found, preferred) if self.found else {}
        for one in self.found:
            if one.on_front:
                told = {name: figure_text(one.proved.figures[name]) for name in preferred}
                yield one, [FrontCell(text, one in best[name]) for name, text in told.items()]

    def difference(self, one: FoundDuel) -> str:
        """What sets a duel apart from the most similar of the others; empty if it is alone."""
        changes = {
            other.rulebook.title: assignments_between(other.rulebook.rules, one.rulebook.rules)
            for other in self.found
            if other is not one
        }
        if not changes:
            return ""
        nearest = min(changes, key=lambda title: len(changes[title]))
        return f"Different from {nearest}, the most similar one: {', '.join(changes[nearest])}."

    def designer(self, one: FoundDuel) -> str:
        """The address that opens a duel in the server's designer."""
        return design_link(write_rulebook(one.rulebook), self.server)


def write_gallery(
    folder: Path, search: DesignSearch, found: Sequence[FoundDuel], server: str, made: date
) -> None:
    """Write a rulebook and a certificate for each duel, and the page."""
    commands = {}
    for one in found:
        rulebook = folder / f"{one.rulebook.id}.toml"
        write_atomically(rulebook, write_rulebook(one.rulebook))
        write_atomically(rulebook.with_suffix(".certificate"), one.proved.certificate)
        commands[one.rulebook.id] = f"lineduel play {quote(str(rulebook))}"
    page = gallery_page(search, found, commands, server, made)
    write_atomically(folder / GALLERY_FILE, page)


def gallery_page(
    search: DesignSearch,
    found: Sequence[FoundDuel],
    commands: Mapping[str, str],
    server: str,
    made: date,
) -> str:
    """The page; `commands` says how to play each duel, by its id.

    `server` is the address of a server whose designer opens the duels.
    """
    return write_page("gallery.html", GalleryPage(made, search, found, commands, server))
