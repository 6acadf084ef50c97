"""The results in a solved table, and the ended positions that its open positions lead to.

A table has no entries for ended positions, because they are all lost for the side to move. They
are found from the last move: a step onto a goal, a step that captures the enemy's last pieces or,
if landing on an enemy wins, a step that does so. If a side that cannot move has lost, such
positions are pairs of formations of the table, with the value 0.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import Threads, compiled
from lineduel.engine import Position
from lineduel.rules import Displacement, Side
from lineduel.tablebase.dense import ENDLESS, NO_POSITION, OPEN, Plies, Summary, plies_of
from lineduel.tablebase.formations import (
    BLOCK,
    Hop,
    Keys,
    Masks,
    Rows,
    bits,
    pack,
)
from lineduel.tablebase.tables import NOWHERE, Moves, SideFormations, Tables
from lineduel.tablebase.turns import is_position, leaves_stuck

_AT_ONCE = 1 << 24
"""Number of pairs of formations to process at once, at one byte each."""

Marks = NDArray[np.uint8]
Totals = tuple[int, int, int, int]
"""The positions won, lost and endless for the side to move, and the largest written value."""


class Steps(NamedTuple):
    """Steps of one side that can win, sorted by the formation they lead to."""

    start: NDArray[np.int64]
    """The first step to each of these formations, followed by the number of steps."""
    origin: NDArray[np.uint32]
    bar: Masks
    """Cells that must be free of enemies."""
    must: Masks
    """Cells that must hold an enemy."""
    land: NDArray[np.uint8]
    """The row of the enemy's `hit` that gives the enemy's formation afterwards."""


def count_ended(tables: Tables, winner: Side, threads: Threads) -> int:
    """The number of distinct ended positions won by that side that open positions lead to."""
    marked = sum(int(np.count_nonzero(marks)) for marks in _marked(tables, winner, threads))
    return marked + len(last_captures(tables, winner)) + count_stuck(tables, winner)


def _marked(tables: Tables, winner: Side, threads: Threads) -> Iterator[Marks]:
    """A row of marks for each of the winner's formations, in parts: those that it has beaten."""
    own, enemy = tables.formations_of(winner), tables.formations_of(winner.other).moves
    keys, steps = winning_steps(own)
    rows = max(1, _AT_ONCE // (enemy.size + 1))
    for first in range(0, len(keys), rows):
        part = keys[first : first + rows]
        marks = np.zeros((len(part), enemy.size + 1), np.uint8)
        threads.work(
            mark_rows,
            0,
            len(part),
            *(first, steps, own.moves, enemy, marks),
            units=int(steps.start[first + len(part)] - steps.start[first]) * enemy.size // 4,
            share=0.0,
        )
        yield marks


def last_captures(tables: Tables, winner: Side) -> Keys:
    """The formations, not on their goal, that have just captured the last enemy piece."""
    own, enemy = tables.formations_of(winner), tables.formations_of(winner.other).moves
    if own.side_rules.displaces is not Displacement.OUT:
        return own.keys[:0]
    alone = np.isin(bits(np.arange(len(own.side_rules.rules.track))), enemy.occupied)
    found = [own.keys[:0]]
    for first, hop in _hops(own):
        apart = own.moves.occupied[first + hop.rows] & bits(hop.targets) == 0
        found.append(
            pack(hop.stands[alone[hop.targets] & apart & ~own.side_rules.on_goal(hop.stands)])
        )
    return np.unique(np.concatenate(found))


def winning_steps(own: SideFormations) -> tuple[Keys, Steps]:
    """The steps that win by reaching a goal or landing on an enemy, and where they lead."""
    side_rules, landing = own.side_rules, own.side_rules.rules.meet.enemy.consequences
    keys, origins = [own.keys[:0]], [np.empty(0, np.uint32)]
    bars, musts = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
    lands = [np.empty(0, np.uint8)]
    for first, hop in _hops(own):
        goal, target = side_rules.on_goal(hop.stands), bits(hop.targets)
        wins = np.flatnonzero(goal | landing.wins)
        keys.append(pack(hop.stands[wins]))
        origins.append((first + hop.rows[wins]).astype(np.uint32))
        bars.append((hop.path | target if landing.blocks else hop.path)[wins])
        musts.append(np.where(goal, np.uint64(0), target)[wins])
        lands.append(np.where(side_rules.strikes, hop.targets + 1, NOWHERE)[wins].astype(np.uint8))
    key = np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    formations, counts = np.unique(key, return_counts=True)
    return formations, Steps(
        start=np.concatenate(([0], np.cumsum(counts))),
        origin=np.concatenate(origins)[order],
        bar=np.concatenate(bars)[order],
        must=np.concatenate(musts)[order],
        land=np.concatenate(lands)[order],
    )


def _hops(own: SideFormations) -> Iterator[tuple[int, Hop]]:
    """Every step from every formation, with the formation number of its row 0."""
    for first in range(0, len(own.stands), BLOCK):
        for hop in own.side_rules.hops(own.stands[first : first + BLOCK]):
            yield first, hop


@compiled
def mark_rows(
    low: int, high: int, first: int, steps: Steps, own: Moves, enemy: Moves, marks: Marks
) -> None:
    """Mark, in some rows, the enemy's formation after each step that wins."""
    for row in range(low, high):
        for step in range(steps.start[first + row], steps.start[first + row + 1]):
            origin, bar, must = steps.origin[step], steps.bar[step], steps.must[step]
            hit = enemy.hit[steps.land[step]]
            for other in range(len(enemy.occupied)):
                marks[row, hit[other]] |= step_wins(origin, bar, must, own, enemy, other)


def count_stuck(tables: Tables, winner: Side) -> int:
    """The positions that a side has won because its move leaves an enemy who is stuck."""
    own, enemy = tables.formations_of(winner).moves, tables.formations_of(winner.other).moves
    marks = np.zeros((own.size, enemy.size) if own.loses else (0, 0), np.uint8)
    with Threads(lambda _: None) as threads:
        threads.work(
            mark_stuck, 0, len(marks), *(own, enemy, marks), units=4 * marks.size, share=0.0
        )
    return int(np.count_nonzero(marks))


@compiled
def mark_stuck(low: int, high: int, own: Moves, enemy: Moves, marks: Marks) -> None:
    """Mark the pairs of formations that the moves of some rows leave to an enemy who is stuck."""
    for row in range(low, high):
        for other in range(len(enemy.occupied)):
            if not is_position(own, row, enemy, other):
                continue
            for move in range(own.start[row], own.start[row + 1]):
                to, hit = own.to[move], enemy.hit[own.land[move], other]
                ends = to == len(own.occupied) or hit == len(enemy.occupied)
                if own.bar[move] & enemy.occupied[other] or ends:
                    continue
                if leaves_stuck(own, move, enemy, other):
                    marks[to, hit] = 1


@compiled
def step_wins(
    origin: int, bar: np.uint64, must: np.uint64, own: Moves, enemy: Moves, other: int
) -> bool:
    """Whether a step of `Steps` is legal and wins against a formation of the enemy."""
    occupied = enemy.occupied[other]
    apart = is_position(own, origin, enemy, other)
    wins: bool = apart & (bar & occupied == 0) & (must & ~occupied == 0)
    return wins


def count_results(
    tables: Tables, start: Position, plies1: Plies, plies2: Plies, threads: Threads
) -> Summary:
    """The counts of a table; entries that are still open are first changed to `ENDLESS`."""
    totals = (_totals(table, threads) for table in (plies1, plies2))
    return table_summary(tables, start, totals, (count_ended(tables, one, threads) for one in Side))


def table_summary(
    tables: Tables, start: Position, totals: Iterable[Totals], ended: Iterable[int]
) -> Summary:
    """The counts of a table from those of its two sides, and the ended positions each has won."""
    (won1, lost1, endless1, longest1), (won2, lost2, endless2, longest2) = totals
    over = tables.winner(start)
    ended1, ended2 = (number + (over is side) for side, number in zip(Side, ended, strict=True))
    return Summary(
        wins1=won1 + lost2 + ended1,
        wins2=won2 + lost1 + ended2,
        endless=endless1 + endless2,
        longest=plies_of(max(longest1, longest2), tables.rules.moves_again) or None,
    )


def _totals(table: Plies, threads: Threads) -> Totals:
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
