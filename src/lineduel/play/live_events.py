"""Everything that can happen in a live game.

Applied in order, the events of a game give the same game again: that is how it comes back from a
database, or to another process. A number in a battle is in no event until both have chosen.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

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


class StopOffered(NamedTuple):
    """A side offers to end the game without a winner."""

    side: Side


class StopRefused(NamedTuple):
    """A side wants to play on, or takes its own offer back."""

    side: Side


class StopAgreed(NamedTuple):
    """The game ends without a winner, because both want that."""

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


class Reacted(NamedTuple):
    """A side says something to the other one."""

    side: Side
    reaction: str


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
    | StopOffered
    | StopRefused
    | StopAgreed
    | SeatTaken
    | FriendJoined
    | NameGiven
    | Reacted
    | RematchWanted
    | RematchBegun
)


class Row(NamedTuple):
    """An event as databases have it."""

    kind: str
    side: int
    """1 or 2; 0 where it concerns both."""
    text: str


_STORED: dict[str, type[LiveEvent]] = {
    "move": MovePlayed,
    "number": NumberChosen,
    "undo-ask": UndoAsked,
    "undo-no": UndoRefused,
    "undo": TakenBack,
    "resign": Resigned,
    "forfeit": Forfeited,
    "abort": Aborted,
    "stop-ask": StopOffered,
    "stop-no": StopRefused,
    "stop": StopAgreed,
    "seat": SeatTaken,
    "join": FriendJoined,
    "name": NameGiven,
    "react": Reacted,
    "rematch": RematchWanted,
    "rematch-id": RematchBegun,
}
"""What each kind of event is called; it has at most one field besides the side."""
_KINDS = {event: kind for kind, event in _STORED.items()}
TURNING_KINDS = ("move", "number", "undo", "seat", "join")
"""Kinds of events after which somebody else may be asked."""
_READ: dict[str, Callable[[str], object]] = {"move": parse_move, "plies": int}
"""How a field is read that is not a text."""


def row_of_event(event: LiveEvent) -> Row:
    """How an event is stored."""
    values: tuple[Any, ...] = event
    side = 0
    if "side" in event._fields:  # always the first
        side, values = values[0] or 0, values[1:]
    return Row(_KINDS[type(event)], side, "".join(map(str, values)))


def event_of_row(row: Row) -> LiveEvent:
    """The event that was stored as a row; one that cannot happen is refused."""
    event = _STORED.get(row.kind)
    if event is None:
        raise NotationError(f"'{row.kind}' cannot happen in a live game.")
    side = Side(row.side) if row.side else None
    values = {
        name: side if name == "side" else _READ.get(name, str)(row.text) for name in event._fields
    }
    return event(**values)  # type: ignore[arg-type]
