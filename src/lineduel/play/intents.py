"""Everything that somebody in a live game can ask for."""

from typing import Literal, NamedTuple

from lineduel.engine import Move
from lineduel.rules import Side

ClaimKind = Literal["win", "computer", "abort"]
"""What to do about a player who is away: win, let the computer play on, or end the game."""


Reaction = Literal["hello", "good-move", "wow", "oops", "thinking", "good-game"]
"""What a player can say to the other one; there are no other words."""


class PlayMove(NamedTuple):
    """Play a move."""

    move: Move
    turn: int
    """How many turns had been played when it was chosen."""


class PassTurn(NamedTuple):
    """Pass, where nothing else is legal."""

    turn: int


class ChooseNumber(NamedTuple):
    """Choose a number in a battle; it stays secret until both have chosen."""

    number: int
    turn: int
    side: Side | None = None
    """For whom, where one screen plays both sides."""


class AskUndo(NamedTuple):
    """Take back one's latest choice, or ask the other player for it."""

    side: Side | None = None


class AnswerUndo(NamedTuple):
    """Agree that the other player takes back, or not; or withdraw one's own question."""

    yes: bool
    to: int | None = None
    """How many turns the question would leave, so that a late answer answers no other one."""


class Redo(NamedTuple):
    """Play again what was taken back last, where nobody else has to agree."""


class Resign(NamedTuple):
    """Give up."""

    side: Side | None = None


class OfferStop(NamedTuple):
    """Offer to end the game without a winner, or agree to the other player's offer."""

    side: Side | None = None


class AnswerStop(NamedTuple):
    """Agree to stop, or not; or withdraw one's own offer."""

    yes: bool


class OfferRematch(NamedTuple):
    """Play again, with the seats swapped."""

    side: Side | None = None


class GiveName(NamedTuple):
    """Be called by a name."""

    name: str
    side: Side | None = None


class React(NamedTuple):
    """Say one of a few things to the other player."""

    reaction: Reaction
    side: Side | None = None


class ClaimGame(NamedTuple):
    """Go on without a player who is away."""

    claim: ClaimKind


class TakeSeatBack(NamedTuple):
    """Play again for the side that the computer took over."""


Intent = (
    PlayMove
    | PassTurn
    | ChooseNumber
    | AskUndo
    | AnswerUndo
    | Redo
    | Resign
    | OfferStop
    | AnswerStop
    | OfferRematch
    | GiveName
    | React
    | ClaimGame
    | TakeSeatBack
)
