"""A rulebook as the text of a file, with a comment on every key."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from lineduel.rules.keys import RULE_TABLES, RULEBOOK_KEYS, RULEBOOK_TABLES, RulebookKey
from lineduel.rules.rulebook import Rulebook
from lineduel.rules.toml import rulebook_data
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
        yield from (f"# {one}" for one in _OWN_WORDS)
        return
    yield "[words]"
    for key, value in words.items():
        if key != "board":
            yield from _comment(RULEBOOK_KEYS[f"words.{key}"].meaning)
            yield f"{key} = {toml_value(value)}"
    if "board" in words:
        yield ""
        yield from _comment(RULEBOOK_TABLES["words.board"].meaning)
        yield "[words.board]"
        for key, value in words["board"].items():
            yield from _comment(RULEBOOK_KEYS[f"words.board.{key}"].meaning)
            yield f"{key} = {toml_value(value)}"


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
