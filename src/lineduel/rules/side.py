"""The two sides of a duel."""

from enum import IntEnum


class Side(IntEnum):
    """Player 1, who moves toward the last cell, or player 2, who moves toward the first."""

    ONE = 1
    TWO = 2

    @property
    def other(self) -> "Side":
        return Side.TWO if self is Side.ONE else Side.ONE

    @property
    def direction(self) -> int:
        return 1 if self is Side.ONE else -1
