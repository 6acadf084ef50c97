"""Exact tables of large games without battles, solved by compiled code.

What the tables say of each position is checked against the engine.
"""

from lineduel.tablebase.dense import DenseSolution, Value, solve_dense
from lineduel.tablebase.plies import ENDLESS, MOST_PLIES, NO_POSITION, Plies
from lineduel.tablebase.summary import Summary
from lineduel.tablebase.table_size import Estimate, estimate, estimate_of_pairs
from lineduel.tablebase.tables import Army, Moves, Tables, make_tables

__all__ = [
    "ENDLESS",
    "MOST_PLIES",
    "NO_POSITION",
    "Army",
    "DenseSolution",
    "Estimate",
    "Moves",
    "Plies",
    "Summary",
    "Tables",
    "Value",
    "estimate",
    "estimate_of_pairs",
    "make_tables",
    "solve_dense",
]
