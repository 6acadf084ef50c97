"""Everything about a small rulebook: its chart, its values, and its levels all paired."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lineduel.batch.chart import MOST, Chart, chart
from lineduel.batch.levels import Chances, sheet
from lineduel.batch.pairs import Pairings, pairings
from lineduel.batch.values import Values, values
from lineduel.engine import Position
from lineduel.rules import Rules


@dataclass(frozen=True, eq=False, slots=True)
class Study:
    """A solved rulebook, and players of some levels in it."""

    chart: Chart
    values: Values
    sheets: Chances
    """By level: the chance of each choice."""
    pairings: Pairings
    """By the level of player 1 and of player 2."""


def study(
    rules: Rules, start: Position, skills: Sequence[tuple[int, float]], most: int = MOST
) -> Study:
    """Chart, solve and pair, for players of these sights and hastes.

    Battles and more than `most` positions are refused.
    """
    made = chart(rules, start, most)
    known = values(made)
    sheets = np.empty((len(skills), len(made.after)))
    for level, (sight, haste) in enumerate(skills):
        sheet(made, known, sight, haste, sheets[level])
    paired = pairings(made.first, made.after, made.mover, made.winner, sheets)
    return Study(made, known, sheets, paired)
