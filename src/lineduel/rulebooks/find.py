"""Finding a rulebook by its address, and reading it."""

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from lineduel import rules
from lineduel.errors import NotARulebook, NotText, RulebookError, UnknownGame, shown
from lineduel.rulebooks.catalogue import SHIPPED, catalogue, shipped_path
from lineduel.rules import Rulebook, apply_variant, rulebook_from_data
from lineduel.safe_toml import parse_toml
from lineduel.storage import read_text

LARGEST_RULEBOOK = 1 << 20
"""Bytes of the largest rulebook that is read."""
_SUFFIX = ".toml"
_OF_A_RULEBOOK = re.compile(
    r"^\s*(\[\[?)?\s*(title|summary|track|player[12]|turn|move|meet|battle|words|claims)\b",
    re.MULTILINE,
)
"""What begins a line of every rulebook, even of one with mistakes."""


def find_rulebook(address: str) -> Rulebook:
    """The rulebook at an address: an id, `id:variant`, a TOML file's path, or `path:variant`.

    Ids of shipped games, and their variants, may be written in capitals.
    """
    place, variant = _split(address)
    if place.lower() in SHIPPED:
        place, variant = place.lower(), variant and variant.lower()
        rulebook = _shipped(place)
    elif place.endswith(_SUFFIX) or os.sep in place:
        rulebook = read_rulebook(Path(place))
    else:
        raise _unknown(address)
    return rulebook if variant is None else apply_variant(rulebook, variant)


def rulebook_file(address: str) -> Path:
    """The file that a rulebook of that address is read from."""
    place = _split(address)[0]
    return shipped_path(place.lower()) if place.lower() in SHIPPED else Path(place)


def shipped_rulebooks() -> Iterator[Rulebook]:
    """The shipped rulebooks in the order of the menu, without their variants."""
    return map(_shipped, SHIPPED)


def read_rulebook(path: Path) -> Rulebook:
    """A rulebook from its file."""
    text = read_rulebook_text(path)
    try:
        return rulebook_from_data(parse_toml(text), shown(path.stem, 255))
    except ValueError as error:
        raise rules.not_toml(error, str(path)) from None
    except RulebookError as error:
        raise rules.main_problem(text, error, str(path)) from None


def read_rulebook_text(path: Path) -> str:
    """The text of a rulebook file, right or wrong; a file of another kind is refused."""
    try:
        text = read_text(path, LARGEST_RULEBOOK)
    except NotText:
        what = f"{shown(path, 300)} is not a rulebook: it is not a text file in UTF-8."
        raise NotARulebook(what) from None
    is_foreign = path.suffix != _SUFFIX or _is_toml(text)
    if text.strip() and is_foreign and not _OF_A_RULEBOOK.search(text):
        raise NotARulebook(f"{shown(path, 300)} is not a rulebook.")
    return text


def _is_toml(text: str) -> bool:
    try:
        parse_toml(text)
    except ValueError:
        return False
    return True


@lru_cache
def _shipped(id: str) -> Rulebook:
    return read_rulebook(shipped_path(id))


def _split(address: str) -> tuple[str, str | None]:
    place, colon, variant = address.rpartition(":")
    if not colon or variant.endswith(_SUFFIX) or os.sep in variant:
        return address, None
    return place, variant


def _unknown(address: str) -> UnknownGame:
    from difflib import get_close_matches

    known = {address: address for entry in catalogue() for address in entry.addresses()}
    titles = {entry.title.lower(): entry.address for entry in catalogue()}
    typed = address.lower()
    begun = [
        name for name in known if len(typed) > 1 and name.startswith(typed) and ":" not in name
    ]
    near = begun or get_close_matches(typed, [*known, *titles], n=2, cutoff=0.5)
    nearest = dict.fromkeys((known | titles)[name] for name in near)
    return UnknownGame(address, tuple(nearest))
