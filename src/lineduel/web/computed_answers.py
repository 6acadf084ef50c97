"""Questions that worker processes answer, within limits: what they are about, and the answers."""

from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from lineduel import arena, documents, lab
from lineduel.coach import (
    SHIPPED_LESSONS,
    Adviser,
    PuzzleRating,
    ReasonKind,
    find_puzzles,
    judge,
    judge_answer,
    mistake_puzzle,
    puzzle_of_the_day,
    read_lesson,
    review,
    shipped_lesson,
    solved_or_estimated,
)
from lineduel.engine import Game, Position
from lineduel.errors import (
    AddressSpaceLimit,
    NotationError,
    NotSolved,
    RulebookError,
    TooLarge,
)
from lineduel.narration import Names, read_answer
from lineduel.play import Seats
from lineduel.players import ValueEstimate, level_number
from lineduel.record import read_position, read_record
from lineduel.rules import (
    Side,
    apply_variant,
    assign,
    edited_toml,
    key_lines,
    problems_of,
    unpack_rulebook,
)
from lineduel.safe_toml import parse_toml
from lineduel.solve import Cache, PlainSolution, Solution, solve
from lineduel.web.rulebook_shelf import (
    LARGEST_OWN_RULEBOOK,
    RulebookText,
    cache_for,
    check_variants,
    rulebook_of,
    rulebook_text,
)

MEMORY = 240 << 20
"""Bytes that a solution may take: about 80,000 positions."""
_KEPT = 8
"""Games and solutions that a worker keeps."""
_LONGEST_PACKED = 4 * LARGEST_OWN_RULEBOOK // 3
OwnText = Annotated[str, Meta(max_length=LARGEST_OWN_RULEBOOK)]
"""A text that comes with a question, no longer than a rulebook may be."""
Packed = Annotated[str, Meta(max_length=_LONGEST_PACKED)]
"""A rulebook's text as it stands in an address."""
_Assignment = Annotated[str, Meta(max_length=400)]


class RulebookChoice(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One of the games, or a rulebook as TOML."""

    game: str | None = None
    toml: OwnText | None = None
    variant: str | None = None

    def text(self) -> RulebookText:
        return rulebook_text(self.game, self.toml, self.variant)


class PositionChoice(RulebookChoice, kw_only=True):
    """A position of a rulebook; the start, if none is given."""

    position: str | None = None


class DesignChoice(RulebookChoice, kw_only=True):
    """A rulebook: a game, a text, its data, or what a link holds; and changes to it."""

    rulebook: dict[str, Any] | None = None
    """The data of a rulebook, as the form has it, right or wrong; `toml` is then its text before
    the last change, whose comments stay."""
    packed: Packed | None = None
    """What stands behind `/design#`."""
    set: Annotated[list[_Assignment], Meta(max_length=20)] = msgspec.field(default_factory=list)
    """Changes as assignments: `move.steps=1,2`."""

    def check(self) -> None:
        """Refuse a game that does not exist."""
        if self.rulebook is None and self.packed is None:
            self.text()

    def toml_on_trial(self) -> str:
        """The text that is meant, with the variant and the changes applied."""
        if self.rulebook is not None:
            return edited_toml(self.toml or "", self.rulebook)
        if self.packed is not None:
            return unpack_rulebook(self.packed, LARGEST_OWN_RULEBOOK)
        text = rulebook_text(self.game, self.toml, None)
        if not self.variant and not self.set:
            return text.toml
        rulebook = rulebook_of(text)
        if self.variant:
            rulebook = replace(apply_variant(rulebook, self.variant), variants=(), variant=None)
        return documents.changed_text(assign(rulebook, self.set), text.toml)


# Answers that need no solution


def validated(toml: str) -> documents.ValidateDocument:
    """Everything that is wrong with a rulebook; to look for warnings would take seconds."""
    return documents.validate_document("rulebook.toml", _problems(toml), None)


def described(text: RulebookText) -> documents.RulebookPage:
    """A rulebook in words, with its board and its text."""
    return documents.rulebook_page(_game(text), text.toml)


def tried(text: RulebookText, position: str | None) -> documents.TriedPosition:
    """The legal moves of a position, and what each leads to."""
    return documents.tried_position(_game(text), _position(text, position))


def on_trial(choice: DesignChoice) -> documents.DesignDocument:
    """A rulebook as text and as data, with all that is wrong with it; else a board to try it on."""
    toml = choice.toml_on_trial()
    if len(toml.encode()) > LARGEST_OWN_RULEBOOK:
        raise NotationError(f"A rulebook may have at most {LARGEST_OWN_RULEBOOK:,} bytes.")
    problems = _problems(toml)
    try:
        data = parse_toml(toml)
    except ValueError:
        data = None
    game = None if problems else _game(RulebookText("own", toml, ""))
    return documents.design_document(toml, data, problems, game)


def _problems(toml: str) -> tuple[RulebookError, ...]:
    """Everything that is wrong; with too many variants, only that, since each takes its time."""
    try:
        check_variants(parse_toml(toml))
    except RulebookError as error:
        line = key_lines(toml).get(error.key, 1)
        return (RulebookError(error.path, error.holds, error.allowed, line=line),)
    except ValueError:
        pass  # not TOML
    return problems_of(toml)


# Answers that take a solution


def study(text: RulebookText, position: str | None) -> documents.StudyDocument:
    """A position of a rulebook, with the value of every move."""
    game, start = _game(text), _position(text, position)
    adviser = Adviser(game, lambda: _solution(text, start))
    try:
        estimate = not _solution(text, start)
    except (TooLarge, AddressSpaceLimit):
        estimate = True
    return documents.study_document(adviser, game, start, estimate)


def game_advice(
    text: RulebookText, start: str, seats: Seats, position: str, side: Side, names: Names
) -> documents.AdviceDocument:
    """Help in a game from that start between these players, for a side of a position of it."""
    return documents.advice_document(
        _adviser(text, start, seats), _position(text, position), side, names
    )


@lru_cache(_KEPT)
def _adviser(text: RulebookText, start: str, seats: Seats) -> Adviser:
    """What is worked out for one turn helps in the next."""
    seated = zip(Side, map(level_number, seats), strict=True)
    levels = {side: level for side, level in seated if level is not None}
    return Adviser(_game(text), lambda: _solution(text, _position(text, start)), levels)


def solved(text: RulebookText, position: str | None) -> documents.SolveDocument:
    """The values of all moves of a position."""
    start = _position(text, position)
    return documents.solve_document(_solution(text, start), start)


def reviewed(record_text: str, you: str | None) -> documents.ReviewPageDocument:
    """A played game, judged move by move, for the person who played one side of it."""
    record = read_record(record_text)
    solution = solved_or_estimated(record, None, cache_for(record.rulebook.id))
    return documents.review_page_document(
        review(record, solution), isinstance(solution, ValueEstimate), you
    )


def puzzle(
    text: RulebookText, seed: int, kind: ReasonKind | None, position: str | None
) -> documents.PuzzleDocument:
    """A puzzle of a game, another one for each seed; or that of a position."""
    solution = _plain_solution(text)
    if position is not None:
        found = mistake_puzzle(solution, _position(text, position))
    else:
        found = next(find_puzzles(solution, Random(seed), kind), None)
    if found is None:
        raise NotSolved("There is no such puzzle: no position with one good move, or no mistake.")
    return documents.puzzle_document(solution.game, found)


def puzzle_of(day: date) -> documents.PuzzleDocument:
    """The puzzle of the day."""
    solution, found = puzzle_of_the_day(
        day, lambda game: _plain_solution(rulebook_text(game, None, None))
    )
    return documents.puzzle_document(solution.game, found)


def answered(
    text: RulebookText, position: str, move: str | None, rating: float, streak: int
) -> documents.PuzzleAnswer:
    """Whether a move is the good one; without a move, the answer."""
    solution = _plain_solution(text)
    game = solution.game
    found = mistake_puzzle(solution, _position(text, position))
    if found is None:
        raise NotationError("That position is not a puzzle.")
    so_far = PuzzleRating(rating=rating, streak=streak)
    given = found.answer if move is None else read_answer(game, found.position, move)
    verdict = judge(solution, found.position, given)
    return documents.puzzle_answer(game, found, verdict, move is not None, so_far)


def lesson_list() -> list[documents.ListedLesson]:
    """The lessons that come with the program."""
    return [documents.listed_lesson(shipped_lesson(one)) for one in SHIPPED_LESSONS]


def lesson(file: Path) -> documents.LessonDocument:
    """A lesson without its answers."""
    return documents.lesson_document(_lesson(file))


def lesson_answered(file: Path, step: int, answer: str | None) -> documents.LessonAnswer:
    """Whether an answer to a task of a lesson is right, and why; without one, a right answer."""
    steps = _lesson(file).steps
    if step >= len(steps) or not steps[step].is_task:
        raise NotationError("There is no such task in this lesson.")
    asked, cache = steps[step], Cache()
    if answer is not None:
        return documents.lesson_answer(asked, judge_answer(asked, answer, cache))
    judged = (judge_answer(asked, one, cache) for one in documents.possible_answers(asked))
    return documents.lesson_answer(asked, next(one for one in judged if one.right))


_lesson = lru_cache(_KEPT)(read_lesson)


def audited(text: RulebookText, everything: bool) -> documents.AuditReport:
    """Whether a rulebook keeps its promises, as `lineduel audit` says it."""
    return documents.audit_report(
        [lab.audit(rulebook_of(text), everything, cache=cache_for(text.id))]
    )


def laddered(text: RulebookText) -> documents.LadderDocument:
    """How strong each level is in a game, exactly."""
    start = _position(text, None)
    return documents.ladder_document(arena.climb(_solution(text, start)), start)


@lru_cache(_KEPT)
def _game(text: RulebookText) -> Game:
    return Game(rulebook_of(text))


@lru_cache(_KEPT)
def _solution(text: RulebookText, start: Position) -> Solution:
    return solve(_game(text), start, memory=MEMORY, cache=cache_for(text.id))


def _plain_solution(text: RulebookText) -> PlainSolution:
    solution = _solution(text, _position(text, None))
    if not isinstance(solution, PlainSolution):
        raise TooLarge(solution.positions, 0, "Puzzles are made of smaller rulebooks.")
    return solution


def _position(text: RulebookText, position: str | None) -> Position:
    game = _game(text)
    if position is None:
        return game.start()
    if len(position) > 200:
        raise NotationError("That is too long for a position.")
    return read_position(game, position)
