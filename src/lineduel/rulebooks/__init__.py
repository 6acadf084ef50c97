"""The shipped rulebooks, and how any rulebook is found."""

import os
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from lineduel.errors import RulebookError, UnknownGame
from lineduel.rules import Rulebook, apply_reading, rulebook_from_data
from lineduel.storage import read_text

SHIPPED = ("ctf-soldiers", "flag-chase", "blockade-duel", "ctf-tokens", "cross-over")
"""The ids of the shipped rulebooks, in the order of the menu."""

_FOLDER = Path(__file__).parent
_SUFFIX = ".toml"


def find_rulebook(address: str) -> Rulebook:
    """The rulebook at an address: an id, `id:reading`, a TOML file's path, or `path:reading`."""
    place, reading = _split(address)
    if place in SHIPPED:
        rulebook = _shipped(place)
    elif place.endswith(_SUFFIX) or os.sep in place:
        rulebook = read_rulebook(Path(place))
    else:
        raise _unknown(address)
    return apply_reading(rulebook, reading) if reading else rulebook


def shipped_rulebooks() -> Iterator[Rulebook]:
    """The shipped rulebooks in the order of the menu, without their readings."""
    return map(_shipped, SHIPPED)


def read_rulebook(path: Path) -> Rulebook:
    """A rulebook from its file."""
    text = read_text(path)
    try:
        return rulebook_from_data(tomllib.loads(text), path.stem)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "nested too deeply"
        raise RulebookError("not TOML", message, "one TOML document", str(path)) from None
    except RulebookError as error:
        raise error.located(str(path)) from None


@lru_cache
def _shipped(id: str) -> Rulebook:
    return read_rulebook(_FOLDER / f"{id}{_SUFFIX}")


def _split(address: str) -> tuple[str, str | None]:
    place, colon, reading = address.rpartition(":")
    if not colon or reading.endswith(_SUFFIX) or os.sep in reading:
        return address, None
    return place, reading


def _unknown(address: str) -> UnknownGame:
    from difflib import get_close_matches

    known = {
        name: name
        for rulebook in shipped_rulebooks()
        for name in (rulebook.id, *(f"{rulebook.id}:{one.name}" for one in rulebook.readings))
    }
    titles = {rulebook.title.lower(): rulebook.id for rulebook in shipped_rulebooks()}
    near = get_close_matches(address.lower(), [*known, *titles], n=2, cutoff=0.5)
    nearest = dict.fromkeys((known | titles)[name] for name in near)
    advice = "See 'lineduel games' for all of them, or give the path of a .toml file."
    return UnknownGame(address, tuple(nearest), advice)
