"""How a value is written in a table: one number of 16 bits for each position.

The number of plies to the end, with the winner hurrying and the loser delaying. The winner makes
the last move, so the side to move wins after an odd number and loses after an even one. No open
position has 0, which marks pairs of formations that are no position, and positions that are over
and lost for the side to move.

Where a side can move again, the number of plies does not tell who wins. There a loss in n plies
is written as 2n and a win as 2n - 1: still odd for a win, and the larger the later.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Plies = NDArray[np.uint16]
"""By formation of player 1 and of player 2; the last row and column stand for the end."""
Written = TypeVar("Written", int, NDArray[np.int32])
TableColumns = NDArray[np.uint32]

NO_POSITION = 0
ENDLESS = 0x7FFE
LARGEST_PLIES = ENDLESS - 1

OPEN = 0x8000
"""While values are sought: this and the number of moves that are not yet known to lose."""
STUCK = 0xFFFF
"""While values are sought: there is no legal move."""


def plies_of(written: Written, moves_again: bool) -> Written:
    """The plies that a number in a table stands for, by rules with or without moving again."""
    return (written + 1) // 2 if moves_again else written
