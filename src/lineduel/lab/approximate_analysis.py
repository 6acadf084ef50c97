"""The figures of a rulebook from values in floats: for searches through very many of them."""

from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from lineduel.arena import elo_of_score
from lineduel.graph import ApproximateValues, PolicyTable, approximate_perfect, approximate_values
from lineduel.lab.analysis import Analysis
from lineduel.lab.figures import Battles, Figures
from lineduel.lab.measure import Shape, Standing
from lineduel.players import fallible_table, table_of_level
from lineduel.rules import Rulebook
from lineduel.solve import Endless, Value

_LEADS = 1e-5
"""A value further from 0 than this is a lead."""


class ApproximateAnalysis(Analysis):
    """The quick figures of a rulebook, with values in floats wherever there are battles.

    Nothing here is proved: whether best play can go on for ever is taken from how two players who
    keep the value play.
    """

    def __init__(self, rulebook: Rulebook, *, most: int) -> None:
        super().__init__(rulebook, most=most)

    @cached_property
    def quick_figures(self) -> Figures:
        """From three players, with the Elo range between them."""
        return replace(super().quick_figures, elo_range=self._elo_range)

    @property
    def _elo_range(self) -> float:
        """From each of the three players to the next; a lead in points, not a fit."""
        results = self._pairs[0]
        return sum(
            elo_of_score((1 + results[at + 1][at].score - results[at][at + 1].score) / 2)
            for at in range(len(results) - 1)
        )

    @cached_property
    def known(self) -> ApproximateValues:
        return approximate_values(self.graph)

    @cached_property
    def value(self) -> Value:
        if self.game.rules.battle is None or self.graph.forced_wins.winner[0]:
            return self._forced_value
        worth = Fraction(float(self.known.values[0]))
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
        known = self.known
        return Shape(known.branching, known.decisions, known.only_moves, known.matters)

    @property
    def best_can_end(self) -> bool:
        return self.value.winner is not None or self._best_ends

    @cached_property
    def _best_ends(self) -> bool:
        return self._pairs[0][-1][-1].endless == 0

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
