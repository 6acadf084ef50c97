"""All combinations of chosen keys: the rulebooks of a sweep."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from lineduel.errors import NotationError, NothingVaries, VariesTwice, shown
from lineduel.rules import (
    COMMAND_KEYS,
    LARGEST_LABEL,
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
_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")
_LONGEST_NUMBER = 20
"""Characters of a number that is read; one that is longer is out of range."""


@dataclass(frozen=True, slots=True)
class Space:
    """A rulebook and the keys that vary, each with the values it takes, as they are written."""

    rulebook: Rulebook
    axes: Mapping[str, tuple[str, ...]]

    def __len__(self) -> int:
        return prod(map(len, self.axes.values()))

    def keys_at(self, number: int) -> dict[str, str]:
        """The combination of that number, counted from 0; the last key varies fastest."""
        taken = {}
        for key, values in reversed(list(self.axes.items())):
            number, at = divmod(number, len(values))
            taken[key] = values[at]
        return {key: taken[key] for key in self.axes}

    def rulebook_at(self, keys: Mapping[str, str]) -> Rulebook:
        """The rulebook of a combination; RulebookError where it makes none."""
        return assign(self.rulebook, [f"{key}={value}" for key, value in keys.items()])


def make_space(rulebook: Rulebook, texts: Sequence[str]) -> Space:
    """The space that texts like `move.steps=1,2|1,2,3` and `track.length=8..16` span."""
    return space_of(rulebook, map(_axis, texts))


def space_of(rulebook: Rulebook, axes: Iterable[tuple[str, Iterable[str]]]) -> Space:
    """The space of some keys and values, refused where they do not go together or are too many."""
    known: dict[str, tuple[str, ...]] = {}
    for key, values in axes:
        if key in known:
            raise VariesTwice(key)
        known[key] = _checked(key, values)
    if not known:
        raise NothingVaries
    if LENGTH in known:
        check_length_alone(known)
    combinations = prod(map(len, known.values()))
    if combinations > MOST_COMBINATIONS:
        raise NotationError(
            f"Those are {combinations:,} combinations; a sweep takes at most "
            f"{MOST_COMBINATIONS:,}.\nVary fewer keys, or give them fewer values."
        )
    return Space(rulebook, known)


def _checked(key: str, values: Iterable[str]) -> tuple[str, ...]:
    """The values that a key takes, each of them only once."""
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
    return tuple(taken)


def _axis(text: str) -> tuple[str, Iterator[str]]:
    key, equals, written = (part.strip() for part in text.partition("="))
    if not equals:
        raise NotationError(
            f"'{shown(text)}' does not say what to vary. "
            "Write key=value|value, as move.steps=1,2|1,2,3."
        )
    return key, _values(key, written)


def _values(key: str, written: str) -> Iterator[str]:
    """The values between |, ranges of whole numbers spelled out."""
    for part in map(str.strip, written.split("|")):
        spread = _RANGE.fullmatch(part)
        if not spread or COMMAND_KEYS.get(key) is not KeyKind.INTEGER:
            yield part
            continue
        long = max(map(len, spread.groups())) > _LONGEST_NUMBER
        low, high = (0, 0) if long else map(int, spread.groups())
        if low > high:
            raise NotationError(f"{key}: '{part}' is an empty range. Write the smaller end first.")
        if long or low < -LARGEST_LABEL or high > LARGEST_LABEL:
            raise NotationError(
                f"{key}: '{shown(part)}' is out of range. "
                f"Allowed: {-LARGEST_LABEL} to {LARGEST_LABEL}."
            )
        yield from map(str, range(low, high + 1))
