"""The value of a position."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from lineduel.facts import Fact
from lineduel.rules import Side

Number = int | Fraction


class Endless(StrEnum):
    """Whether best play by both sides can go on for ever."""

    NEVER = "never"
    POSSIBLE = "possible"
    """Some best play goes on for ever, or this could not be ruled out."""
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Value(Fact):
    """The payoff that player 1 can expect, as a proved interval: win 1, loss -1, endless play 0.

    `plies` is the length of a forced win if the winner plays for the fastest win and the loser for
    the slowest.
    """

    low: Number
    high: Number
    plies: int | None = None
    endless: Endless | None = field(default=None, compare=False)
    """Whether best play can go on for ever; None if not yet computed."""

    @classmethod
    def won(cls, winner: Side, plies: int) -> "Value":
        worth = 1 if winner is Side.ONE else -1
        return cls(worth, worth, plies, Endless.NEVER)

    @property
    def winner(self) -> Side | None:
        """The side that can force a win: `plies` is set and the value is 1 or -1."""
        if self.plies is None or self.low != self.high:
            return None
        if self.low == 1:
            return Side.ONE
        return Side.TWO if self.low == -1 else None

    @property
    def exact(self) -> Number | None:
        """The value, if the interval is a single number; otherwise None."""
        return self.low if self.low == self.high else None

    @property
    def is_even(self) -> bool:
        """Whether it is proved that neither side can expect more than the other."""
        return self.low == self.high == 0

    @property
    def never_ends(self) -> bool:
        """Whether it is proved that the game never ends when both play best."""
        return self.endless is Endless.ALWAYS

    def sure(self, side: Side) -> Number:
        """The least that a side can expect with best play."""
        return self.low if side is Side.ONE else -self.high

    def hoped(self, side: Side) -> Number:
        """The most that a side can expect with best play."""
        return self.high if side is Side.ONE else -self.low

    def expected(self, side: Side) -> Fraction:
        """What a side can expect as one number: the middle of the bounds."""
        return Fraction(self.sure(side) + self.hoped(side)) / 2

    def leader(self) -> Side | None:
        """The side that is proved to expect more than the other; None if neither is."""
        if self.low > 0:
            return Side.ONE
        return Side.TWO if self.high < 0 else None

    def is_lost(self, side: Side) -> bool:
        """Whether it is proved that a side loses against best play."""
        return self.hoped(side) == -1

    def one_ply_earlier(self) -> "Value":
        """The same value, with plies counted from before the move that leads here."""
        return self if self.plies is None else replace(self, plies=self.plies + 1)

    def for_side(self, side: Side) -> tuple[Number, Number, float]:
        """A sort key for moves, larger is better: lower bound, upper bound, then `haste`."""
        return self.sure(side), self.hoped(side), self.haste(side)

    def haste(self, side: Side) -> float:
        """A sort key for equal bounds: sooner wins are larger, and so are later losses.

        A result without a fixed number of plies lies between forced wins and forced losses.
        """
        if self.plies is None:
            return 0.0
        soon = 1 / (1 + self.plies)
        return soon if self.winner is side else -soon


NEVER_ENDS = Value(0, 0, endless=Endless.ALWAYS)
"""Without battles: neither side can force a win, so best play by both sides never ends."""
