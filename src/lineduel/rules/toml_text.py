"""Nested data as TOML text, whether it makes a rulebook or not."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_UNWRITABLE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
"""Control characters, which a text of several lines cannot hold as they are."""
_IN_ONE_LINE = "pieces"
"""The table that stands in one line."""


def toml_text(data: Mapping[str, Any]) -> str:
    """A TOML document without comments; keys without a value are left out."""
    return "\n".join(_document(data)).rstrip("\n") + "\n"


def _document(data: Mapping[str, Any]) -> Iterator[str]:
    tables = {
        name: value for name, value in data.items() if _is_table(value) or _is_list_of_tables(value)
    }
    yield from _assignments({name: one for name, one in data.items() if name not in tables})
    yield ""
    for name, value in tables.items():
        if _is_table(value):
            yield from toml_table(toml_key(name), value)
        else:
            for entry in value:
                yield f"[[{toml_key(name)}]]"
                yield from _assignments(entry)
                yield ""


def toml_table(path: str, table: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a table and of those in it, each with an empty one after it.

    Pieces stand in one line.
    """
    inner = {key: one for key, one in table.items() if _is_table(one) and key != _IN_ONE_LINE}
    if len(inner) < len(table) or not inner:
        yield f"[{path}]"
        yield from _assignments({key: one for key, one in table.items() if key not in inner})
        yield ""
    for key, value in inner.items():
        yield from toml_table(f"{path}.{toml_key(key)}", value)


def _assignments(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if value is not None:
            yield f"{toml_key(key)} = {toml_value(value)}"


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_table, value))


def toml_key(name: str) -> str:
    """A key, in quotes where it needs them."""
    return name if _BARE.fullmatch(name) else _quoted(name)


def toml_value(value: object) -> str:
    """A value; a text with line breaks as one of several lines."""
    match value:
        case bool():
            return str(value).lower()
        case str() if "\n" in value and not _UNWRITABLE.search(value):
            escaped = value.replace("\\", "\\\\").replace('"""', '""\\"')
            if escaped.endswith('"'):
                escaped = f'{escaped[:-1]}\\"'
            return f'"""\n{escaped}"""'
        case str():
            return _quoted(value)
        case Mapping():
            pairs = (f"{toml_key(key)} = {toml_value(one)}" for key, one in value.items())
            return f"{{ {', '.join(pairs)} }}"
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
        case None:
            return '""'
        case _:
            return str(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
