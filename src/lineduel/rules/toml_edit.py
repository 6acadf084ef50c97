"""A TOML text with some of its values changed: its comments stay where that is possible."""

from collections.abc import Iterator, Mapping
from typing import Any

from lineduel.rules.toml_lines import key_lines
from lineduel.rules.toml_text import toml_key, toml_table, toml_text, toml_value
from lineduel.safe_toml import parse_toml

_MISSING: Any = object()


class _NotOneLine(Exception):
    """A value is not written in one line of its own."""


def edited_toml(text: str, data: Mapping[str, Any]) -> str:
    """Data as TOML: an older text of it with the lines changed that differ, else written anew."""
    try:
        before = parse_toml(text)
        edited = _edited(text, before, data)
        if parse_toml(edited) == data:
            return edited
    except (ValueError, _NotOneLine):
        pass
    return toml_text(data)


def _edited(text: str, before: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """The text with a line changed, added or removed for each difference; to be checked."""
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
