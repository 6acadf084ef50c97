"""A whole game as arrays: explored, its forced wins, policies over it, and the chains they make.

`explore_by_engine` finds the graph for interactive work, `explore_compiled` for whoever computes
with all of it. `chain` is compiled wherever Numba is installed, so whoever needs it imports it by
its own name.
"""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

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

offer(
    __name__,
    {
        "columns": ("BATTLE", "Columns"),
        "explore": ("MOST_POSITIONS", "explore_by_engine", "explore_compiled"),
        "game_graph": ("GameGraph",),
        "policies": ("PolicyTable", "level_table", "mixed_table", "perfect_table", "prospects"),
        "retrograde": ("NOT_FORCED", "ForcedWins"),
    },
)
