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
from lineduel.lab.measure import CLOSE, Course, Shape, course, longest_game, shape
from lineduel.lab.usage import Usage, usage
from lineduel.players import Level
from lineduel.rules import Rulebook, Side
from lineduel.solve import Solution, solve

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIDDLING = 4
"""The level between whose players a game's course is looked at."""
MOST_PLIES = 200
"""How far the distribution of lengths is followed."""
Progress = Callable[[float], None]


class Study:
    """All that is worked out about a rulebook, each part when it is first asked for."""

    def __init__(self, rulebook: Rulebook, report: Progress | None = None) -> None:
        self.rulebook = rulebook
        self.game = Game(rulebook)
        self._report = report

    @cached_property
    def solution(self) -> Solution:
        return solve(self.game)

    @cached_property
    def atlas(self) -> Atlas:
        return survey(self.game)

    @cached_property
    def ladder(self) -> Ladder:
        return climb(self.solution, report=self._report)

    @cached_property
    def low(self) -> "NDArray[np.float64]":
        """What player 1 can surely expect in each position."""
        return np.array([float(self.solution.value(one).low) for one in self.atlas.positions])

    @cached_property
    def high(self) -> "NDArray[np.float64]":
        return np.array([float(self.solution.value(one).high) for one in self.atlas.positions])

    @cached_property
    def shape(self) -> Shape:
        return shape(self.atlas, self.low, self.high)

    @cached_property
    def middling(self) -> "NDArray[np.float64]":
        """The chance of each choice between two players of the middling level."""
        sheet = write_out(Level(MIDDLING, self.solution), self.atlas)
        return together(self.atlas, sheet, sheet)

    @cached_property
    def course(self) -> Course:
        atlas, chances = self.atlas, self.middling
        traced = meet(atlas.first, atlas.after, atlas.winner, chances)
        middle = (self.low + self.high) / 2
        return course(atlas, middle, self.shape.matters, chances, traced.visits, traced.wins)

    @cached_property
    def figures(self) -> Figures:
        atlas = self.atlas  # what is too large is refused before it is solved
        ladder, shape, course = self.ladder, self.shape, self.course
        results = ladder.results
        return Figures(
            positions=len(atlas),
            branching=shape.branching,
            value=self.solution.value(self.solution.start),
            longest=self.solution.longest,
            longest_game=longest_game(atlas),
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
        always = set(range(1, battle.numbers + 1))
        mixed = 0
        for position in open_:
            used = [self.drawn(position, side) for side in Side]
            mixed += all(len(numbers) > 1 for numbers in used)
            always &= self._safe_numbers(position)
        return Battles(len(open_), mixed, max(always, default=None) if open_ else None)

    def drawn(self, position: Position, side: Side) -> list[int]:
        """The numbers that best play draws."""
        mixture = self.solution.mixture(position, side)
        return [number for number, chance in mixture.items() if chance]

    def _safe_numbers(self, position: Position) -> set[int]:
        """The numbers that are best for either side, whatever the other chooses."""
        solution, battle = self.solution, self.game.rules.battle
        assert battle is not None
        numbers = range(1, battle.numbers + 1)
        worth = solution.value(position)
        low, high = float(worth.low), float(worth.high)

        def after(one: int, two: int) -> float:
            value = solution.value(self.game.play(position, Numbers(one, two)))
            return float(value.low + value.high) / 2

        slack = high - low + CLOSE
        return {
            number
            for number in numbers
            if min(after(number, other) for other in numbers) >= low - slack
            and max(after(other, number) for other in numbers) <= high + slack
        }

    # Best play

    @cached_property
    def best_play(self) -> dict[Position, list[Move]]:
        """What comes up when neither side gives anything away, and what is played there."""
        solution, game = self.solution, self.game
        found: dict[Position, list[Move]] = {}
        waiting = [solution.start]
        while waiting:
            position = waiting.pop()
            if position not in found:
                found[position] = self._keeping(position)
                waiting += [
                    solution.likeness.standing_for(game.play(position, move))
                    for move in found[position]
                ]
        return found

    def _keeping(self, position: Position) -> list[Move]:
        """The moves that keep the value, or the numbers that best play draws."""
        solution = self.solution
        if position.battle is not None:
            ones, twos = (self.drawn(position, side) for side in Side)
            return [Numbers(one, two) for one in ones for two in twos]
        side = position.side
        valued = solution.moves(position)
        sure = max((value.for_side(side)[0] for _, value in valued), default=0)
        return [move for move, value in valued if value.for_side(side)[1] >= sure]

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
