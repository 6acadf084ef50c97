"""The JSON of live games: a board, what can be done, what happened, and who sees what of it."""

from collections.abc import Iterable
from typing import Annotated, Literal, TypeVar, assert_never, cast

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType, field

from lineduel.documents.document import Document
from lineduel.documents.game_documents import RulesDocument
from lineduel.engine import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    Game,
    HandFilled,
    Moved,
    MovesAgain,
    Passed,
    Position,
    SentHome,
    Stayed,
    Step,
    Won,
)
from lineduel.narration import LoggedMove, Narrator, move_effect, move_text
from lineduel.play import Reaction, Turn
from lineduel.rules import Side

SideId = Literal["P1", "P2"]
SIDE_IDS: dict[Side, SideId] = {Side.ONE: "P1", Side.TWO: "P2"}
SIDES: dict[str, Side] = {"P1": Side.ONE, "P2": Side.TWO}
MOST_DAYS = 30
"""The most days that a game can give a player for one turn."""


class BoardPiece(Document, frozen=True, kw_only=True):
    """A piece and where it stands."""

    name: str
    side: SideId
    at: int | None
    """Its cell; null for a captured piece."""


class OpenBattle(Document, frozen=True, kw_only=True):
    """A battle in which both are to choose a number."""

    cell: int
    numbers: int
    """The highest number that can be chosen."""


class HandsDocument(Document, frozen=True, kw_only=True):
    """What both sides have in hand, where a number that was chosen is spent."""

    numbers: int
    """The highest number that there is."""
    P1: list[int]
    P2: list[int]


class BoardDocument(Document, frozen=True, kw_only=True):
    """A track with its pieces."""

    cells: tuple[int, int]
    """The first and the last cell."""
    labels: list[str]
    """Every cell from first to last, as the rulebook prints it."""
    position: str
    """The same in notation."""
    pieces: list[BoardPiece]
    goals: dict[SideId, list[int]]
    """The cells that each side wants to reach."""
    homes: dict[str, int]
    """The home of each piece."""
    forward: dict[SideId, int]
    """Which way each side moves: 1 toward the last cell, -1 toward the first."""
    to_move: SideId | None
    """Whose turn it is; null when the game is over."""
    battle: OpenBattle | None
    hands: HandsDocument | UnsetType = UNSET
    """The numbers that each side can still choose; missing if no number is ever spent."""


class PossibleMove(Document, frozen=True, kw_only=True):
    """A legal move."""

    move: str
    """Its notation."""
    said: str
    """The move as people read it, such as `P1-C 2→4`."""
    piece: str | None
    """The piece that moves; null for a pass."""
    start: int | None = field(name="from")
    end: int | None = field(name="to")
    text: str
    """What it does besides moving a piece, such as `takes P2-C`; often empty."""

    def without_text(self) -> "PossibleMove":
        """The same without what it does, which would give an answer away."""
        return msgspec.structs.replace(self, text="")


class MovedEvent(Document, frozen=True, kw_only=True, tag_field="kind", tag="moved"):
    """A piece moved to another cell."""

    side: SideId
    piece: str
    start: int = field(name="from")
    end: int = field(name="to")


class StayedEvent(Document, frozen=True, kw_only=True, tag_field="kind", tag="stayed"):
    """A piece was moved, and stays where it was."""

    side: SideId
    piece: str
    cell: int


class PassedEvent(Document, frozen=True, kw_only=True, tag_field="kind", tag="passed"):
    """A side had no legal move."""

    side: SideId


class TakenEvent(Document, frozen=True, kw_only=True, tag_field="kind", tag="taken"):
    """A piece was captured."""

    side: SideId
    """Whose piece it is."""
    piece: str
    cell: int


class SentHomeEvent(Document, frozen=True, kw_only=True, tag_field="kind", tag="sent_home"):
    """A piece was sent back to its home."""

    side: SideId
    """Whose piece it is."""
    piece: str
    start: int = field(name="from")
    end: int = field(name="to")


class MovesAgainEvent(Document, frozen=True, kw_only=True, tag_field="kind", tag="moves_again"):
    """A side keeps the turn."""

    side: SideId


class BattleEvent(Document, frozen=True, kw_only=True, tag_field="kind", tag="battle"):
    """A battle opened."""

    cell: int


class RevealedEvent(Document, frozen=True, kw_only=True, tag_field="kind", tag="revealed"):
    """Both numbers of a battle were shown."""

    side: SideId | UnsetType = UNSET
    """Who won the battle; missing for a tie."""
    cell: int
    numbers: dict[SideId, int]


class HandFilledEvent(Document, frozen=True, kw_only=True, tag_field="kind", tag="hand_filled"):
    """A side chose its last number in hand, and has every number again."""

    side: SideId


class WonEvent(Document, frozen=True, kw_only=True, tag_field="kind", tag="won"):
    """The game was won."""

    side: SideId
    piece: str | UnsetType = UNSET
    """The piece that won it, if one did."""
    cell: int | UnsetType = UNSET


EventDocument = (
    MovedEvent
    | StayedEvent
    | PassedEvent
    | TakenEvent
    | SentHomeEvent
    | MovesAgainEvent
    | BattleEvent
    | RevealedEvent
    | HandFilledEvent
    | WonEvent
)
"""One thing that happened in a turn."""


class LastTurn(Document, frozen=True, kw_only=True):
    """The turn that was played last."""

    move: str
    side: SideId | None
    """Who moved; null for a battle, in which both chose."""
    before: str
    """The position before it."""
    sentence: str
    events: list[EventDocument]


class LogLine(Document, frozen=True, kw_only=True):
    """A turn of the game in a few words."""

    n: int
    side: SideId | None
    move: str
    text: str


class LiveResult(Document, frozen=True, kw_only=True):
    """How a game ended."""

    winner: SideId | None
    """Null for a game that was ended without a result."""
    headline: str
    """Such as `You won.`"""
    how: str
    """Such as `P1-C reached 8 after 14 turns.`"""
    sentence: str
    """Both together."""


class Presence(Document, frozen=True, kw_only=True):
    """Who is connected right now."""

    P1: bool
    P2: bool
    watching: int


class UndoState(Document, frozen=True, kw_only=True):
    """Whether a turn can be taken back, and who asks for it."""

    can: bool
    asked_by: SideId | None
    sentence: str
    """What is asked; empty if nothing is."""
    to: int | UnsetType = UNSET
    """How many turns would be left; an answer repeats it, so that it answers no other question."""


class StopState(Document, frozen=True, kw_only=True):
    """Whether the game can be ended by agreement, without a winner, and who offers it."""

    can: bool
    offered_by: SideId | None
    refused_by: SideId | None
    """Who wants to play on; forgotten with the next turn."""
    sentence: str
    """What is offered or refused; empty if nothing is."""
    is_due: bool = False
    """Whether the game goes in circles, so that an offer suggests itself."""


class RematchState(Document, frozen=True, kw_only=True):
    """Who wants to play again, and where that game is."""

    offered_by: list[SideId]
    id: str | None
    """The new game, once there is one; the same token opens it, with the seats swapped."""


class ClaimState(Document, frozen=True, kw_only=True):
    """What can be done because the other player is away."""

    seconds_left: int
    """Until then you have to wait; 0 if you may claim now."""
    can: list[Literal["win", "computer", "abort"]]
    sentence: str


class ShownReaction(Document, frozen=True, kw_only=True):
    """What a player said last to the other one."""

    reaction: Reaction
    count: int
    """How many things this player has said."""


class LiveView(Document, frozen=True, kw_only=True, tag_field="type", tag="view"):
    """A live game as one side sees it, or a spectator: nothing in it is still secret."""

    id: str
    version: int
    """Counts everything that happened; each message has the next number."""
    turn: int
    """How many turns have been played."""
    game: str
    title: str
    you: Literal["P1", "P2", "both"] | None
    """Which side you play; null for a spectator."""
    names: dict[SideId, str]
    kinds: dict[SideId, Literal["person", "computer"]]
    players: dict[SideId, str]
    """Who plays in words: `a person`, `level 3 (easy)`."""
    joined: bool
    """Whether every seat is taken; false while an invitation is open."""
    helped: bool = False
    """Whether you can ask for advice: never in a game with a friend on another device."""
    board: BoardDocument
    asked: list[SideId]
    """Who is to act."""
    chosen: list[SideId]
    """Who has chosen a number in the open battle; not which."""
    moves: list[PossibleMove]
    numbers: list[int]
    sentence: str
    log: list[LogLine]
    last: LastTurn | None
    result: LiveResult | None
    presence: Presence
    undo: UndoState
    rematch: RematchState
    stop: StopState
    claim: ClaimState | None
    reactions: dict[SideId, ShownReaction] = field(default_factory=dict)
    """What each player said last; those who have said nothing are left out."""
    deadline: float | None = None
    """Until when those who are asked have time, in seconds since 1970, if the game has `days`."""
    done: int | UnsetType = UNSET
    """The `id` of your request that this answers."""


class LiveTurn(Document, frozen=True, kw_only=True, tag_field="type", tag="turn"):
    """Turns, or a number chosen: what they change of the view."""

    since: int
    """The version that this follows; a client with another one has missed something."""
    version: int
    turn: int
    board: BoardDocument
    asked: list[SideId]
    chosen: list[SideId]
    moves: list[PossibleMove]
    numbers: list[int]
    sentence: str
    last: LastTurn | None
    log: list[LogLine]
    """Lines to add."""
    result: LiveResult | None
    undo: UndoState
    stop: StopState
    deadline: float | None = None
    done: int | UnsetType = UNSET
    """The `id` of your request that this answers."""


class LiveRefused(Document, frozen=True, kw_only=True, tag_field="type", tag="refused"):
    """A request was not carried out."""

    id: int | None
    error: str


class LivePresence(Document, frozen=True, kw_only=True, tag_field="type", tag="presence"):
    """Who is connected, and what that lets you do."""

    P1: bool
    P2: bool
    watching: int
    claim: ClaimState | None


class LiveBye(Document, frozen=True, kw_only=True, tag_field="type", tag="bye"):
    """The server closes the connection."""

    error: str
    again: bool
    """Whether to come back by yourself."""


LiveMessage = LiveView | LiveTurn | LiveRefused | LivePresence | LiveBye
"""What the server sends to the clients of a game."""


class ShownVariant(Document, frozen=True, kw_only=True):
    """A variant on the first page."""

    name: str
    summary: str


class SampleTurn(Document, frozen=True, kw_only=True):
    """A turn of a sample game."""

    at: list[int | None]
    """Where every piece is after it, in the order of the board's pieces."""
    battle: OpenBattle | None
    events: list[EventDocument]


class DuelFigures(Document, frozen=True, kw_only=True):
    """The three figures that say whether a duel is worth playing."""

    value: tuple[float, float]
    """What player 1 can expect with best play of both sides: win 1, loss -1, endless 0."""
    turns: float | None
    """The expected length of a game between two players of level 4; null if it never ends."""
    skill: float
    """What the best player scores against a random one, in the worse seat: 0 to 1."""


class ShownGame(Document, frozen=True, kw_only=True):
    """A game on the first page."""

    id: str
    title: str
    summary: str
    rules: list[str]
    rulebook: RulesDocument
    board: BoardDocument
    sample: list[SampleTurn]
    """A short game by chance, to show how pieces move."""
    variants: list[ShownVariant]
    figures: DuelFigures


class ShownOpponent(Document, frozen=True, kw_only=True):
    """A program to play against."""

    id: str
    name: str
    character: str


class NewGame(Document, frozen=True, kw_only=True):
    """A live game to create: one of the games, or a rulebook as TOML."""

    game: str | None = None
    toml: str | None = None
    variant: str | None = None
    opponent: str = "level:5"
    """`here`, `friend`, or a program such as `level:3` or `perfect`."""
    seat: Literal["P1", "P2", "random"] = "P1"
    name: str | None = None
    watch: bool = False
    """Whether to make a link for spectators."""
    position: str | None = None
    """Where to begin, if not at the start."""
    days: Annotated[int, Meta(ge=1, le=MOST_DAYS)] | None = None
    """How many days a player has for each turn of a game with a friend; null: both stay here."""


class CreatedGame(Document, frozen=True, kw_only=True):
    """A live game that was created, with its creator's tokens. Keep them: they are sent once."""

    id: str
    seats: dict[SideId, str]
    invite: str | None
    spectator: str | None


def board_document(game: Game, narrator: Narrator, position: Position) -> BoardDocument:
    """A position as a board."""
    rules = game.rules
    over = game.outcome(position) is not None
    return BoardDocument(
        cells=(rules.track.first, rules.track.last),
        labels=[narrator.label(cell) for cell in rules.track.cells],
        position=str(position),
        pieces=[
            BoardPiece(name=piece.name, side=SIDE_IDS[side], at=cell)
            for side in Side
            for piece, cell in zip(rules.team(side).pieces, position.cells(side), strict=True)
        ],
        goals={SIDE_IDS[side]: list(rules.team(side).goal) for side in Side},
        homes={piece.name: piece.home for side in Side for piece in rules.team(side).pieces},
        forward={SIDE_IDS[side]: side.direction for side in Side},
        to_move=None if over else SIDE_IDS[position.side],
        battle=_open_battle(game, position),
        hands=_hands(game, position),
    )


def _hands(game: Game, position: Position) -> HandsDocument | UnsetType:
    battle = game.rules.battle
    if position.hands is None or battle is None:
        return UNSET
    one, two = map(list, position.hands)
    return HandsDocument(numbers=battle.numbers, P1=one, P2=two)


def _open_battle(game: Game, position: Position) -> OpenBattle | None:
    if position.battle is None or game.rules.battle is None:
        return None
    return OpenBattle(cell=position.battle, numbers=game.rules.battle.numbers)


def possible_moves(game: Game, position: Position) -> list[PossibleMove]:
    """The legal moves of a position without a battle."""
    if position.battle is not None:
        return []
    return [
        PossibleMove(
            move=str(move),
            said=move_text(game, position, move),
            piece=move.piece if isinstance(move, Step) else None,
            start=game.cell_of(position, move.piece) if isinstance(move, Step) else None,
            end=game.landing(position, move) if isinstance(move, Step) else None,
            text=str(move_effect(game, position, move)),
        )
        for move in game.moves(position)
    ]


def sample_turn(game: Game, turn: Turn) -> SampleTurn:
    """A turn of a sample game, with as little as it takes to show it."""
    return SampleTurn(
        at=[cell for side in Side for cell in turn.after.cells(side)],
        battle=_open_battle(game, turn.after),
        events=event_documents(turn.events),
    )


def log_lines(entries: Iterable[LoggedMove]) -> list[LogLine]:
    """Turns in a few words."""
    return [
        LogLine(
            n=one.number,
            side=None if one.side is None else SIDE_IDS[one.side],
            move=one.move,
            text=one.told,
        )
        for one in entries
    ]


def event_documents(events: Iterable[Event]) -> list[EventDocument]:
    """What happened, as data to draw."""
    return [_event(event) for event in events]


def _event(event: Event) -> EventDocument:
    match event:
        case Moved(side, piece, _, start, end):
            return MovedEvent(side=SIDE_IDS[side], piece=piece, start=start, end=end)
        case Stayed(side, piece, _, cell):
            return StayedEvent(side=SIDE_IDS[side], piece=piece, cell=cell)
        case Passed(side):
            return PassedEvent(side=SIDE_IDS[side])
        case Captured(side, piece, cell):
            return TakenEvent(side=SIDE_IDS[side], piece=piece, cell=cell)
        case SentHome(side, piece, start, home):
            return SentHomeEvent(side=SIDE_IDS[side], piece=piece, start=start, end=home)
        case MovesAgain(side):
            return MovesAgainEvent(side=SIDE_IDS[side])
        case BattleOpened(cell):
            return BattleEvent(cell=cell)
        case BattleSettled(cell, number1, number2, winner):
            return RevealedEvent(
                side=UNSET if winner is None else SIDE_IDS[winner],
                cell=cell,
                numbers={"P1": number1, "P2": number2},
            )
        case HandFilled(side):
            return HandFilledEvent(side=SIDE_IDS[side])
        case Won(side, _, piece, won_on):
            return WonEvent(
                side=SIDE_IDS[side],
                piece=UNSET if piece is None else piece,
                cell=UNSET if won_on is None else won_on,
            )
        case _:
            assert_never(event)


_encoder = msgspec.json.Encoder()
_Document = TypeVar("_Document")


def encoded(document: _Document) -> _Document:
    """A part of a document that is written already, to stand in many documents as it is."""
    return cast("_Document", Raw(_encoder.encode(document)))


def as_json(document: object) -> bytes:
    """A document, ready to be sent."""
    return _encoder.encode(document)
