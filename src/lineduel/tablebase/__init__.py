"""Exact tables of large games without battles, solved by compiled code.

What the tables say of each position is checked against the engine.
"""

from lineduel.tablebase.dense import DenseSolution, TableValue, solve_dense
from lineduel.tablebase.plies import ENDLESS, LARGEST_PLIES, NO_POSITION, Plies
from lineduel.tablebase.summary import Summary
from lineduel.tablebase.table_size import TableSize, estimate, estimate_of_pairs
from lineduel.tablebase.tables import Army, Moves, Tables, make_tables

__all__ = [
    "ENDLESS",
    "LARGEST_PLIES",
    "NO_POSITION",
    "Army",
    "DenseSolution",
    "Moves",
    "Plies",
    "Summary",
    "TableSize",
    "TableValue",
    "Tables",
    "estimate",
    "estimate_of_pairs",
    "make_tables",
    "solve_dense",
]
