"""What a position is worth."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from lineduel.rules import Side

Number = int | Fraction


class Endless(StrEnum):
    """Whether play can go on for ever when both sides play best."""

    NEVER = "never"
    POSSIBLE = "possible"
    """Some best play goes on for ever, or that could not be ruled out."""
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Value:
    """What player 1 can expect, as a proved interval: win 1, loss -1, endless play 0.

    `plies` counts a forced win to its end, the winner hurrying and the loser delaying.
    """

    low: Number
    high: Number
    plies: int | None = None
    endless: Endless | None = field(default=None, compare=False)
    """Whether best play can go on for ever; None where nobody has worked that out."""

    @classmethod
    def won(cls, winner: Side, plies: int) -> "Value":
        worth = 1 if winner is Side.ONE else -1
        return cls(worth, worth, plies, Endless.NEVER)

    @property
    def winner(self) -> Side | None:
        """Who can force a win."""
        if self.plies is None:
            return None
        return Side.ONE if self.low == 1 else Side.TWO

    @property
    def exact(self) -> Number | None:
        """The value itself, where the interval is but one number."""
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

    def leader(self) -> Side | None:
        """The side that is proved to expect more than the other."""
        if self.low > 0:
            return Side.ONE
        return Side.TWO if self.high < 0 else None

    def is_lost(self, side: Side) -> bool:
        """Whether it is proved that a side can expect nothing but to lose."""
        return self.hoped(side) == -1

    def one_ply_earlier(self) -> "Value":
        """The same value, its plies counted from before the move that leads here."""
        return self if self.plies is None else replace(self, plies=self.plies + 1)

    def for_side(self, side: Side) -> tuple[Number, Number, float]:
        """What sorts moves for a side: what is sure, what is possible, then how soon.

        A forced win comes before one that is only sure in the end, the sooner the better; a
        forced loss comes after, the later the better.
        """
        low, high = self.sure(side), self.hoped(side)
        if self.plies is None:
            return low, high, 0.0
        soon = 1 / (1 + self.plies)
        return low, high, soon if self.winner is side else -soon


NEVER_ENDS = Value(0, 0, endless=Endless.ALWAYS)
"""Without battles: nobody can force a win, so best play of both never ends."""
