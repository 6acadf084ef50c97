"""What happened in a move, as data that each front end puts into words."""

from enum import Enum
from typing import NamedTuple

from lineduel.rules import Side


class Victory(Enum):
    """How a game was won; the value is the key of `[words]` that says so."""

    GOAL = "won_goal"
    CAPTURED_ALL = "won_captured"
    LANDED = "won_landed"
    BOTH_GONE = "won_both_gone"
    """Both sides lost their last piece in a battle, and the winner did not attack."""
    STUCK = "won_stuck"
    """The loser has the turn and no legal move."""


class Moved(NamedTuple):
    """A piece went to another cell."""

    side: Side
    piece: str
    step: int
    start: int
    end: int


class Stayed(NamedTuple):
    """A piece used its turn to stay, by a step of 0 or a step off the track."""

    side: Side
    piece: str
    step: int
    cell: int


class Passed(NamedTuple):
    """A player had no legal move."""

    side: Side


class Captured(NamedTuple):
    """A piece left the game."""

    side: Side
    piece: str
    cell: int


class SentHome(NamedTuple):
    """A piece went back to its home from another cell."""

    side: Side
    piece: str
    start: int
    home: int


class MovesAgain(NamedTuple):
    """A side that captured an enemy or sent one home keeps the turn."""

    side: Side


class BattleOpened(NamedTuple):
    """Both players now choose a number."""

    cell: int


class BattleSettled(NamedTuple):
    """The numbers were shown; no winner is a tie."""

    cell: int
    number1: int
    number2: int
    winner: Side | None


class HandFilled(NamedTuple):
    """A player chose the last number in hand, and has every number again."""

    side: Side


class Won(NamedTuple):
    """The game is over; with the piece that won it and its cell, if one did."""

    side: Side
    victory: Victory
    piece: str | None = None
    cell: int | None = None


Event = (
    Moved
    | Stayed
    | Passed
    | Captured
    | SentHome
    | MovesAgain
    | BattleOpened
    | BattleSettled
    | HandFilled
    | Won
)
