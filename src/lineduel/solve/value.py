"""What a position is worth."""

from dataclasses import dataclass
from fractions import Fraction

from lineduel.rules import Side

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Value:
    """What player 1 can expect, as a proved interval: win 1, loss -1, endless 0.

    `plies` counts a forced win to its end, the winner hurrying and the loser delaying.
    """

    low: Number
    high: Number
    plies: int | None = None

    @classmethod
    def won(cls, winner: Side, plies: int) -> "Value":
        worth = 1 if winner is Side.ONE else -1
        return cls(worth, worth, plies)

    @property
    def winner(self) -> Side | None:
        """Who can force a win: plies alone do not say so, the value has to be 1 or -1."""
        if self.plies is None or self.low != self.high:
            return None
        if self.low == 1:
            return Side.ONE
        return Side.TWO if self.low == -1 else None

    @property
    def exact(self) -> Number | None:
        """The value itself, where the interval is but one number."""
        return self.low if self.low == self.high else None

    @property
    def endless(self) -> bool:
        """Whether neither side can expect more than that play never ends."""
        return self.low == self.high == 0

    def for_side(self, side: Side) -> tuple[Number, Number, float]:
        """What sorts moves for a side: what is sure, what is possible, then the plies."""
        low, high = (self.low, self.high) if side is Side.ONE else (-self.high, -self.low)
        if self.plies is None:
            return low, high, 0.0
        return low, high, -self.plies if self.winner is side else self.plies


ENDLESS = Value(0, 0)
