"""Advice from the exact solution: values, a hint, a warning."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lineduel import players
from lineduel.coach.chances import (
    ASSUMED_LEVEL,
    ChancesLost,
    Forecast,
    WinningChances,
    best_by_chances,
    chances_in_words,
    figures,
)
from lineduel.coach.reason_facts import Reason
from lineduel.coach.reason_sentences import ReasonWords
from lineduel.coach.reasons import reasons, warnings_in
from lineduel.engine import Game, Move, Numbers, Position
from lineduel.errors import AddressSpaceLimit, TooLarge
from lineduel.facts import Fact
from lineduel.narration import NUMBERED, YOU, MoveWords, move_text
from lineduel.quantities import counted
from lineduel.rules import Side
from lineduel.solve import (
    Cache,
    Solution,
    Value,
    as_effect,
    as_prize,
    in_words,
    is_mistake,
    keeping_moves,
    keeping_numbers,
    number_values,
)

_LINE = 6
"""How many moves of the best line a hint shows."""
SMALLEST_SHOWN = Fraction(1, 100_000)
"""Smaller differences are shown as a difference: two numbers that look alike would not help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveHint(Fact):
    """A best move, and what tells it apart from the others."""

    words: MoveWords
    side: Side
    move: Move
    value: Value
    """Of the position; where it is not solved, of the move, as far as a search sees."""
    line: tuple[Move, ...]
    """Best play of both sides that begins with the move; only where a side wins by force."""
    worse: tuple[tuple[Move, Value], ...]
    """The moves that are proved to be worse, or to lose sooner, each with its value.

    Plies are counted from the position. Empty where a side wins by force.
    """
    chances: WinningChances | None
    """Of the side that plays the move and then its best; None if not known or not needed."""
    likeliest: bool = True
    """Whether no move at all has better chances, not even a mistake."""
    sight: int | None = None
    """How many turns a search saw ahead, in a game that is not solved."""

    def __str__(self) -> str:
        seen = "" if self.sight is None else f", seen {counted(self.sight, 'turn')} ahead"
        text = f"{self.words(self.move)}: {self._why()}{seen}"
        if self.worse:
            worse = (
                f"{self.words(one)} {as_effect(value, self.side)}" for one, value in self.worse
            )
            text += f"; {', '.join(worse)}"
        elif self.value.winner is None and self.sight is None:
            text += ", and no move is proved to be worse"
        text += "."
        if self.line:
            text += f"\nBest play: {self.words.line(*self.line)}"
        if self.chances is None:
            return text
        return f"{text} {chances_in_words(self.chances, after_move=not self.likeliest)}"

    def _why(self) -> str:
        value, turns = self.value, counted(self.value.plies or 0, "turn")
        if value.winner is self.side:
            return f"it wins in {turns}"
        if value.winner is not None:
            return f"it holds out longest, {turns}"
        if self.sight is not None:
            return "no forced win and no forced loss"
        if value.is_even:
            return "nobody can force a win"
        if value.is_lost(self.side):
            return "it loses in the end, but not within a fixed number of turns"
        return f"it keeps {as_prize(value, self.side)}"


@dataclass(frozen=True, slots=True)
class NumberHint(Fact):
    """An optimal way to choose a number in a battle."""

    mixture: Mapping[int, Fraction]
    """How often to choose each number; those that are never chosen are left out."""

    def __str__(self) -> str:
        if len(self.mixture) == 1:
            return f"Choose {next(iter(self.mixture))}."
        parts = ", ".join(f"{number} with {share(one)}" for number, one in self.mixture.items())
        return f"Choose at random: {parts}."


@dataclass(frozen=True, slots=True)
class MistakeWarning(Fact):
    """A move that is proved to give something away."""

    words: MoveWords
    side: Side
    move: Move
    before: Value
    after: Value
    """Plies are counted from the position before the move."""
    reasons: tuple[Reason, ...] = ()
    """Why, as far as that is known."""

    def __str__(self) -> str:
        less = self.before.sure(self.side) - self.after.hoped(self.side)
        if less < SMALLEST_SHOWN:
            return f"{self.words(self.move)} is a mistake: it gives away {float(less):.1g}."
        had, has = as_prize(self.before, self.side), as_prize(self.after, self.side)
        return f"{self.words(self.move)} is a mistake: it turns {had} into {has}."


def share(chance: Fraction) -> str:
    """A chance in a battle: `33.3% (1/3)`."""
    exact = f" ({chance})" if 1 < chance.denominator <= 1000 else ""
    return f"{float(chance):.1%}{exact}"


@dataclass(frozen=True, slots=True)
class MoveAdvice(Fact):
    """A legal move and what there is to say about it."""

    move: Move
    value: Value
    """What it leads to, its plies counted from the position in front of the player."""
    chances: WinningChances | None
    """The mover's chances after it, where neither side wins by force."""
    best: bool
    """Whether it is one of the best moves, by value, then by chances."""
    reason: Reason | None = None
    """The first reason for it that begins with it, if there is one."""


@dataclass(frozen=True, slots=True)
class NumberAdvice(Fact):
    """A number in a battle and what there is to say about it."""

    number: int
    chance: Fraction
    """How often best play chooses it."""
    worth: float
    """What it is worth against best play, from -1 to 1, as the chooser sees it."""


class Adviser:
    """Advice in one game, which is solved on first use.

    A game too large to solve is looked into as far as a search sees. `levels` are the levels that
    sit in seats of the game; chances are given against the one in the other seat. With a `cache`
    the chances are kept beside the solution.
    """

    def __init__(
        self,
        game: Game,
        solve: Callable[[], Solution],
        levels: Mapping[Side, int] | None = None,
        cache: Cache | None = None,
    ) -> None:
        self.game, self._solve, self._cache = game, solve, cache
        self._levels = levels or {}
        self._lookahead: players.Lookahead | None = None
        self._solution: Solution | None = None

    @property
    def solution(self) -> Solution:
        if self._solution is None:
            self._solution = self._solve()
        return self._solution

    @property
    def is_solved(self) -> bool:
        """Whether there is a solution; it is made on first use."""
        return not self._is_too_large()

    def knows_no_mistake(self, moves: Iterable[tuple[Position, Move]]) -> bool:
        """Whether the game is solved already, and none of these moves was a mistake.

        That never starts a solver.
        """
        solution = self._solution
        return solution is not None and not any(
            _is_any_mistake(solution, position, move) for position, move in moves
        )

    def moves(self, position: Position) -> tuple[MoveAdvice, ...]:
        """Every legal move with its value, and its chances where nobody wins by force."""
        if self._is_too_large():
            return self._seen_moves(position)[1]
        chances = self._chances_of_moves(position)
        best = self._best(position, chances)
        return tuple(
            MoveAdvice(
                move,
                value.one_ply_earlier(),
                chances.get(move) if value.winner is None else None,
                move in best,
                self._reason(position, move),
            )
            for move, value in self.solution.moves(position)
        )

    def _reason(self, position: Position, move: Move) -> Reason | None:
        found = reasons(self.solution, position, move)
        return next((one for one in found if one.line[0] == move), None)

    def chances_lost(self, position: Position, move: Move) -> ChancesLost | None:
        """What a move costs in chances though it keeps the value, if that is notable."""
        if self._forecast is None or position.battle is not None:
            return None
        return self._forecast.lost(position, move, self._level_against(position.side))

    def values(self, position: Position, side: Side) -> str:
        """Every move with its value and a few words; in a battle the chances of best play."""
        if position.battle is not None:
            mixture = self._mixture(position, side)
            return "\n".join(f"{number}   {share(one)}" for number, one in mixture.items())
        moves = self.moves(position)
        lines = [
            f"{'*' if one.best else ' '} {move_text(self.game, position, one.move)}   "
            f"{value_in_words(one, side)}"
            f"{f'; {words}' if (words := reason_in_short(self.game, position, one)) else ''}"
            for one in moves
        ]
        told = next((one.chances for one in moves if one.chances), None)
        if told:
            when = f"within {told.turns} turns of your best play against level {told.level}"
            lines.append(f"Chances {when}.")
        return "\n".join(lines)

    def chances(self, position: Position, side: Side) -> WinningChances | None:
        """A side's chances if it plays its best; None if a win is forced or too much to compute."""
        forecast = None if self._is_too_large() else self._forecast
        if forecast is None or self.solution.value(position).winner is not None:
            return None
        return forecast.chances(position, side, self._level_against(side))

    def numbers(self, position: Position, side: Side) -> tuple[NumberAdvice, ...]:
        """Every number of an open battle; nothing for a game that is too large to solve."""
        if self._is_too_large():
            return ()
        worth = number_values(self.solution, position, side, lambda value: value.expected(side))
        mixture = self.solution.mixture(position, side)
        return tuple(
            NumberAdvice(number, mixture[number], float(one)) for number, one in worth.items()
        )

    def hint(self, position: Position, side: Side) -> MoveHint | NumberHint:
        """A best move and why, or in a battle how to choose a number."""
        if position.battle is not None:
            mixture = self._mixture(position, side)
            return NumberHint({number: one for number, one in mixture.items() if one})
        if self._is_too_large():
            return self._seen_hint(position)
        chances = self._chances_of_moves(position)
        move = self._chosen(position, chances)
        value = self.solution.value(position)
        forced = value.winner is not None
        return MoveHint(
            words=MoveWords(self.game, position),
            side=side,
            move=move,
            value=value,
            line=self._line_after(position, move, _LINE) if forced else (),
            worse=() if forced else self._worse_moves(position),
            chances=chances.get(move),
            likeliest=not chances or move in best_by_chances(chances),
        )

    def warning(self, position: Position, move: Move) -> MistakeWarning | None:
        """What a move is proved to give away and why, or None."""
        if not is_mistake(self.solution, position, move):
            return None
        before = self.solution.value(position)
        after = self.solution.value(self.solution.game.play(position, move)).one_ply_earlier()
        why = warnings_in(self.solution, position, move, mistake=True)
        words = MoveWords(self.game, position)
        return MistakeWarning(words, position.side, move, before, after, why)

    def risks(self, position: Position, move: Move) -> tuple[Reason, ...]:
        """What a move that is no mistake leaves to the other side, and what it misses.

        Only where nobody wins by force.
        """
        if self.solution.value(position).winner or is_mistake(self.solution, position, move):
            return ()
        return warnings_in(self.solution, position, move, mistake=False)

    def _best(self, position: Position, chances: Mapping[Move, WinningChances]) -> tuple[Move, ...]:
        """The best moves by value; moves of equal value are ranked by chances."""
        best = self.solution.best(position)
        return best_by_chances({move: chances[move] for move in best}) if chances else best

    def _chances_of_moves(self, position: Position) -> Mapping[Move, WinningChances]:
        """The mover's chances after each move; nothing if a win is forced or too much to compute.

        Needs a solution.
        """
        if self._forecast is None or self.solution.value(position).winner is not None:
            return {}
        return self._forecast.after_moves(position, self._level_against(position.side))

    @cached_property
    def _forecast(self) -> Forecast | None:
        if not self.solution or not self.solution.is_small:
            return None
        return Forecast(self.solution, self._cache)

    def _level_against(self, side: Side) -> int:
        return self._levels.get(side.other, ASSUMED_LEVEL)

    def line(self, position: Position, most: int) -> tuple[Move, ...]:
        """Best play that begins with the move of the hint, up to a battle or `most` moves.

        Needs a solution; there is none where the game is over or a battle is open.
        """
        if position.battle is not None or not self.solution.game.moves(position):
            return ()
        move = self._chosen(position, self._chances_of_moves(position))
        return self._line_after(position, move, most)

    def _chosen(self, position: Position, chances: Mapping[Move, WinningChances]) -> Move:
        """The move of the hint: one of the best, if possible one that makes progress."""
        best, safe = self._best(position, chances), self.solution.safe_moves(position)
        return next((one for one in best if one in safe), best[0])

    def _line_after(self, position: Position, move: Move, most: int) -> tuple[Move, ...]:
        """Best play that begins with a move."""
        played = self.solution.game.play(position, move)
        return move, *self.solution.line(played, most - 1)

    def _worse_moves(self, position: Position) -> tuple[tuple[Move, Value], ...]:
        """The moves that are proved to be mistakes, or to lose sooner than others."""
        keeping = keeping_moves(self.solution, position)
        return tuple(
            (move, after.one_ply_earlier())
            for move, after in self.solution.moves(position)
            if move not in keeping or after.winner is position.side.other
        )

    # Where the game is too large to solve

    def _is_too_large(self) -> bool:
        if self._lookahead is not None:
            return True
        try:
            return not self.solution
        except (TooLarge, AddressSpaceLimit):
            self._lookahead = players.Lookahead(self.game)
            return True

    def _mixture(self, position: Position, side: Side) -> Mapping[int, Fraction]:
        """The chances of best play in a battle, as far as can be seen."""
        if not self._is_too_large():
            return self.solution.mixture(position, side)
        sight = players.SKILLS[players.LEVELS[-1]].sight
        values = self._seen(position).values
        chances = players.chances_seen(self.game, position, side, sight, values)
        hand = self.game.hand(position, side)
        return {number: Fraction(one) for number, one in zip(hand, chances, strict=True)}

    def _seen(self, position: Position) -> "players.Outlook":
        assert self._lookahead is not None
        return self._lookahead.look(position)

    def _seen_moves(self, position: Position) -> tuple[int, tuple[MoveAdvice, ...]]:
        """How many plies ahead is seen, and what that says of each move."""
        seen, side = self._seen(position), position.side
        top = max(value.for_side(side) for _, value in seen.moves)
        return seen.sight, tuple(
            MoveAdvice(move, value.one_ply_earlier(), None, value.for_side(side) == top)
            for move, value in seen.moves
        )

    def _seen_hint(self, position: Position) -> MoveHint:
        sight, moves = self._seen_moves(position)
        best = next(one for one in moves if one.best)
        lost = [(one.move, one.value) for one in moves if one.value.winner is position.side.other]
        return MoveHint(
            words=MoveWords(self.game, position),
            side=position.side,
            move=best.move,
            value=best.value,
            line=(),
            worse=() if best.value.winner else tuple(lost),
            chances=None,
            sight=sight,
        )


def _is_any_mistake(solution: Solution, position: Position, move: Move) -> bool:
    """Whether a move, or one of the two numbers in a battle, is proved to be a mistake."""
    if not isinstance(move, Numbers):
        return is_mistake(solution, position, move)
    return any(
        number not in keeping_numbers(solution, position, side)
        for side, number in zip(Side, move, strict=True)
    )


def value_in_words(advice: MoveAdvice, side: Side) -> str:
    """The value of a move, followed by the chances if they are known."""
    told = in_words(advice.value, side)
    return told if advice.chances is None else f"{told}, {figures(advice.chances)}"


def reason_in_short(game: Game, position: Position, advice: MoveAdvice) -> str:
    """The reason for a move in a few words, for the side to move; empty if there is none."""
    if advice.reason is None:
        return ""
    side = position.side
    names = {side: YOU, side.other: NUMBERED[side.other]}
    words = ReasonWords(game=game, position=position, move=advice.move, names=names)
    return words.in_short(advice.reason)
