"""Everything that can happen in a live game.

Applied in order, the events of a game give the same game again: that is how it comes back from a
database, or to another process. A number in a battle is in no event until both have chosen.
"""

from dataclasses import dataclass
from typing import NamedTuple, assert_never

from lineduel.engine import Move
from lineduel.errors import NotationError
from lineduel.record import parse_move
from lineduel.rules import Side


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A move, a forced pass, or both numbers of a battle."""

    side: Side | None
    """Who moved; None for a battle, in which both chose."""
    move: Move


@dataclass(frozen=True, slots=True)
class NumberChosen:
    """A side has chosen its number in a battle; which one is stored apart."""

    side: Side


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """A side asks to go back to the position after this number of turns."""

    side: Side
    plies: int


@dataclass(frozen=True, slots=True)
class UndoRefused:
    """The other player says no, or the asker withdraws."""

    side: Side


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The game is back at the position after this number of turns."""

    side: Side
    plies: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A side has given up."""

    side: Side


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A side has lost without a move: its program could not play, or it stayed away."""

    side: Side


@dataclass(frozen=True, slots=True)
class Aborted:
    """The game was ended without a result."""

    side: Side


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Another player has a side's seat from here on: `human`, or a program by its name."""

    side: Side
    player: str


@dataclass(frozen=True, slots=True)
class FriendJoined:
    """Somebody took the seat that an invitation offered."""


@dataclass(frozen=True, slots=True)
class NameGiven:
    """A side has a name."""

    side: Side
    name: str


@dataclass(frozen=True, slots=True)
class RematchWanted:
    """A side would play again."""

    side: Side


@dataclass(frozen=True, slots=True)
class RematchBegun:
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


def row_of_event(event: LiveEvent) -> Row:
    """How an event is stored."""
    match event:
        case MovePlayed(side, move):
            return Row("move", side or 0, str(move))
        case NumberChosen(side):
            return Row("number", side, "")
        case UndoAsked(side, plies):
            return Row("undo-ask", side, str(plies))
        case UndoRefused(side):
            return Row("undo-no", side, "")
        case TakenBack(side, plies):
            return Row("undo", side, str(plies))
        case Resigned(side):
            return Row("resign", side, "")
        case Forfeited(side):
            return Row("forfeit", side, "")
        case Aborted(side):
            return Row("abort", side, "")
        case SeatTaken(side, player):
            return Row("seat", side, player)
        case FriendJoined():
            return Row("join", 0, "")
        case NameGiven(side, name):
            return Row("name", side, name)
        case RematchWanted(side):
            return Row("rematch", side, "")
        case RematchBegun(id):
            return Row("rematch-id", 0, id)
        case _:
            assert_never(event)


def event_of_row(row: Row) -> LiveEvent:
    """The event that was stored as a row; one that cannot happen is refused."""
    kind, number, text = row
    match kind:
        case "move":
            return MovePlayed(Side(number) if number else None, parse_move(text))
        case "number":
            return NumberChosen(Side(number))
        case "undo-ask":
            return UndoAsked(Side(number), int(text))
        case "undo-no":
            return UndoRefused(Side(number))
        case "undo":
            return TakenBack(Side(number), int(text))
        case "resign":
            return Resigned(Side(number))
        case "forfeit":
            return Forfeited(Side(number))
        case "abort":
            return Aborted(Side(number))
        case "seat":
            return SeatTaken(Side(number), text)
        case "join":
            return FriendJoined()
        case "name":
            return NameGiven(Side(number), text)
        case "rematch":
            return RematchWanted(Side(number))
        case "rematch-id":
            return RematchBegun(text)
        case _:
            raise NotationError(f"'{kind}' cannot happen in a live game.")
