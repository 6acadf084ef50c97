"""What happened in a move, for every front end to tell in its own way."""

from dataclasses import dataclass
from enum import Enum, auto

from lineduel.rules import Side


class Victory(Enum):
    """How a game was won."""

    GOAL = auto()
    CAPTURED_ALL = auto()
    LANDED = auto()


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece went to another cell."""

    side: Side
    piece: str
    step: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Stayed:
    """A piece used its turn to stay, by a step of 0 or a step off the track."""

    side: Side
    piece: str
    step: int
    cell: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A player had no legal move."""

    side: Side


@dataclass(frozen=True, slots=True)
class Captured:
    """A piece left the game."""

    side: Side
    piece: str
    cell: int


@dataclass(frozen=True, slots=True)
class SentHome:
    """A piece went back to its home from another cell."""

    side: Side
    piece: str
    start: int
    home: int


@dataclass(frozen=True, slots=True)
class BattleOpened:
    """Both players now choose a number."""

    cell: int


@dataclass(frozen=True, slots=True)
class BattleSettled:
    """The numbers were shown; no winner is a tie."""

    cell: int
    number1: int
    number2: int
    winner: Side | None


@dataclass(frozen=True, slots=True)
class Won:
    """The game is over; the piece that won it and its cell, where one did."""

    side: Side
    victory: Victory
    piece: str | None = None
    cell: int | None = None


Event = Moved | Stayed | Passed | Captured | SentHome | BattleOpened | BattleSettled | Won
