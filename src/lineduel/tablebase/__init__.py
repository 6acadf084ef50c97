"""Exact tables for large games without battles, solved by compiled code.

The moves and values in the tables are checked against the engine.
"""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.tablebase.counts import tally
    from lineduel.tablebase.dense import DenseSolution, SolvedTable, TableValue, solve_dense
    from lineduel.tablebase.ended import list_ended
    from lineduel.tablebase.gpu.check import check_on_gpu
    from lineduel.tablebase.gpu.device_memory import bytes_to_check, bytes_to_solve
    from lineduel.tablebase.gpu.solve import GpuSolution, solve_on_gpu
    from lineduel.tablebase.plies import ENDLESS, LARGEST_PLIES, NO_POSITION, Plies, plies_of
    from lineduel.tablebase.summary import Summary
    from lineduel.tablebase.table_size import TableSize, estimate, estimate_of_pairs
    from lineduel.tablebase.tables import Army, Moves, Tables, make_tables
    from lineduel.tablebase.verify import first_mistake

__all__ = [
    "ENDLESS",
    "LARGEST_PLIES",
    "NO_POSITION",
    "Army",
    "DenseSolution",
    "GpuSolution",
    "Moves",
    "Plies",
    "SolvedTable",
    "Summary",
    "TableSize",
    "TableValue",
    "Tables",
    "bytes_to_check",
    "bytes_to_solve",
    "check_on_gpu",
    "estimate",
    "estimate_of_pairs",
    "first_mistake",
    "list_ended",
    "make_tables",
    "plies_of",
    "solve_dense",
    "solve_on_gpu",
    "tally",
]

offer(
    __name__,
    {
        "counts": ("tally",),
        "dense": ("DenseSolution", "SolvedTable", "TableValue", "solve_dense"),
        "ended": ("list_ended",),
        "gpu.check": ("check_on_gpu",),
        "gpu.device_memory": ("bytes_to_check", "bytes_to_solve"),
        "gpu.solve": ("GpuSolution", "solve_on_gpu"),
        "plies": ("ENDLESS", "LARGEST_PLIES", "NO_POSITION", "Plies", "plies_of"),
        "summary": ("Summary",),
        "table_size": ("TableSize", "estimate", "estimate_of_pairs"),
        "tables": ("Army", "Moves", "Tables", "make_tables"),
        "verify": ("first_mistake",),
    },
)
