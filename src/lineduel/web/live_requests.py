"""What comes from the people in a live game, over a socket or as a single HTTP request."""

from functools import lru_cache
from typing import Any, Literal

import msgspec

from lineduel.documents import SIDE_IDS, SIDES, SideId
from lineduel.engine import Move
from lineduel.errors import NotationError, NotNow
from lineduel.narration import read_answer
from lineduel.play import (
    AnswerStop,
    AnswerUndo,
    AskUndo,
    ChooseNumber,
    ClaimGame,
    ClaimKind,
    GiveName,
    Intent,
    LiveGame,
    OfferRematch,
    OfferStop,
    PassTurn,
    PlayMove,
    React,
    Reaction,
    Resign,
    Sides,
    TakeSeatBack,
    check_plays,
)
from lineduel.preferences import check_name
from lineduel.record import parse_move
from lineduel.rules import Side
from lineduel.web.rulebook_shelf import PlayedRulebook

LiveAction = Literal[
    "move",
    "number",
    "pass",
    "undo",
    "undo-answer",
    "resign",
    "stop",
    "stop-answer",
    "rematch",
    "name",
    "react",
    "claim",
    "return",
]
_LONGEST_MOVE = 60
_MOST_NOTATIONS = 4096
"""Moves that are not read twice."""


class ActionBody(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of an action; which of them count depends on the action."""

    turn: int | None = None
    """The turn that was seen; a move that was meant for another one is refused."""
    move: str | None = None
    number: int | None = None
    side: SideId | None = None
    """For whom, where one screen plays both sides."""
    yes: bool | None = None
    to: int | None = None
    """How many turns the undo would leave that is answered."""
    name: str | None = None
    reaction: Reaction | None = None
    claim: ClaimKind | None = None


class Request(ActionBody, forbid_unknown_fields=True, kw_only=True):
    """What somebody in a live game asks for."""

    do: LiveAction | Literal["view"]
    id: int | None = None
    """Comes back with the answer."""


_INTENTS: dict[LiveAction, type[Intent]] = {
    "move": PlayMove,
    "number": ChooseNumber,
    "pass": PassTurn,
    "undo": AskUndo,
    "undo-answer": AnswerUndo,
    "resign": Resign,
    "stop": OfferStop,
    "stop-answer": AnswerStop,
    "rematch": OfferRematch,
    "name": GiveName,
    "react": React,
    "claim": ClaimGame,
    "return": TakeSeatBack,
}
"""What each action means; a request has the same fields as its intent."""
_ACTIONS = {intent: action for action, intent in _INTENTS.items()}
_MISSING = {
    "turn": "The turn that this is meant for is missing.",
    "move": "A move is missing.",
    "number": "A number is missing.",
    "reaction": "Say which reaction: hello, good-move, wow, oops, thinking or good-game.",
    "claim": "Say what you claim: win, computer or abort.",
}


def intent_of(
    action: LiveAction, body: ActionBody, live: LiveGame, played: PlayedRulebook, by: Sides
) -> Intent:
    """What is asked for; a request that is incomplete, or not for those sides, is refused."""
    check_plays(by)
    names = _INTENTS[action]._fields
    if "turn" in names and action != "pass":  # only those to act learn more
        live.check_turn(_given("turn", body), by)
    values = {name: _given(name, body) for name in names}
    if action == "move":
        values["move"] = _move(values["move"], live, played)
    return _INTENTS[action](**values)


def _given(name: str, body: ActionBody) -> Any:
    """A field of a request, as an intent has it."""
    value = getattr(body, name)
    if value is None and name in _MISSING:
        raise NotationError(_MISSING[name])
    match name:
        case "side":
            return SIDES[value] if value else None
        case "yes":
            return bool(value)
        case "name":
            return check_name(value or "")
        case _:
            return value


def _move(text: str, live: LiveGame, played: PlayedRulebook) -> Move:
    """The move that a text means."""
    position = live.session.position
    if position.battle is not None:
        raise NotNow("A battle is open: choose a number.")
    if len(text) > _LONGEST_MOVE:
        raise NotationError("That is too long for a move.")
    if (move := _notation(text)) in live.session.moves:
        return move
    return read_answer(played.game, position, text)


@lru_cache(_MOST_NOTATIONS)
def _notation(text: str) -> Move | None:
    """The move that is written so; None if none is."""
    try:
        return parse_move(text)
    except NotationError:
        return None


def request_of(intent: Intent) -> dict[str, object]:
    """The request that asks for this over a socket; the reverse of `intent_of`."""
    action = _ACTIONS.get(type(intent))
    if action is None:
        raise NotNow("That is possible only where everybody plays at one screen.")
    request: dict[str, object] = {"do": action}
    for name, given in intent._asdict().items():
        match given:
            case None:
                pass
            case Side() as side:
                request[name] = SIDE_IDS[side]
            case bool() | int() | str() as value:
                request[name] = value
            case move:
                request[name] = str(move)
    return request
