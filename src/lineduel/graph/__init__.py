"""A whole game as arrays: its graph, its forced wins, policies on it, and their Markov chains.

Use `explore_by_engine` for interactive work and `explore_compiled` for computations on the whole
graph. NumPy and Numba are imported only when they are first needed.
"""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.graph.approximate import (
        ApproximateValues as ApproximateValues,
        Shape as Shape,
        approximate_perfect as approximate_perfect,
        approximate_values as approximate_values,
        play_by_values as play_by_values,
    )
    from lineduel.graph.array_types import (
        ChanceArray as ChanceArray,
        NumberArray as NumberArray,
        ShortNumbers as ShortNumbers,
        SideArray as SideArray,
    )
    from lineduel.graph.battle_plans import (
        BattlePlans as BattlePlans,
        battle_plans as battle_plans,
        keep_plan as keep_plan,
        planned_value as planned_value,
    )
    from lineduel.graph.breadth_first import (
        MOST_CHOICES as MOST_CHOICES,
        CellRows as CellRows,
        FoundPositions as FoundPositions,
        PositionRows as PositionRows,
        choices_of as choices_of,
        found_of_rows as found_of_rows,
        graph_of_rows as graph_of_rows,
        hands_as_bits as hands_as_bits,
        number_of_row as number_of_row,
        rows_told_apart as rows_told_apart,
    )
    from lineduel.graph.chain import (
        Absorption as Absorption,
        Result as Result,
        absorb as absorb,
        absorb_equals as absorb_equals,
        absorb_pairs as absorb_pairs,
        joint_chances as joint_chances,
        result_of as result_of,
    )
    from lineduel.graph.components import (
        Subchain as Subchain,
        components_of as components_of,
        solve_subchain as solve_subchain,
        strong_components as strong_components,
    )
    from lineduel.graph.explore import (
        MOST_POSITIONS as MOST_POSITIONS,
        Exploration as Exploration,
        explore_by_engine as explore_by_engine,
        explore_compiled as explore_compiled,
    )
    from lineduel.graph.game_graph import (
        BATTLE as BATTLE,
        Columns as Columns,
        GameGraph as GameGraph,
        PositionSequence as PositionSequence,
    )
    from lineduel.graph.matrix_game import (
        Tableau as Tableau,
        solve_in as solve_in,
        tableau_for as tableau_for,
    )
    from lineduel.graph.one_way import (
        Levels as Levels,
        OneWayPositions as OneWayPositions,
        OrderArray as OrderArray,
        by_level as by_level,
        explore_one_way as explore_one_way,
        levels_of_graph as levels_of_graph,
    )
    from lineduel.graph.policies import (
        LimitedChances as LimitedChances,
        PolicyTable as PolicyTable,
        chances_within as chances_within,
        level_table as level_table,
        mixed_table as mixed_table,
        perfect_table as perfect_table,
        prospects as prospects,
    )
    from lineduel.graph.retrograde import NOT_FORCED as NOT_FORCED, ForcedWins as ForcedWins
    from lineduel.graph.sight import (
        ALL_PLIES as ALL_PLIES,
        SAME_PROSPECTS as SAME_PROSPECTS,
        BattleSolver as BattleSolver,
        battle_mixtures as battle_mixtures,
    )

offer(__name__)
