"""A rulebook as the text of a file, with a comment on every key."""

import json
import re
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

_WIDTH = 88
_COLUMN = 26
"""Where a comment beside a short value begins."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_OWN_WORDS = (
    'player1 = "Player 1"',
    'player2 = "Player 2"',
    'welcome = "{board}"',
    'won_goal = "{player} has reached the goal. {player} wins!"',
)
"""What a file without words shows how to change."""


def commented_rulebook(rulebook: Rulebook, heads: Sequence[str] = ()) -> str:
    """The inverse of reading, with comments; `heads` are the first lines, comments themselves."""
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
        yield from _plain_table(f"variants.{_key(name)}", variant)


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
            yield f"{key} = {_value(value)}"
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
            yield f"{key} = {_value(value)}"
    if "board" in words:
        yield ""
        yield from _comment(TABLE_MEANINGS["words.board"])
        yield "[words.board]"
        for key, value in words["board"].items():
            yield from _comment(WORD_MEANINGS[f"board.{key}"])
            yield f"{key} = {_value(value)}"


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
        yield from (f"{key} = {_value(value)}" for key, value in entry.items())
        yield ""


def _plain_table(path: str, table: Mapping[str, Any]) -> Iterator[str]:
    """A table with those in it, but for pieces, which stand in one line."""
    yield f"[{path}]"
    inner = {key: one for key, one in table.items() if isinstance(one, Mapping) and key != "pieces"}
    for key, value in table.items():
        if key not in inner:
            yield f"{_key(key)} = {_value(value)}"
    yield ""
    for key, value in inner.items():
        yield from _plain_table(f"{path}.{_key(key)}", value)


def _commented(key: str, value: object, meaning: str) -> Iterator[str]:
    """A key with its meaning beside it where there is room, else above it."""
    line = f"{key} = {_value(value)}"
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


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str() if "\n" in value:
            escaped = value.replace("\\", "\\\\").replace('"""', '""\\"')
            if escaped.endswith('"'):
                escaped = f'{escaped[:-1]}\\"'
            return f'"""\n{escaped}"""'
        case str():
            return json.dumps(value, ensure_ascii=False)
        case Mapping():
            return (
                f"{{ {', '.join(f'{_key(key)} = {_value(one)}' for key, one in value.items())} }}"
            )
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            return str(value)
