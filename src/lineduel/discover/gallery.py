"""The duels that a search kept, as one page to look through: sorted and filtered there."""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from shlex import quote

from lineduel.discover.design_search import DesignSearch
from lineduel.discover.found import Proved, best_on_front, figure_text
from lineduel.discover.qualities import QUALITIES
from lineduel.lab import duel_page
from lineduel.rules import assignments_between, design_link, write_rulebook
from lineduel.storage import write_atomically

GALLERY_FILE = "gallery.html"


def write_gallery(
    folder: Path, search: DesignSearch, found: Sequence[Proved], server: str, made: date
) -> None:
    """Write a rulebook and a certificate for each duel, and the page."""
    commands = {}
    for one in found:
        rulebook = folder / f"{one.rulebook.id}.toml"
        write_atomically(rulebook, write_rulebook(one.rulebook))
        write_atomically(rulebook.with_suffix(".certificate"), one.certificate)
        commands[one.rulebook.id] = f"lineduel play {quote(str(rulebook))}"
    page = gallery_page(search, found, commands, server, made)
    write_atomically(folder / GALLERY_FILE, page)


def gallery_page(
    search: DesignSearch,
    found: Sequence[Proved],
    commands: Mapping[str, str],
    server: str,
    made: date,
) -> str:
    """The page; `commands` says how to play each duel, by its id.

    `server` is the address of a server whose designer opens the duels.
    """
    preferred = search.question.preferred
    best = best_on_front(found, preferred) if found else {}
    return duel_page(
        "gallery.html",
        f"{len(found)} duels found" if len(found) != 1 else "One duel found",
        made,
        search=search,
        found=found,
        commands=commands,
        designer=lambda one: design_link(write_rulebook(one.rulebook), server),
        difference=lambda one: _difference(one, found),
        figure_names=tuple(dict.fromkeys((*preferred, *QUALITIES))),
        figure_text=figure_text,
        front=[
            (one, [(figure_text(one.figures[name]), one in best[name]) for name in best])
            for one in found
            if one.on_front
        ],
        meetings=sorted({str(one.design.enemy) for one in found}),
        properties=dict.fromkeys(about for one in found for about in one.properties),
        qualities=QUALITIES,
    )


def _difference(one: Proved, found: Sequence[Proved]) -> str:
    """What sets a duel apart from the most similar of the others; empty if it is alone."""
    changes = {
        other.rulebook.title: assignments_between(other.rulebook.rules, one.rulebook.rules)
        for other in found
        if other is not one
    }
    if not changes:
        return ""
    nearest = min(changes, key=lambda title: len(changes[title]))
    return f"Different from {nearest}, the most similar one: {', '.join(changes[nearest])}."
