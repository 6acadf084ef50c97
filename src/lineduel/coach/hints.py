"""Hints and warnings: facts about a choice, and how they read."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from lineduel.coach.chances import WinningChances, chances_in_words
from lineduel.engine import Move
from lineduel.facts import Fact
from lineduel.quantities import counted
from lineduel.rules import Side
from lineduel.solve import Value, as_effect, as_prize

SMALLEST_SHOWN = Fraction(1, 100_000)
"""Smaller differences are shown as a difference: two numbers that look alike would not help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveHint(Fact):
    """A best move, and what tells it apart from the others."""

    side: Side
    move: Move
    value: Value
    """Of the position; where it is not solved, of the move, as far as a search sees."""
    line: tuple[Move, ...]
    """Best play of both sides that begins with the move; only where a side wins by force."""
    worse: tuple[tuple[Move, Value], ...]
    """The moves that are proved to be worse, or to lose sooner, each with its value.

    Plies are counted from the position. Nothing is told where a side wins by force.
    """
    chances: WinningChances | None
    """Of the side that plays the move and then its best; None if not known or not needed."""
    likeliest: bool = True
    """Whether no move at all has better chances, not even a mistake."""
    sight: int | None = None
    """How many turns a search saw ahead, in a game that is not solved."""

    def __str__(self) -> str:
        seen = "" if self.sight is None else f", seen {counted(self.sight, 'turn')} ahead"
        text = f"{self.move}: {self._why()}{seen}"
        if self.worse:
            text += "; " + ", ".join(f"{move} {as_effect(v, self.side)}" for move, v in self.worse)
        elif self.value.winner is None and self.sight is None:
            text += ", and no move is proved to be worse"
        text += "."
        if self.line:
            text += f"\nBest play: {' '.join(map(str, self.line))}"
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

    side: Side
    move: Move
    before: Value
    after: Value
    """Plies are counted from the position before the move."""

    def __str__(self) -> str:
        less = self.before.sure(self.side) - self.after.hoped(self.side)
        if less < SMALLEST_SHOWN:
            return f"{self.move} is a mistake: it gives away {float(less):.1g}."
        had, has = as_prize(self.before, self.side), as_prize(self.after, self.side)
        return f"{self.move} is a mistake: it turns {had} into {has}."


def share(chance: Fraction) -> str:
    """A chance in a battle: `33.3% (1/3)`."""
    exact = f" ({chance})" if 1 < chance.denominator <= 1000 else ""
    return f"{float(chance):.1%}{exact}"
