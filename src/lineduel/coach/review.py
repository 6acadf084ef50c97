"""A game compared with its exact solution: what each move kept, gave away, or left to luck."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from random import Random

from lineduel.coach.chances import ASSUMED_LEVEL, ChancesLost, Forecast
from lineduel.coach.number_reasons import NumberReason, number_reasons
from lineduel.coach.reason_facts import Reason
from lineduel.coach.reasons import warnings_in
from lineduel.engine import Game, Move, Numbers, Position
from lineduel.errors import AddressSpaceLimit, TooLarge
from lineduel.facts import Fact
from lineduel.play import seats_of
from lineduel.players import ValueEstimate, level_number
from lineduel.record import Record
from lineduel.rules import Side
from lineduel.solve import (
    Cache,
    Report,
    Solution,
    Value,
    is_mistake,
    keeping_numbers,
    number_values,
    only_move,
    solve,
)

FORCED_LINE, OPEN_LINE = 500, 8
"""How many moves of best play are stored where a side wins by force, and where neither does."""


class Mistake(StrEnum):
    """A move that is proved to lower what its player can expect."""

    SLIP = "?"
    """By at most one: a win becomes an even game, or an even game a loss."""
    BLUNDER = "??"
    """By more than one: a win becomes a loss."""


@dataclass(frozen=True, slots=True)
class Draw(Fact):
    """One side's number in a battle, skill and luck apart, as that side sees them.

    What was expected before, plus skill, plus luck, is what is expected after: exactly.
    """

    number: int
    optimal: Fraction
    """The chance of that number in optimal play."""
    expected: Fraction
    """What the number is worth while the other side still draws its own by optimal play."""
    skill: Fraction
    """What choosing it gained; never above 0 where values are exact."""
    luck: Fraction
    """What the other side's number then brought."""
    mistake: Mistake | None
    """Whether the number is proved to be worth less than the battle."""
    reasons: tuple[NumberReason, ...] = ()
    """Why it is a mistake, or what it costs to be predictable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement(Fact):
    """One move of a game and what it did to the value."""

    number: int
    """Which move of the record it is, from 1."""
    position: Position
    move: Move
    before: Value
    after: Value
    choices: int
    """How many moves were legal."""
    mistake: Mistake | None = None
    """In a battle the graver one of both sides' numbers."""
    found_only: bool = False
    """Whether it is the one move that keeps the value, and was found among others."""
    delay: int = 0
    """By how many plies it wins later, or loses sooner, than need be."""
    better: Move | None = None
    """A move that kept the value, where this one did not."""
    line: tuple[Move, ...] = ()
    """Best play that begins with the better move."""
    punished_by: Move | None = None
    """The best answer to a mistake, where there is a move to answer with."""
    always_punished: bool = False
    """Whether there are several answers to a mistake, and all keep its gain."""
    draws: tuple[Draw, Draw] | None = None
    """Both sides' numbers, in a battle."""
    at_stake: bool = True
    """Whether the value depends on the numbers: False for a battle that decides nothing."""
    reasons: tuple[Reason, ...] = ()
    """Why it is a mistake; for any other move, what it leaves to the other side or misses."""
    chances_lost: ChancesLost | None = None
    """What it costs in chances though it keeps the value, if that is notable."""

    @property
    def mark(self) -> str:
        """`??` or `?` for a mistake, `?!` for one that is only slow, `!` for the only good move."""
        return str(self.mistake or ("?!" if self.delay else "!" if self.found_only else ""))

    @property
    def side(self) -> Side | None:
        """Who moved; None for a battle, in which both did."""
        return None if self.draws else self.position.side

    def is_mistake_of(self, side: Side) -> bool:
        """Whether a side's move, or its number in a battle, was a mistake."""
        if self.draws:
            return self.draws[side - 1].mistake is not None
        return self.mistake is not None and self.position.side is side


@dataclass(frozen=True, slots=True)
class Accuracy(Fact):
    """How often one side kept the value where it had a choice, and how its battles went.

    A number in a battle is a choice like any other.
    """

    choices: int
    kept: int
    slips: int
    blunders: int
    battles: int
    skill: Fraction
    luck: Fraction
    always_lost: bool = False
    """Whether it was lost against best play whenever it had a choice."""
    could_last: int | None = None
    """The plies that the game could have taken with the longest defence, if it ended sooner."""
    wrong_turns: tuple[int, ...] = ()
    """The turns of its mistakes."""
    slow: int = 0
    """How many of its moves won later, or lost sooner, than need be."""
    resigned_unlost: bool = False
    """Whether it resigned a position that was not lost."""
    is_over: bool = True
    """Whether the game has come to its end."""

    @property
    def share(self) -> Fraction | None:
        """The share of its choices that kept the value; None if it made no choice."""
        return Fraction(self.kept, self.choices) if self.choices else None


@dataclass(frozen=True, slots=True)
class Review(Fact):
    """A whole game, judged."""

    record: Record
    start: Value
    judgements: tuple[Judgement, ...]

    @property
    def mistakes(self) -> tuple[Judgement, ...]:
        return tuple(one for one in self.judgements if one.mistake)

    def mistakes_of(self, side: Side) -> tuple[Judgement, ...]:
        """The moves and battles in which one side made a mistake."""
        return tuple(one for one in self.judgements if one.is_mistake_of(side))

    @property
    def turning_point(self) -> Judgement | None:
        """The last mistake of the side that lost, or of either side; None if there is none."""
        winner = self.record.winner
        lost = self.mistakes_of(winner.other) if winner is not None else ()
        return next(iter((lost or self.mistakes)[::-1]), None)

    @property
    def last(self) -> Value:
        """What the last position is worth."""
        return self.judgements[-1].after if self.judgements else self.start

    @property
    def resigned_lost(self) -> bool | None:
        """Whether the position that was resigned was lost; None if nobody resigned."""
        resigned = self.record.resigned
        return None if resigned is None else self.last.is_lost(resigned)

    @property
    def resigned_mistake(self) -> Mistake | None:
        """How grave a mistake it was to resign; None if nobody did, or not before it was lost."""
        resigned = self.record.resigned
        if resigned is None or self.resigned_lost:
            return None
        return _grade(self.last.expected(resigned) + 1)

    @property
    def curve(self) -> tuple[Fraction, ...]:
        """What player 1 could expect at the start, after each move, and once a side gave up."""
        values = (self.start, *(one.after for one in self.judgements))
        worth = [value.expected(Side.ONE) for value in values]
        if loser := self.record.resigned or self.record.forfeited:
            worth.append(Fraction(-1 if loser is Side.ONE else 1))
        return tuple(worth)

    def accuracy(self, side: Side) -> Accuracy:
        """One side's account."""
        battles = [one for one in self.judgements if one.draws]
        draws = [one.draws[side - 1] for one in battles if one.draws]
        moves = [one for one in self.judgements if one.side is side and one.choices > 1]
        chosen: list[Judgement | Draw] = [*moves, *draws]
        is_lost = self.record.winner is side.other
        lost = [one for one in moves if one.before.winner is side.other]
        longest = max((one.number - 1 + (one.before.plies or 0) for one in lost), default=0)
        return Accuracy(
            choices=len(chosen),
            kept=sum(one.mistake is None for one in chosen),
            slips=sum(one.mistake is Mistake.SLIP for one in chosen),
            blunders=sum(one.mistake is Mistake.BLUNDER for one in chosen),
            battles=len(draws),
            skill=sum((draw.skill for draw in draws), Fraction(0)),
            luck=sum((draw.luck for draw in draws), Fraction(0)),
            always_lost=all(one.before.winner is side.other for one in [*moves, *battles]),
            could_last=longest if longest > len(self.judgements) and is_lost else None,
            wrong_turns=tuple(one.number for one in self.mistakes_of(side)),
            slow=sum(one.delay > 0 for one in moves),
            resigned_unlost=self.record.resigned is side and not self.resigned_lost,
            is_over=self.record.winner is not None,
        )


def review(
    record: Record, solution: Solution, progress: Callable[[float], None] = lambda done: None
) -> Review:
    """Judge every move of a record by a solution that covers every position from its start.

    `progress` is called with the share of the moves that have been judged.
    """
    positions = record.positions()
    judgements = []
    forecast = Forecast(solution) if solution.is_small else None
    levels = [level_number(seat) or ASSUMED_LEVEL for seat in seats_of(record)]
    for number, (position, move) in enumerate(
        zip(positions[:-1], record.moves, strict=True), start=1
    ):
        one = _judged(solution, number, position, move)
        if forecast is not None and position.battle is None and one.mistake is None:
            level = levels[position.side.other - 1]
            one = replace(one, chances_lost=forecast.lost(position, move, level))
        judgements.append(one)
        progress(number / len(record.moves))
    return Review(record, solution.value(record.start), tuple(judgements))


def solved_or_estimated(
    record: Record,
    report: Report | None = None,
    cache: Cache | None = None,
    keep_going: Callable[[], None] = lambda: None,
) -> Solution:
    """The exact solution, or, if there is none, an estimate of the positions played.

    `keep_going` is called before each position is estimated; what it raises ends the work.
    """
    game = Game(record.rulebook)
    try:
        return solve(game, record.start, cache=cache, report=report)
    except (TooLarge, AddressSpaceLimit):
        return ValueEstimate(game, record.start, Random(0), keep_going=keep_going)


def _judged(solution: Solution, number: int, position: Position, move: Move) -> Judgement:
    game = solution.game
    played = game.play(position, move)
    before, after = solution.value(position), solution.value(played)
    plain = Judgement(
        number=number,
        position=position,
        move=move,
        before=before,
        after=after,
        choices=len(game.moves(position)),
    )
    if isinstance(move, Numbers):
        draws = (
            _draw(solution, position, move, Side.ONE),
            _draw(solution, position, move, Side.TWO),
        )
        found = [draw.mistake for draw in draws if draw.mistake]
        first, *others = solution.outlook(position)
        return replace(
            plain,
            draws=draws,
            at_stake=not all(_same(first, one) for one in others),
            mistake=max(found, default=None),
        )
    side = position.side
    if not is_mistake(solution, position, move):
        only = only_move(solution, position) is not None
        return replace(
            plain,
            delay=_delay(before, after, side),
            found_only=only,
            reasons=warnings_in(solution, position, move, mistake=False),
        )
    replies = solution.best(played) if played.side is not side else ()
    answers = solution.moves(played) if replies else ()
    line = solution.line(position, OPEN_LINE if before.winner is None else FORCED_LINE)
    return replace(
        plain,
        mistake=_grade(before.expected(side) - after.expected(side)),
        better=line[0],
        line=line,
        punished_by=solution.best_move(played) if replies else None,
        always_punished=len(answers) > 1 and all(_same(after, value) for _, value in answers),
        reasons=warnings_in(solution, position, move, mistake=True),
    )


def _grade(given_away: Fraction) -> Mistake:
    """How grave a mistake is, by what it gave away."""
    return Mistake.BLUNDER if given_away > 1 else Mistake.SLIP


def _delay(before: Value, after: Value, side: Side) -> int:
    """The plies that a win comes later, or a loss sooner, than with best play."""
    if before.plies is None or after.plies is None or before.winner is not after.winner:
        return 0
    slower = after.plies - (before.plies - 1)
    return slower if before.winner is side else -slower


def _same(one: Value, other: Value) -> bool:
    return (one.low, one.high) == (other.low, other.high)


def _draw(solution: Solution, position: Position, move: Numbers, side: Side) -> Draw:
    """A side's number against the other side's optimal mixture."""
    number = move[side - 1]
    worth = number_values(solution, position, side, lambda value: value.expected(side))
    expected = worth[number]
    skill = expected - solution.value(position).expected(side)
    after = solution.value(solution.game.play(position, move))
    keeps = number in keeping_numbers(solution, position, side)
    return Draw(
        number=number,
        optimal=solution.mixture(position, side)[number],
        expected=expected,
        skill=skill,
        luck=after.expected(side) - expected,
        mistake=None if keeps else _grade(-skill),
        reasons=number_reasons(solution, position, side, number),
    )
