"""Everything that somebody in a live game can ask for."""

from dataclasses import dataclass
from typing import Literal

from lineduel.engine import Move
from lineduel.rules import Side

ClaimKind = Literal["win", "computer", "abort"]
"""What to do about a player who is away: win, let the computer play on, or end the game."""


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play a move."""

    move: Move
    turn: int
    """How many turns had been played when it was chosen."""


@dataclass(frozen=True, slots=True)
class PassTurn:
    """Pass, where nothing else is legal."""

    turn: int


@dataclass(frozen=True, slots=True)
class ChooseNumber:
    """Choose a number in a battle; it stays secret until both have chosen."""

    number: int
    turn: int
    side: Side | None = None
    """For whom, where one screen plays both sides."""


@dataclass(frozen=True, slots=True)
class AskUndo:
    """Take back one's latest choice, or ask the other player for it."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class AnswerUndo:
    """Agree that the other player takes back, or not; or withdraw one's own question."""

    yes: bool


@dataclass(frozen=True, slots=True)
class Redo:
    """Play again what was taken back last, where nobody else has to agree."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class OfferRematch:
    """Play again, with the seats swapped."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class GiveName:
    """Be called by a name."""

    name: str
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class ClaimGame:
    """Go on without a player who is away."""

    claim: ClaimKind


@dataclass(frozen=True, slots=True)
class TakeSeatBack:
    """Play again for the side that the computer took over."""


Intent = (
    PlayMove
    | PassTurn
    | ChooseNumber
    | AskUndo
    | AnswerUndo
    | Redo
    | Resign
    | OfferRematch
    | GiveName
    | ClaimGame
    | TakeSeatBack
)
