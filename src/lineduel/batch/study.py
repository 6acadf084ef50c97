"""Everything about a small rulebook in one call: its chart, values and levels, all paired."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lineduel.batch.chart import MOST, Chart, Found, Numbers, Sides, chart_of, explore
from lineduel.batch.levels import Chances, write_sheet
from lineduel.batch.pairs import Meeting, absorb
from lineduel.batch.ruling import Row, Ruling, row_of, rule
from lineduel.batch.values import Plies, Values, settle
from lineduel.engine import Position
from lineduel.kernel.compiled import compiled
from lineduel.rules import Rules


@dataclass(frozen=True, eq=False, kw_only=True)
class Study:
    """A solved rulebook and its levels; a pairing is the level of player 1 and of player 2."""

    chart: Chart
    values: Values
    sheets: Chances
    """By level: the chance of each choice."""
    scores: Chances
    """By pairing: the chances of a win of player 1, of player 2 and of endless play, and the
    plies of the games that end, NaN where none does."""
    visits: Chances
    """By pairing and position, as in a Meeting."""
    wins: Chances
    """By pairing, winner and position, as in a Meeting."""

    def meeting(self, level1: int, level2: int) -> Meeting:
        """One pairing, the levels counted from 0."""
        win1, win2, endless, plies = self.scores[level1, level2].tolist()
        return Meeting(
            win1=win1,
            win2=win2,
            endless=endless,
            plies=None if np.isnan(plies) else plies,
            visits=self.visits[level1, level2],
            wins=self.wins[level1, level2],
        )


def study(
    rules: Rules, start: Position, skills: Sequence[tuple[int, float]], most: int = MOST
) -> Study:
    """Chart, solve and pair, for players of these sights and hastes.

    Battles and more than `most` positions are refused.
    """
    sights = np.array([sight for sight, _ in skills], np.int64)
    hastes = np.array([haste for _, haste in skills], np.float64)
    found, best, plies, sheets, scores, visits, wins = study_all(
        rule(rules), row_of(rules, start), int(start.side), most, sights, hastes
    )
    return Study(
        chart=chart_of(rules, found, most),
        values=Values(best, plies),
        sheets=sheets,
        scores=scores,
        visits=visits,
        wins=wins,
    )


@compiled
def study_all(
    ruling: Ruling, row: Row, side: int, most: int, sights: Numbers, hastes: Chances
) -> tuple[Found, Sides, Plies, Chances, Chances, Chances, Chances]:
    """All of a study in one call; what is too large is only explored."""
    found = explore(ruling, row, side, most)
    _, mover, winner, first, after = found
    size, levels = len(mover), len(sights)
    if size > most:
        levels = 0
        first, after = first[:1], after[:0]
        mover, winner = mover[:0], winner[:0]
    best, plies = settle(first, after, mover, winner)
    sheets = np.empty((levels, len(after)))
    for level in range(levels):
        write_sheet(first, after, mover, best, plies, sights[level], hastes[level], sheets[level])
    scores = np.empty((levels, levels, 4))
    visits = np.zeros((levels, levels, size))
    wins = np.zeros((levels, levels, 2, size))
    chances = np.empty(len(after))
    for one in range(levels):
        for two in range(levels):
            take_turns(first, mover, sheets[one], sheets[two], chances)
            scores[one, two] = absorb(
                first, after, winner, chances, 0, False, visits[one, two], wins[one, two]
            )
    return found, best, plies, sheets, scores, visits, wins


@compiled
def take_turns(
    first: Numbers, mover: Sides, sheet1: Chances, sheet2: Chances, chances: Chances
) -> None:
    """The chance of each choice when these two play, in the seats of player 1 and 2."""
    for at in range(len(mover)):
        for choice in range(first[at], first[at + 1]):
            chances[choice] = sheet1[choice] if mover[at] == 1 else sheet2[choice]
