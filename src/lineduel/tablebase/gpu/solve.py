"""Solve every position of a rulebook without battles on a GPU.

If no position can repeat, one pass is enough: every move leads to formations whose levels add up to
more, so all positions with the same sum of levels are solved at the same time, those with the
largest sum first.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from lineduel.compiled import compiled, wait
from lineduel.engine import Position
from lineduel.rules import Rules, Side
from lineduel.tablebase.dense import ENDLESS, STUCK, Plies, SolvedTable, Summary
from lineduel.tablebase.formations import Rows
from lineduel.tablebase.gpu.by_plies import retrograde_on_gpu
from lineduel.tablebase.gpu.count_results import count_on_gpu
from lineduel.tablebase.gpu.device_tables import DeviceTable, moves_on_device, new_table
from lineduel.tablebase.gpu.visits import Rectangle, begin_visit, plan_visits, visitor
from lineduel.tablebase.tables import Moves, Tables, make_tables
from lineduel.tablebase.turns import (
    as_the_enemys,
    keeps_turn,
    mover_key,
    value_before,
    value_if_stuck,
)

_TABLES, _VALUES = 0.3, 0.9
"""The shares of the progress that are reported once the moves are listed, and all values known."""


@dataclass(frozen=True)
class GpuSolution(SolvedTable):
    """A solved table whose values stay in the memory of the device until they are asked for."""

    tables: Tables
    device1: DeviceTable
    device2: DeviceTable
    summary: Summary

    def written(self, row: int, column: int, side: Side) -> int:
        return self._device(side).value(row, column)

    def table(self, side: Side) -> Plies:
        return self._device(side).to_host()

    def pieces(self, size: int) -> Iterator[Plies]:
        for side in Side:
            yield from self._device(side).pieces(size)

    def _device(self, side: Side) -> DeviceTable:
        return self.device1 if side is Side.ONE else self.device2


def solve_on_gpu(
    rules: Rules,
    start: Position,
    progress: Callable[[float], None] | None = None,
    *,
    backward: bool = False,
) -> GpuSolution:
    """Solve all positions reachable from `start`; `progress` is called with the share done, 0 to 1.

    If no position can repeat, one pass is enough. Set `backward` to use the general method anyway.
    """
    report = progress or (lambda _: None)
    report(0.0)
    tables = make_tables(rules, start)
    report(_TABLES)
    one, two = (
        moves_on_device(tables.formations1.moves),
        moves_on_device(tables.formations2.moves),
    )
    plies1, plies2 = new_table(tables.shape), new_table(tables.shape)
    solve = sweep_on_gpu if tables.onward and not backward else retrograde_on_gpu
    solve(tables, one, two, plies1, plies2)
    wait()
    report(_VALUES)
    summary = count_on_gpu(tables, start, one, two, plies1, plies2)
    report(1.0)
    return GpuSolution(tables, plies1, plies2, summary)


def sweep_on_gpu(
    tables: Tables, one: Moves, two: Moves, plies1: DeviceTable, plies2: DeviceTable
) -> None:
    """Fill tables of zeros with values; `one` and `two` are the moves on the device."""
    rounds: dict[int, list[Rectangle]] = defaultdict(list)
    for level1, low1, high1 in _groups(tables.formations1.levels):
        for level2, low2, high2 in _groups(tables.formations2.levels):
            rectangle = Rectangle(low1, high1 - low1, low2, high2 - low2)
            rounds[level1 + level2].append(rectangle)
    parts, visits = plan_visits(rounds[total] for total in sorted(rounds, reverse=True))
    for visit in visits:
        begin_visit(_sweep, visit, parts, one, two, plies1.plies, plies2.plies)


def _groups(levels: Rows) -> list[tuple[int, int, int]]:
    """The levels that occur, each with its first formation and the one after its last."""
    found, firsts = np.unique(levels, return_index=True)
    ends = [*firsts[1:].tolist(), len(levels)]
    return list(zip(found.tolist(), firsts.tolist(), ends, strict=True))


@compiled
def solve_pair(a: int, b: int, one: Moves, two: Moves, state: tuple[Plies, Plies]) -> None:
    """Compute both values of a pair of formations from the values of all its successors."""
    plies1, plies2 = state
    best1 = _best_key(one, a, two, b, plies1, plies2, True)
    best2 = _best_key(two, b, one, a, plies2, plies1, False)
    value1 = np.uint16(ENDLESS) if best1 == STUCK else value_before(best1, one.again)
    value2 = np.uint16(ENDLESS) if best2 == STUCK else value_before(best2, two.again)
    plies1[a, b] = value_if_stuck(value2, one) if best1 == STUCK else value1
    plies2[a, b] = value_if_stuck(value1, two) if best2 == STUCK else value2


@compiled
def _best_key(
    mover: Moves, own: int, enemy: Moves, other: int, mine: Plies, theirs: Plies, is_player1: bool
) -> np.uint16:
    """The smallest `mover_key` of all legal moves; `STUCK` if there is none."""
    best = np.uint16(STUCK)
    if mover.sure[own]:
        return np.uint16(0)
    occupied = enemy.occupied[other]
    for move in range(mover.start[own], mover.start[own + 1]):
        if mover.bar[move] & occupied:
            continue
        to, hit = mover.to[move], enemy.hit[mover.land[move], other]
        if keeps_turn(mover, to, enemy, other, hit):
            key = mover_key(as_the_enemys(mine[to, hit] if is_player1 else mine[hit, to]))
        else:
            key = mover_key(theirs[to, hit] if is_player1 else theirs[hit, to])
        best = min(best, key)
        if best == 0:  # nothing is better than to win at once
            break
    return best


_sweep = visitor(solve_pair)
