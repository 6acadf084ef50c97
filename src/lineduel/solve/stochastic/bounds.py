"""Proved bounds on the value of every node of an arena."""

from dataclasses import dataclass
from fractions import Fraction

from lineduel.solve.stochastic.guarantee import ClashMixture

StationaryPlan = tuple[int | ClashMixture | None, ...]
"""For each node: the index of the move at a choice of the side, the mixture at a clash, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """For each node, an interval that contains its value, and the proof of both ends.

    The plan `player1` guarantees `lower`, and `player2` guarantees `upper`. The ranks prove that
    each plan makes progress.
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
        """The width of the widest interval."""
        pairs = zip(self.lower, self.upper, strict=True)
        return max((high - low for low, high in pairs), default=Fraction(0))
