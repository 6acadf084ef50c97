"""Solve every position of a rulebook without battles in one table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lineduel.compiled import Threads
from lineduel.engine import Position
from lineduel.rules import Rules, Side
from lineduel.tablebase.plies import ENDLESS, Plies, plies_of
from lineduel.tablebase.summary import Summary
from lineduel.tablebase.tables import Tables, make_tables


class TableValue(NamedTuple):
    """The winner of a position and the number of plies; both None if play goes on for ever."""

    winner: Side | None
    plies: int | None


@dataclass(frozen=True)
class DenseSolution:
    """The exact values of all positions reachable from a start position, and of some others."""

    tables: Tables
    plies1: Plies
    """Values by both formations, with player 1 to move, encoded as described in `plies.py`."""
    plies2: Plies
    """Values with player 2 to move."""
    summary: Summary

    def lookup(self, position: Position) -> TableValue:
        """The value of a position; raises KeyError if it is not in the tables."""
        try:
            pair = self.tables.numbers(position)
        except KeyError:
            winner = self.tables.winner(position)
            if winner is None:
                raise
            return TableValue(winner, 0)
        side = position.side
        written = int((self.plies1 if side is Side.ONE else self.plies2)[pair])
        if written == ENDLESS:
            return TableValue(None, None)
        plies = plies_of(written, self.tables.rules.moves_again)
        return TableValue(side if written % 2 else side.other, plies)


def solve_dense(
    rules: Rules,
    start: Position,
    progress: Callable[[float], None] | None = None,
    *,
    backward: bool = False,
) -> DenseSolution:
    """Solve all positions reachable from `start`; `progress` is called with the share done, 0 to 1.

    If no position can repeat, one sweep is enough. Set `backward` to use the general method anyway.
    """
    # Imported here because tables can be created and read without the compiler, which loads slowly.
    from lineduel.tablebase.counts import tally
    from lineduel.tablebase.one_pass import sweep
    from lineduel.tablebase.retrograde_tables import retrograde

    report = progress or (lambda _: None)
    report(0.0)
    tables = make_tables(rules, start)
    plies1, plies2 = np.zeros(tables.shape, np.uint16), np.zeros(tables.shape, np.uint16)
    with Threads(report) as threads:
        solve = sweep if tables.onward and not backward else retrograde
        solve(tables, plies1, plies2, threads)
        summary = tally(tables, start, plies1, plies2, threads)
    report(1.0)
    return DenseSolution(tables, plies1, plies2, summary)
