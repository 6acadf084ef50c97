"""Exact values of games in which no position can repeat, in one pass over the table.

Every step and every loss leads to a formation of a higher level. So the rows with player 1's
highest level are solved first, and rows of the same level do not depend on each other. Player 1's
moves lead to other rows; player 2's moves lead to later columns of the same row, or to other rows.
The same holds for moves after which the mover moves again.
"""

import numpy as np

from lineduel.compiled import Threads, compiled
from lineduel.tablebase.dense import ENDLESS, STUCK, Plies, TableColumns
from lineduel.tablebase.tables import Moves, Tables
from lineduel.tablebase.turns import (
    as_the_enemys,
    is_position,
    keeps_turn,
    mover_key,
    value_before,
    value_if_stuck,
)


def sweep(tables: Tables, plies1: Plies, plies2: Plies, threads: Threads) -> None:
    """Fill tables of zeros with values.

    There is a step between any two passes, and a piece makes fewer than 64 steps, so the longest
    game is far shorter than `LARGEST_PLIES`.
    """
    one, two = tables.formations1.moves, tables.formations2.moves
    firsts = np.flatnonzero(np.diff(tables.formations1.levels, prepend=-1)).tolist()
    high = one.size
    for low in reversed(firsts):
        threads.work(
            sweep_rows,
            low,
            high,
            *(plies1, plies2, one, two),
            units=(high - low) * two.size,
            share=(high - low) / one.size,
        )
        high = low


@compiled
def sweep_rows(low: int, high: int, plies1: Plies, plies2: Plies, one: Moves, two: Moves) -> None:
    """Compute some rows of one level; successors are compared by their `mover_key`."""
    size2 = len(two.occupied)
    exist = np.empty(size2, np.uint32)
    unsure = np.empty(size2, np.uint32)
    best1 = np.empty(size2, np.uint16)
    for a in range(low, high):
        row1, row2, sure = plies1[a], plies2[a], one.sure[a]
        count, count_unsure = 0, 0
        for b in range(size2 - 1, -1, -1):
            exists = is_position(one, a, two, b)
            exist[count] = unsure[count_unsure] = b
            count += exists
            count_unsure += exists & ~two.sure[b]
            row1[b] = row2[b] = exists  # 1 is correct if the mover always wins at once
            best1[b] = 0 if sure else STUCK
        if not sure:
            _player1(a, exist[:count], best1, row1, plies1, plies2, one, two)
        _player2(a, unsure[:count_unsure], best1, row1, row2, plies1, plies2, one, two)


@compiled
def _player1(
    a: int,
    columns: TableColumns,
    best: Plies,
    row: Plies,
    plies1: Plies,
    plies2: Plies,
    one: Moves,
    two: Moves,
) -> None:
    """Compute a row with player 1 to move; a pass counts as a loss until its value is known."""
    for move in range(one.start[a], one.start[a + 1]):
        after, hit, bar = plies2[one.to[move]], two.hit[one.land[move]], one.bar[move]
        if one.again:
            _player1_again(move, columns, best, plies1, plies2, one, two)
            continue
        for b in columns:
            key = mover_key(after[hit[b]])
            if bar & two.occupied[b]:
                key = np.uint16(STUCK)
            best[b] = min(best[b], key)
    for b in columns:
        if best[b] != STUCK:
            row[b] = value_before(best[b], one.again)
        else:
            row[b] = value_if_stuck(np.uint16(1), one)


@compiled
def _player1_again(
    move: int,
    columns: TableColumns,
    best: Plies,
    plies1: Plies,
    plies2: Plies,
    one: Moves,
    two: Moves,
) -> None:
    """Update `best` for a move of player 1 under rules in which a side can move again."""
    to, hits, bar = one.to[move], two.hit[one.land[move]], one.bar[move]
    for b in columns:
        if bar & two.occupied[b]:
            continue
        hit = hits[b]
        if keeps_turn(one, to, two, b, hit):
            key = mover_key(as_the_enemys(plies1[to, hit]))
        else:
            key = mover_key(plies2[to, hit])
        best[b] = min(best[b], key)


@compiled
def _player2(
    a: int,
    columns: TableColumns,
    best1: Plies,
    row1: Plies,
    row2: Plies,
    plies1: Plies,
    plies2: Plies,
    one: Moves,
    two: Moves,
) -> None:
    """Compute a row with player 2 to move, and player 1's passes, from the last column on."""
    lands, width, flat = len(one.hit), plies1.shape[1], plies1.reshape(-1)
    rows = np.empty(lands, np.uint64)
    for land in range(lands):
        rows[land] = one.hit[land, a] * width
    for b in columns:
        best2 = np.uint16(STUCK)
        for move in range(two.start[b], two.start[b + 1]):
            key = mover_key(flat[rows[two.land[move]] + two.to[move]])
            if two.bar[move] & one.occupied[a]:
                key = np.uint16(STUCK)
            elif two.again:
                to, hit = two.to[move], one.hit[two.land[move], a]
                if keeps_turn(two, to, one, a, hit):
                    key = mover_key(as_the_enemys(plies2[hit, to]))
            best2 = min(best2, key)
        if best2 != STUCK:
            row2[b] = value_before(best2, two.again)
            if best1[b] == STUCK:
                row1[b] = value_if_stuck(row2[b], one)
        elif best1[b] != STUCK:
            row2[b] = value_if_stuck(row1[b], two)
        else:
            row1[b] = value_if_stuck(np.uint16(ENDLESS), one)
            row2[b] = value_if_stuck(np.uint16(ENDLESS), two)
