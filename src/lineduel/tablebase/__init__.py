"""Exact tables for large games without battles, solved by compiled code.

The moves and values in the tables are checked against the engine.
"""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.tablebase.counts import tally
    from lineduel.tablebase.dense import DenseSolution, SolvedTable, TableValue, solve_dense
    from lineduel.tablebase.ended import list_ended
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
    "Moves",
    "Plies",
    "SolvedTable",
    "Summary",
    "TableSize",
    "TableValue",
    "Tables",
    "estimate",
    "estimate_of_pairs",
    "first_mistake",
    "list_ended",
    "make_tables",
    "plies_of",
    "solve_dense",
    "tally",
]

offer(
    __name__,
    {
        "counts": ("tally",),
        "dense": ("DenseSolution", "SolvedTable", "TableValue", "solve_dense"),
        "ended": ("list_ended",),
        "plies": ("ENDLESS", "LARGEST_PLIES", "NO_POSITION", "Plies", "plies_of"),
        "summary": ("Summary",),
        "table_size": ("TableSize", "estimate", "estimate_of_pairs"),
        "tables": ("Army", "Moves", "Tables", "make_tables"),
        "verify": ("first_mistake",),
    },
)
