"""A solved rulebook: the value of every reachable position, and how to play it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from lineduel.engine import Game, Likeness, Move, Position
from lineduel.errors import NotSolved
from lineduel.rules import Side
from lineduel.solve.value import Endless, Value

if TYPE_CHECKING:
    from lineduel.graph import GameGraph
    from lineduel.solve.best_play import BestPlay

MOST_OUTLOOKS = 1 << 17
"""Number of positions whose outlook is cached; the cache is then cleared."""

Mixture = tuple[Fraction, ...]
"""The probability of each choice, in order."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How one side plays a position so that its bound on the value holds.

    `chances` are the probabilities of its moves, or of all numbers in a battle (0 for one that is
    not in hand); () if it has no choice. `rank` shows progress: while the bound favours that side,
    following the plan leads to a lower rank with positive probability, so that play does not go on
    for ever.
    """

    chances: Mixture
    rank: int


Counted = Literal["reachable", "solved", "estimated"]
"""What a number of positions counts: reachable positions, solved positions, or an estimate."""


class Solution(ABC):
    """Exact answers about one rulebook; each query takes microseconds."""

    counted: Counted = "reachable"
    """What `positions` counts: reachable positions, or all positions that were solved."""
    limited = False
    """Whether the solver's work limit was reached: tighter bounds may exist."""
    is_small = False
    """Whether it takes seconds at most to look at every position in Python."""
    graph: "GameGraph | None"
    """The graph that was explored, or None; use `explored` if you need one."""

    def __init__(self, game: Game, start: Position, graph: "GameGraph | None" = None) -> None:
        self.game = game
        self.graph = graph
        self.likeness = Likeness(game.rules)
        self.start = self.likeness.standing_for(start)
        self._outlooks: dict[Position, tuple[Value, ...]] = {}

    @property
    @abstractmethod
    def positions(self) -> int:
        """The number of positions, including ended positions and open battles."""

    @property
    @abstractmethod
    def longest(self) -> int | None:
        """The most plies of any forced win; None if no forced win takes at least one ply."""

    @abstractmethod
    def _look_up(self, standing: Position) -> Value:
        """The value of a position with its like pieces in order; raises KeyError if unknown."""

    @abstractmethod
    def plan(self, position: Position, side: Side) -> Plan | None:
        """The side's plan for a position; None in rulebooks without battles."""

    def explored(self, *, compiled: bool = False) -> "GameGraph":
        """All positions that can come up, explored once; `TooLarge` if there are too many.

        Set `compiled` for computations on the whole graph; they use compiled code if possible.
        """
        if self.graph is None:
            from lineduel.graph import MOST_POSITIONS, explore_by_engine, explore_compiled

            explore = explore_compiled if compiled else explore_by_engine
            self.graph = explore(self.game, self.start, min(self.positions, MOST_POSITIONS))
        return self.graph.in_compiled_code if compiled else self.graph

    def value(self, position: Position) -> Value:
        """The value of a position; raises `NotSolved` if it cannot come up from the start."""
        try:
            return self._look_up(self.likeness.standing_for(position))
        except KeyError:
            why = f"{position} cannot come up from {self.start}."
            raise NotSolved(why, position) from None

    def outlook(self, position: Position) -> tuple[Value, ...]:
        """The value after each legal move, in order; results are cached."""
        if position not in self._outlooks:
            if len(self._outlooks) >= MOST_OUTLOOKS:
                self._outlooks.clear()
            game = self.game
            self._outlooks[position] = tuple(
                [self.value(game.play(position, move)) for move in game.moves(position)]
            )
        return self._outlooks[position]

    def moves(self, position: Position) -> tuple[tuple[Move, Value], ...]:
        """Each legal move with the value of the position it leads to."""
        return tuple(zip(self.game.moves(position), self.outlook(position), strict=True))

    def safe_moves(self, position: Position) -> tuple[Move, ...]:
        """The moves that guarantee the mover's proved bound against every reply.

        If the bound is above 0 they also lead to a lower rank, so that a side that only plays them
        does not stay in such positions for ever. In a forced win they win as fast as possible or
        lose as slowly as possible; where no loss is forced, they do not allow one. An open battle
        has none.
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
            and after.winner is not side.other
            and (bound <= 0 or plan is None or self._is_progress(plan, position, move, after))
        )

    def _is_progress(self, plan: "Plan", position: Position, move: Move, after: Value) -> bool:
        if after.winner is not None:
            return True
        there = self.plan(self.game.play(position, move), position.side)
        return there is not None and there.rank < plan.rank

    def best(self, position: Position) -> tuple[Move, ...]:
        """The moves that keep the value; of these, the ones that win soonest or lose latest.

        A move keeps the value if it guarantees the same bound. One that cannot bring more than
        the bound is left out if another can.
        """
        if position.battle is not None or not self.game.moves(position):
            return ()
        value, side = self.value(position), position.side
        valued = self.moves(position)
        bound = min(value.sure(side), max(after.sure(side) for _, after in valued))
        keeping = [(move, after) for move, after in valued if after.sure(side) >= bound]
        if value.hoped(side) > bound:
            more = [(move, after) for move, after in keeping if after.hoped(side) > bound]
            keeping = more or keeping
        top = max(after.haste(side) for _, after in keeping)
        return tuple(move for move, after in keeping if after.haste(side) == top)

    def best_move(self, position: Position) -> Move | None:
        """The first safe move, if possible a best one; None if there is no move to choose."""
        safe, best = self.safe_moves(position), self.best(position)
        return next((move for move in safe if move in best), safe[0] if safe else None)

    def mixture(self, position: Position, side: Side) -> dict[int, Fraction]:
        """An optimal mixture in an open battle: the probability of each number in hand."""
        plan = self.plan(position, side)
        if position.battle is None or plan is None:
            raise NotSolved(f"No battle is open in {position}.")
        return {number: plan.chances[number - 1] for number in self.game.hand(position, side)}

    def line(self, position: Position, most: int = 200) -> tuple[Move, ...]:
        """A line of best play, up to the end, a battle, a repeated position or `most` moves."""
        line: list[Move] = []
        seen = {position}
        while len(line) < most:
            move = self.best_move(position)
            if move is None:
                break
            line.append(move)
            position = self.game.play(position, move)
            if position in seen:
                break
            seen.add(position)
        return tuple(line)


class PlainSolution(Solution):
    """A solution that stores every position separately."""

    is_small = True

    def __init__(
        self,
        game: Game,
        start: Position,
        values: dict[Position, Value],
        plans: Mapping[Position, tuple[Plan, Plan]] | None = None,
        *,
        limited: bool = False,
        graph: "GameGraph | None" = None,
    ) -> None:
        super().__init__(game, start, graph)
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

    def plan(self, position: Position, side: Side) -> Plan | None:
        plans = self._plans.get(self.likeness.standing_for(position))
        return plans[side - 1] if plans else None

    @cached_property
    def best_play(self) -> "BestPlay":
        """The choices of both sides that are not mistakes, and where they lead."""
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
