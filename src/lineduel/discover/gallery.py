"""The duels that a search kept, as one page to look through: sorted and filtered there."""

from collections.abc import Container, Iterable, Mapping, Sequence, Set
from datetime import date
from hashlib import sha256
from itertools import count
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from lineduel.arena import row_label
from lineduel.discover.design_search import DesignSearch
from lineduel.discover.discovery import Discovery
from lineduel.discover.found import Proved, best_on_front, figure_text
from lineduel.discover.qualities import QUALITIES
from lineduel.errors import StorageError
from lineduel.jobs import Keep
from lineduel.lab import duel_page
from lineduel.rules import assignments_between, design_link, write_rulebook
from lineduel.storage import open_regular, write_atomically

_PAGE = "gallery"
_KINDS = (".toml", ".certificate")


class Gallery(NamedTuple):
    """What was written to a search's folder, and what was left there."""

    page: Path
    rulebooks: Mapping[str, Path]
    """By the id of a duel."""
    foreign: Mapping[Path, Path | None]
    """Files that are not as lineduel wrote them, and what was written beside them, if anything."""
    removed: tuple[str, ...]
    """The names of duels that are no longer kept."""


def write_gallery(
    folder: Path, discovery: Discovery, keep: Keep, server: str, made: date
) -> Gallery:
    """Write a rulebook and a certificate for each duel, and the page.

    A file in the folder that is not as lineduel wrote it stays as it is, and what belongs there
    gets a name beside it. Duels of an earlier gallery that are not in this one are removed.
    """
    found, here = discovery.found, _Folder(folder, discovery.written)
    stems = {one.rulebook.id: here.free_stem(one.rulebook.id, _KINDS) for one in found}
    page_stem = here.free_stem(_PAGE, (".html",))
    rulebooks = {name: folder / f"{stem}.toml" for name, stem in stems.items()}
    commands = {name: f"lineduel play {quote(str(path))}" for name, path in rulebooks.items()}
    page = gallery_page(discovery.search, found, commands, server, made)
    contents: dict[str, tuple[bytes, ...]] = {f"{page_stem}.html": (page.encode(),)}
    for one in found:
        stem, certificate = stems[one.rulebook.id], one.certificate
        contents[f"{stem}.toml"] = (write_rulebook(one.rulebook).encode(),)
        contents[f"{stem}.certificate"] = (
            (certificate.encode(),) if isinstance(certificate, str) else certificate
        )
    beside = {f"{name}.toml": f"{stem}.toml" for name, stem in stems.items()}
    beside |= {f"{_PAGE}.html": f"{page_stem}.html"}
    foreign = {
        folder / name: folder / beside[name] if name in beside else None
        for name in sorted({*discovery.written, *beside})
        if not here.is_ours(name)
    }
    discovery.will_write({name: _seal(chunks) for name, chunks in contents.items()}, keep)
    for name, chunks in contents.items():
        write_atomically(folder / name, chunks)
    removed = here.remove_others(contents, _KINDS)
    return Gallery(folder / f"{page_stem}.html", rulebooks, foreign, removed)


class _Folder:
    """The folder of a search, in which files may be anybody's."""

    def __init__(self, folder: Path, written: Mapping[str, Set[str]]) -> None:
        self._folder = folder
        self._written = written

    def free_stem(self, stem: str, suffixes: Sequence[str]) -> str:
        """The stem itself, or with a number behind it, so that no file of others has that name."""
        stems = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
        return next(
            one for one in stems if all(self.is_ours(f"{one}{suffix}") for suffix in suffixes)
        )

    def remove_others(self, kept: Container[str], suffixes: Sequence[str]) -> tuple[str, ...]:
        """Remove what was written before, is as it was and is not kept; the stems."""
        removed = []
        for stem in sorted({Path(name).stem for name in self._written}):
            names = [f"{stem}{suffix}" for suffix in suffixes]
            there = [name for name in names if (self._folder / name).exists()]
            if there and all(name not in kept and self.is_ours(name) for name in names):
                removed.append(stem)
                for name in there:
                    (self._folder / name).unlink(missing_ok=True)
        return tuple(removed)

    def is_ours(self, name: str) -> bool:
        """Whether a file may be replaced: it is as it was written, or there is none."""
        try:
            with open_regular(self._folder / name) as file:
                seal = _seal(iter(lambda: file.read(1 << 20), b""))
                return seal in self._written.get(name, ())
        except FileNotFoundError:
            return True
        except (OSError, StorageError):
            return False


def _seal(chunks: Iterable[bytes]) -> str:
    digest = sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


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
            (one, [(figure_text(name, one.figures[name]), one in best[name]) for name in best])
            for one in found
            if one.on_front
        ],
        meetings=sorted({str(one.design.enemy) for one in found}),
        properties=dict.fromkeys(about for one in found for about in one.properties),
        qualities=QUALITIES,
        row_label=row_label,
        label=lambda name: QUALITIES[name].title,
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
