"""The graph of a game: numbered positions, and the position that each choice leads to."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lineduel.compiled import compiler_installed
from lineduel.engine import Game, Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lineduel.graph.retrograde import ForcedWins


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


@dataclass(frozen=True, eq=False, kw_only=True)
class GameGraph:
    """All positions reachable from position 0; like pieces are not distinguished.

    Positions are in the order of a breadth-first search. The choices of position p are `first[p]`
    to `first[p + 1]`, in the order of its legal moves. For an open battle they are a matrix in
    row-major order, with a row for each number of player 1.
    """

    game: Game
    positions: Sequence[Position]
    columns: Columns
    compiled: bool = False
    """Whether to use compiled code, which takes a second to load and is then very fast."""

    def __len__(self) -> int:
        return len(self.columns.mover)

    @property
    def numbers(self) -> int:
        """The number of choices a side has in a battle; 0 in a game without battles."""
        battle = self.game.rules.battle
        return battle.numbers if battle else 0

    @cached_property
    def in_compiled_code(self) -> "GameGraph":
        """The same graph for computations with compiled code, if there is a compiler."""
        return self if self.compiled or not compiler_installed() else replace(self, compiled=True)

    @cached_property
    def forced_wins(self) -> "ForcedWins":
        """The side that can force a win from each position, and the number of plies."""
        from lineduel.graph.retrograde import forced_wins

        return forced_wins(self.columns, self.numbers, compiled=self.compiled)

    @cached_property
    def forced_lists(self) -> "ForcedWins":
        """The same as lists of Python's own numbers, whichever code found them."""
        wins = self.forced_wins
        return wins._replace(winner=[*map(int, wins.winner)], plies=[*map(int, wins.plies)])

    @cached_property
    def successors(self) -> list[tuple[int, ...]]:
        """The targets of each position's choices; does not need NumPy."""
        first, after = self.columns.first.tolist(), self.columns.after.tolist()
        return [tuple(after[first[at] : first[at + 1]]) for at in range(len(self))]

    @cached_property
    def arrays(self) -> ColumnArrays:
        """The columns as NumPy arrays."""
        return as_arrays(self.columns)

    @property
    def first(self) -> "NDArray[np.int64]":
        """The first choice of each position, followed by the number of choices."""
        return self.arrays.first

    @property
    def after(self) -> "NDArray[np.int64]":
        """The position that each choice leads to."""
        return self.arrays.after

    @property
    def mover(self) -> "NDArray[np.int8]":
        """The side to move, 1 or 2, or BATTLE."""
        return self.arrays.mover

    @property
    def winner(self) -> "NDArray[np.int8]":
        """1 or 2 if the game is over, otherwise 0."""
        return self.arrays.winner

    @cached_property
    def origin(self) -> "NDArray[np.int64]":
        """The position that each choice belongs to."""
        import numpy as np

        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @cached_property
    def battles(self) -> "NDArray[np.int64]":
        """The positions with an open battle."""
        import numpy as np

        return np.flatnonzero(self.mover == BATTLE)
