"""A whole game as arrays: its graph, its forced wins, policies on it, and their Markov chains.

Use `explore_by_engine` for interactive work and `explore_compiled` for computations on the whole
graph. NumPy and Numba are imported only when they are first needed.
"""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.graph.approximate import (
        ApproximateValues,
        approximate_perfect,
        approximate_values,
    )
    from lineduel.graph.breadth_first import PositionRows, graph_of_rows, rows_told_apart
    from lineduel.graph.chain import (
        Absorption,
        Result,
        absorb,
        absorb_pairs,
        joint_chances,
        result_of,
    )
    from lineduel.graph.columns import BATTLE, Columns
    from lineduel.graph.components import strong_components
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
    from lineduel.graph.sight import ALL_PLIES, SAME_PROSPECTS, BattleSolver, battle_mixtures
    from lineduel.graph.turn_limit import LimitedChances, chances_within

__all__ = [
    "ALL_PLIES",
    "BATTLE",
    "MOST_POSITIONS",
    "NOT_FORCED",
    "SAME_PROSPECTS",
    "Absorption",
    "ApproximateValues",
    "BattleSolver",
    "Columns",
    "ForcedWins",
    "GameGraph",
    "LimitedChances",
    "PolicyTable",
    "PositionRows",
    "Result",
    "absorb",
    "absorb_pairs",
    "approximate_perfect",
    "approximate_values",
    "battle_mixtures",
    "chances_within",
    "explore_by_engine",
    "explore_compiled",
    "graph_of_rows",
    "joint_chances",
    "level_table",
    "mixed_table",
    "perfect_table",
    "prospects",
    "result_of",
    "rows_told_apart",
    "strong_components",
]

offer(
    __name__,
    {
        "approximate": ("ApproximateValues", "approximate_perfect", "approximate_values"),
        "breadth_first": ("PositionRows", "graph_of_rows", "rows_told_apart"),
        "chain": ("Absorption", "Result", "absorb", "absorb_pairs", "joint_chances", "result_of"),
        "columns": ("BATTLE", "Columns"),
        "components": ("strong_components",),
        "explore": ("MOST_POSITIONS", "explore_by_engine", "explore_compiled"),
        "game_graph": ("GameGraph",),
        "policies": ("PolicyTable", "level_table", "mixed_table", "perfect_table", "prospects"),
        "retrograde": ("NOT_FORCED", "ForcedWins"),
        "sight": ("ALL_PLIES", "SAME_PROSPECTS", "BattleSolver", "battle_mixtures"),
        "turn_limit": ("LimitedChances", "chances_within"),
    },
)
