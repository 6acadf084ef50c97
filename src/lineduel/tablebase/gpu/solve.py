"""Solve every position of a rulebook without battles on a GPU."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lineduel.compiled import wait
from lineduel.engine import Position
from lineduel.rules import Rules, Side
from lineduel.tablebase.dense import Plies, SolvedTable, Summary
from lineduel.tablebase.gpu.by_levels import sweep_on_gpu
from lineduel.tablebase.gpu.by_plies import retrograde_on_gpu
from lineduel.tablebase.gpu.count_results import count_on_gpu
from lineduel.tablebase.gpu.device_tables import DeviceTable, moves_on_device, new_table
from lineduel.tablebase.tables import Tables, make_tables


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


_TABLES, _VALUES = 0.3, 0.9
"""The shares of the progress that are reported once the moves are listed, and all values known."""
