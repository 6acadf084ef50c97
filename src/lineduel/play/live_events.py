"""Everything that can happen in a live game.

Applied in order, the events of a game give the same game again: that is how it comes back from a
database, or to another process. A number in a battle is in no event until both have chosen.
"""

from collections.abc import Callable
from typing import NamedTuple

from lineduel.engine import Move
from lineduel.errors import NotationError
from lineduel.record import parse_move
from lineduel.rules import Side


class MovePlayed(NamedTuple):
    """A move, a forced pass, or both numbers of a battle."""

    side: Side | None
    """Who moved; None for a battle, in which both chose."""
    move: Move


class NumberChosen(NamedTuple):
    """A side has chosen its number in a battle; which one is stored apart."""

    side: Side


class UndoAsked(NamedTuple):
    """A side asks to go back to the position after this number of turns."""

    side: Side
    plies: int


class UndoRefused(NamedTuple):
    """The other player says no, or the asker withdraws."""

    side: Side


class TakenBack(NamedTuple):
    """The game is back at the position after this number of turns."""

    side: Side
    plies: int


class Resigned(NamedTuple):
    """A side has given up."""

    side: Side


class Forfeited(NamedTuple):
    """A side has lost without a move: its program could not play, or it stayed away."""

    side: Side


class Aborted(NamedTuple):
    """The game was ended without a result."""

    side: Side


class SeatTaken(NamedTuple):
    """Another player has a side's seat from here on: `human`, or a program by its name."""

    side: Side
    player: str


class FriendJoined(NamedTuple):
    """Somebody took the seat that an invitation offered."""


class NameGiven(NamedTuple):
    """A side has a name."""

    side: Side
    name: str


class RematchWanted(NamedTuple):
    """A side would play again."""

    side: Side


class RematchBegun(NamedTuple):
    """Both go on in another game."""

    id: str


LiveEvent = (
    MovePlayed
    | NumberChosen
    | UndoAsked
    | UndoRefused
    | TakenBack
    | Resigned
    | Forfeited
    | Aborted
    | SeatTaken
    | FriendJoined
    | NameGiven
    | RematchWanted
    | RematchBegun
)


class Row(NamedTuple):
    """An event as databases have it."""

    kind: str
    side: int
    """1 or 2; 0 where it concerns both."""
    text: str


class _Stored(NamedTuple):
    """How a kind of event is stored."""

    kind: str
    event: type[LiveEvent]
    read: Callable[[str], object] | None = None
    """How its field besides the side is read from text; None if it has none."""

    @property
    def field(self) -> str | None:
        """The name of that field."""
        return [*self.event._fields][-1] if self.read else None


_STORED = (
    _Stored("move", MovePlayed, parse_move),
    _Stored("number", NumberChosen),
    _Stored("undo-ask", UndoAsked, int),
    _Stored("undo-no", UndoRefused),
    _Stored("undo", TakenBack, int),
    _Stored("resign", Resigned),
    _Stored("forfeit", Forfeited),
    _Stored("abort", Aborted),
    _Stored("seat", SeatTaken, str),
    _Stored("join", FriendJoined),
    _Stored("name", NameGiven, str),
    _Stored("rematch", RematchWanted),
    _Stored("rematch-id", RematchBegun, str),
)
_BY_KIND = {one.kind: one for one in _STORED}
_BY_EVENT = {one.event: (one.kind, one.field) for one in _STORED}


def row_of_event(event: LiveEvent) -> Row:
    """How an event is stored."""
    kind, field = _BY_EVENT[type(event)]
    text = str(getattr(event, field)) if field else ""
    return Row(kind, getattr(event, "side", None) or 0, text)


def event_of_row(row: Row) -> LiveEvent:
    """The event that was stored as a row; one that cannot happen is refused."""
    stored = _BY_KIND.get(row.kind)
    if stored is None:
        raise NotationError(f"'{row.kind}' cannot happen in a live game.")
    values: dict[str, object] = {}
    if "side" in stored.event._fields:
        values["side"] = Side(row.side) if row.side else None
    if stored.read and stored.field:
        values[stored.field] = stored.read(row.text)
    return stored.event(**values)  # type: ignore[arg-type]
