"""Proved bounds of what every node of an arena is worth."""

from dataclasses import dataclass
from fractions import Fraction

from lineduel.solve.stochastic.guarantee import ClashMixture

StationaryPlan = tuple[int | ClashMixture | None, ...]
"""At a choice of the side's own the number of the move, at a clash the mixture, else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """For each node an interval that holds its value, and what proves both ends of it.

    `player1` makes sure of `lower` and `player2` of `upper`; the ranks show that each gets on.
    """

    lower: tuple[Fraction, ...]
    upper: tuple[Fraction, ...]
    player1: StationaryPlan
    player2: StationaryPlan
    ranks1: tuple[int, ...]
    ranks2: tuple[int, ...]
    limited: bool
    """Whether the work limit was reached: tighter bounds may exist."""

    @property
    def exact(self) -> tuple[bool, ...]:
        """Whether each node's value is known exactly."""
        return tuple(low == high for low, high in zip(self.lower, self.upper, strict=True))

    @property
    def gap(self) -> Fraction:
        """The widest interval."""
        pairs = zip(self.lower, self.upper, strict=True)
        return max((high - low for low, high in pairs), default=Fraction(0))
