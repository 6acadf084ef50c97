"""Exact tables of large games without battles, solved by compiled code.

What the tables say of each position is checked against the engine.
"""

from lineduel.kernel.dense import DenseSolution, Value, solve_dense
from lineduel.kernel.estimate import Estimate, estimate, estimate_of_pairs
from lineduel.kernel.plies import ENDLESS, MOST_PLIES, NO_POSITION, Plies
from lineduel.kernel.summary import Summary
from lineduel.kernel.tables import Army, Moves, Tables, make_tables

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
