"""Rules as assignments of single keys, `move.steps=1,2,3`: for a command line or one line of text.

`player1.pieces=P1-A:0,P1-B:1` gives pieces with their cells, and `player1.piece_steps=P1-A:1/2` the
steps of single ones. An empty list is `none`. On a command line `track.length=9` resizes the
track; it is never written into a file.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from lineduel.errors import NotationError, RulebookError, shown
from lineduel.rules.keys import RULE_KEYS, KeyKind
from lineduel.rules.rulebook import Rulebook, Rules
from lineduel.rules.toml import all_rules_data, apply_changes, rules_data, rules_from_data
from lineduel.rules.vocabulary import MAX_CELLS, MIN_CELLS, Side
from lineduel.rules.words import listed

LENGTH = "track.length"
"""How the number of cells is called on a command line; a rulebook says first and last."""
_BETWEEN = "; "
_EMPTY = "none"
"""A list without entries."""

_KEYS = {path: key.kind for path, key in RULE_KEYS.items()}
COMMAND_KEYS = {LENGTH: KeyKind.INTEGER, **_KEYS}
"""Every key that can be assigned on a command line, and the kind of value it takes."""


def parse_assignments(
    texts: Iterable[str], keys: Mapping[str, KeyKind] = _KEYS
) -> dict[str, dict[str, Any]]:
    """Changes nested as in a rulebook file, from texts like `move.steps=1,2,3`."""
    changes: dict[str, dict[str, Any]] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise NotationError(
                f"'{shown(text)}' does not set a rule. Write key=value, as move.steps=1,2,3."
            )
        if name not in keys:
            raise unknown_rule(name, keys)
        table, key = name.split(".")
        if key in changes.get(table, {}):
            raise NotationError(f"{name} is set twice. Give each key once.")
        changes.setdefault(table, {})[key] = _parse_value(name, value)
    return changes


def unknown_rule(name: str, keys: Iterable[str]) -> NotationError:
    """The error about an unknown key; it names the most similar keys, or all of them."""
    from difflib import get_close_matches

    known = list(keys)
    within = [key for key in known if name and key.endswith(f".{name}")]
    near = within or get_close_matches(name, known, n=1)
    advice = f"Did you mean {listed(near, 'or')}?" if near else f"The rules: {', '.join(known)}."
    return NotationError(f"'{shown(name)}' is not a rule. {advice}")


def assign(rulebook: Rulebook, texts: Iterable[str]) -> Rulebook:
    """The rulebook with the keys that a command line sets: `move.steps=1,2,3`, `track.length=9`."""
    return apply_assigned(rulebook, parse_assignments(texts, COMMAND_KEYS))


def apply_assigned(rulebook: Rulebook, changes: Mapping[str, Mapping[str, Any]]) -> Rulebook:
    """The rulebook with some keys changed; the track is resized before the others are set."""
    track = dict(changes.get("track", {}))
    length = track.pop("length", None)
    if length is None:
        return apply_changes(rulebook, changes)
    check_length_alone(f"track.{key}" for key in track)
    changed = resize(rulebook.rules, length)
    for table, keys in changes.items():
        if table != "track":
            changed[table] = {**changed.get(table, {}), **keys}
    return apply_changes(rulebook, changed)


def check_length_alone(others: Iterable[str]) -> None:
    """Refuse the keys of the track's ends together with its length."""
    for key in others:
        if key in ("track.first", "track.last"):
            raise NotationError(
                f"{LENGTH} and {key} cannot go together.\nGive {LENGTH} to resize the track and "
                f"move what lies in its right half, or {key} to change that key alone."
            )


def resize(rules: Rules, length: int) -> dict[str, dict[str, Any]]:
    """The keys that change when the track gets `length` cells, nested as in a rulebook file.

    What lies in the very middle moves half as far as the end. RulebookError where that would put
    it between two cells.
    """
    if not MIN_CELLS <= length <= MAX_CELLS:
        raise RulebookError(LENGTH, str(length), f"{MIN_CELLS} to {MAX_CELLS} cells")
    track = rules.track
    more = length - len(track)

    def moved(cell: int) -> int:
        left, right = cell - track.first, track.last - cell
        if left != right:
            return cell + more if left > right else cell
        if more % 2:
            raise RulebookError(
                LENGTH,
                f"{length} puts what lies on {cell}, in the middle, between two cells",
                "an odd number of cells",
            )
        return cell + more // 2

    keys: dict[str, dict[str, Any]] = {"track": {"first": track.first, "last": track.last + more}}
    for side in Side:
        team = rules.team(side)
        keys[f"player{side}"] = {
            "pieces": {piece.name: moved(piece.home) for piece in team.pieces},
            "goal": [moved(cell) for cell in team.goal],
        }
    return keys


def assignments_between(before: Rules, after: Rules) -> tuple[str, ...]:
    """The fewest settings on a command line that turn some rules into others."""
    old, new = all_rules_data(before), all_rules_data(after)
    direct = _differences(old, new)
    if len(before.track) == len(after.track) or before.track.first != after.track.first:
        return direct
    try:
        moved = resize(before, len(after.track))
    except RulebookError:
        return direct
    resized = {table: {**keys, **moved.get(table, {})} for table, keys in old.items()}
    return min((f"{LENGTH}={len(after.track)}", *_differences(resized, new)), direct, key=len)


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys of `new` whose values differ in `old`, or from the default where it lacks them."""
    return tuple(
        f"{table}.{key}={text}"
        for table, keys in new.items()
        for key, value in keys.items()
        if (text := format_value(value))
        != format_value(old.get(table, {}).get(key, _silent(f"{table}.{key}")))
    )


def _silent(path: str) -> Any:
    """The value that a key has where it is not written; None if it is always written."""
    return RULE_KEYS[path].default if RULE_KEYS[path].is_recent else None


def format_rules(rules: Rules) -> str:
    """All keys of the rules in one line."""
    data = rules_data(rules)
    return _BETWEEN.join(
        f"{table}.{key}={format_value(value)}"
        for table, keys in data.items()
        for key, value in keys.items()
    )


def parse_rules(text: str) -> Rules:
    """The inverse of `format_rules`."""
    return rules_from_data(parse_assignments(text.split(_BETWEEN.strip())))


def format_value(value: object) -> str:
    """A value as it is assigned: `1,2,3`, `P1-A:0,P1-B:1`, `true`, `sent home`."""
    match value:
        case bool():
            return str(value).lower()
        case list() | tuple() | dict() if not value:
            return _EMPTY
        case dict():
            return ",".join(
                f"{name}:{'/'.join(map(str, held)) if isinstance(held, list | tuple) else held}"
                for name, held in value.items()
            )
        case list() | tuple():
            return ",".join(map(str, value))
        case _:
            return str(value)


def _parse_value(name: str, text: str) -> object:
    match COMMAND_KEYS[name]:
        case KeyKind.INTEGER:
            return _integer(name, text)
        case KeyKind.INTEGERS:
            if text.strip() == _EMPTY:
                return []
            return [_integer(name, part) for part in text.split(",")]
        case KeyKind.FLAG:
            if text.lower() not in ("true", "false"):
                raise NotationError(f"{name} is true or false, not '{shown(text)}'.")
            return text.lower() == "true"
        case KeyKind.PIECES:
            return {piece: _integer(name, cell) for piece, cell in _pairs(name, text, "A:0,B:1")}
        case KeyKind.PIECE_STEPS:
            if text.strip() == _EMPTY:
                return {}
            return {
                piece: [_integer(name, step) for step in steps.split("/")]
                for piece, steps in _pairs(name, text, "A:1,B:1/2")
            }
        case _:
            return text.strip("\"'")


def _integer(name: str, text: str) -> int:
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", text):
        raise NotationError(f"{name} takes whole numbers, not '{shown(text.strip())}'.")
    return int(text)


def _pairs(name: str, text: str, example: str) -> Iterable[tuple[str, str]]:
    """The pieces of a value, each with what stands behind its colon."""
    pieces: dict[str, str] = {}
    for part in text.split(","):
        piece, colon, held = (one.strip() for one in part.partition(":"))
        if not colon or not piece or piece in pieces:
            what = "cells" if "/" not in example else "steps"
            raise NotationError(f"{name} takes different names with {what}, as {example}.")
        pieces[piece] = held
    return pieces.items()
