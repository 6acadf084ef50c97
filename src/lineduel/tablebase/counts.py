"""Count the results of the positions in a solved table."""

import numpy as np

from lineduel.compiled import Threads, compiled
from lineduel.engine import Position
from lineduel.rules import Side
from lineduel.tablebase.ended import count_ended
from lineduel.tablebase.formations import Rows
from lineduel.tablebase.plies import ENDLESS, NO_POSITION, OPEN, Plies, plies_of
from lineduel.tablebase.summary import Summary
from lineduel.tablebase.tables import Tables


def count_results(
    tables: Tables, start: Position, plies1: Plies, plies2: Plies, threads: Threads
) -> Summary:
    """The counts of a table; entries that are still open are first changed to `ENDLESS`."""
    won1, lost1, endless1, longest1 = _totals(plies1, threads)
    won2, lost2, endless2, longest2 = _totals(plies2, threads)
    over = tables.winner(start)
    ended1, ended2 = (count_ended(tables, side, threads) + (over is side) for side in Side)
    return Summary(
        wins1=won1 + lost2 + ended1,
        wins2=won2 + lost1 + ended2,
        endless=endless1 + endless2,
        longest=plies_of(max(longest1, longest2), tables.rules.moves_again) or None,
    )


def _totals(table: Plies, threads: Threads) -> tuple[int, int, int, int]:
    """The positions won, lost and endless for the side to move, and the largest written value."""
    rows, columns = table.shape
    totals = np.zeros((rows, 4), np.int64)
    threads.work(
        count_results_of_rows, 0, rows, *(table, totals), units=rows * columns // 8, share=0.0
    )
    won, lost, endless, _ = totals.sum(axis=0).tolist()
    return won, lost, endless, int(totals[:, 3].max())


@compiled
def count_results_of_rows(low: int, high: int, table: Plies, totals: Rows) -> None:
    for row in range(low, high):
        won, lost, endless, longest = 0, 0, 0, 0
        for column in range(table.shape[1]):
            plies = table[row, column]
            if plies >= OPEN:
                table[row, column] = plies = ENDLESS
            ends = plies != ENDLESS and plies != NO_POSITION
            won += ends and plies & 1 == 1
            lost += ends and plies & 1 == 0
            endless += plies == ENDLESS
            longest = max(longest, plies if ends else 0)
        totals[row, 0], totals[row, 1], totals[row, 2], totals[row, 3] = won, lost, endless, longest
