"""What comes from the people in a live game, over a socket or as a single HTTP request."""

from typing import Literal, assert_never

import msgspec

from lineduel.documents import SIDE_IDS, SIDES, SideId
from lineduel.engine import Move
from lineduel.errors import NotationError, NotNow
from lineduel.narration import read_answer
from lineduel.play import (
    AnswerUndo,
    AskUndo,
    ChooseNumber,
    ClaimGame,
    ClaimKind,
    GiveName,
    Intent,
    LiveGame,
    OfferRematch,
    PassTurn,
    PlayMove,
    Redo,
    Resign,
    Sides,
    TakeSeatBack,
    check_plays,
)
from lineduel.preferences import check_name
from lineduel.rules import Side
from lineduel.web.rulebook_shelf import PlayedRulebook

LiveAction = Literal[
    "move",
    "number",
    "pass",
    "undo",
    "undo-answer",
    "resign",
    "rematch",
    "name",
    "claim",
    "return",
]
_LONGEST_MOVE = 60


class ActionBody(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of an action; which of them count depends on the action."""

    turn: int | None = None
    """The turn that was seen; a move that was meant for another one is refused."""
    move: str | None = None
    number: int | None = None
    side: SideId | None = None
    """For whom, where one screen plays both sides."""
    yes: bool | None = None
    name: str | None = None
    claim: ClaimKind | None = None


class Request(ActionBody, forbid_unknown_fields=True, kw_only=True):
    """What somebody in a live game asks for."""

    do: LiveAction | Literal["view"]
    id: int | None = None
    """Comes back with the answer."""


def intent_of(
    action: LiveAction, body: ActionBody, live: LiveGame, played: PlayedRulebook, by: Sides
) -> Intent:
    """What is asked for; a request that is incomplete, or not for whoever asks, is refused."""
    check_plays(by)
    side = SIDES[body.side] if body.side else None
    match action:
        case "move":
            return PlayMove(_move(body, live, played, by), _turn(body))
        case "pass":
            return PassTurn(_turn(body))
        case "number":
            live.check_turn(_turn(body), by)
            if body.number is None:
                raise NotationError("A number is missing.")
            return ChooseNumber(body.number, _turn(body), side)
        case "undo":
            return AskUndo(side)
        case "undo-answer":
            return AnswerUndo(bool(body.yes))
        case "resign":
            return Resign(side)
        case "rematch":
            return OfferRematch(side)
        case "name":
            return GiveName(check_name(body.name or ""), side)
        case "claim":
            if body.claim is None:
                raise NotationError("Say what you claim: win, computer or abort.")
            return ClaimGame(body.claim)
        case "return":
            return TakeSeatBack()


def _turn(body: ActionBody) -> int:
    if body.turn is None:
        raise NotationError("The turn that this is meant for is missing.")
    return body.turn


def _move(body: ActionBody, live: LiveGame, played: PlayedRulebook, by: Sides) -> Move:
    """The move that a text means; only whoever is to move learns whether it is legal."""
    live.check_turn(_turn(body), by)
    if body.move is None:
        raise NotationError("A move is missing.")
    position = live.session.position
    if position.battle is not None:
        raise NotNow("A battle is open: choose a number.")
    if known := played.notations(position).get(body.move):
        return known
    if len(body.move) > _LONGEST_MOVE:
        raise NotationError("That is too long for a move.")
    return read_answer(played.game, position, body.move)


def request_of(intent: Intent) -> dict[str, object]:
    """The request that asks for this over a socket; the reverse of `intent_of`."""
    fields = _fields_of(intent)
    return {name: value for name, value in fields.items() if value is not None}


def _fields_of(intent: Intent) -> dict[str, object]:
    match intent:
        case PlayMove(move, turn):
            return {"do": "move", "move": str(move), "turn": turn}
        case PassTurn(turn):
            return {"do": "pass", "turn": turn}
        case ChooseNumber(number, turn, side):
            return {"do": "number", "number": number, "turn": turn, "side": _id(side)}
        case AskUndo(side):
            return {"do": "undo", "side": _id(side)}
        case AnswerUndo(yes):
            return {"do": "undo-answer", "yes": yes}
        case Redo():
            raise NotNow("Only a game at one screen can be played again after an undo.")
        case Resign(side):
            return {"do": "resign", "side": _id(side)}
        case OfferRematch(side):
            return {"do": "rematch", "side": _id(side)}
        case GiveName(name, side):
            return {"do": "name", "name": name, "side": _id(side)}
        case ClaimGame(kind):
            return {"do": "claim", "claim": kind}
        case TakeSeatBack():
            return {"do": "return"}
        case _:
            assert_never(intent)


def _id(side: Side | None) -> SideId | None:
    return None if side is None else SIDE_IDS[side]
