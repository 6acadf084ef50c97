"""A rulebook solved, as arrays, and played by policies: the basis of its figures."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from lineduel.arena import Ladder, climb, elo_of_score, score_over_seats
from lineduel.engine import Game, Move, Numbers, Position
from lineduel.graph import (
    MOST_POSITIONS,
    Absorption,
    ApproximateValues,
    GameGraph,
    PolicyTable,
    Result,
    Shape,
    absorb,
    absorb_equals,
    absorb_pairs,
    approximate_perfect,
    approximate_values,
    explore_compiled,
    joint_chances,
)
from lineduel.lab.claims import Ruling, rule
from lineduel.lab.figures import Battles, Equals, Figures, Skill
from lineduel.lab.measure import (
    Course,
    Standing,
    course,
    decision_counts,
    longest_game,
    shape_by_winner,
    shortest_game,
    standing,
    standing_by_winner,
)
from lineduel.lab.usage import Usage, usage
from lineduel.players import Perfect, fallible_table, policy_table, table_of_level, table_of_perfect
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Property, Rulebook, Side
from lineduel.solve import (
    MOST_PLAIN,
    NEVER_ENDS,
    Cache,
    Endless,
    PlainSolution,
    Solution,
    Value,
    keeping_moves,
    solve,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIDDLING = 4
"""The level of the two players for whom the course of a game is measured."""
_MIDDLING = f"level:{MIDDLING}"
QUICK_PLAYERS = "level:1", _MIDDLING, "perfect"
"""Random, middling, and the perfect player."""
_MOST_PLIES = 200
"""How far the distribution of lengths is followed."""
_LEADS = 1e-5
"""A value in floats that is further from 0 than this is a lead."""


def quick_figures(rulebook: Rulebook, most: int = MOST_POSITIONS) -> Figures:
    """A rulebook's figures from three players only; more than `most` positions are refused."""
    return Analysis(rulebook, most=most).quick_figures


@cache
def compile_quick_figures(with_battles: bool = False) -> None:
    """Compile or load what quick figures need, so that no candidate is charged for that time."""
    # One that is won by force and one that is not; or one with battles.
    for address in ("flag-chase",) if with_battles else ("ctf-tokens", "ctf-soldiers"):
        quick_figures(find_rulebook(address))


class Analysis:
    """Everything that is computed about a rulebook, each part on first use.

    More than `most` positions are refused.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        *,
        most: int = MOST_POSITIONS,
        report: Callable[[float], None] | None = None,
        cache: Cache | None = None,
    ) -> None:
        self.rulebook = rulebook
        self.game = Game(rulebook)
        self._most = most
        self._report = report
        self._cache = cache
        self._levels: dict[int, PolicyTable] = {}
        self._results: dict[tuple[str, str], Result] = {}

    @cached_property
    def graph(self) -> GameGraph:
        return explore_compiled(self.game, most=self._most)

    @cached_property
    def solution(self) -> Solution:
        return solve(self.game, cache=self._cache, graph=self.graph)

    @cached_property
    def ladder(self) -> Ladder:
        return climb(self.solution, report=self._report)

    @cached_property
    def value(self) -> Value:
        """The value of the start."""
        if self.game.rules.battle is not None:
            return self.solution.value(self.solution.start)
        return self._forced_value

    @property
    def _forced_value(self) -> Value:
        """The value of the start if only forced wins count."""
        winner, plies = (int(column[0]) for column in self.graph.forced_wins)
        return Value.won(Side(winner), plies) if winner else NEVER_ENDS

    @property
    def longest(self) -> int | None:
        """The most plies that a forced win takes, among the positions that can come up."""
        plies = int(np.max(self.graph.forced_wins.plies))
        return plies if plies > 0 else None

    @cached_property
    def _winner(self) -> "NDArray[np.int8]":
        """Who wins each position by force."""
        return np.asarray(self.graph.forced_wins.winner, np.int8)

    @cached_property
    def standing(self) -> Standing:
        if self.game.rules.battle is None:
            return standing_by_winner(self._winner)
        return standing(self.solution.value(position) for position in self.graph.positions)

    @cached_property
    def shape(self) -> Shape:
        if self.game.rules.battle is None:
            return shape_by_winner(self.graph, self._winner)
        return decision_counts(self.solution, self.graph.positions)

    @cached_property
    def course(self) -> Course:
        """How a game between two players of the middling level goes."""
        graph = self.graph
        return self._course(absorb(graph.first, graph.after, graph.winner, self.middling_chances))

    def _course(self, play: Absorption) -> Course:
        return course(self.graph, self.standing, self.shape.matters, self.middling_chances, play)

    # Figures

    @cached_property
    def figures(self) -> Figures:
        """From all players of the ladder."""
        ladder = self.ladder
        return self._figures(
            ladder.players, ladder.results, self.course, elo_range=ladder.range, chain=ladder.chain
        )

    @cached_property
    def quick_figures(self) -> Figures:
        """From three players only: for thousands of rulebooks, not for one."""
        course = self._course(self.among_middling)
        return self._figures(QUICK_PLAYERS, self._all_results, course)

    @cached_property
    def among_middling(self) -> Absorption:
        """How a game between two players of the middling level goes."""
        return absorb_equals(self.graph, self._level(MIDDLING))

    def results(self, *pairs: tuple[str, str]) -> list[Result]:
        """The results of games between some of `QUICK_PLAYERS`; those that are new are computed."""
        if (_MIDDLING, _MIDDLING) in pairs:
            self._results[_MIDDLING, _MIDDLING] = self.among_middling.result
        if missing := [pair for pair in pairs if pair not in self._results]:
            players = self._level(1), self._level(MIDDLING), self._perfect
            numbers = [(QUICK_PLAYERS.index(one), QUICK_PLAYERS.index(two)) for one, two in missing]
            found = absorb_pairs(self.graph, players, numbers)
            self._results.update(zip(missing, found, strict=True))
        return [self._results[pair] for pair in pairs]

    @property
    def _all_results(self) -> list[list[Result]]:
        pairs = [(one, two) for one in QUICK_PLAYERS for two in QUICK_PLAYERS]
        results, size = self.results(*pairs), len(QUICK_PLAYERS)
        return [results[begin : begin + size] for begin in range(0, len(pairs), size)]

    def _figures(
        self,
        players: Sequence[str],
        results: Sequence[Sequence[Result]],
        went: Course,
        elo_range: float | None = None,
        chain: tuple[str, ...] = (),
    ) -> Figures:
        graph, shaped = self.graph, self.shape
        return Figures(
            positions=len(graph),
            branching=shaped.branching,
            value=self.value,
            longest=self.longest,
            longest_game=longest_game(graph),
            shortest_game=shortest_game(graph),
            best_can_end=self.best_can_end,
            decisions=shaped.decisions,
            only_moves=shaped.only_moves,
            turning_points=went.turning_points,
            lead_changes=went.lead_changes,
            drama=went.drama,
            equals=tuple(
                Equals(name, own.value, own.endless, own.plies)
                for name, own in zip(
                    players, (row[at] for at, row in enumerate(results)), strict=True
                )
            ),
            pairs_endless=max(one.endless for row in results for one in row),
            skill=Skill(results[-1][0].score, 1 - results[0][-1].score),
            elo_range=elo_range,
            chain=chain,
            battles=self.battles,
        )

    def ruling(self, about: Property) -> Ruling:
        """The verdict on a property."""
        return rule(about, self.figures, lambda: self.words)

    # Policies

    def _table_of_level(self, number: int) -> PolicyTable:
        return table_of_level(number, self.graph)

    def _level(self, number: int) -> PolicyTable:
        if number not in self._levels:
            self._levels[number] = self._table_of_level(number)
        return self._levels[number]

    @cached_property
    def _perfect(self) -> PolicyTable:
        if self.game.rules.battle is None:
            return table_of_perfect(self.graph, traps=len(self.graph) <= MOST_PLAIN)
        return policy_table(Perfect(self.solution), self.graph)

    @cached_property
    def middling_chances(self) -> "NDArray[np.float64]":
        """The chance of each choice between two players of the middling level."""
        middling = self._level(MIDDLING)
        return joint_chances(self.graph, middling, middling)

    # Battles

    @cached_property
    def battles(self) -> Battles | None:
        battle = self.game.rules.battle
        if battle is None:
            return None
        open_ = [one for one in self.graph.positions if one.battle is not None]
        whole = set(battle.whole_hand)
        always = set(whole) if open_ else set()
        perhaps = set(always)
        mixed = 0
        for position in open_:
            surely = [self._best_numbers(position, side, proved=True) for side in Side]
            maybe = [self._best_numbers(position, side, proved=False) for side in Side]
            mixed += not any(maybe)
            for side in Side:  # a number that is not in hand cannot be chosen wrongly
                missing = whole - set(self.game.hand(position, side))
                always &= surely[side - 1] | missing
                perhaps &= maybe[side - 1] | missing
        return Battles(len(open_), mixed, max(always, default=None), bool(perhaps))

    def drawn(self, position: Position, side: Side) -> list[int]:
        """The numbers that best play draws."""
        mixture = self.solution.mixture(position, side)
        return [number for number, chance in mixture.items() if chance]

    def _best_numbers(self, position: Position, side: Side, *, proved: bool) -> set[int]:
        """The numbers in hand that are sure of the battle's value, whatever the other chooses.

        Either those of which that is proved, or all of which the opposite is not.
        """
        solution = self.solution
        numbers, others = (self.game.hand(position, one) for one in (side, side.other))
        value = solution.value(position)

        def after(own: int, other: int) -> Value:
            pair = Numbers(own, other) if side is Side.ONE else Numbers(other, own)
            return solution.value(self.game.play(position, pair))

        if proved:
            wanted = value.hoped(side)
            return {n for n in numbers if all(after(n, o).sure(side) >= wanted for o in others)}
        wanted = value.sure(side)
        return {n for n in numbers if all(after(n, o).hoped(side) >= wanted for o in others)}

    # Best play

    @cached_property
    def best_play(self) -> dict[Position, tuple[Move, ...]]:
        """The positions that come up in best play of both sides, and the moves played there."""
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
        """The choices of best play: moves, or pairs of numbers."""
        if position.battle is None:
            return keeping_moves(self.solution, position)
        assert isinstance(self.solution, PlainSolution)  # battles are never solved in a table
        return self.solution.best_play.moves(position)

    @property
    def best_can_end(self) -> bool:
        """Whether some best play of both ends with probability 1."""
        if self.game.rules.battle is None:
            return self.value.winner is not None
        assert isinstance(self.solution, PlainSolution)
        return self.solution.best_play.can_end(self.solution.start)

    @cached_property
    def words(self) -> tuple[Usage, ...]:
        return usage(self.game, self.graph.positions, self.best_play)

    @cached_property
    def lengths(self) -> "NDArray[np.float64]":
        """By number of plies: the chance that a game of two middling players takes that long."""
        graph, chances = self.graph, self.middling_chances
        here = np.zeros(len(graph))
        here[0] = 1.0
        over = graph.winner > 0
        ended = np.zeros(_MOST_PLIES + 1)
        for ply in range(_MOST_PLIES + 1):
            ended[ply] = here[over].sum()
            here[over] = 0.0
            flow = here[graph.origin] * chances
            here = np.bincount(graph.after, flow, len(graph)).astype(np.float64)
        return ended


class ApproximateAnalysis(Analysis):
    """The quick figures of a rulebook, with values in floats wherever there are battles.

    Nothing here is proved: whether best play can go on for ever is taken from how two players who
    keep the value play.
    """

    @cached_property
    def quick_figures(self) -> Figures:
        """From three players, with the Elo range between them."""
        results = self._all_results
        # From each player to the next: leads in points, not a fit.
        leads = (score_over_seats(results, at + 1, at) for at in range(len(results) - 1))
        return replace(super().quick_figures, elo_range=sum(map(elo_of_score, leads)))

    @cached_property
    def known(self) -> ApproximateValues:
        return approximate_values(self.graph)

    @property
    def is_won(self) -> bool:
        """Whether one side wins by force from the start."""
        return bool(self.graph.forced_wins.winner[0])

    @property
    def worth(self) -> float:
        """What the start is worth to player 1."""
        if self.game.rules.battle is None or self.is_won:
            return float(self._forced_value.low)
        return float(self.known.values[0])

    @cached_property
    def value(self) -> Value:
        if self.game.rules.battle is None or self.is_won:
            return self._forced_value
        worth = Fraction(self.worth)
        return Value(worth, worth, None, Endless.NEVER if self._best_ends else Endless.POSSIBLE)

    @cached_property
    def standing(self) -> Standing:
        if self.game.rules.battle is None:
            return super().standing
        values = self.known.values
        leader = np.where(values > _LEADS, 1, np.where(values < -_LEADS, 2, 0)).astype(np.int8)
        lost = np.where(values > 1 - _LEADS, 2, np.where(values < -1 + _LEADS, 1, 0))
        return Standing(leader, lost.astype(np.int8))

    @cached_property
    def shape(self) -> Shape:
        if self.game.rules.battle is None:
            return super().shape
        return self.known.shape

    @property
    def best_can_end(self) -> bool:
        return self.value.winner is not None or self._best_ends

    @cached_property
    def _best_ends(self) -> bool:
        return self.results(("perfect", "perfect"))[0].endless == 0

    @cached_property
    def battles(self) -> Battles | None:
        if self.game.rules.battle is None:
            return None
        always = self.known.always_best
        best = always.bit_length() if always else None
        return Battles(len(self.graph.battles), self.known.mixed, best, always != 0)

    def _table_of_level(self, number: int) -> PolicyTable:
        return table_of_level(number, self.graph, None)

    @cached_property
    def _perfect(self) -> PolicyTable:
        if self.game.rules.battle is None:
            return super()._perfect
        opponent = fallible_table(self.graph, None)
        return approximate_perfect(self.graph, self.known, opponent)
