"""Exact values of games in which positions can repeat, by retrograde analysis.

A position is won in n + 1 plies if some move leads to a position that is lost in n, and none to one
that is lost sooner. It is lost in n + 1 plies if all its moves lead to won positions, the latest of
them won in n. The first pass finds the positions that are won at once, and counts the other moves
of all remaining positions. Then, for n = 2, 3, …, all positions with value n are listed and their
predecessors are updated: either they have a winning move, or they have one fewer move that does not
lose. Positions that never get a value go on for ever.

If a side can move again, a won position also makes the positions won from which the same side moves
to it, and a lost position removes a move from them. The numbers in the table are then not plies but
increase with them (see `dense.py`), so the same order works.

The predecessors of the positions of one row are in several rows. Each of these rows looks up its
successors, so that no two threads write to the same row. At any time, only the positions of one
side with one value are listed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import Threads, compiled
from lineduel.rules import Side
from lineduel.tablebase.dense import LARGEST_PLIES, OPEN, STUCK, Plies, TableColumns, plies_of
from lineduel.tablebase.formations import Masks, Rows
from lineduel.tablebase.tables import Moves, Tables
from lineduel.tablebase.turns import can_move, is_position, keeps_turn, leaves_stuck

COUNTING = 0.1
"""The share of the progress that is reported for counting all moves."""


class Back(NamedTuple):
    """One side's moves, indexed by the formation they lead to."""

    start: NDArray[np.int64]
    """For each formation, the first move that leads to it."""
    origin: TableColumns
    land: NDArray[np.uint8]
    bar: Masks
    struck_start: NDArray[np.int64]
    """By `land` and formation: the first formation that becomes it by being landed on."""
    struck: TableColumns


class News(NamedTuple):
    """The positions in each row that have just received their value."""

    counts: NDArray[np.int64]
    blocks: Masks
    """A bit mask of the parts of the row, 64 in all, that contain them."""
    shift: np.uint64
    """A part has 2**shift columns."""


class Telling(NamedTuple):
    """How positions of one value update their predecessors."""

    loses: bool
    """Whether a move to such a position loses."""
    value: int
    """The value of a predecessor that is decided by this update."""
    kept: bool
    """Whether the side that moved there keeps the turn."""


class ColumnsByRow(NamedTuple):
    """The columns of all positions with one value, row by row."""

    start: NDArray[np.int64]
    columns: TableColumns


def retrograde(tables: Tables, plies1: Plies, plies2: Plies, threads: Threads) -> None:
    """Fill tables of zeros with values; endless positions are left as `OPEN` or `STUCK`.

    Raises OverflowError if a value is too large for the table.
    """
    one, two = tables.formations1.moves, tables.formations2.moves
    back, size1, size2 = back_moves(two), one.size, two.size
    again, nothing = one.again, _no_news(size1, size2)
    lost, longer = telling_of(1, kept=False, again=again).value, 3 if again else 1
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
    if again:  # positions won at once were so far counted only for the enemy's moves
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
            telling = telling_of(written, kept=kept, again=again)
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


def telling_of(written: int, *, kept: bool, again: bool) -> Telling:
    """How a position with a written value updates the positions from which a side moves to it."""
    loses = (written & 1 == 1) != kept
    if not again:
        return Telling(loses, written + 1, kept)
    plies = plies_of(written, again) + 1
    return Telling(loses, 2 * plies if loses else 2 * plies - 1, kept)


def _no_news(rows: int, columns: int) -> News:
    shift = np.uint64(max(0, columns.bit_length() - 6))
    return News(np.zeros(rows, np.int64), np.zeros(rows, np.uint64), shift)


def _all_news(table: Plies, written: int) -> News:
    """All positions with a value, as news."""
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


def back_moves(moves: Moves) -> Back:
    """One side's moves and losses, by the formation they lead to."""
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
    """Find the positions in some rows that are won at once; set the others to `OPEN` and count."""
    for a in range(low, high):
        for b in range(len(two.occupied)):
            if not is_position(one, a, two, b):
                continue
            plies1[a, b] = value_at_once(one, a, two, b)
            plies2[a, b] = value_at_once(two, b, one, a)
            counts[a] += (plies1[a, b] == OPEN) + (plies2[a, b] == OPEN)


@compiled
def value_at_once(mover: Moves, own: int, enemy: Moves, other: int) -> int:
    """What can be said without any other value: 1 if the mover wins at once, otherwise `OPEN`.

    It is 0 if the mover has no legal move and has lost.
    """
    if mover.loses and not can_move(mover, own, enemy.occupied[other]):
        return 0
    return 1 if wins_at_once(mover, own, enemy, other) else OPEN


@compiled
def wins_at_once(mover: Moves, own: int, enemy: Moves, other: int) -> bool:
    """Whether a legal move wins; winning steps come first, so few moves are looked at."""
    if mover.sure[own]:
        return True
    size, enemy_size = len(mover.occupied), len(enemy.occupied)
    for move in range(mover.start[own], mover.start[own + 1]):
        wins = mover.to[move] == size
        if not (wins or enemy.frail[other] or mover.loses):
            return False
        wins |= enemy.hit[mover.land[move], other] == enemy_size
        if mover.bar[move] & enemy.occupied[other]:
            continue
        if wins or (mover.loses and leaves_stuck(mover, move, enemy, other)):
            return True
    return False


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
    """Count, in some rows, the moves that do not let the enemy win at once; if none, set `lost`."""
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
            if to == size1:  # legal winning moves have been handled already
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
    """Count a move of player 1 as safe after all if player 1 keeps the turn."""
    to, hit, bar = one.to[move], two.hit[one.land[move]], one.bar[move]
    for b in columns:
        if bar & two.occupied[b] == 0 and plies2[to, hit[b]] == 1:
            safe[b] += keeps_turn(one, to, two, b, hit[b])


@compiled
def _begin(
    table: Plies, row: int, column: int, legal: int, safe: int, passed: int, value: int, news: News
) -> None:
    """Initialise a position that is not won at once; `passed` is its value for the other side."""
    state = first_state(legal, safe, passed, value)
    lost = state == value
    table[row, column] = state
    news.counts[row] += lost
    news.blocks[row] |= np.uint64(lost) << (np.uint64(column) >> news.shift)


@compiled
def first_state(legal: int, safe: int, passed: int, value: int) -> int:
    """The first state of a position with this many moves; `value` if none of them is safe.

    There is no branch, because the processor could hardly predict which of the three cases applies.
    """
    stuck = legal == 0
    lost = (safe == 0) & (~stuck | (passed == 1))
    return value if lost else (STUCK if stuck else OPEN + safe)


@compiled
def collect_rows(
    low: int, high: int, plies: int, table: Plies, news: News, found: ColumnsByRow
) -> None:
    """List the columns with a value, row by row, searching only the parts where it is new."""
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
    """Update some rows with player 1 to move whose successors have the value in `found`."""
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
                place = np.int64(land) * size2 + after
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
    """Update some rows with player 2 to move whose successors have the value in `found`."""
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
    """Update a row with player 2 to move for passes and moves that keep player 1's formation."""
    for i in range(found.start[a], found.start[a + 1]):
        after = found.columns[i]
        if plies2[a, after] == STUCK:
            _settle(plies2, a, after, telling.value, news)
        for j in range(back.start[after], back.start[after + 1]):
            if rows[back.land[j]] == a and back.bar[j] & occupied == 0:
                _tell(plies2, a, back.origin[j], telling, news)


@compiled
def _tell(table: Plies, row: int, column: int, telling: Telling, news: News) -> None:
    """Update a position that has a move to a position of the value described by `telling`."""
    state = table[row, column]
    if telling.loses:  # one fewer safe move; rarely the last, so the branch below is well predicted
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
