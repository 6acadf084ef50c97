"""A whole game as arrays: explored, its forced wins, policies over it, and the chains they make.

`explore` finds the graph by the engine, for interactive work; `explore_compiled` for whoever
computes with all of it. `chain` is always compiled where Numba is installed, so that whoever needs
it imports it by its own name.
"""

from lineduel.graph.columns import BATTLE, Columns
from lineduel.graph.explore import MOST_POSITIONS, explore, explore_compiled
from lineduel.graph.game_graph import GameGraph
from lineduel.graph.policies import (
    PolicyTable,
    level_table,
    mixed_table,
    perfect_table,
    prospects,
)
from lineduel.graph.retrograde import NOT_FORCED, ForcedWins

__all__ = [
    "BATTLE",
    "MOST_POSITIONS",
    "NOT_FORCED",
    "Columns",
    "ForcedWins",
    "GameGraph",
    "PolicyTable",
    "explore",
    "explore_compiled",
    "level_table",
    "mixed_table",
    "perfect_table",
    "prospects",
]
