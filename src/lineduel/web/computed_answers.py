"""What worker processes compute for whoever asks, within limits: studies, reviews, audits."""

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from lineduel.coach import (
    Adviser,
    PuzzleRating,
    find_puzzles,
    judge,
    puzzle_at,
    review,
    solved_or_estimated,
)
from lineduel.documents import (
    AuditReport,
    LadderDocument,
    PuzzleAnswer,
    PuzzleDocument,
    ReviewPageDocument,
    SolveDocument,
    StudyDocument,
    audit_report,
    ladder_document,
    puzzle_answer,
    puzzle_document,
    review_page_document,
    solve_document,
    study_document,
)
from lineduel.engine import Game, Position
from lineduel.errors import AddressSpaceLimit, NotationError, NotSolved, TooLarge
from lineduel.narration import read_answer
from lineduel.players import ValueEstimate
from lineduel.record import read_position, read_record
from lineduel.rulebooks import SHIPPED
from lineduel.solve import Cache, PlainSolution, Solution, solve
from lineduel.web.rulebook_shelf import RulebookText, rulebook_of

if TYPE_CHECKING:
    from lineduel.lab import Audit

MEMORY = 240 << 20
"""Bytes that a solution may take: about 80,000 positions."""
_KEPT = 8
"""Solutions that a worker keeps."""


def study(text: RulebookText, position: str | None) -> StudyDocument:
    """A position of a rulebook, with the value of every move."""
    game, start = _game(text), _position(text, position)
    adviser = Adviser(game, lambda: _solution(text, str(start)))
    try:
        estimate = not _solution(text, str(start))
    except (TooLarge, AddressSpaceLimit):
        estimate = True
    return study_document(adviser, game, start, estimate)


def solved(text: RulebookText, position: str | None) -> SolveDocument:
    """The values of all moves of a position."""
    start = _position(text, position)
    return solve_document(_solution(text, str(start)), start)


def reviewed(record_text: str) -> ReviewPageDocument:
    """A played game, judged move by move."""
    record = read_record(record_text)
    cache = Cache() if record.rulebook.id in SHIPPED else None
    solution = solved_or_estimated(record, None, cache)
    return review_page_document(review(record, solution), isinstance(solution, ValueEstimate))


def puzzle(text: RulebookText, seed: int) -> PuzzleDocument:
    """A puzzle of a game, another one for each seed."""
    solution = _plain_solution(text)
    found = next(find_puzzles(solution, Random(seed)), None)
    if found is None:
        raise NotSolved("This game has no position with exactly one good move.")
    return puzzle_document(solution.game, found)


def answered(
    text: RulebookText, position: str, move: str | None, rating: float, streak: int
) -> PuzzleAnswer:
    """Whether a move is the good one; without a move the answer is told."""
    solution = _plain_solution(text)
    game = solution.game
    found = puzzle_at(solution, _position(text, position))
    if found is None:
        raise NotationError("That position is not a puzzle.")
    so_far = PuzzleRating(rating=rating, streak=streak)
    if move is None:
        answer = judge(solution, found, found.answer).as_answer()
        return puzzle_answer(game, found, False, answer, True, so_far)
    verdict = judge(solution, found, read_answer(game, found.position, move))
    return puzzle_answer(game, found, verdict.right, str(verdict), verdict.right, so_far)


def audited(text: RulebookText, everything: bool) -> AuditReport:
    """Whether a rulebook keeps its promises, as `lineduel audit` says it."""
    from lineduel.lab import audit

    found: Audit = audit(rulebook_of(text), everything, cache=cache_for(text))
    return audit_report([found])


def laddered(text: RulebookText) -> LadderDocument:
    """How strong each level is in a game, exactly."""
    from lineduel.arena import climb

    start = _position(text, None)
    return ladder_document(climb(_solution(text, str(start))), start)


def cache_for(text: RulebookText) -> Cache | None:
    """Solutions of the shipped games are kept on disk; those of strangers' rulebooks are not."""
    return Cache() if text.id in SHIPPED else None


@lru_cache(_KEPT)
def _game(text: RulebookText) -> Game:
    return Game(rulebook_of(text))


@lru_cache(_KEPT)
def _solution(text: RulebookText, start: str) -> Solution:
    game = _game(text)
    return solve(game, read_position(game, start), memory=MEMORY, cache=cache_for(text))


def _plain_solution(text: RulebookText) -> PlainSolution:
    solution = _solution(text, str(_position(text, None)))
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
