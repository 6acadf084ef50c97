"""A work limit that is the same on every machine: it counts steps instead of time."""

from dataclasses import dataclass
from decimal import Decimal, getcontext

MOST_STEPS = 80_000_000
"""Takes 30 to 60 seconds on one core in 2026; enough for most games of 30,000 positions."""


@dataclass(slots=True)
class WorkLimit:
    """The number of steps that a search may take.

    A step evaluates one outcome of one node in floats. Other work is converted to the number of
    steps that would take about the same time.
    """

    most: int
    done: int = 0
    reached: bool = False
    """Whether the search was cut short because it ran out of steps."""

    def count(self, steps: int, number: float | Decimal = 0.0) -> None:
        """Add steps; steps in decimals count more than steps in floats."""
        self.done += steps * (1 if isinstance(number, float) else 4 + getcontext().prec // 50)

    def spent(self) -> bool:
        """Whether the steps are used up and the search should stop."""
        if self.done > self.most:
            self.reached = True
        return self.reached
