"""The JSON of `replay` and `review`."""

from typing import Literal

from lineduel import coach
from lineduel.documents.document import Document
from lineduel.documents.reason_documents import (
    NumberReasonDocument,
    ReasonDocument,
    number_reason_document,
    reason_documents,
)
from lineduel.documents.solution_documents import ValueDocument, value_document
from lineduel.engine import Game
from lineduel.record import Record
from lineduel.rules import Side

ResultText = Literal["1", "2", "*"]
"""Who won; `*` for a game that is not finished."""
RESULT_TEXTS: dict[Side | None, ResultText] = {Side.ONE: "1", Side.TWO: "2", None: "*"}


class ReplayDocument(Document, frozen=True, kw_only=True):
    """A recorded game."""

    game: str
    tags: dict[str, str]
    """The other tags of the record."""
    moves: list[str]
    positions: list[str]
    """The start, and the position after each move."""
    result: ResultText
    """Who won; `*` for a game that is not finished."""
    resigned: Side | None
    """Who resigned."""
    forfeited: Side | None
    """Who forfeited the game."""


class DrawDocument(Document, frozen=True, kw_only=True):
    """One side's number in a battle, and its skill and luck from that side's point of view."""

    number: int
    optimal: float
    """The chance of that number in optimal play."""
    expected: float
    """The number's expected value against optimal play of the other side."""
    skill: float
    """What was gained by choosing it."""
    luck: float
    """What was gained by the other side's number."""
    mistake: coach.Mistake | None
    """`?` or `??` if the number is proved to be worth less than the battle."""
    reasons: list[NumberReasonDocument]


class DrawsDocument(Document, frozen=True, kw_only=True):
    """Both sides' numbers in a battle."""

    player1: DrawDocument
    player2: DrawDocument


class JudgementDocument(Document, frozen=True, kw_only=True):
    """One move of a game and its effect on the value."""

    move: str
    side: Side | None
    """The side that moved; null for a battle, in which both did."""
    before: ValueDocument
    after: ValueDocument
    mistake: coach.Mistake | None
    """`?` lowers what the player can expect by at most one, `??` by more; null otherwise."""
    delay: int
    """By how many plies it wins later, or loses sooner, than necessary."""
    better: str | None
    """A move that kept the value, if this one did not."""
    line: list[str]
    """Best play, beginning with the better move."""
    punished_by: str | None
    """The best answer to a mistake."""
    reasons: list[ReasonDocument]
    """Why it is a mistake; for any other move, what it leaves to the other side or misses."""
    chances_lost: float | None
    """By how many points, of 1, a move that keeps the value makes a win less likely than a loss;
    null below 0.05, and in games that are too large."""
    battle: DrawsDocument | None
    """Both sides' numbers, if the move is a battle."""


class AccuracyDocument(Document, frozen=True, kw_only=True):
    """How often one side kept the value when it had a choice, and how its battles went."""

    share: float | None
    """The share of its choices that kept the value; null if it had no choice."""
    kept: int
    choices: int
    battles: int
    skill: float
    luck: float


class AccuraciesDocument(Document, frozen=True, kw_only=True):
    """The accuracy of both sides."""

    player1: AccuracyDocument
    player2: AccuracyDocument


class ReviewDocument(Document, frozen=True, kw_only=True):
    """A played game, judged move by move."""

    game: str
    position: str
    """The position in which the game began."""
    result: ResultText
    """Who won; `*` for a game that is not finished."""
    resigned: Side | None
    """Who resigned."""
    forfeited: Side | None
    """Who forfeited the game."""
    moves: list[JudgementDocument]
    accuracy: AccuraciesDocument
    estimate: bool
    """Whether the values are estimates by search, because the game is too large to solve."""


def replay_document(record: Record) -> ReplayDocument:
    """A record with all its positions."""
    return ReplayDocument.of(
        record,
        game=record.rulebook.id,
        tags=dict(record.tags),
        moves=[str(move) for move in record.moves],
        positions=[str(position) for position in record.positions()],
        result=RESULT_TEXTS[record.winner],
    )


def review_document(review: "coach.Review", estimate: bool) -> ReviewDocument:
    """A review; `estimate` says that its values are estimates."""
    record = review.record
    game = Game(record.rulebook)
    one, two = (AccuracyDocument.of(review.accuracy(side)) for side in Side)
    return ReviewDocument.of(
        record,
        game=record.rulebook.id,
        position=str(record.start),
        result=RESULT_TEXTS[record.winner],
        moves=[_judgement(game, move) for move in review.judgements],
        accuracy=AccuraciesDocument(player1=one, player2=two),
        estimate=estimate,
    )


def _judgement(game: Game, one: "coach.Judgement") -> JudgementDocument:
    battle = None
    if one.draws:
        player1, player2 = map(_draw, one.draws)
        battle = DrawsDocument(player1=player1, player2=player2)
    return JudgementDocument.of(
        one,
        move=str(one.move),
        before=value_document(one.before),
        after=value_document(one.after),
        better=None if one.better is None else str(one.better),
        line=[str(move) for move in one.line],
        reasons=reason_documents(game, one.position, one.move, one.reasons, coach.Tense.AFTERWARDS),
        punished_by=None if one.punished_by is None else str(one.punished_by),
        chances_lost=None if (lost := one.chances_lost) is None else lost.points,
        battle=battle,
    )


def _draw(draw: "coach.Draw") -> DrawDocument:
    return DrawDocument.of(draw, reasons=list(map(number_reason_document, draw.reasons)))
