"""Summary of a table: the number of positions and their results."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over all open positions of a table and the ended positions that their moves lead to.

    Unreachable positions are included. An ended position counts as a win in 0 plies.
    """

    wins1: int
    wins2: int
    endless: int
    longest: int | None
    """The most plies of any forced win; None if no forced win takes at least one ply."""

    @property
    def positions(self) -> int:
        return self.wins1 + self.wins2 + self.endless
