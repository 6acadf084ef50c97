"""All combinations of chosen keys: the rulebooks of a sweep."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from lineduel.errors import NotationError, RulebookError, shown
from lineduel.lab.changes import stretched
from lineduel.rules import Rulebook, apply_changes
from lineduel.rules.assignments import KEYS, parse_assignments

LENGTH = "track.last"
_RANGE = re.compile(r"(-?\d{1,4})\.\.(-?\d{1,4})")


@dataclass(frozen=True, slots=True)
class Axis:
    """A key and the values it takes, as they are written."""

    key: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.key}={'|'.join(self.values)}"


@dataclass(frozen=True, slots=True)
class Space:
    """A rulebook and the keys that vary."""

    rulebook: Rulebook
    axes: tuple[Axis, ...]

    def __len__(self) -> int:
        return prod(len(axis.values) for axis in self.axes)

    def points(self) -> Iterator["Point"]:
        """Every combination, in order, numbered from 0."""
        for number, values in enumerate(product(*(axis.values for axis in self.axes))):
            keys = dict(zip((axis.key for axis in self.axes), values, strict=True))
            yield Point(number, keys)

    def rulebook_at(self, keys: Mapping[str, str]) -> Rulebook:
        """The rulebook of a combination; RulebookError where it makes none.

        With another end of the track, what lies in its right half moves along.
        """
        rest = {key: value for key, value in keys.items() if key != LENGTH}
        rulebook = self.rulebook
        if LENGTH in keys:
            rulebook = _with_end(rulebook, int(keys[LENGTH]))
        assigned = parse_assignments([f"{key}={value}" for key, value in rest.items()])
        return apply_changes(rulebook, assigned) if assigned else rulebook


@dataclass(frozen=True, slots=True)
class Point:
    """One combination of values."""

    number: int
    keys: Mapping[str, str]


def make_space(rulebook: Rulebook, texts: Sequence[str]) -> Space:
    """The space that texts like `move.steps=1,2|1,2,3` and `track.last=8..16` span."""
    axes: list[Axis] = []
    for text in texts:
        axis = _axis(text)
        if any(axis.key == other.key for other in axes):
            raise NotationError(f"{axis.key} varies twice; give all its values in one --vary.")
        axes.append(axis)
    if not axes:
        raise NotationError("Nothing varies. Say what does, as --vary track.last=8..16.")
    return Space(rulebook, tuple(axes))


def _axis(text: str) -> Axis:
    key, equals, written = (part.strip() for part in text.partition("="))
    if not equals or key not in KEYS:
        raise NotationError(
            f"'{shown(text)}' varies nothing. Write key=value|value, as move.steps=1,2|1,2,3; "
            f"the keys: {', '.join(KEYS)}."
        )
    values: list[str] = []
    for part in written.split("|"):
        spread = _RANGE.fullmatch(part.strip())
        if spread and KEYS[key] == "integer":
            low, high = map(int, spread.groups())
            values += map(str, range(low, high + 1))
        else:
            parse_assignments([f"{key}={part.strip()}"])
            values.append(part.strip())
    if not values:
        raise NotationError(f"{key} has no values: '{shown(written)}' is an empty range.")
    if len(set(values)) < len(values):
        raise NotationError(f"{key} takes a value twice: '{shown(written)}'.")
    return Axis(key, tuple(values))


def _with_end(rulebook: Rulebook, last: int) -> Rulebook:
    change = stretched(rulebook.rules, last - rulebook.rules.track.last)
    if change is None:
        raise RulebookError(
            LENGTH, str(last), "an end that keeps what lies in the middle on a cell"
        )
    keys: dict[str, Any] = {table: dict(values) for table, values in change.keys.items()}
    return apply_changes(rulebook, keys)
