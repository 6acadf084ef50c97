"""What a whole table says: how many positions there are, and how they end."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Summary:
    """All positions of a table that the rules can leave, whether play reaches them or not."""

    wins1: int
    wins2: int
    endless: int
    longest: int | None
    """The largest number of plies to a forced win."""

    @property
    def positions(self) -> int:
        return self.wins1 + self.wins2 + self.endless
