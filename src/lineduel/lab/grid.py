"""All combinations of chosen keys: the rulebooks of a sweep."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from lineduel.errors import NotationError, NothingVaries, VariesTwice, shown
from lineduel.rules import (
    COMMAND_KEYS,
    LENGTH,
    KeyKind,
    Rulebook,
    assign,
    check_length_alone,
    parse_assignments,
    unknown_rule,
)

MOST_COMBINATIONS = 1_000_000
"""What a sweep takes on at most, so that what it keeps in mind stays bounded."""
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
        return map(self.point, range(len(self)))

    def point(self, number: int) -> "Point":
        """The combination of that number; the last key varies fastest."""
        values = []
        left = number
        for axis in reversed(self.axes):
            left, at = divmod(left, len(axis.values))
            values.append((axis.key, axis.values[at]))
        return Point(number, dict(reversed(values)))

    def rulebook_at(self, keys: Mapping[str, str]) -> Rulebook:
        """The rulebook of a combination; RulebookError where it makes none."""
        return assign(self.rulebook, [f"{key}={value}" for key, value in keys.items()])


@dataclass(frozen=True, slots=True)
class Point:
    """One combination of values."""

    number: int
    keys: Mapping[str, str]


def make_space(rulebook: Rulebook, texts: Sequence[str]) -> Space:
    """The space that texts like `move.steps=1,2|1,2,3` and `track.length=8..16` span."""
    return space_of(rulebook, map(_axis, texts))


def space_of(rulebook: Rulebook, axes: Iterable[Axis]) -> Space:
    """The space of some axes, refused where they do not go together or are too many."""
    known: dict[str, Axis] = {}
    for axis in axes:
        if axis.key in known:
            raise VariesTwice(axis.key)
        known[axis.key] = axis
    if not known:
        raise NothingVaries
    if LENGTH in known:
        check_length_alone(known)
    combinations = prod(len(axis.values) for axis in known.values())
    if combinations > MOST_COMBINATIONS:
        raise NotationError(
            f"Those are {combinations:,} combinations; a sweep takes at most "
            f"{MOST_COMBINATIONS:,}.\nVary fewer keys, or give them fewer values."
        )
    return Space(rulebook, tuple(known.values()))


def make_axis(key: str, values: Iterable[str]) -> Axis:
    """A key and the values that it takes, each of them only once."""
    if key not in COMMAND_KEYS:
        raise unknown_rule(key, COMMAND_KEYS)
    taken: dict[str, None] = {}
    for value in values:
        if not value.isprintable():
            raise NotationError(f"{key} cannot be '{shown(value)}'. Write plain characters.")
        if value in taken:
            raise NotationError(f"{key} has a value twice: '{shown(value)}'.")
        parse_assignments([f"{key}={value}"], COMMAND_KEYS)
        taken[value] = None
    if not taken:
        raise NotationError(f"{key} has no values.")
    return Axis(key, tuple(taken))


def _axis(text: str) -> Axis:
    key, equals, written = (part.strip() for part in text.partition("="))
    if not equals:
        raise NotationError(
            f"'{shown(text)}' does not say what to vary. "
            "Write key=value|value, as move.steps=1,2|1,2,3."
        )
    return make_axis(key, _values(key, written))


def _values(key: str, written: str) -> Iterator[str]:
    """The values between |, ranges of whole numbers spelled out."""
    for part in map(str.strip, written.split("|")):
        spread = _RANGE.fullmatch(part)
        if not spread or COMMAND_KEYS.get(key) is not KeyKind.INTEGER:
            yield part
            continue
        low, high = map(int, spread.groups())
        if low > high:
            raise NotationError(f"{key}: '{part}' is an empty range. Write the smaller end first.")
        yield from map(str, range(low, high + 1))
