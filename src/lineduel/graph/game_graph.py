"""The graph of a game: numbered positions, and the position that each choice leads to."""

from abc import abstractmethod
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, overload

from lineduel.compiled import compiler_installed
from lineduel.engine import Game, Position

if TYPE_CHECKING:
    from lineduel.graph.array_types import BoolArray, ChanceArray, NumberArray, SideArray
    from lineduel.graph.components import MergedChoices
    from lineduel.graph.retrograde import ForcedWins


BATTLE = 0
"""The mover in an open battle: both sides choose."""


class Columns(NamedTuple):
    """The choices of each position and their targets.

    The choices of position p are `first[p]` to `first[p + 1]`. For an open battle they are a matrix
    in row-major order, with a row for each number of player 1.
    """

    first: "array[int] | NumberArray"
    after: "array[int] | NumberArray"
    """The position that each choice leads to."""
    mover: "array[int] | SideArray"
    """The side to move, 1 or 2, or BATTLE."""
    winner: "array[int] | SideArray"
    """1 or 2 if the game is over, otherwise 0."""


class PositionSequence(Sequence[Position]):
    """Positions that are made when they are asked for."""

    @abstractmethod
    def position(self, number: int) -> Position:
        """The position of a number from 0 to the last."""

    @overload
    def __getitem__(self, number: int) -> Position: ...
    @overload
    def __getitem__(self, number: slice) -> list[Position]: ...
    def __getitem__(self, number: int | slice) -> Position | list[Position]:
        numbers = range(len(self))[number]
        return (
            self.position(numbers) if isinstance(numbers, int) else [*map(self.position, numbers)]
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class GameGraph:
    """All positions reachable from position 0; like pieces are not distinguished.

    Positions are in the order of a breadth-first search. The choices of position p are `first[p]`
    to `first[p + 1]`, in the order of its legal moves. For an open battle they are a matrix in
    row-major order, with a row for each number of player 1 (`Game.choices`: a number that is
    not in hand stands for the lowest one that is).
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

    @property
    def arrays(self) -> "tuple[NumberArray, NumberArray, SideArray, SideArray]":
        """The columns as NumPy arrays that share their memory."""
        return self.first, self.after, self.mover, self.winner

    @cached_property
    def first(self) -> "NumberArray":
        """The first choice of each position, followed by the number of choices."""
        import numpy as np

        return np.asarray(self.columns.first)

    @cached_property
    def after(self) -> "NumberArray":
        """The position that each choice leads to."""
        import numpy as np

        return np.asarray(self.columns.after)

    @cached_property
    def mover(self) -> "SideArray":
        """The side to move, 1 or 2, or BATTLE."""
        import numpy as np

        return np.asarray(self.columns.mover)

    @cached_property
    def winner(self) -> "SideArray":
        """1 or 2 if the game is over, otherwise 0."""
        import numpy as np

        return np.asarray(self.columns.winner)

    @cached_property
    def origin(self) -> "NumberArray":
        """The position that each choice belongs to."""
        import numpy as np

        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @cached_property
    def battles(self) -> "NumberArray":
        """The positions with an open battle."""
        import numpy as np

        return np.flatnonzero(self.mover == BATTLE)

    @cached_property
    def merged(self) -> "MergedChoices":
        """The choices, those of a position that lead to the same position taken as one."""
        from lineduel.graph.components import merged_choices

        return merged_choices(self.first, self.after)

    @cached_property
    def in_hand(self) -> "BoolArray":
        """For each side, open battle and number, whether it is in hand.

        If no number is ever spent, all battles are alike, and one stands for all.
        """
        import numpy as np

        battle = self.game.rules.battle
        if battle is None or not battle.hand.is_spent:
            return np.ones((2, 1, self.numbers), np.bool_)
        from lineduel.graph.breadth_first import hands_as_bits

        hands = hands_as_bits(self.positions, self.battles)
        found: BoolArray = (hands[:, :, None] >> np.arange(battle.numbers) & 1).astype(np.bool_)
        return found

    @cached_property
    def stands_for(self) -> "NumberArray":
        """For each side, open battle and number, which number it stands for, counted from 0.

        That is the number itself, or the lowest in hand; the shape is that of `in_hand`.
        """
        import numpy as np

        if not self.numbers:
            return np.zeros((2, 1, 0), np.int64)
        lowest = self.in_hand.argmax(axis=2)[..., None]
        return np.where(self.in_hand, np.arange(self.numbers), lowest).astype(np.int64)

    def folded(self, mixtures: "ChanceArray") -> "ChanceArray":
        """Mixtures by side, battle and number, with numbers that are in hand only.

        The chance of any other number goes to the one that it stands for.
        """
        import numpy as np

        if not len(self.battles) or self.in_hand.all():
            return mixtures
        folded = np.zeros_like(mixtures)
        for number in range(self.numbers):
            for side in range(2):
                at = np.arange(len(self.battles)), self.stands_for[side, :, number]
                folded[side][at] += mixtures[side, :, number]
        return folded

    def way_to(self, at: int) -> list[int]:
        """The numbers of the positions on a shortest way to one, from the start."""
        way = [at]
        while way[-1]:
            # The search found a position by the first choice that leads to it.
            way.append(int(self.origin[(self.after == way[-1]).argmax()]))
        return way[::-1]
