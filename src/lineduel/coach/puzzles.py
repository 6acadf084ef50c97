"""Puzzles: positions in which exactly one move is good, or in which somebody went wrong."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from itertools import islice
from random import Random

from lineduel.coach.reason_facts import Reason, ReasonKind
from lineduel.coach.reason_sentences import ReasonWords, Tense
from lineduel.coach.reasons import better_move, reasons
from lineduel.engine import Game, Move, Position
from lineduel.errors import NotSolved
from lineduel.facts import Fact
from lineduel.narration import YOU, MoveWords, Names, line_text
from lineduel.players import LEVELS, Level
from lineduel.rulebooks import SHIPPED
from lineduel.rules import Side, listed
from lineduel.solve import (
    PlainSolution,
    Solution,
    Value,
    as_effect,
    keeping_moves,
    only_move,
)

_LINE = 6
"""How many moves of the answer to a wrong move are shown."""


_HARD, _LOOKED_AT = 3, 40
"""The puzzle of the day is one that at least `_HARD` levels miss, if there is one among the first
`_LOOKED_AT` of that day."""
PUZZLE_KINDS = (
    ReasonKind.GAIN,
    ReasonKind.ESCAPE,
    ReasonKind.NEW_GUARD,
    ReasonKind.RACE,
    ReasonKind.ZUGZWANG,
    ReasonKind.ONLY_SAFE,
)
"""Why the answer to a puzzle can be good."""


@dataclass(frozen=True, slots=True)
class Puzzle(Fact):
    """A position, a good move that not every move is, and how many of the levels miss it."""

    position: Position
    answer: Move
    grade: int
    is_only: bool = True
    """Whether no other move is as good."""

    @property
    def question(self) -> str:
        return "find the only good move" if self.is_only else "find a good move"


def find_puzzles(
    solution: PlainSolution, rng: Random, kind: ReasonKind | None = None
) -> Iterator[Puzzle]:
    """Puzzles of a solved game in random order; those whose answer is good for one kind of reason.

    The kinds that there are stand in `PUZZLE_KINDS`.
    """
    positions = [position for position, _ in solution.items()]
    return puzzles_at(solution, rng.sample(positions, len(positions)), kind)


def puzzle_of_the_day(
    day: date, solution_of: Callable[[str], PlainSolution]
) -> tuple[PlainSolution, Puzzle]:
    """The puzzle for a date, and the solution of its game: the same for everyone.

    Game and position follow from hashes of the date, so that neither versions of Python nor the
    order of anything matter. `solution_of` gives the solution of a shipped game by its id.
    """
    for game in sorted(SHIPPED, key=lambda one: _day_order(day, one)):
        solution = solution_of(game)
        positions = [position for position, _ in solution.items()]
        positions.sort(key=lambda one: _day_order(day, one))
        found = list(islice(puzzles_at(solution, positions), _LOOKED_AT))
        if found:
            return solution, next((one for one in found if one.grade >= _HARD), found[0])
    raise NotSolved("No game has a puzzle.")


def _day_order(day: date, what: object) -> bytes:
    return sha256(f"{day.isoformat()} {what}".encode()).digest()


def puzzles_at(
    solution: Solution, positions: Iterable[Position], kind: ReasonKind | None = None
) -> Iterator[Puzzle]:
    """The puzzles among some positions, in their order."""
    for position in positions:
        answer = only_move(solution, position)
        if answer is None:
            continue
        if kind and kind not in _kinds(reasons(solution, position, answer)):
            continue
        yield Puzzle(position, answer, _grade(solution, position, (answer,)))


def _kinds(found: Iterable[Reason]) -> set[ReasonKind]:
    """Kinds of puzzles; at a losing distance, too, a side is without a good move."""
    kinds = {one.kind for one in found}
    return kinds | {ReasonKind.ZUGZWANG} if ReasonKind.DISTANCE in kinds else kinds


def puzzle_at(solution: Solution, position: Position) -> Puzzle | None:
    """The puzzle of a position, if it is one."""
    return next(puzzles_at(solution, (position,)), None)


def mistake_puzzle(solution: Solution, position: Position) -> Puzzle | None:
    """The puzzle of a position in which some moves are good and some are not; else None."""
    good, answer = keeping_moves(solution, position), better_move(solution, position)
    if answer is None or not 0 < len(good) < len(solution.game.moves(position)):
        return None
    is_only = only_move(solution, position) is not None
    return Puzzle(position, answer, _grade(solution, position, good), is_only)


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleVerdict(Fact):
    """A move in a puzzle: whether it is a good one, what it leads to, and why."""

    words: MoveWords
    side: Side
    move: Move
    right: bool
    value: Value
    """Plies are counted from the puzzle's position."""
    is_only: bool
    """Whether it is the only good move."""
    alike: tuple[Move, ...]
    """Other legal moves that lead to the same: those of interchangeable pieces."""
    line: tuple[Move, ...]
    """Best play after a wrong move."""
    moves_again: bool
    """Whether the side that answers moves again after it."""
    reasons: tuple[Reason, ...]
    """Why; for a wrong move only what follows it, not what a better one would do."""

    def __str__(self) -> str:
        if self.right and self.is_only:
            others = listed((self.words(one) for one in self.alike), "and")
            alike = f", except {others}, which is the same"
            worse = f"every other move is worse{alike if self.alike else ''}"
            return f"{self.effect[:-1]}; {worse}."
        follows = "Then" if self.moves_again else "The reply"
        game, position = self.words.game, self.words.position
        after = game.play(position, self.move)
        line = f" {follows}: {line_text(game, after, self.line)}." if self.line else ""
        return f"{self.effect}{line}"

    @property
    def effect(self) -> str:
        """Whether it is right, and what it leads to."""
        verdict, effect = "Right" if self.right else "No", as_effect(self.value, self.side)
        return f"{verdict}: {self.words(self.move)} {effect}."

    def as_answer(self) -> str:
        """The good move, for somebody who has not found it."""
        which = "The good move" if self.is_only else "A good move"
        return f"{which} was {self.words(self.move)}: it {as_effect(self.value, self.side)}."

    def why(self, game: Game, position: Position) -> str:
        """The reasons in words, for the person who chose; empty if there are none."""
        words = ReasonWords(
            game=game,
            position=position,
            move=self.move,
            names=names_to_learner(self.side),
            tense=Tense.BEFORE,
        )
        return words.sentences(self.reasons)


def names_to_learner(side: Side) -> Names:
    """What both sides are called to somebody who is asked for a move of one of them."""
    return {side: YOU, side.other: "your enemy"}


def judge(solution: Solution, position: Position, move: Move) -> PuzzleVerdict:
    """Whether a move keeps the value of a position, and why or why not."""
    game = solution.game

    def reached(one: Move) -> Position:
        return solution.likeness.standing_for(game.play(position, one))

    after, right = game.play(position, move), move in keeping_moves(solution, position)
    return PuzzleVerdict(
        words=MoveWords(game, position),
        side=position.side,
        move=move,
        right=right,
        value=solution.value(after).one_ply_earlier(),
        is_only=right and only_move(solution, position) is not None,
        alike=tuple(
            one for one in game.moves(position) if one != move and reached(one) == reached(move)
        ),
        line=() if right else solution.line(after, _LINE),
        moves_again=after.side is position.side,
        reasons=tuple(one for one in reasons(solution, position, move) if one.line[0] == move),
    )


def _grade(solution: Solution, position: Position, good: tuple[Move, ...]) -> int:
    """How many levels are more likely to miss the good moves than to find one."""
    game, standing = solution.game, solution.likeness.standing_for
    right = {standing(game.play(position, move)) for move in good}
    fits = [standing(game.play(position, move)) in right for move in game.moves(position)]
    return sum(
        sum(
            chance
            for chance, fit in zip(level.chances(position, position.side), fits, strict=True)
            if fit
        )
        < 0.5
        for level in (Level(number, solution) for number in LEVELS)
    )
