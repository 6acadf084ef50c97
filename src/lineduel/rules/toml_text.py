"""TOML as text: data written, a text edited so that its comments stay, and the line of each key."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from lineduel.safe_toml import parse_toml

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


# Editing

_MISSING: Any = object()


class _NotOneLine(Exception):
    """A value is not written in one line of its own."""


def edited_toml(text: str, data: Mapping[str, Any]) -> str:
    """Data as TOML: if possible an older text with only some lines changed, else a new text."""
    try:
        before = parse_toml(text)
        edited = _edited(text, before, data)
        if parse_toml(edited) == data:
            return edited
    except (ValueError, _NotOneLine):
        pass
    return toml_text(data)


def _edited(text: str, before: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """The text with a line changed, added or removed for each difference; still to be checked."""
    lines: list[str | None] = [*text.split("\n")]
    places, end = key_lines(text), [*_new_tables(before, data)]
    added: list[tuple[int, str]] = []
    for table, key, old, new in _differences(before, data):
        place = places.get(f"{table}.{key}" if table else key)
        if old is _MISSING:
            place = places.get(table) if table else places.get("title", 0)
        if place is None:
            raise _NotOneLine
        if old is _MISSING:
            added.append((place, f"{toml_key(key)} = {toml_value(new)}"))
        else:
            lines[place - 1] = _changed_line(lines[place - 1] or "", old, new)
    for place, line in sorted(added, reverse=True):
        lines.insert(place, line)
    kept = "\n".join(line for line in lines if line is not None)
    return "\n".join((kept.rstrip("\n"), *end)).rstrip("\n") + "\n"


def _differences(
    before: Mapping[str, Any], after: Mapping[str, Any], table: str = ""
) -> Iterator[tuple[str, str, Any, Any]]:
    """Each value that differs: its table, its key, what it was and what it is."""
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key, _MISSING), after.get(key, _MISSING)
        is_table = isinstance(new, Mapping) and key != "pieces"
        if is_table and isinstance(old, Mapping):
            yield from _differences(old, new, f"{table}.{key}" if table else key)
        elif is_table and old is _MISSING and not table:
            continue  # written at the end
        elif isinstance(old, Mapping) and new is _MISSING:
            yield from _differences(old, {}, f"{table}.{key}" if table else key)
            yield table, key, old, new
        elif old != new:
            yield table, key, old, new


def _new_tables(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the tables that were not there before."""
    for name, value in after.items():
        if isinstance(value, Mapping) and name not in before:
            yield ""
            yield from toml_table(toml_key(name), value)


def _changed_line(line: str, old: object, new: object) -> str | None:
    """A line `key = old  # comment` with another value; None for one that is no longer needed."""
    if new is _MISSING and line.lstrip().startswith("["):
        return None
    head, _, rest = line.partition("=")
    ends = [*(at for at, letter in enumerate(rest) if letter == "#"), len(rest)]
    for end in ends:
        written = rest[:end].rstrip()
        try:
            value = parse_toml(f"x ={written}")["x"]
        except ValueError:
            continue
        if value == old and type(value) is type(old):
            if new is _MISSING:
                return None
            return f"{head.rstrip()} = {toml_value(new)}{rest[len(written) :]}"
    raise _NotOneLine


# The lines of keys

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_KEY = re.compile(r"[ \t]*(?:\"((?:[^\"\\\n]|\\.)*)\"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*")
_TEXTS = (
    re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)
_OTHER = re.compile(r"[^,\]}\n#]*")


def key_lines(text: str) -> dict[str, int]:
    """The line of each table and key of a valid TOML text; `claims[1].says` for lists of tables."""
    return dict(reversed([*_Scanner(text).keys()]))


class _Scanner:
    """Walks over a text that is known to be TOML."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counts: dict[str, int] = {}

    def keys(self) -> Iterator[tuple[str, int]]:
        """Each path with its line, in the order of the text; a table may come again."""
        table = ""
        while self._skip_blank():
            line = self._line()
            if self._takes("[["):
                path = self._path()
                self._counts[path] = self._counts.get(path, 0) + 1
                yield path, line
                table = self._counted(path)
                yield table, line
                self._at += len("]]")
            elif self._takes("["):
                table = self._counted(self._path())
                yield table, line
                self._at += len("]")
            else:
                yield from self._assignment(table)

    def _assignment(self, table: str) -> Iterator[tuple[str, int]]:
        """`key = value`, and the keys of a table in the value."""
        line, before = self._line(), self._at
        path = _joined(table, self._path())
        if self._at == before:  # not TOML after all
            self._at = len(self._text)
            return
        yield path, line
        self._takes("=")
        yield from self._value(path)

    def _value(self, path: str) -> Iterator[tuple[str, int]]:
        self._skip_blank()
        if self._takes("{"):
            while self._skip_blank() and not self._takes("}"):
                yield from self._assignment(path)
                self._skip_blank()
                self._takes(",")
        elif self._takes("["):
            number = 0
            while self._skip_blank() and not self._takes("]"):
                number += 1
                yield f"{path}[{number}]", self._line()
                yield from self._value(f"{path}[{number}]")
                self._skip_blank()
                self._takes(",")
        else:
            self._plain_value()

    def _plain_value(self) -> None:
        for pattern in (*_TEXTS, _OTHER):
            if found := pattern.match(self._text, self._at):
                self._at = found.end()
                return

    def _path(self) -> str:
        """A dotted key; the scanner is left behind it."""
        path = ""
        while found := _KEY.match(self._text, self._at):
            self._at = found.end()
            path = _joined(path, next(one for one in found.groups() if one is not None))
            if not self._takes("."):
                break
        return path

    def _counted(self, path: str) -> str:
        """A table's path with the number of the list's entry that it is in."""
        for known, count in self._counts.items():
            if path == known or path.startswith(f"{known}."):
                return f"{known}[{count}]{path[len(known) :]}"
        return path

    def _skip_blank(self) -> bool:
        """Go to the next word; False at the end of the text."""
        if found := _BLANK.match(self._text, self._at):
            self._at = found.end()
        return self._at < len(self._text)

    def _takes(self, mark: str) -> bool:
        if self._text.startswith(mark, self._at):
            self._at += len(mark)
            return True
        return False

    def _line(self) -> int:
        return self._text.count("\n", 0, self._at) + 1


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
