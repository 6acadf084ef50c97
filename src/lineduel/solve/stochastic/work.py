"""A limit of work that is the same on every machine: counted steps, and no clock."""

from dataclasses import dataclass
from decimal import Decimal, getcontext

MOST_STEPS = 80_000_000
"""Half a minute to a minute of a core in 2026: enough for most games of 30,000 positions."""


@dataclass(slots=True)
class WorkLimit:
    """How many steps a search may take.

    A step looks at one outcome of one node, in floats. Whoever does other work counts it as so
    many steps that each of them takes about as long.
    """

    most: int
    done: int = 0
    reached: bool = False
    """Whether anything was left out because the steps were used up."""

    def count(self, steps: int, number: float | Decimal = 0.0) -> None:
        """Add steps that are done with numbers of this kind."""
        self.done += steps * (1 if isinstance(number, float) else 4 + getcontext().prec // 50)

    def spent(self) -> bool:
        """Whether it is time to come to an end."""
        if self.done > self.most:
            self.reached = True
        return self.reached
