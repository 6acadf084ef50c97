"""A rulebook solved, laid out in arrays and put on the ladder: what an audit looks at."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from lineduel.arena.atlas import Atlas, survey, together, write_out
from lineduel.arena.ladder import Ladder, climb
from lineduel.batch import meet
from lineduel.engine import Game, Move, Numbers, Position
from lineduel.lab.figures import Battles, Equals, Figures, Skill
from lineduel.lab.measure import (
    Course,
    Shape,
    Standing,
    course,
    longest_game,
    shape,
    shape_by_winner,
    shortest_game,
    standing,
)
from lineduel.lab.usage import Usage, usage
from lineduel.players import Level
from lineduel.rules import Rulebook, Side
from lineduel.solve import Cache, PlainSolution, Solution, Value, solve
from lineduel.solve.mistakes import keeping_moves

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIDDLING = 4
"""The level between whose players a game's course is looked at."""
MOST_PLIES = 200
"""How far the distribution of lengths is followed."""
Progress = Callable[[float], None]


class Study:
    """All that is worked out about a rulebook, each part when it is first asked for."""

    def __init__(
        self, rulebook: Rulebook, report: Progress | None = None, cache: Cache | None = None
    ) -> None:
        self.rulebook = rulebook
        self.game = Game(rulebook)
        self._report = report
        self._cache = cache

    @cached_property
    def solution(self) -> Solution:
        return solve(self.game, cache=self._cache)

    @cached_property
    def atlas(self) -> Atlas:
        return survey(self.game)

    @cached_property
    def ladder(self) -> Ladder:
        return climb(self.solution, report=self._report)

    @cached_property
    def values(self) -> list[Value]:
        """The value of each position that can come up; a table knows others as well."""
        return [self.solution.value(position) for position in self.atlas.positions]

    @property
    def longest(self) -> int | None:
        """The most plies that a forced win takes, among the positions that can come up."""
        return max((value.plies or 0 for value in self.values), default=0) or None

    @cached_property
    def standing(self) -> Standing:
        return standing(self.values)

    @cached_property
    def shape(self) -> Shape:
        if self.game.rules.battle is None:
            return shape_by_winner(self.atlas, self.standing.leader)
        return shape(self.solution, self.atlas.positions)

    @cached_property
    def middling(self) -> "NDArray[np.float64]":
        """The chance of each choice between two players of the middling level."""
        sheet = write_out(Level(MIDDLING, self.solution), self.atlas)
        return together(self.atlas, sheet, sheet)

    @cached_property
    def course(self) -> Course:
        atlas, chances = self.atlas, self.middling
        traced = meet(atlas.first, atlas.after, atlas.winner, chances)
        return course(atlas, self.standing, self.shape.matters, chances, traced.visits, traced.wins)

    @cached_property
    def figures(self) -> Figures:
        atlas = self.atlas  # what is too large is refused before it is solved
        ladder, shape, course = self.ladder, self.shape, self.course
        results = ladder.results
        return Figures(
            positions=len(atlas),
            branching=shape.branching,
            value=self.solution.value(self.solution.start),
            longest=self.longest,
            longest_game=longest_game(atlas),
            shortest_game=shortest_game(atlas),
            best_can_end=self.best_can_end,
            decisions=shape.decisions,
            only_moves=shape.only_moves,
            turning_points=course.turning_points,
            lead_changes=course.lead_changes,
            drama=course.drama,
            equals=tuple(
                Equals(name, own.value, own.endless, own.plies)
                for name, own in zip(
                    ladder.players, (row[at] for at, row in enumerate(results)), strict=True
                )
            ),
            pairs_endless=max(one.endless for row in results for one in row),
            skill=Skill(results[-1][0].score, 1 - results[0][-1].score),
            elo_range=ladder.range,
            chain=ladder.chain,
            battles=self.battles,
        )

    @cached_property
    def battles(self) -> Battles | None:
        battle = self.game.rules.battle
        if battle is None:
            return None
        open_ = [one for one in self.atlas.positions if one.battle is not None]
        always = set(range(1, battle.numbers + 1)) if open_ else set()
        perhaps = set(always)
        mixed = 0
        for position in open_:
            surely = [self._best_numbers(position, side, proved=True) for side in Side]
            maybe = [self._best_numbers(position, side, proved=False) for side in Side]
            mixed += not any(maybe)
            always &= surely[0] & surely[1]
            perhaps &= maybe[0] & maybe[1]
        return Battles(len(open_), mixed, max(always, default=None), bool(perhaps))

    def drawn(self, position: Position, side: Side) -> list[int]:
        """The numbers that best play draws."""
        mixture = self.solution.mixture(position, side)
        return [number for number, chance in mixture.items() if chance]

    def _best_numbers(self, position: Position, side: Side, *, proved: bool) -> set[int]:
        """The numbers that are sure of the battle's value, whatever the other side chooses.

        Either those of which that is proved, or all of which the opposite is not.
        """
        solution, battle = self.solution, self.game.rules.battle
        assert battle is not None
        numbers = range(1, battle.numbers + 1)
        value = solution.value(position)

        def after(own: int, other: int) -> Value:
            pair = Numbers(own, other) if side is Side.ONE else Numbers(other, own)
            return solution.value(self.game.play(position, pair))

        if proved:
            wanted = value.hoped(side)
            return {n for n in numbers if all(after(n, o).sure(side) >= wanted for o in numbers)}
        wanted = value.sure(side)
        return {n for n in numbers if all(after(n, o).hoped(side) >= wanted for o in numbers)}

    # Best play

    @cached_property
    def best_play(self) -> dict[Position, tuple[Move, ...]]:
        """What comes up when neither side gives anything away, and what is played there."""
        solution, game = self.solution, self.game
        found: dict[Position, tuple[Move, ...]] = {}
        waiting = [solution.start]
        while waiting:
            position = waiting.pop()
            if position not in found:
                found[position] = self._best_choices(position)
                waiting += [
                    solution.likeness.standing_for(game.play(position, move))
                    for move in found[position]
                ]
        return found

    def _best_choices(self, position: Position) -> tuple[Move, ...]:
        """What best play may do: moves, or pairs of numbers."""
        if position.battle is None:
            return keeping_moves(self.solution, position)
        assert isinstance(self.solution, PlainSolution)  # battles are never solved in a table
        return self.solution.best_play.moves(position)

    @property
    def best_can_end(self) -> bool:
        """Whether some best play of both ends with probability 1."""
        if self.game.rules.battle is None:
            return self.solution.value(self.solution.start).winner is not None
        assert isinstance(self.solution, PlainSolution)
        return self.solution.best_play.can_end(self.solution.start)

    @cached_property
    def words(self) -> tuple[Usage, ...]:
        return usage(self.game, self.atlas.positions, self.best_play)

    @cached_property
    def lengths(self) -> "NDArray[np.float64]":
        """The chance that a game between two middling players takes so many plies."""
        atlas, chances = self.atlas, self.middling
        here = np.zeros(len(atlas))
        here[0] = 1.0
        over = atlas.winner > 0
        ended = np.zeros(MOST_PLIES + 1)
        for ply in range(MOST_PLIES + 1):
            ended[ply] = here[over].sum()
            here[over] = 0.0
            flow = here[atlas.origin] * chances
            here = np.bincount(atlas.after, flow, len(atlas)).astype(np.float64)
        return ended
