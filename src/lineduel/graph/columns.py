"""The compressed rows of a game's graph, as they are found and before NumPy is needed."""

from array import array
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATTLE = 0
"""Who moves in an open battle: both."""


class Columns(NamedTuple):
    """Where each choice of each position leads.

    The choices of position p are `first[p]` to `first[p + 1]`; for an open battle that is a
    matrix, row by row, a row for each number of player 1.
    """

    first: "array[int] | NDArray[np.int64]"
    after: "array[int] | NDArray[np.int64]"
    """Where each choice leads."""
    mover: "array[int] | NDArray[np.int8]"
    """1 or 2, or BATTLE."""
    winner: "array[int] | NDArray[np.int8]"
    """1 or 2 where the game is over, else 0."""


class ColumnArrays(NamedTuple):
    """The same as NumPy arrays, over the same memory."""

    first: "NDArray[np.int64]"
    after: "NDArray[np.int64]"
    mover: "NDArray[np.int8]"
    winner: "NDArray[np.int8]"


def as_arrays(columns: Columns) -> ColumnArrays:
    """Columns for code that computes with whole arrays."""
    import numpy as np

    return ColumnArrays(*map(np.asarray, columns))
