"""What a whole table says: how many positions there are, and how they end."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Summary:
    """All open positions of a table, whether play reaches them or not, and the ended ones that
    their moves lead to: each of these counts as a win, in 0 plies."""

    wins1: int
    wins2: int
    endless: int
    longest: int | None
    """The largest number of plies to a forced win; None where none is still to come."""

    @property
    def positions(self) -> int:
        return self.wins1 + self.wins2 + self.endless
