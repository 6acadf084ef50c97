"""The JSON of reasons: why a move or a number is a mistake."""

from collections.abc import Iterable
from typing import Literal

from msgspec import field

from lineduel import coach
from lineduel.documents.document import Document
from lineduel.engine import Game, Move, Position
from lineduel.narration import NUMBERED
from lineduel.rules import Side


class DeedDocument(Document, frozen=True, kw_only=True):
    """What a piece does by going from one cell to another."""

    act: coach.Act
    side: Side
    piece: str
    start: int = field(name="from")
    cell: int = field(name="to")
    victims: list[str]
    """The enemies that are taken, sent home or met in battle, or that cannot go forward then."""


class NeedsDocument(Document, frozen=True, kw_only=True):
    """How many turns of its own each side needs to a goal while the other stands still."""

    player1: int | None
    """Null if it can never reach a goal."""
    player2: int | None


class ReasonDocument(Document, frozen=True, kw_only=True):
    """Why a move is good or bad."""

    kind: coach.ReasonKind
    sentence: str
    turn: int
    """How many turns after the first move of the line it happens; 0 for that move itself."""
    line: list[str]
    """The moves that show it; it begins with the move in question, or with a better one."""
    pieces: list[str]
    """The pieces to look at."""
    cells: list[int]
    """The cells to look at."""
    deed: DeedDocument | None
    """What a piece does, if the reason is about that."""
    needs: NeedsDocument | None
    """Of `race` and `unstoppable`; of `ahead` and `lost turns`: on an empty track."""


class NumberReasonDocument(Document, frozen=True, kw_only=True):
    """Why a number of a battle is a mistake, or what it costs if the other side expects it."""

    kind: Literal["beaten", "predictable"]
    sentence: str
    answer: int
    """The best answer to the number."""
    price: float | None
    """What the number costs if the other side expects it; null for a mistake."""


def reason_documents(
    game: Game,
    position: Position,
    move: Move,
    reasons: "Iterable[coach.Reason]",
    tense: "coach.Tense",
) -> list[ReasonDocument]:
    """The reasons for a move, before it or afterwards."""
    words = coach.ReasonWords(game=game, position=position, move=move, names=NUMBERED, tense=tense)
    return [_reason(words, one) for one in reasons]


def number_reason_document(
    reason: "coach.Beaten | coach.Predictable",
) -> NumberReasonDocument:
    """The reason for a number of a battle."""
    expected = isinstance(reason, coach.Predictable)
    return NumberReasonDocument(
        kind="predictable" if expected else "beaten",
        sentence=coach.number_sentence(reason),
        answer=reason.answer,
        price=float(reason.price) if isinstance(reason, coach.Predictable) else None,
    )


def _reason(words: "coach.ReasonWords", reason: "coach.Reason") -> ReasonDocument:
    deed = needs = None
    if isinstance(reason, coach.DeedReason):
        deed = DeedDocument.of(reason.deed, victims=list(reason.deed.victims))
    if isinstance(reason, coach.Race | coach.Ahead | coach.LostTurns):
        needs = NeedsDocument.of(reason.needs)
    return ReasonDocument.of(
        reason,
        sentence=words.sentence(reason),
        line=[str(move) for move in reason.shown_by],
        pieces=list(reason.pieces),
        cells=list(reason.cells),
        deed=deed,
        needs=needs,
    )
