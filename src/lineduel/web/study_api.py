"""The HTTP interface to study: positions, reviews, puzzles, lessons, rulebooks, audits, ladders."""

from collections.abc import Callable
from datetime import date
from typing import Annotated, Literal, TypeVar

import msgspec
from litestar import get, post
from litestar.di import Provide
from msgspec import Meta

from lineduel import documents
from lineduel.coach import PuzzleRating, ReasonKind, shipped_lesson_file
from lineduel.errors import NotNow
from lineduel.web.api import ERRORS, AnyRequest, ServerState, address_of, admitted
from lineduel.web.computed_answers import (
    OwnText,
    PositionChoice,
    RulebookChoice,
    answered,
    audited,
    described,
    game_advice,
    laddered,
    lesson,
    lesson_answered,
    lesson_list,
    puzzle,
    puzzle_of,
    reviewed,
    solved,
    study,
    validated,
)
from lineduel.web.request_limits import HARD_WORK, READING
from lineduel.web.rulebook_shelf import rulebook_text
from lineduel.web.work_queue import while_connected

QUESTION_SECONDS = 15.0
"""How long a worker may take for one question."""
AUDIT_SECONDS = 60.0
"""The same for what takes many solutions: audits and ladders."""
_Answer = TypeVar("_Answer")


class Questions:
    """What one request asks of workers, within the limits of its address and of time."""

    def __init__(self, state: ServerState, request: AnyRequest) -> None:
        self._state, self._address = state, address_of(request.scope)
        self._receive = request.receive

    async def work(
        self,
        function: Callable[..., _Answer],
        *arguments: object,
        seconds: float = QUESTION_SECONDS,
    ) -> _Answer:
        """Have a worker answer, for as long as the client waits."""
        self._state.limits.check(HARD_WORK, self._address)
        answer = self._state.students.run(
            function, *arguments, seconds=seconds, address=self._address
        )
        return await while_connected(self._receive, answer)

    async def read(self, function: Callable[..., _Answer], *arguments: object) -> _Answer:
        """Have a worker read a rulebook; some workers do only this, so that no audit delays it."""
        self._state.limits.check(READING, self._address)
        answer = self._state.readers.run(
            function, *arguments, seconds=QUESTION_SECONDS, address=self._address
        )
        return await while_connected(self._receive, answer)


QUESTIONS = {"questions": Provide(Questions, sync_to_thread=False)}
"""How handlers get them."""


class AuditChoice(RulebookChoice, kw_only=True):
    """A rulebook to audit."""

    all: bool = False
    """Whether to test what the author does not promise, too."""


class PuzzleChoice(RulebookChoice, kw_only=True):
    """Which puzzle: another one for each seed."""

    seed: Annotated[int, Meta(ge=0, lt=1 << 53)] = 0
    kind: ReasonKind | None = None
    """Only puzzles whose answer is good for this kind of reason."""
    position: str | None = None
    """The puzzle of this position, such as one in which you made a mistake."""


class PuzzleMove(RulebookChoice, kw_only=True):
    """An answer to a puzzle; without a move, the answer is shown."""

    position: str
    move: Annotated[str, Meta(max_length=60)] | None = None
    rating: Annotated[float, Meta(ge=-10_000, le=10_000)] = PuzzleRating().rating
    """Yours before this answer; the server keeps none."""
    streak: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class LessonTaskAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """An answer to a task of a lesson; without one, a right answer is shown."""

    step: Annotated[int, Meta(ge=0, lt=1000)]
    """Which step of the lesson, counted from 0."""
    answer: Annotated[str, Meta(max_length=200)] | None = None
    """A move in notation, a number of a battle, or the text or number (from 1) of a choice."""


class GameRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A recorded game as text, and the side that was yours."""

    record: OwnText
    you: Literal["P1", "P2", "both"] | None = None


class Toml(msgspec.Struct, forbid_unknown_fields=True):
    """A rulebook as text."""

    toml: OwnText


class AuditAnswer(msgspec.Struct):
    """An audit as a document, and as `lineduel audit` prints it."""

    audit: documents.AuditDocument
    text: list[str]


@post("/study", status_code=200, responses=ERRORS)
async def study_position(data: PositionChoice, questions: Questions) -> documents.StudyDocument:
    """Any position: the value of every move, the best line, the mixtures of a battle, a hint."""
    return await questions.work(study, data.text(), data.position)


@get("/live/{id:str}/advice", responses=ERRORS)
async def advise(
    id: str, state: ServerState, request: AnyRequest, questions: Questions
) -> documents.AdviceDocument:
    """A hint and the coach's warnings for your turn; never in a game with a friend elsewhere."""
    hosted, sides = await admitted(state, id, request)
    live, info = hosted.live, hosted.info
    if not hosted.is_helped(sides):
        raise NotNow("There are no hints in a game with a friend on another device.")
    side = next((one for one in live.view(sides).asked if one in sides), None)
    if side is None:
        raise NotNow("There are only hints when it is your turn.")
    names = hosted.views.names(frozenset({side}))
    position = str(live.session.position)
    return await questions.work(
        game_advice, info.rulebook, info.start, info.seats, position, side, dict(names)
    )


@post("/solve", status_code=200, responses=ERRORS)
async def solve_position(data: PositionChoice, questions: Questions) -> documents.SolveDocument:
    """The same document as `lineduel solve --json`."""
    return await questions.work(solved, data.text(), data.position)


@post("/review", status_code=200, responses=ERRORS)
async def review_game(data: GameRecord, questions: Questions) -> documents.ReviewPageDocument:
    """A played game, with a sentence for each mistake."""
    return await questions.work(reviewed, data.record, data.you)


@post("/puzzles", status_code=200, responses=ERRORS)
async def make_puzzle(data: PuzzleChoice, questions: Questions) -> documents.PuzzleDocument:
    """A position in which exactly one move is good."""
    return await questions.work(puzzle, data.text(), data.seed, data.kind, data.position)


@get("/puzzles/of-the-day", responses=ERRORS)
async def show_puzzle_of_the_day(
    questions: Questions, day: date | None = None
) -> documents.PuzzleDocument:
    """The puzzle of a day, the same for everyone: of today by the server's clock, or of `day`."""
    return await questions.work(puzzle_of, day or date.today())


@post("/puzzles/answer", status_code=200, responses=ERRORS)
async def answer_puzzle(data: PuzzleMove, questions: Questions) -> documents.PuzzleAnswer:
    """Whether a move is the good one, and why or why not."""
    given = (data.position, data.move, data.rating, data.streak)
    return await questions.work(answered, data.text(), *given)


@get("/lessons", responses=ERRORS)
async def list_lessons(questions: Questions) -> list[documents.ListedLesson]:
    """The lessons that come with the program."""
    return await questions.read(lesson_list)


@get("/lessons/{lesson_id:str}", responses=ERRORS)
async def show_lesson(lesson_id: str, questions: Questions) -> documents.LessonDocument:
    """A lesson: its texts, boards and questions, without the answers."""
    return await questions.read(lesson, shipped_lesson_file(lesson_id))


@post("/lessons/{lesson_id:str}/answer", status_code=200, responses=ERRORS)
async def answer_lesson(
    lesson_id: str, data: LessonTaskAnswer, questions: Questions
) -> documents.LessonAnswer:
    """Whether an answer is right, and why."""
    file = shipped_lesson_file(lesson_id)
    return await questions.work(lesson_answered, file, data.step, data.answer)


@post("/rules", status_code=200, responses=ERRORS)
async def show_rules(data: RulebookChoice, questions: Questions) -> documents.RulebookPage:
    """A rulebook in words, with its board and its text."""
    return await questions.read(described, data.text())


@post("/validate", status_code=200, responses=ERRORS)
async def validate_rulebook(data: Toml, questions: Questions) -> documents.ValidateDocument:
    """Everything that is wrong with a rulebook."""
    return await questions.read(validated, data.toml)


@post("/audit", status_code=200, responses=ERRORS)
async def audit_rulebook(data: AuditChoice, questions: Questions) -> AuditAnswer:
    """Whether a rulebook keeps its promises."""
    report = await questions.work(audited, data.text(), data.all, seconds=AUDIT_SECONDS)
    return AuditAnswer(report.audits[0], report.text)


@get("/ladder/{game:str}", responses=ERRORS)
async def show_ladder(game: str, questions: Questions) -> documents.LadderDocument:
    """How strong each level is, exactly."""
    text = rulebook_text(game, None, None)
    return await questions.work(laddered, text, seconds=AUDIT_SECONDS)


study_handlers = [
    advise,
    study_position,
    solve_position,
    review_game,
    make_puzzle,
    show_puzzle_of_the_day,
    answer_puzzle,
    list_lessons,
    show_lesson,
    answer_lesson,
    show_rules,
    validate_rulebook,
    audit_rulebook,
    show_ladder,
]
