"""A solved rulebook: what every position that can come up is worth, and how to play it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from lineduel.engine import Game, Likeness, Move, Position
from lineduel.errors import NotSolved
from lineduel.rules import Side
from lineduel.solve.value import Endless, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lineduel.solve.best_play import BestPlay

MOST_OUTLOOKS = 1 << 17
"""Positions whose outlook is remembered, before it starts afresh."""

Mixture = tuple[Fraction, ...]
"""The chance of each choice, in order."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How one side plays a position so that its bound of the value holds.

    `chances` are those of its moves, or of its numbers in a battle; () where it has no choice.
    `rank` shows progress: while the bound is good for that side, play as planned leads with
    some chance to a lower rank, so that play does not go on for ever.
    """

    chances: Mixture
    rank: int


class ValueArrays(NamedTuple):
    """All values at once: bounds for player 1, and the plies of forced wins (-1 without one)."""

    positions: Sequence[Position]
    low: "NDArray[np.float64]"
    high: "NDArray[np.float64]"
    plies: "NDArray[np.int32]"


Counted = Literal["reachable", "solved", "estimated"]
"""What a number of positions counts: those that can come up, or those that were looked at."""


class Solution(ABC):
    """Exact answers about one rulebook, in microseconds each."""

    counted: Counted = "reachable"
    """What `positions` counts: those that can come up, or those that were solved."""
    limited = False
    """Whether the solver's work limit was reached: tighter bounds may exist."""

    def __init__(self, game: Game, start: Position) -> None:
        self.game = game
        self.likeness = Likeness(game.rules)
        self.start = self.likeness.standing_for(start)
        self._outlooks: dict[Position, tuple[Value, ...]] = {}

    @property
    @abstractmethod
    def positions(self) -> int:
        """How many positions there are, ended ones and open battles included."""

    @property
    @abstractmethod
    def longest(self) -> int | None:
        """The most plies that a forced win takes; None where none is still to come."""

    @abstractmethod
    def _look_up(self, standing: Position) -> Value:
        """The value of a position whose like pieces are in order; KeyError if it is unknown."""

    @abstractmethod
    def plan(self, position: Position, side: Side) -> Plan | None:
        """How that side plays there, in rulebooks with battles; else None."""

    @abstractmethod
    def arrays(self) -> ValueArrays:
        """Every position's value, as arrays in one order; needs NumPy."""

    def value(self, position: Position) -> Value:
        """What a position is worth."""
        try:
            return self._look_up(self.likeness.standing_for(position))
        except KeyError:
            why = f"{position} cannot come up from {self.start}."
            raise NotSolved(why, position) from None

    def outlook(self, position: Position) -> tuple[Value, ...]:
        """The value of where each legal move leads, in order; asking again is a look-up."""
        if position not in self._outlooks:
            if len(self._outlooks) >= MOST_OUTLOOKS:
                self._outlooks.clear()
            game = self.game
            self._outlooks[position] = tuple(
                [self.value(game.play(position, move)) for move in game.moves(position)]
            )
        return self._outlooks[position]

    def moves(self, position: Position) -> tuple[tuple[Move, Value], ...]:
        """Each legal move with the value of where it leads."""
        return tuple(zip(self.game.moves(position), self.outlook(position), strict=True))

    def safe_moves(self, position: Position) -> tuple[Move, ...]:
        """The moves of play that is sure of the mover's proved bound, whatever the other does.

        Where the bound is above 0 they also lead to a lower rank, so that play which keeps to
        them does not stay among such positions for ever. Forced wins are won the shortest way and
        lost the longest. There are none in an open battle.
        """
        if position.battle is not None or not self.game.moves(position):
            return ()
        value, side = self.value(position), position.side
        if value.winner is not None:
            return self.best(position)
        bound, plan = value.sure(side), self.plan(position, side)
        return tuple(
            move
            for move, after in self.moves(position)
            if after.sure(side) >= bound
            and (bound <= 0 or plan is None or self._is_progress(plan, position, move, after))
        )

    def _is_progress(self, plan: "Plan", position: Position, move: Move, after: Value) -> bool:
        if after.winner is not None:
            return True
        there = self.plan(self.game.play(position, move), position.side)
        return there is not None and there.rank < plan.rank

    def best(self, position: Position) -> tuple[Move, ...]:
        """The moves that lead to the most; of these, those that win soonest or lose latest."""
        if position.battle is not None or not self.game.moves(position):
            return ()
        side = position.side
        valued = self.moves(position)
        top = max(value.for_side(side) for _, value in valued)
        return tuple(move for move, value in valued if value.for_side(side) == top)

    def mixture(self, position: Position, side: Side) -> dict[int, Fraction]:
        """The optimal chance of each number in an open battle."""
        plan = self.plan(position, side)
        if position.battle is None or plan is None:
            raise NotSolved(f"No battle is open in {position}.")
        return dict(enumerate(plan.chances, start=1))

    def line(self, position: Position, most: int = 200) -> tuple[Move, ...]:
        """Best play for both, until the end, a battle, or a position that comes back."""
        line: list[Move] = []
        seen = {position}
        while len(line) < most:
            safe = self.safe_moves(position)
            if not safe:
                break
            line.append(safe[0])
            position = self.game.play(position, safe[0])
            if position in seen:
                break
            seen.add(position)
        return tuple(line)


class PlainSolution(Solution):
    """A solution whose positions are all held one by one."""

    def __init__(
        self,
        game: Game,
        start: Position,
        values: dict[Position, Value],
        plans: Mapping[Position, tuple[Plan, Plan]] | None = None,
        *,
        limited: bool = False,
    ) -> None:
        super().__init__(game, start)
        self.limited = limited
        self._values = values
        self._plans = plans or {}

    @property
    def positions(self) -> int:
        return len(self._values)

    @property
    def longest(self) -> int | None:
        return max((value.plies or 0 for value in self._values.values()), default=0) or None

    def items(self) -> Iterator[tuple[Position, Value]]:
        """Every position with its value, the start first."""
        return iter(self._values.items())

    def arrays(self) -> ValueArrays:
        import numpy as np

        values = self._values.values()
        return ValueArrays(
            tuple(self._values),
            np.array([float(value.low) for value in values]),
            np.array([float(value.high) for value in values]),
            np.array([-1 if value.plies is None else value.plies for value in values], np.int32),
        )

    def plan(self, position: Position, side: Side) -> Plan | None:
        plans = self._plans.get(self.likeness.standing_for(position))
        return plans[side - 1] if plans else None

    @cached_property
    def best_play(self) -> "BestPlay":
        """What both sides may do without giving anything away, and where that leads."""
        from lineduel.solve.best_play import BestPlay

        return BestPlay(self.game, self.likeness, self._values)

    def _look_up(self, standing: Position) -> Value:
        value = self._values[standing]
        if value.endless is None:
            value = self._values[standing] = replace(value, endless=self._endless(standing, value))
        return value

    def _endless(self, standing: Position, value: Value) -> Endless:
        if value.plies is not None:
            return Endless.NEVER
        if self.game.rules.battle is None:
            return Endless.ALWAYS
        return self.best_play.endless(standing)
