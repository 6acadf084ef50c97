"""Every position of a game as a number, and where each choice leads."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lineduel.engine import Game, Position
from lineduel.graph.columns import BATTLE, ColumnArrays, Columns, as_arrays
from lineduel.graph.retrograde import ForcedWins, forced_wins

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, kw_only=True)
class GameGraph:
    """All that can come up from a position, which is number 0; like pieces are not told apart.

    Positions come in the order in which a breadth-first search meets them. The choices of
    position p are `first[p]` to `first[p + 1]`, in the order of its legal moves; for an open
    battle that is a matrix, row by row, a row for each number of player 1.
    """

    game: Game
    positions: Sequence[Position]
    columns: Columns
    compiled: bool = False
    """Whether compiled code works on it: it takes a second to load, and then hardly any time."""

    def __len__(self) -> int:
        return len(self.columns.mover)

    @property
    def numbers(self) -> int:
        """How many numbers a battle has, 0 in a game without battles."""
        battle = self.game.rules.battle
        return battle.numbers if battle else 0

    @cached_property
    def forced_wins(self) -> ForcedWins:
        """Who wins each position by force, and in how many plies."""
        return forced_wins(self.columns, self.numbers, compiled=self.compiled)

    @cached_property
    def successors(self) -> list[tuple[int, ...]]:
        """For each position where its choices lead; NumPy is not needed."""
        first, after = self.columns.first.tolist(), self.columns.after.tolist()
        return [tuple(after[first[at] : first[at + 1]]) for at in range(len(self))]

    @cached_property
    def arrays(self) -> ColumnArrays:
        """The columns as NumPy arrays."""
        return as_arrays(self.columns)

    @property
    def first(self) -> "NDArray[np.int64]":
        """The first choice of each position, and at the end the number of choices."""
        return self.arrays.first

    @property
    def after(self) -> "NDArray[np.int64]":
        """Where each choice leads."""
        return self.arrays.after

    @property
    def mover(self) -> "NDArray[np.int8]":
        """1 or 2, or BATTLE."""
        return self.arrays.mover

    @property
    def winner(self) -> "NDArray[np.int8]":
        """1 or 2 where the game is over, else 0."""
        return self.arrays.winner

    @cached_property
    def origin(self) -> "NDArray[np.int64]":
        """The position of each choice."""
        import numpy as np

        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @cached_property
    def battles(self) -> "NDArray[np.int64]":
        """The positions with an open battle."""
        import numpy as np

        return np.flatnonzero(self.mover == BATTLE)
