"""What to take away from a reviewed game: what one side did more than once, or at all."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from lineduel.coach.deeds import Act, landing_cell
from lineduel.coach.number_reasons import Predictable
from lineduel.coach.reason_facts import (
    Ahead,
    DeedReason,
    Distance,
    Gain,
    LeftGuard,
    LostTurns,
    Race,
    Reply,
    Threat,
    Waiting,
    Zugzwang,
)
from lineduel.coach.review import Judgement, Review
from lineduel.engine import Game
from lineduel.facts import Fact
from lineduel.quantities import counted
from lineduel.rules import Side

MOST_TAKE_AWAYS = 3


class Habit(StrEnum):
    """What a side did in a game, the gravest first."""

    STEPPED_INTO_REACH = "stepped onto a cell that an enemy piece could reach"
    LEFT_IN_REACH = "left a piece where an enemy could reach it"
    LET_THROUGH = "let an enemy through to a goal"
    LEFT_GUARD = "left a cell unguarded that an enemy wanted"
    MISSED_WIN = "missed a win at once"
    MISSED_PIECE = "passed over an enemy piece that could be taken or sent home"
    LOST_RACE = "went into a race that was a turn too slow"
    FELL_BEHIND = "fell behind on the way to a goal"
    NO_GOOD_MOVE = "ran out of good moves"
    BAD_NUMBER = "chose a number in a battle that loses to the best answer"
    SAME_NUMBER = "chose the same number in every battle, which the other side could have used"
    ONLY_MOVE = "found the only good move"


_ADVICE = {
    Habit.STEPPED_INTO_REACH: "before you step, look at what can reach that cell",
    Habit.LEFT_IN_REACH: "before each move, look at what the other side can reach",
    Habit.LET_THROUGH: "before each move, see whether an enemy can reach a goal next turn",
    Habit.LEFT_GUARD: "see what a piece guards before you move it",
    Habit.MISSED_WIN: "look first whether you can win at once",
    Habit.MISSED_PIECE: "look first at what you can take",
    Habit.LOST_RACE: "count the turns of both sides to a goal before you run",
    Habit.FELL_BEHIND: "before you lose a turn, count the turns of both sides to a goal",
    Habit.NO_GOOD_MOVE: "keep a move to spare",
    Habit.BAD_NUMBER: "ask what the best answer to your number is",
    Habit.SAME_NUMBER: "be unpredictable",
}
"""What to do about it; nothing for what was good."""
_TIMES = {1: "once", 2: "twice"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeAway(Fact):
    """Something that a side did in a game, and how often."""

    side: Side
    habit: Habit
    times: int

    def __str__(self) -> str:
        """For the person of that side: `Twice you left a piece …`, and what to do about it."""
        often = _TIMES.get(self.times, counted(self.times, "time"))
        told = f"{often} you {self.habit}"
        advice = _ADVICE.get(self.habit)
        return f"{told[:1].upper()}{told[1:]}{f': {advice}' if advice else ''}."


def take_aways(found: Review, side: Side) -> tuple[TakeAway, ...]:
    """At most three things: what happened most often first; praise only if there is room."""
    game = Game(found.record.rulebook)
    counts = Counter(habit for one in found.judgements for habit in _habits(game, one, side))
    if _is_predictable(found, side):
        counts[Habit.SAME_NUMBER] = 1
    order = list(Habit)
    ranked = sorted(
        counts, key=lambda one: (one is Habit.ONLY_MOVE, -counts[one], order.index(one))
    )
    return tuple(
        TakeAway(side=side, habit=one, times=counts[one]) for one in ranked[:MOST_TAKE_AWAYS]
    )


def _habits(game: Game, one: Judgement, side: Side) -> Iterator[Habit]:
    """What a move shows; each thing once."""
    if one.draws is not None:
        if one.draws[side - 1].mistake:
            yield Habit.BAD_NUMBER
        return
    if one.position.side is not side:
        return
    if one.found_only:
        yield Habit.ONLY_MOVE
    habits = (_habit(game, one, reason) for reason in one.reasons)
    yield from dict.fromkeys(habit for habit in habits if habit is not None)


def _habit(game: Game, one: Judgement, reason: object) -> Habit | None:
    match reason:
        case Reply(deed=deed) | Threat(deed=deed) if deed.act is Act.REACHES_GOAL:
            return Habit.LET_THROUGH
        case Reply(deed=deed) | Threat(deed=deed) if deed.victims and not deed.act.is_quiet:
            stepped = landing_cell(game, one.position, one.move) == deed.cell
            return Habit.STEPPED_INTO_REACH if stepped else Habit.LEFT_IN_REACH
        case LeftGuard():
            return Habit.LEFT_GUARD
        case Gain() if reason.line[0] != one.move and reason.turn == 0:
            return _missed(reason)
        case Race() | Ahead() | LostTurns() if reason.line[0] == one.move and one.mistake:
            return Habit.LOST_RACE if type(reason) is Race else Habit.FELL_BEHIND
        case Zugzwang() | Distance() | Waiting() if reason.side is one.position.side:
            return Habit.NO_GOOD_MOVE
        case _:
            return None


def _missed(reason: DeedReason) -> Habit | None:
    if reason.deed.act.wins:
        return Habit.MISSED_WIN
    return Habit.MISSED_PIECE if reason.deed.act in (Act.TAKES, Act.SENDS_HOME) else None


def _is_predictable(found: Review, side: Side) -> bool:
    """Whether a side chose one number in two battles or more, and that had its price."""
    draws = [one.draws[side - 1] for one in found.judgements if one.draws]
    numbers = {draw.number for draw in draws}
    priced = any(isinstance(why, Predictable) for draw in draws for why in draw.reasons)
    return len(draws) > 1 and len(numbers) == 1 and priced
