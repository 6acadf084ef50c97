"""Exact values where positions may repeat: from the ends of the game backward.

A position is won in n + 1 plies when a move leads to one that is lost in n and none to one lost
sooner; it is lost in n + 1 when all its moves lead to won ones, the latest of them won in n. First
come the positions that are won at once, and for all others the number of moves to something else.
Then, for n = 2, 3, …, all positions of value n are listed and those before them are told: a move
that wins, or one move less that does not lose. What never hears the last word goes on for ever.

Where a side can move again, a won position also makes those won from which the same side leads
there, and a lost one takes a move from them. The numbers in the table are then not the plies, but
grow with them (see `plies.py`), so that the same order does.

The positions before those of one row lie in several rows. Each of these asks for itself, so that
no two threads write to one row. A side's positions of one value are all that is listed at once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import Threads, compiled
from lineduel.rules import Side
from lineduel.tablebase.formations import Masks, Rows
from lineduel.tablebase.plies import LARGEST_PLIES, OPEN, STUCK, Plies, TableColumns, plies_of
from lineduel.tablebase.tables import Moves, Tables
from lineduel.tablebase.turns import can_move, keeps_turn

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


class Telling(NamedTuple):
    """What positions of one value say to those before them."""

    loses: bool
    """Whether a move that leads there loses."""
    value: int
    """The value of those before them that hear the last word."""
    kept: bool
    """Whether the side that leads there has kept the turn."""


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
    again, nothing = one.again, _no_news(size1, size2)
    lost, longer = _telling(1, kept=False, again=again).value, 3 if again else 1
    news1, news2 = ({lost: _no_news(size1, size2)} for _ in Side)
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
        *(plies1, plies2, one, two, lost, news1[lost], news2[lost]),
        units=4 * size1 * size2,
        share=COUNTING / 2,
    )
    worth = (1 - COUNTING) / max(int(counts.sum()), 1)
    written = 2
    if again:  # the positions won at once have been counted, but only for the enemy's moves
        written, news1[1], news2[1] = 1, _all_news(plies1, 1), _all_news(plies2, 1)
    while any(news.counts.any() for news in (*news1.values(), *news2.values())):
        if written + longer > LARGEST_PLIES:
            most = plies_of(LARGEST_PLIES, again)
            raise OverflowError(f"A position is won only after more than {most} plies.")
        found1 = _found(written, plies1, news1.pop(written, nothing), threads)
        found2 = _found(written, plies2, news2.pop(written, nothing), threads)
        for kernel, found, target, told, kept in (
            (before_player1, found2, plies1, news1, False),
            (before_player2, found1, plies2, news2, False),
            (before_player1, found1, plies1, news1, True),
            (before_player2, found2, plies2, news2, True),
        ):
            if not (again if kept else written > 1):
                continue
            telling = _telling(written, kept=kept, again=again)
            if telling.value not in told:
                told[telling.value] = _no_news(size1, size2)
            threads.work(
                kernel,
                0,
                size1,
                *(telling, found, target, one, two, back, told[telling.value]),
                units=32 * len(found.columns),
                share=0.0 if kept else worth * len(found.columns),
            )
        written += 1


def _telling(written: int, *, kept: bool, again: bool) -> Telling:
    """What a position of a written value says to those from which a side leads there."""
    loses = (written & 1 == 1) != kept
    if not again:
        return Telling(loses, written + 1, kept)
    plies = plies_of(written, again) + 1
    return Telling(loses, 2 * plies if loses else 2 * plies - 1, kept)


def _no_news(rows: int, columns: int) -> News:
    shift = np.uint64(max(0, columns.bit_length() - 6))
    return News(np.zeros(rows, np.int64), np.zeros(rows, np.uint64), shift)


def _all_news(table: Plies, written: int) -> News:
    """All positions of a value as news."""
    rows, columns = (size - 1 for size in table.shape)
    news = _no_news(rows, columns)
    news.counts[:] = np.count_nonzero(table[:-1, :-1] == written, axis=1)
    news.blocks[:] = ~np.uint64(0)
    return news


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
    lost: int,
    news1: News,
    news2: News,
) -> None:
    """Count in some rows the moves that do not let the enemy win at once; `lost` without any."""
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
            if one.again:
                _count_kept(move, asked[:count], plies2, one, two, safe)
        for b in asked[:count]:
            _begin(plies1, a, b, legal[b], safe[b], plies2[a, b], lost, news1)
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
                lets_win = flat[rows[two.land[move]] + two.to[move]] == 1
                count_safe += free & ~lets_win
                if two.again and free and lets_win:
                    left = one.hit[two.land[move], a]
                    count_safe += keeps_turn(two, two.to[move], one, a, left)
            _begin(plies2, a, b, count_legal, count_safe, plies1[a, b], lost, news2)


@compiled
def _count_kept(
    move: int, columns: TableColumns, plies2: Plies, one: Moves, two: Moves, safe: Plies
) -> None:
    """Count a move of player 1 that only seemed to let the enemy win, who is not to move."""
    to, hit, bar = one.to[move], two.hit[one.land[move]], one.bar[move]
    for b in columns:
        if bar & two.occupied[b] == 0 and plies2[to, hit[b]] == 1:
            safe[b] += keeps_turn(one, to, two, b, hit[b])


@compiled
def _begin(
    table: Plies, row: int, column: int, legal: int, safe: int, passed: int, value: int, news: News
) -> None:
    """Write down a position that is not won at once; `passed` is its value for the other side.

    Which of the three it is can hardly be guessed, so there is no branch.
    """
    stuck = legal == 0
    lost = (safe == 0) & (~stuck | (passed == 1))
    table[row, column] = value if lost else (STUCK if stuck else OPEN + safe)
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
    telling: Telling,
    found: ColumnsByRow,
    plies1: Plies,
    one: Moves,
    two: Moves,
    back: Back,
    news: News,
) -> None:
    """Tell some rows of player 1's turn which positions after it have that value."""
    size1, size2, kept = len(one.occupied), len(two.occupied), telling.kept
    for a in range(low, high):
        for i in range(found.start[a], found.start[a + 1]):
            b = found.columns[i]
            if plies1[a, b] == STUCK and not kept:
                _settle(plies1, a, b, telling.value, news)
        for move in range(one.start[a], one.start[a + 1]):
            to, land, bar = one.to[move], one.land[move], one.bar[move]
            if to == size1:
                continue
            for i in range(found.start[to], found.start[to + 1]):
                after = found.columns[i]
                if not kept and two.hit[land, after] == after and bar & two.occupied[after] == 0:
                    _tell(plies1, a, after, telling, news)
                if one.again and can_move(one, to, two.occupied[after]) != kept:
                    continue
                place = land * size2 + after
                for j in range(back.struck_start[place], back.struck_start[place + 1]):
                    b = back.struck[j]
                    if bar & two.occupied[b] == 0:
                        _tell(plies1, a, b, telling, news)


@compiled
def before_player2(
    low: int,
    high: int,
    telling: Telling,
    found: ColumnsByRow,
    plies2: Plies,
    one: Moves,
    two: Moves,
    back: Back,
    news: News,
) -> None:
    """Tell some rows of player 2's turn which positions after it have that value."""
    size1, lands, kept = len(one.occupied), len(one.hit), telling.kept
    rows = np.empty(lands, np.uint32)
    for a in range(low, high):
        occupied = one.occupied[a]
        for land in range(lands):
            rows[land] = one.hit[land, a]
        if not kept:
            _before_unchanged(a, rows, telling, found, plies2, occupied, back, news)
        for land in range(1, lands):
            left = rows[land]
            if left in (a, size1):
                continue
            for i in range(found.start[left], found.start[left + 1]):
                after = found.columns[i]
                if two.occupied[after] >> np.uint64(land - 1) & np.uint64(1):
                    if two.again and can_move(two, after, one.occupied[left]) != kept:
                        continue
                    for j in range(back.start[after], back.start[after + 1]):
                        if back.land[j] == land and back.bar[j] & occupied == 0:
                            _tell(plies2, a, back.origin[j], telling, news)


@compiled
def _before_unchanged(
    a: int,
    rows: TableColumns,
    telling: Telling,
    found: ColumnsByRow,
    plies2: Plies,
    occupied: np.uint64,
    back: Back,
    news: News,
) -> None:
    """Tell a row of player 2's turn about passes and moves that leave player 1's formation."""
    for i in range(found.start[a], found.start[a + 1]):
        after = found.columns[i]
        if plies2[a, after] == STUCK:
            _settle(plies2, a, after, telling.value, news)
        for j in range(back.start[after], back.start[after + 1]):
            if rows[back.land[j]] == a and back.bar[j] & occupied == 0:
                _tell(plies2, a, back.origin[j], telling, news)


@compiled
def _tell(table: Plies, row: int, column: int, telling: Telling, news: News) -> None:
    """A move from here leads to a position that tells this."""
    state = table[row, column]
    if telling.loses:  # one move less; hardly ever the last, so that this costs no wrong guess
        state -= state >= OPEN
        table[row, column] = state
        settled = state == OPEN
    else:
        settled = state >= OPEN
    if settled:
        _settle(table, row, column, telling.value, news)


@compiled
def _settle(table: Plies, row: int, column: int, value: int, news: News) -> None:
    table[row, column] = value
    news.counts[row] += 1
    news.blocks[row] |= np.uint64(1) << (np.uint64(column) >> news.shift)
