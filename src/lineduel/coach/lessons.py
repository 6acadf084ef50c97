"""Lessons: texts, positions and questions in a TOML file, answered with exact feedback."""

import os
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import msgspec

from lineduel.coach.deeds import Act, deed_of
from lineduel.coach.number_reasons import number_reasons
from lineduel.coach.puzzles import judge, names_to_learner
from lineduel.coach.reason_facts import Reason
from lineduel.coach.reason_sentences import (
    ReasonWords,
    number_sentence,
    result_clause,
)
from lineduel.engine import Game, Move, Position, Step
from lineduel.errors import LessonError, LineduelError, NotationError, shown
from lineduel.narration import (
    YOU,
    Names,
    capitalized,
    cell_label,
    line_text,
    move_text,
    read_answer,
    read_number,
)
from lineduel.quantities import percent
from lineduel.record import parse_move, read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side, assign, listed
from lineduel.safe_toml import parse_toml
from lineduel.solve import Cache, Solution, solve
from lineduel.storage import read_text

SHIPPED_LESSONS = (
    "first-duel",
    "a-move-to-spare",
    "keep-your-distance",
    "guard-and-run",
    "nobody-home",
    "count-the-race",
    "mixed-strategies",
)
"""The ids of the lessons that come with the program, in the order of the list."""
FIRST_LESSON = SHIPPED_LESSONS[0]
FIRST_SEAT = Side.TWO
"""The learner's in the game after that lesson: with best play it wins, so there is something to
keep."""
_SUFFIX = ".toml"
_LARGEST, _MOST_STEPS = 1 << 18, 100
_SHOWN_LINE = 6


class Find(StrEnum):
    """What a learner is asked to find, besides a move that is named and what a move does."""

    ANY_MOVE = "any move"
    GOOD_MOVE = "good move"
    """One that keeps the value."""
    GOOD_NUMBER = "good number"
    """In an open battle: one that best play chooses."""
    WINNER = "winner"
    """Who wins with best play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonStep:
    """A text, often with a position, and the question that is asked about it, if any."""

    text: str
    game: Game
    position: Position | None
    find: Find | Act | Move | None
    """What is asked for; None for a text to read, and for a question with choices."""
    choices: tuple[str, ...]
    """The answers to choose from; empty where a move or a number is asked for."""
    right: str
    """Which choice is right, if the author says so."""
    replies: tuple[str, ...]
    """What the author says to each choice."""
    then: str
    """What is said after the right answer."""

    @property
    def is_task(self) -> bool:
        """Whether the learner has to answer."""
        return self.find is not None or bool(self.choices)

    @property
    def asks_number(self) -> bool:
        """Whether the answer is a number in a battle."""
        return self.find is Find.GOOD_NUMBER

    @property
    def at(self) -> Position:
        """The position, or the start of the game."""
        return self.position or self.game.start()

    @property
    def shows_board(self) -> bool:
        """Whether there is a position to look at."""
        return self.position is not None or self.find is not None

    @property
    def side(self) -> Side:
        """The learner's: the one to move, or in an open battle the one that has attacked."""
        at = self.at
        return at.side if at.battle is None else at.side.other

    @property
    def names(self) -> Names:
        """What both sides are called to the learner."""
        return names_to_learner(self.side)

    def fits(self, move: Move) -> bool:
        """Whether a move is or does what is asked for, as far as the rules alone say."""
        match self.find:
            case Act():
                deed = deed_of(self.game, self.at, move)
                return deed is not None and deed.act is self.find
            case Find() | None:
                return True
            case _:
                return move == self.find


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson, ready to be taught."""

    id: str
    title: str
    summary: str
    steps: tuple[LessonStep, ...]

    @property
    def tasks(self) -> int:
        return sum(step.is_task for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonFeedback:
    """What there is to say about an answer."""

    right: bool
    sentence: str
    move: Move | None = None
    """The move that was chosen, where one was asked for."""
    reasons: tuple[Reason, ...] = ()


class _StepTable(msgspec.Struct, forbid_unknown_fields=True):
    """A step as the file has it."""

    text: str
    game: str | None = None
    set: list[str] | None = None
    position: str | None = None
    find: str | None = None
    choices: list[str] = []
    right: str | None = None
    replies: list[str] = []
    then: str = ""


class _LessonTable(msgspec.Struct, forbid_unknown_fields=True):
    """The whole file."""

    title: str
    game: str
    steps: list[_StepTable]
    summary: str = ""
    set: list[str] = []


def find_lesson(name: str) -> Lesson:
    """A lesson by its id, or by the path of its file."""
    is_file = name.endswith(_SUFFIX) or os.sep in name
    return read_lesson(Path(name)) if is_file else shipped_lesson(name)


def shipped_lesson(id: str) -> Lesson:
    """A lesson that comes with the program."""
    return read_lesson(shipped_lesson_file(id))


def shipped_lesson_file(id: str) -> Path:
    """The file of a lesson that comes with the program; an error for any other name."""
    if id not in SHIPPED_LESSONS:
        known = ", ".join(SHIPPED_LESSONS)
        raise LessonError(f"There is no lesson '{shown(id)}'. Lessons: {known}.")
    return Path(__file__).parent / f"{id}{_SUFFIX}"


def read_lesson(path: Path) -> Lesson:
    """A lesson from its file; what is wrong with it is said with the number of the step."""
    text = read_text(path, _LARGEST)
    place = shown(path, 300)
    try:
        table = msgspec.convert(parse_toml(text), _LessonTable)
    except msgspec.ValidationError as error:
        what = str(error).replace(" - at `$", " in `").replace("`.", "`")
        raise LessonError(f"{place}: {shown(what, 300)}.") from None
    except ValueError as error:
        raise LessonError(f"{place} is not TOML: {shown(error, 200)}.") from None
    if not 1 <= len(table.steps) <= _MOST_STEPS:
        raise LessonError(f"{place}: a lesson has 1 to {_MOST_STEPS} steps.")
    games: dict[tuple[str, ...], Game] = {}
    steps = []
    for number, one in enumerate(table.steps, start=1):
        try:
            steps.append(_step(table, one, path.parent, games))
        except LineduelError as error:
            raise LessonError(f"{place}, step {number}: {error}") from None
    return Lesson(id=path.stem, title=table.title, summary=table.summary, steps=tuple(steps))


def _step(
    lesson: _LessonTable, table: _StepTable, folder: Path, games: dict[tuple[str, ...], Game]
) -> LessonStep:
    address = table.game or lesson.game
    changes = table.set if table.set is not None else ([] if table.game else lesson.set)
    if (address, *changes) not in games:
        is_file = address.partition(_SUFFIX)[1] and not Path(address).is_absolute()
        rulebook = find_rulebook(str(folder / address) if is_file else address)
        games[address, *changes] = Game(assign(rulebook, changes) if changes else rulebook)
    game = games[address, *changes]
    step = LessonStep(
        text=table.text.strip(),
        game=game,
        position=None if table.position is None else read_position(game, table.position),
        find=None if table.find is None else _find(table.find),
        choices=tuple(table.choices),
        right=table.right or "",
        replies=tuple(table.replies),
        then=table.then.strip(),
    )
    _check(step)
    return replace(step, choices=_winners(step)) if step.find is Find.WINNER else step


def _find(text: str) -> Find | Act | Move:
    for words in (Find, Act):
        if text in [str(word) for word in words]:
            return words(text)
    try:
        return parse_move(text)
    except NotationError:
        known = ", ".join([*Find, *Act])
        raise NotationError(f"find: '{shown(text)}'. Allowed: {known}, or a move.") from None


def _check(step: LessonStep) -> None:
    """Refuse a question that cannot be answered."""
    if step.find is not None and step.choices:
        raise NotationError("A step has find or choices, not both.")
    if step.choices and step.right not in step.choices:
        raise NotationError("right: has to be one of the choices.")
    if step.replies and len(step.replies) != len(step.choices):
        raise NotationError("replies: there has to be one for each choice.")
    if step.find is None:
        return
    moves = step.game.moves(step.at)
    if not moves:
        raise NotationError("The game is over in that position.")
    if step.find is Find.WINNER:
        return
    if step.asks_number != (step.at.battle is not None):
        raise NotationError(
            "find: 'good number' needs a position with an open battle."
            if step.asks_number
            else "find: in an open battle, ask for a 'good number' or the 'winner'."
        )
    if not step.asks_number and not any(step.fits(move) for move in moves):
        raise NotationError(f"find: '{step.find}'. No legal move of that position does it.")


def _winners(step: LessonStep) -> tuple[str, ...]:
    """The answers to the question who wins: player 1, player 2, neither."""
    names = [step.names[side] for side in Side]
    wins = ("You win" if name == YOU else f"{capitalized(name)} wins" for name in names)
    return *wins, "Neither can force a win"


# Answers


def judge_answer(step: LessonStep, answer: str, cache: Cache | None = None) -> LessonFeedback:
    """Whether an answer to a task is right, and why; NotationError if it is not an answer."""
    if step.find is Find.WINNER:
        return _judged_winner(step, _choice(step, answer), cache)
    if step.choices:
        chosen = _choice(step, answer)
        right = step.choices[chosen] == step.right
        verdict = "Right." if right else "No."
        reply = step.replies[chosen] if step.replies else ""
        return LessonFeedback(right=right, sentence=f"{verdict} {reply}".strip())
    if step.asks_number:
        return _judged_number(step, answer, cache)
    return _judged_move(step, read_answer(step.game, step.at, answer), cache)


def _choice(step: LessonStep, answer: str) -> int:
    """The choice that is meant, by its number or its text."""
    number, texts = read_number(answer), [one.lower() for one in step.choices]
    if number is not None and 1 <= number <= len(texts):
        return number - 1
    if answer.strip().lower() in texts:
        return texts.index(answer.strip().lower())
    raise NotationError(f"'{shown(answer.strip())}' is not a choice. Type 1 to {len(texts)}.")


def _judged_winner(step: LessonStep, chosen: int, cache: Cache | None) -> LessonFeedback:
    solution, position = _solved(step, cache), step.at
    value = solution.value(position)
    won = value.winner or (Side.ONE if value.is_lost(Side.TWO) else None)
    won = won or (Side.TWO if value.is_lost(Side.ONE) else None)
    right = chosen == (2 if won is None else won - 1)
    line = solution.line(position, _SHOWN_LINE) if won else ()
    best = f" Best play: {line_text(step.game, position, line)}" if line else ""
    told = result_clause(value, step.side, step.names)
    return LessonFeedback(right=right, sentence=f"{'Right' if right else 'No'}: {told}.{best}")


def _judged_number(step: LessonStep, answer: str, cache: Cache | None) -> LessonFeedback:
    solution, position, side = _solved(step, cache), step.at, step.side
    mixture = solution.mixture(position, side)
    number = read_number(answer)
    if number not in mixture:
        numbers = f"from 1 to {len(mixture)}"
        if position.hands is not None:
            numbers = f"in hand; those are {listed(map(str, mixture), 'and')}"
        raise NotationError(f"'{shown(answer.strip())}' is not a number {numbers}.")
    chance = mixture[number]
    often = "" if 0 < chance < 1 else "always " if chance else "never "
    share = f" {percent(chance)} of the time" if 0 < chance < 1 else ""
    told = f"{'Right' if chance else 'No'}: best play {often}chooses {number}{share}."
    found = number_reasons(solution, position, side, number)
    why = [number_sentence(one, step.names) for one in found]
    if not chance and not why:
        why = [_beaten(step, number)]
    return LessonFeedback(right=chance > 0, sentence=" ".join(filter(None, (told, *why))))


def _beaten(step: LessonStep, number: int) -> str:
    """The numbers that win against one."""
    battle, side = step.game.rules.battle, step.side
    assert battle is not None
    better = [
        str(one)
        for one in step.game.hand(step.at, side.other)
        if battle.winner(*((number, one) if side is Side.ONE else (one, number))) is side.other
    ]
    return f"It loses to {listed(better, 'and')}." if better else ""


def _judged_move(step: LessonStep, move: Move, cache: Cache | None) -> LessonFeedback:
    game, position = step.game, step.at
    if step.find is Find.GOOD_MOVE:
        verdict = judge(_solved(step, cache), position, move)
        why = verdict.why(game, position)
        sentence = f"{verdict.effect} {why}" if why else str(verdict)
        return LessonFeedback(
            right=verdict.right, sentence=sentence, move=move, reasons=verdict.reasons
        )
    deed, right = deed_of(game, position, move), step.fits(move)
    told = "" if right else _missing(step, move)
    if deed is not None:
        words = ReasonWords(game=game, position=position, move=move, names=step.names)
        told = words.deed(deed)
    word = "Right" if right else "No"
    return LessonFeedback(right=right, sentence=f"{word}: {told}." if told else "Right.", move=move)


def _missing(step: LessonStep, move: Move) -> str:
    """Why a move does not do what is asked for, where it does nothing but move a piece."""
    game, position = step.game, step.at
    cell = game.landing(position, move) if isinstance(move, Step) else None
    played = move_text(game, position, move)
    if isinstance(step.find, Step) and isinstance(move, Step) and step.find.piece != move.piece:
        return f"{played} moves another piece"
    if cell is None or not isinstance(step.find, Act):
        return f"{played} is another move"
    label = cell_label(game, cell)
    match step.find:
        case Act.REACHES_GOAL:
            return f"{label} is not where you win"
        case Act.TAKES | Act.TAKES_LAST | Act.SENDS_HOME | Act.BATTLE | Act.LANDS:
            return f"there is no enemy on {label}"
        case _:
            return f"{played} does not do that"


def _solved(step: LessonStep, cache: Cache | None) -> Solution:
    return solve(step.game, step.at, cache=cache)
