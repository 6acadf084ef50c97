"""A rulebook as the text of a file, with a comment on every key."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from lineduel.rules.reference import (
    KEY_CHOICES,
    OTHER_MEANINGS,
    PROPERTY_MEANINGS,
    RULE_MEANINGS,
    TABLE_MEANINGS,
    WORD_MEANINGS,
)
from lineduel.rules.rulebook import Rulebook
from lineduel.rules.toml import RULE_TABLES, rulebook_data
from lineduel.rules.toml_text import toml_key, toml_table, toml_value

_WIDTH = 88
_COLUMN = 26
"""Where a comment beside a short value begins."""
_OWN_WORDS = (
    'player1 = "Player 1"',
    'player2 = "Player 2"',
    'welcome = "{board}"',
    'won_goal = "{player} has reached the goal. {player} wins!"',
)
"""What a file without words shows how to change."""


def write_rulebook(rulebook: Rulebook, heads: Sequence[str] = ()) -> str:
    """A rulebook as the text of a TOML file with comments; reading it gives the same rulebook.

    `heads` are the first lines, comments themselves. A file's name is the id of what is read from
    it, so a variant is written as a rulebook of its own.
    """
    return "\n".join(_lines(rulebook_data(rulebook), heads)) + "\n"


def _lines(data: Mapping[str, Any], heads: Sequence[str]) -> Iterator[str]:
    yield from heads
    for key in ("title", "summary"):
        yield from _commented(key, data[key], OTHER_MEANINGS[key])
    for table in RULE_TABLES:
        if table in data:
            yield from _rules_table(table, data[table])
    yield from _words_table(data["words"])
    yield from _list_of_tables("claims", data["claims"])
    yield from _list_of_tables("errata", data["errata"])
    if data["variants"]:
        yield ""
        yield from _comment(TABLE_MEANINGS["variants"])
    for name, variant in data["variants"].items():
        yield from toml_table(f"variants.{toml_key(name)}", variant)


def _rules_table(table: str, keys: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield from _comment(TABLE_MEANINGS[table])
    yield f"[{table}]"
    for key, value in keys.items():
        name = f"{table}.{key}"
        if name in KEY_CHOICES:
            yield from _comment(f"{RULE_MEANINGS[name].removesuffix('.')}:")
            for word, meaning in KEY_CHOICES[name].items():
                yield from _comment(f'  "{word}": {meaning}', "    ")
            yield f"{key} = {toml_value(value)}"
        else:
            yield from _commented(key, value, RULE_MEANINGS[name])


def _words_table(words: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield from _comment(TABLE_MEANINGS["words"])
    if not words:
        yield "# [words]"
        yield from (f"# {one}" for one in _OWN_WORDS)
        return
    yield "[words]"
    for key, value in words.items():
        if key != "board":
            yield from _comment(WORD_MEANINGS[key])
            yield f"{key} = {toml_value(value)}"
    if "board" in words:
        yield ""
        yield from _comment(TABLE_MEANINGS["words.board"])
        yield "[words.board]"
        for key, value in words["board"].items():
            yield from _comment(WORD_MEANINGS[f"board.{key}"])
            yield f"{key} = {toml_value(value)}"


def _list_of_tables(name: str, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if name == "claims":
        yield ""
        yield from _comment(f"{TABLE_MEANINGS['claims']} The properties that can be tested:")
        for about, meaning in PROPERTY_MEANINGS.items():
            yield from _comment(f'  "{about}": {meaning}', "    ")
    elif entries:
        yield ""
        yield from _comment(TABLE_MEANINGS[name])
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
