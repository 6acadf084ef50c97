"""The JSON of a rulebook on trial in the designer."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from msgspec import field

from lineduel.documents.document import Document
from lineduel.documents.live_documents import (
    SIDE_IDS,
    BoardDocument,
    EventDocument,
    PossibleMove,
    ShownVariant,
    SideId,
    board_document,
    event_documents,
    possible_moves,
)
from lineduel.documents.problem_documents import ProblemDocument
from lineduel.engine import Game, Move, Position
from lineduel.errors import RulebookError
from lineduel.narration import Narrator, turn_sentence
from lineduel.play import Turn
from lineduel.rules import (
    Rulebook,
    Side,
    edited_toml,
    pack_rulebook,
    rule_sentences,
    rulebook_data,
    rulebook_from_data,
)


class TriedMove(Document, frozen=True, kw_only=True):
    """A legal move, or both numbers of a battle, with what comes of it."""

    move: str
    said: str
    """The move as people read it, such as `P1-C 2→4`."""
    piece: str | None
    """The piece that moves; null for a pass and for a battle."""
    start: int | None = field(name="from")
    end: int | None = field(name="to")
    text: str
    """What it does besides moving a piece."""
    after: str
    """The position it leads to."""
    events: list[EventDocument]
    sentence: str
    """What happened, once it is played."""


class TriedPosition(Document, frozen=True, kw_only=True):
    """A position with its legal moves; nothing is solved."""

    board: BoardDocument
    winner: SideId | None
    sentence: str
    """Whose turn it is, or who has won."""
    moves: list[TriedMove]
    """In an open battle every pair of numbers; none when the game is over."""


class DesignDocument(Document, frozen=True, kw_only=True):
    """A rulebook as text and as data, with all that is wrong with it."""

    toml: str
    rulebook: dict[str, Any] | None
    """The data of the text, right or wrong; null where it is not TOML."""
    packed: str
    """The text for an address: `/design#PACKED`."""
    valid: bool
    problems: list[ProblemDocument]
    title: str
    rules: list[str]
    """The rules in words; empty unless the rulebook is valid."""
    start: TriedPosition | None
    variants: list[ShownVariant]


def tried_position(game: Game, position: Position) -> TriedPosition:
    """A position to try moves in."""
    narrator = Narrator(game)
    winner = game.outcome(position)
    moves = () if winner is not None else game.moves(position)
    return TriedPosition(
        board=board_document(game, narrator, position),
        winner=None if winner is None else SIDE_IDS[winner],
        sentence=_standing(winner, narrator, position),
        moves=_tried_moves(game, narrator, position, moves),
    )


def _tried_moves(
    game: Game, narrator: Narrator, position: Position, moves: Iterable[Move]
) -> list[TriedMove]:
    steps = {one.move: one for one in possible_moves(game, position)}
    names = {side: narrator.name(side) for side in SIDE_IDS}
    made = []
    for move in moves:
        turn = Turn(position, move, game.play(position, move), game.events(position, move))
        step = steps.get(str(move)) or PossibleMove(
            move=str(move), said=str(move), piece=None, start=None, end=None, text=""
        )
        made.append(
            TriedMove.of(
                step,
                after=str(turn.after),
                events=event_documents(turn.events),
                sentence=turn_sentence(turn, names, narrator.label),
            )
        )
    return made


def _standing(winner: Side | None, narrator: Narrator, position: Position) -> str:
    if winner is not None:
        return f"{narrator.name(winner)} has won."
    if position.battle is not None:
        place = narrator.label(position.battle)
        return f"Battle on {place}. Choose a number for each player."
    return f"{narrator.name(position.side)} to move."


def design_document(
    toml: str, data: dict[str, Any] | None, problems: Sequence[RulebookError], game: Game | None
) -> DesignDocument:
    """A rulebook on trial; `game` is given where nothing is wrong with it."""
    rulebook = None if game is None else game.rulebook
    title = data.get("title") if data else None
    return DesignDocument(
        toml=toml,
        rulebook=data,
        packed=pack_rulebook(toml),
        valid=game is not None,
        problems=[ProblemDocument.of(one) for one in problems],
        title=title if isinstance(title, str) else "",
        rules=[] if rulebook is None else list(rule_sentences(rulebook.rules)),
        start=None if game is None else tried_position(game, game.start()),
        variants=[] if rulebook is None else [ShownVariant.of(one) for one in rulebook.variants],
    )


def changed_text(rulebook: Rulebook, before: str) -> str:
    """A rulebook with changed rules as a file; without its variants if one no longer fits.

    The comments of the file before stay where that is possible.
    """
    data = rulebook_data(rulebook)
    try:
        rulebook_from_data(data, rulebook.id)
    except RulebookError:
        data = rulebook_data(replace(rulebook, variants=()))
    return edited_toml(before, {key: one for key, one in data.items() if one not in ({}, [], "")})
