"""Solve every position of a rulebook without battles in one table.

A value is a 16-bit number: the plies to the end if the winner plays for the fastest win and the
loser for the slowest. The winner makes the last move, so the side to move wins if the number is odd
and loses if it is even. No open position has the value 0. It marks pairs of formations that are not
positions, and ended positions, which are lost for the side to move.

If a side can move again, the number of plies does not show who wins. In that case a loss in n plies
is written as 2n and a win as 2n - 1: a win is still odd, and a later end is a larger number.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import Threads
from lineduel.engine import Position
from lineduel.rules import Rules, Side
from lineduel.tablebase.tables import Tables, make_tables

Plies = NDArray[np.uint16]
"""Values by formation of player 1 and of player 2; the last row and column are for ended games."""
Written = TypeVar("Written", int, NDArray[np.int32])
TableColumns = NDArray[np.uint32]

NO_POSITION = 0
ENDLESS = 0x7FFE
LARGEST_PLIES = ENDLESS - 1

OPEN = 0x8000
"""During solving: `OPEN` plus the number of moves that are not yet known to lose."""
STUCK = 0xFFFF
"""During solving: there is no legal move."""


def plies_of(written: Written, moves_again: bool) -> Written:
    """The plies encoded by a number in a table, under rules with or without moving again."""
    return (written + 1) // 2 if moves_again else written


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over all open positions of a table and the ended positions that their moves lead to.

    Unreachable positions are included. An ended position counts as a win in 0 plies.
    """

    wins1: int
    wins2: int
    endless: int
    longest: int | None
    """The most plies of any forced win; None if no forced win takes at least one ply."""

    @property
    def positions(self) -> int:
        return self.wins1 + self.wins2 + self.endless


class TableValue(NamedTuple):
    """The winner of a position and the number of plies; both None if play goes on for ever."""

    winner: Side | None
    plies: int | None


class SolvedTable(ABC):
    """The exact values of all positions reachable from a start position, and of some others."""

    tables: Tables
    summary: Summary

    @abstractmethod
    def written(self, row: int, column: int, side: Side) -> int:
        """The value of a pair of formations with that side to move."""

    @abstractmethod
    def table(self, side: Side) -> Plies:
        """All values with that side to move, by both formations."""

    @abstractmethod
    def pieces(self, size: int) -> Iterator[Plies]:
        """All values row by row, first player 1's, in pieces of at most that size."""

    def lookup(self, position: Position) -> TableValue:
        """The value of a position; raises KeyError if it is not in the tables."""
        try:
            row, column = self.tables.numbers(position)
        except KeyError:
            winner = self.tables.winner(position)
            if winner is None:
                raise
            return TableValue(winner, 0)
        side = position.side
        written = self.written(row, column, side)
        if written == ENDLESS:
            return TableValue(None, None)
        plies = plies_of(written, self.tables.rules.moves_again)
        return TableValue(side if written % 2 else side.other, plies)


@dataclass(frozen=True)
class DenseSolution(SolvedTable):
    """A solved table in ordinary memory, or in a file that is mapped into it."""

    tables: Tables
    plies1: Plies
    """Values by both formations, with player 1 to move."""
    plies2: Plies
    """Values with player 2 to move."""
    summary: Summary

    def written(self, row: int, column: int, side: Side) -> int:
        return int(self.table(side)[row, column])

    def table(self, side: Side) -> Plies:
        return self.plies1 if side is Side.ONE else self.plies2

    def pieces(self, size: int) -> Iterator[Plies]:
        for side in Side:
            flat = self.table(side).reshape(-1)
            for first in range(0, flat.size, size):
                yield flat[first : first + size]


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
    from lineduel.tablebase.ended import count_results
    from lineduel.tablebase.one_pass import sweep
    from lineduel.tablebase.retrograde_tables import retrograde

    report = progress or (lambda _: None)
    report(0.0)
    tables = make_tables(rules, start)
    plies1, plies2 = np.zeros(tables.shape, np.uint16), np.zeros(tables.shape, np.uint16)
    with Threads(report) as threads:
        solve = sweep if tables.onward and not backward else retrograde
        solve(tables, plies1, plies2, threads)
        summary = count_results(tables, start, plies1, plies2, threads)
    report(1.0)
    return DenseSolution(tables, plies1, plies2, summary)
