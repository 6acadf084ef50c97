"""The JSON of lessons: the list of them, one lesson, and what there is to say about an answer."""

from typing import Literal

from lineduel import coach
from lineduel.documents.document import Document
from lineduel.documents.live_documents import (
    BoardDocument,
    EventDocument,
    PossibleMove,
    board_document,
    event_documents,
    possible_moves,
)
from lineduel.documents.reason_documents import ReasonDocument, reason_documents
from lineduel.narration import Narrator
from lineduel.rules import Side

_WORDS_A_MINUTE, _MINUTES_A_TASK = 200, 1 / 6
"""How fast somebody reads, and thinks about a task."""


class ListedLesson(Document, frozen=True, kw_only=True):
    """A lesson in the list."""

    id: str
    title: str
    summary: str
    tasks: int
    """How many questions it asks."""
    steps: int
    """How many texts and questions it has."""
    minutes: int
    """About how long it takes."""
    board: BoardDocument | None
    """The first position that it shows."""


class LessonStepDocument(Document, frozen=True, kw_only=True):
    """A text, often with a position and a question."""

    text: str
    """Paragraphs, with an empty line between them."""
    game: str
    title: str
    """Of the game."""
    side: Side
    """The side that the learner plays."""
    board: BoardDocument | None
    """Null for a text without a position."""
    question: Literal["move", "number", "choice"] | None
    """What is asked for; null for a text to read."""
    moves: list[PossibleMove]
    """The legal moves, if one is asked for, without what they do."""
    choices: list[str]
    """What can be chosen, if a choice or a number is asked for."""


class LessonDocument(Document, frozen=True, kw_only=True):
    """A lesson without its answers."""

    id: str
    title: str
    summary: str
    steps: list[LessonStepDocument]


class LessonAnswer(Document, frozen=True, kw_only=True):
    """What there is to say about an answer."""

    right: bool
    sentence: str
    """Whether it is right, and why."""
    then: str
    """What the lesson says after a right answer; empty after a wrong one."""
    board: BoardDocument | None
    """After the move, if it was a right move; otherwise null."""
    events: list[EventDocument]
    """What that move did."""
    reasons: list[ReasonDocument]


def listed_lesson(lesson: "coach.Lesson") -> ListedLesson:
    """A lesson with its first picture and how long it takes."""
    words = sum(len(step.text.split()) for step in lesson.steps)
    return ListedLesson.of(
        lesson,
        steps=len(lesson.steps),
        minutes=max(1, round(words / _WORDS_A_MINUTE + lesson.tasks * _MINUTES_A_TASK)),
        board=next((one for step in lesson.steps if (one := _step(step).board)), None),
    )


def lesson_document(lesson: "coach.Lesson") -> LessonDocument:
    """A lesson, to be taught somewhere else."""
    return LessonDocument.of(lesson, steps=[_step(one) for one in lesson.steps])


def _step(step: "coach.LessonStep") -> LessonStepDocument:
    game = step.game
    question: Literal["move", "number", "choice"] | None = None
    choices, moves = list(step.choices), []
    if step.asks_number:
        assert game.rules.battle is not None
        question = "number"
        choices = [str(one) for one in game.hand(step.at, step.side)]
    elif step.is_task:
        question = "choice" if choices else "move"
    if question == "move":
        moves = [one.without_text() for one in possible_moves(game, step.at)]
    return LessonStepDocument(
        text=step.text,
        game=game.rulebook.id,
        title=game.rulebook.title,
        side=step.side,
        board=board_document(game, Narrator(game), step.at) if step.shows_board else None,
        question=question,
        moves=moves,
        choices=choices,
    )


def possible_answers(step: "coach.LessonStep") -> list[str]:
    """Everything that can be answered to a task: choices, numbers or moves."""
    asked = _step(step)
    return asked.choices or [one.move for one in asked.moves]


def lesson_answer(step: "coach.LessonStep", feedback: "coach.LessonFeedback") -> LessonAnswer:
    """The feedback; the board after a right move."""
    game, move = step.game, feedback.move
    played = move if feedback.right else None
    found = feedback.reasons
    return LessonAnswer.of(
        feedback,
        then=step.then if feedback.right else "",
        board=played and board_document(game, Narrator(game), game.play(step.at, played)),
        events=event_documents(game.events(step.at, played)) if played else [],
        reasons=reason_documents(game, step.at, move, found, coach.Tense.BEFORE) if move else [],
    )
