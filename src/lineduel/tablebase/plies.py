"""The encoding of values in a table: a 16-bit number for each position.

The number is the plies to the end if the winner plays for the fastest win and the loser for the
slowest. The winner makes the last move, so the side to move wins if the number is odd and loses if
it is even. No open position has the value 0. It marks pairs of formations that are not positions,
and ended positions, which are lost for the side to move.

If a side can move again, the number of plies does not show who wins. In that case a loss in n plies
is written as 2n and a win as 2n - 1: a win is still odd, and a later end is a larger number.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Plies = NDArray[np.uint16]
"""Values by formation of player 1 and of player 2; the last row and column are for ended games."""
Written = TypeVar("Written", int, NDArray[np.int32])
TableColumns = NDArray[np.uint32]

NO_POSITION = 0
ENDLESS = 0x7FFE
LARGEST_PLIES = ENDLESS - 1

OPEN = 0x8000
"""During solving: `OPEN` plus the number of moves that are not yet known to lose."""
STUCK = 0xFFFF
"""During solving: there is no legal move."""


def plies_of(written: Written, moves_again: bool) -> Written:
    """The plies encoded by a number in a table, under rules with or without moving again."""
    return (written + 1) // 2 if moves_again else written
