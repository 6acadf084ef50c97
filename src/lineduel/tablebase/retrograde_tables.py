"""Exact values where positions may repeat: from the ends of the game backward.

A position is won in n + 1 plies when a move leads to one that is lost in n and none to one lost
sooner; it is lost in n + 1 when all its moves lead to won ones, the latest of them won in n. First
come the positions that are won at once, and for all others the number of moves to something else.
Then, for n = 2, 3, …, all positions of value n are listed and those before them are told: a move
that wins, or one move less that does not lose. What never hears the last word goes on for ever.

The positions before those of one row lie in several rows. Each of these asks for itself, so that
no two threads write to one row. A side's positions of one value are all that is listed at once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import Threads, compiled
from lineduel.tablebase.formations import Masks, Rows
from lineduel.tablebase.plies import LARGEST_PLIES, OPEN, STUCK, Plies, TableColumns
from lineduel.tablebase.tables import Moves, Tables

COUNTING = 0.1
"""The share of the whole that counting all moves is taken to be."""


class Back(NamedTuple):
    """Player 2's moves from where they lead."""

    start: NDArray[np.int64]
    """By formation, the first of the moves that lead to it."""
    origin: TableColumns
    land: NDArray[np.uint8]
    bar: Masks
    struck_start: NDArray[np.int64]
    """By `land` and formation, the first of the formations that being landed on turns into it."""
    struck: TableColumns


class News(NamedTuple):
    """Which positions of each row have just got their value."""

    counts: NDArray[np.int64]
    blocks: Masks
    """In which of 64 parts of the row they are …"""
    shift: np.uint64
    """… a part having so many columns as this power of 2."""


class ColumnsByRow(NamedTuple):
    """The columns of positions of one value, row by row."""

    start: NDArray[np.int64]
    columns: TableColumns


def retrograde(tables: Tables, plies1: Plies, plies2: Plies, threads: Threads) -> None:
    """Fill tables of zeros with values, and leave `OPEN` or `STUCK` what goes on for ever.

    An OverflowError when a value is too large to be written.
    """
    one, two = tables.army1.moves, tables.army2.moves
    back, size1, size2 = _back(two), one.size, two.size
    news1, news2 = _no_news(size1, size2), _no_news(size1, size2)
    counts = np.zeros(size1, np.int64)
    threads.work(
        open_rows,
        0,
        size1,
        *(plies1, plies2, one, two, counts),
        units=2 * size1 * size2,
        share=COUNTING / 2,
    )
    threads.work(
        count_rows,
        0,
        size1,
        *(plies1, plies2, one, two, news1, news2),
        units=4 * size1 * size2,
        share=COUNTING / 2,
    )
    worth = (1 - COUNTING) / max(int(counts.sum()), 1)
    plies = 2
    while news1.counts.any() or news2.counts.any():
        if plies == LARGEST_PLIES:
            raise OverflowError(f"A position is won only after more than {LARGEST_PLIES} plies.")
        next1, next2 = _no_news(size1, size2), _no_news(size1, size2)
        for kernel, source, news, target, told in (
            (before_player1, plies2, news2, plies1, next1),
            (before_player2, plies1, news1, plies2, next2),
        ):
            found = _found(plies, source, news, threads)
            threads.work(
                kernel,
                0,
                size1,
                *(plies, found, target, one, two, back, told),
                units=32 * len(found.columns),
                share=worth * len(found.columns),
            )
        news1, news2 = next1, next2
        plies += 1


def _no_news(rows: int, columns: int) -> News:
    shift = np.uint64(max(0, columns.bit_length() - 6))
    return News(np.zeros(rows, np.int64), np.zeros(rows, np.uint64), shift)


def _found(plies: int, table: Plies, news: News, threads: Threads) -> ColumnsByRow:
    start = np.concatenate(([0], np.cumsum(news.counts)))
    found = ColumnsByRow(start, np.empty(int(start[-1]), np.uint32))
    threads.work(
        collect_rows,
        0,
        len(news.counts),
        *(plies, table, news, found),
        units=len(found.columns),
        share=0.0,
    )
    return found


def _back(moves: Moves) -> Back:
    size, lands = moves.size, len(moves.hit)
    origins = np.repeat(np.arange(size, dtype=np.uint32), np.diff(moves.start))
    order = np.argsort(moves.to, kind="stable")
    order = order[: np.searchsorted(moves.to[order], size)]
    start = np.concatenate(([0], np.cumsum(np.bincount(moves.to[order], minlength=size))))
    land, before = np.nonzero(moves.hit != np.arange(size))
    after = moves.hit[land, before]
    land, before, after = (column[after != size] for column in (land, before, after))
    place = land * size + after
    struck_order = np.argsort(place, kind="stable")
    struck_start = np.concatenate(([0], np.cumsum(np.bincount(place, minlength=size * lands))))
    return Back(
        start=start,
        origin=origins[order],
        land=moves.land[order],
        bar=moves.bar[order],
        struck_start=struck_start,
        struck=before[struck_order].astype(np.uint32),
    )


@compiled
def open_rows(
    low: int, high: int, plies1: Plies, plies2: Plies, one: Moves, two: Moves, counts: Rows
) -> None:
    """Find the positions of some rows that are won at once; count the others, all `OPEN`."""
    size1, size2 = len(one.occupied), len(two.occupied)
    for a in range(low, high):
        for b in range(size2):
            if (one.shuns[a] & two.keeps[b]) | (one.keeps[a] & two.shuns[b]):
                continue
            won1, won2 = one.sure[a], two.sure[b]
            if not won1:
                for move in range(one.start[a], one.start[a + 1]):
                    wins = one.to[move] == size1
                    if not (wins or two.frail[b]):
                        break
                    wins |= two.hit[one.land[move], b] == size2
                    won1 |= wins and one.bar[move] & two.occupied[b] == 0
            if not won2:
                for move in range(two.start[b], two.start[b + 1]):
                    wins = two.to[move] == size2
                    if not (wins or one.frail[a]):
                        break
                    wins |= one.hit[two.land[move], a] == size1
                    won2 |= wins and two.bar[move] & one.occupied[a] == 0
            plies1[a, b] = 1 if won1 else OPEN
            plies2[a, b] = 1 if won2 else OPEN
            counts[a] += 2 - won1 - won2


@compiled
def count_rows(
    low: int,
    high: int,
    plies1: Plies,
    plies2: Plies,
    one: Moves,
    two: Moves,
    news1: News,
    news2: News,
) -> None:
    """Count in some rows the moves that do not let the enemy win at once."""
    size1, size2, lands = len(one.occupied), len(two.occupied), len(one.hit)
    width, flat = plies1.shape[1], plies1.reshape(-1)
    asked = np.empty(size2, np.uint32)
    legal = np.empty(size2, np.uint16)
    safe = np.empty(size2, np.uint16)
    rows = np.empty(lands, np.uint64)
    for a in range(low, high):
        count = 0
        for b in range(size2):
            asked[count] = b
            count += plies1[a, b] == OPEN
            legal[b] = safe[b] = 0
        for move in range(one.start[a], one.start[a + 1]):
            to, bar = one.to[move], one.bar[move]
            if to == size1:  # where it is legal to win, it has been done
                continue
            after, hit = plies2[to], two.hit[one.land[move]]
            for b in asked[:count]:
                free = bar & two.occupied[b] == 0
                legal[b] += free
                safe[b] += free & (after[hit[b]] != 1)
        for b in asked[:count]:
            _begin(plies1, a, b, legal[b], safe[b], plies2[a, b], news1)
        count = 0
        for b in range(size2):
            asked[count] = b
            count += plies2[a, b] == OPEN
        for land in range(lands):
            rows[land] = one.hit[land, a] * width
        for b in asked[:count]:
            count_legal, count_safe = 0, 0
            for move in range(two.start[b], two.start[b + 1]):
                free = (two.bar[move] & one.occupied[a] == 0) & (two.to[move] != size2)
                count_legal += free
                count_safe += free & (flat[rows[two.land[move]] + two.to[move]] != 1)
            _begin(plies2, a, b, count_legal, count_safe, plies1[a, b], news2)


@compiled
def _begin(
    table: Plies, row: int, column: int, legal: int, safe: int, passed: int, news: News
) -> None:
    """Write down a position that is not won at once; `passed` is its value for the other side.

    Which of the three it is can hardly be guessed, so there is no branch.
    """
    stuck = legal == 0
    lost = (safe == 0) & (~stuck | (passed == 1))
    table[row, column] = 2 if lost else (STUCK if stuck else OPEN + safe)
    news.counts[row] += lost
    news.blocks[row] |= np.uint64(lost) << (np.uint64(column) >> news.shift)


@compiled
def collect_rows(
    low: int, high: int, plies: int, table: Plies, news: News, found: ColumnsByRow
) -> None:
    """List the columns of a value, row by row, looking only into parts where it is new."""
    size2 = table.shape[1] - 1
    block = np.int64(1) << np.int64(news.shift)
    for a in range(low, high):
        at, end = found.start[a], found.start[a + 1]
        for part in range(64):
            if at < end and news.blocks[a] >> np.uint64(part) & np.uint64(1):
                for b in range(part * block, min((part + 1) * block, size2)):
                    found.columns[at] = b
                    at += table[a, b] == plies
                    if at == end:
                        break


@compiled
def before_player1(
    low: int,
    high: int,
    plies: int,
    found: ColumnsByRow,
    plies1: Plies,
    one: Moves,
    two: Moves,
    back: Back,
    news: News,
) -> None:
    """Tell some rows of player 1's turn which positions of player 2's turn have that value."""
    size1, size2 = len(one.occupied), len(two.occupied)
    for a in range(low, high):
        for i in range(found.start[a], found.start[a + 1]):
            b = found.columns[i]
            if plies1[a, b] == STUCK:
                _settle(plies1, a, b, plies, news)
        for move in range(one.start[a], one.start[a + 1]):
            to, land, bar = one.to[move], one.land[move], one.bar[move]
            if to == size1:
                continue
            for i in range(found.start[to], found.start[to + 1]):
                after = found.columns[i]
                if two.hit[land, after] == after and bar & two.occupied[after] == 0:
                    _tell(plies1, a, after, plies, news)
                place = land * size2 + after
                for j in range(back.struck_start[place], back.struck_start[place + 1]):
                    b = back.struck[j]
                    if bar & two.occupied[b] == 0:
                        _tell(plies1, a, b, plies, news)


@compiled
def before_player2(
    low: int,
    high: int,
    plies: int,
    found: ColumnsByRow,
    plies2: Plies,
    one: Moves,
    two: Moves,
    back: Back,
    news: News,
) -> None:
    """Tell some rows of player 2's turn which positions of player 1's turn have that value."""
    size1, lands = len(one.occupied), len(one.hit)
    rows = np.empty(lands, np.uint32)
    for a in range(low, high):
        occupied = one.occupied[a]
        for land in range(lands):
            rows[land] = one.hit[land, a]
        for i in range(found.start[a], found.start[a + 1]):
            after = found.columns[i]
            if plies2[a, after] == STUCK:
                _settle(plies2, a, after, plies, news)
            for j in range(back.start[after], back.start[after + 1]):
                if rows[back.land[j]] == a and back.bar[j] & occupied == 0:
                    _tell(plies2, a, back.origin[j], plies, news)
        for land in range(1, lands):
            left = rows[land]
            if left in (a, size1):
                continue
            for i in range(found.start[left], found.start[left + 1]):
                after = found.columns[i]
                if two.occupied[after] >> np.uint64(land - 1) & np.uint64(1):
                    for j in range(back.start[after], back.start[after + 1]):
                        if back.land[j] == land and back.bar[j] & occupied == 0:
                            _tell(plies2, a, back.origin[j], plies, news)


@compiled
def _tell(table: Plies, row: int, column: int, plies: int, news: News) -> None:
    """A move from here leads to a position of that value."""
    state = table[row, column]
    if plies & 1:  # one move less; hardly ever the last, so that this costs no wrong guess
        state -= state >= OPEN
        table[row, column] = state
        settled = state == OPEN
    else:
        settled = state >= OPEN
    if settled:
        _settle(table, row, column, plies, news)


@compiled
def _settle(table: Plies, row: int, column: int, plies: int, news: News) -> None:
    table[row, column] = plies + 1
    news.counts[row] += 1
    news.blocks[row] |= np.uint64(1) << (np.uint64(column) >> news.shift)
