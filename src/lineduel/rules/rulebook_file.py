"""Rulebooks as files with comments and as links, and a new rulebook to begin with."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from lineduel.errors import NotationError
from lineduel.rules.keys import RULE_TABLES, RULEBOOK_KEYS, RULEBOOK_TABLES, RulebookKey
from lineduel.rules.rulebook import Claim, Property, Rulebook
from lineduel.rules.toml import rulebook_data, rulebook_from_data
from lineduel.rules.toml_text import toml_key, toml_table, toml_value

# A file with a comment on every key

_WIDTH = 88
_COLUMN = 26
"""Where a comment beside a short value begins."""
_OWN_WORDS = ("player1", "player2", "welcome", "won_goal")
"""What a file without words shows how to change."""


def write_rulebook(rulebook: Rulebook, heads: Sequence[str] = ()) -> str:
    """A rulebook as the text of a TOML file with comments; reading it gives the same rulebook.

    `heads` are the first lines, comments themselves. A file's name is the id of what is read from
    it, so a variant is written as a rulebook of its own.
    """
    return "\n".join(_lines(rulebook_data(rulebook), heads)) + "\n"


def _lines(data: Mapping[str, Any], heads: Sequence[str]) -> Iterator[str]:
    yield from heads
    for key in RULEBOOK_TABLES[""].keys:
        yield from _commented(key.name, data[key.name], key.meaning)
    for table in RULE_TABLES:
        if table in data:
            yield from _rules_table(table, data[table])
    yield from _words_table(data["words"])
    yield from _list_of_tables("claims", data["claims"])
    yield from _list_of_tables("errata", data["errata"])
    if data["variants"]:
        yield ""
        yield from _comment(RULEBOOK_TABLES["variants"].meaning)
    for name, variant in data["variants"].items():
        yield from toml_table(f"variants.{toml_key(name)}", variant)


def _rules_table(table: str, keys: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield from _comment(RULEBOOK_TABLES[table].meaning)
    yield f"[{table}]"
    for name, value in keys.items():
        key = RULEBOOK_KEYS[f"{table}.{name}"]
        if key.words:
            yield from _comment(f"{key.meaning.removesuffix('.')}:")
            yield from _words_of(key)
            yield f"{name} = {toml_value(value)}"
        else:
            yield from _commented(name, value, key.meaning)


def _words_of(key: RulebookKey) -> Iterator[str]:
    for word, meaning in key.words.items():
        yield from _comment(f'  "{word}": {meaning}', "    ")


def _words_table(words: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield from _comment(RULEBOOK_TABLES["words"].meaning)
    if not words:
        yield "# [words]"
        for key in _OWN_WORDS:
            yield f"# {key} = {toml_value(RULEBOOK_KEYS[f'words.{key}'].default)}"
        return
    yield from _texts("words", {key: one for key, one in words.items() if key != "board"})
    if "board" in words:
        yield ""
        yield from _comment(RULEBOOK_TABLES["words.board"].meaning)
        yield from _texts("words.board", words["board"])


def _texts(table: str, texts: Mapping[str, str]) -> Iterator[str]:
    yield f"[{table}]"
    for key, text in texts.items():
        yield from _comment(RULEBOOK_KEYS[f"{table}.{key}"].meaning)
        yield f"{key} = {toml_value(text)}"


def _list_of_tables(name: str, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if name == "claims":
        yield ""
        yield from _comment(
            f"{RULEBOOK_TABLES['claims'].meaning} The properties that can be tested:"
        )
        yield from _words_of(RULEBOOK_KEYS["claims.property"])
    elif entries:
        yield ""
        yield from _comment(RULEBOOK_TABLES[name].meaning)
    for entry in entries:
        yield f"[[{name}]]"
        yield from (f"{key} = {toml_value(value)}" for key, value in entry.items())
        yield ""


def _commented(key: str, value: object, meaning: str) -> Iterator[str]:
    """A key with its meaning beside it where there is room, else above it."""
    line = f"{key} = {toml_value(value)}"
    beside = f"{line:<{_COLUMN}}# {meaning}"
    if len(line) < _COLUMN and len(beside) <= _WIDTH:
        yield beside
        return
    yield from _comment(meaning)
    yield line


def _comment(text: str, indent: str = "") -> Iterator[str]:
    wrapped = wrap(
        text, _WIDTH - 2, subsequent_indent=indent, drop_whitespace=True, break_on_hyphens=False
    )
    return (f"# {line}" for line in wrapped)


# A link to the designer of `lineduel serve`

DESIGN_PATH = "/design"
_RAW_DEFLATE = -15
"""The number by which zlib knows deflate without a header."""


def design_link(toml: str, server: str = "") -> str:
    """The address that opens a rulebook in the designer of a server, such as `http://host:8000`."""
    return f"{server.rstrip('/')}{DESIGN_PATH}#{pack_rulebook(toml)}"


def pack_rulebook(toml: str) -> str:
    """A rulebook's text as letters for an address: deflate (RFC 1951), then base64url."""
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW_DEFLATE)
    packed = packer.compress(toml.encode()) + packer.flush()
    return urlsafe_b64encode(packed).decode().rstrip("=")


def unpack_rulebook(packed: str, largest: int) -> str:
    """The inverse of `pack_rulebook`; a text of more than `largest` bytes is refused."""
    unpacker = zlib.decompressobj(_RAW_DEFLATE)
    try:
        padded = packed.encode("ascii") + b"=" * (-len(packed) % 4)
        text = unpacker.decompress(urlsafe_b64decode(padded), largest + 1)
        if len(text) > largest:
            raise NotationError(f"The link holds more than {largest:,} bytes.")
        if unpacker.eof:
            return text.decode()
    except (ValueError, zlib.error):  # not ASCII, not base64, not deflate, not UTF-8
        pass
    raise NotationError("The link is damaged: it does not hold a whole rulebook.")


# A rulebook to begin with, made from a few answers

_CLAIMS = (
    Claim("Every game ends.", Property.ALWAYS_ENDS),
    Claim("A game is quick.", Property.ENDS_QUICKLY),
    Claim("The better player wins.", Property.SKILL_WINS),
    Claim("Every choice can matter.", Property.CHOICES_MATTER),
)
"""The claims of a new rulebook, for its author to change."""
WAYS_TO_WIN = {
    "end": "the player who reaches the far end of the track",
    "camp": "the player who reaches a cell where the enemy started",
}
"""Who wins, by the word for it."""


@dataclass(frozen=True, slots=True)
class NewDuel:
    """The answers to the questions, with their defaults."""

    title: str
    cells: int = 11
    pieces: int = 2
    steps: tuple[int, ...] = (1, 2)
    enemy: str = "captured"
    numbers: int = 5
    battle: str = "undercut"
    winning: str = "end"


def designed(design: NewDuel) -> Rulebook:
    """The rulebook for some answers: each side's pieces in a row at its end of the track."""
    last = design.cells - 1
    homes1 = list(range(design.pieces))
    homes2 = [last - home for home in homes1]
    at_end = design.winning == "end"
    data: dict[str, Any] = {
        "title": design.title,
        "summary": _summary(design),
        "track": {"first": 0, "last": last},
        "player1": _team("A", homes1, [last] if at_end else sorted(homes2)),
        "player2": _team("B", homes2, [0] if at_end else sorted(homes1)),
        "move": {"steps": list(design.steps)},
        "meet": {"enemy": design.enemy},
        "claims": [{"says": one.says, "property": str(one.property)} for one in _CLAIMS],
    }
    if design.enemy == "battle":
        data["battle"] = {"numbers": design.numbers, "wins": design.battle}
    return rulebook_from_data(data, "new")


def _team(letter: str, homes: list[int], goal: list[int]) -> dict[str, Any]:
    pieces = {f"{letter}{number}": home for number, home in enumerate(homes, start=1)}
    return {"pieces": pieces, "goal": goal}


def _summary(design: NewDuel) -> str:
    side = "one piece" if design.pieces == 1 else f"{design.pieces} pieces"
    return f"{side[0].upper()}{side[1:]} a side; {WAYS_TO_WIN[design.winning]} wins."
