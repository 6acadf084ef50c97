"""A game's graph as compressed rows, in a form that does not need NumPy."""

from array import array
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATTLE = 0
"""The mover in an open battle: both sides choose."""


class Columns(NamedTuple):
    """The choices of each position and their targets.

    The choices of position p are `first[p]` to `first[p + 1]`. For an open battle they are a matrix
    in row-major order, with a row for each number of player 1.
    """

    first: "array[int] | NDArray[np.int64]"
    after: "array[int] | NDArray[np.int64]"
    """The position that each choice leads to."""
    mover: "array[int] | NDArray[np.int8]"
    """The side to move, 1 or 2, or BATTLE."""
    winner: "array[int] | NDArray[np.int8]"
    """1 or 2 if the game is over, otherwise 0."""


class ColumnArrays(NamedTuple):
    """The same columns as NumPy arrays that share their memory."""

    first: "NDArray[np.int64]"
    after: "NDArray[np.int64]"
    mover: "NDArray[np.int8]"
    winner: "NDArray[np.int8]"


def as_arrays(columns: Columns) -> ColumnArrays:
    """The columns as NumPy arrays."""
    import numpy as np

    return ColumnArrays(*map(np.asarray, columns))
