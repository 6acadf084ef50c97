"""A whole game as arrays: explored, its forced wins, policies over it, and the chains they make.

`explore_by_engine` finds the graph for interactive work, `explore_compiled` for whoever computes
with all of it. `chain` is compiled wherever Numba is installed, so whoever needs it imports it by
its own name.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineduel.graph.columns import BATTLE, Columns
    from lineduel.graph.explore import MOST_POSITIONS, explore_by_engine, explore_compiled
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
    "explore_by_engine",
    "explore_compiled",
    "level_table",
    "mixed_table",
    "perfect_table",
    "prospects",
]
_FILES = {
    "columns": ("BATTLE", "Columns"),
    "explore": ("MOST_POSITIONS", "explore_by_engine", "explore_compiled"),
    "game_graph": ("GameGraph",),
    "policies": ("PolicyTable", "level_table", "mixed_table", "perfect_table", "prospects"),
    "retrograde": ("NOT_FORCED", "ForcedWins"),
}


def __getattr__(name: str) -> object:
    """Each name is imported on first use: who only plays does not wait for it."""
    for file, names in _FILES.items():
        if name in names:
            return getattr(import_module(f"lineduel.graph.{file}"), name)
    raise AttributeError(f"module 'lineduel.graph' has no attribute '{name}'")
