"""Who plays each side, and what they are called, as a record notes it."""

from collections.abc import Iterator

from lineduel.errors import LineduelError
from lineduel.preferences import check_name
from lineduel.record import Record
from lineduel.rules import Side

Seats = tuple[str, str]
"""Who plays player 1 and player 2, as shown in a record."""
GivenNames = tuple[str | None, str | None]
"""The names that player 1 and player 2 were given, where they were."""
UNNAMED: GivenNames = (None, None)
SEAT_TAGS = frozenset(f"{tag}{side}" for tag in ("Player", "Name") for side in Side)
"""The tags of a record that say who plays."""


def seats_of(record: Record) -> Seats:
    """Who played both sides; people where the record does not say."""
    tags = dict(record.tags)
    return tags.get("Player1", "human"), tags.get("Player2", "human")


def names_of(record: Record) -> GivenNames:
    """The names in a record; what cannot be a name counts as none."""
    tags = dict(record.tags)
    return _name(tags.get("Name1")), _name(tags.get("Name2"))


def seat_tags(seats: Seats, names: GivenNames) -> Iterator[tuple[str, str]]:
    """What a record notes about the players."""
    for side in Side:
        yield f"Player{side}", seats[side - 1]
    for side in Side:
        if (name := names[side - 1]) is not None:
            yield f"Name{side}", name


def _name(text: str | None) -> str | None:
    try:
        return None if text is None else check_name(text)
    except LineduelError:
        return None
