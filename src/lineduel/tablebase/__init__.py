"""Exact tables for large games without battles, solved by compiled code.

The moves and values in the tables are checked against the engine.
"""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.tablebase.dense import (
        ENDLESS as ENDLESS,
        LARGEST_PLIES as LARGEST_PLIES,
        NO_POSITION as NO_POSITION,
        DenseSolution as DenseSolution,
        Plies as Plies,
        SolvedTable as SolvedTable,
        Summary as Summary,
        TableValue as TableValue,
        plies_of as plies_of,
        solve_dense as solve_dense,
    )
    from lineduel.tablebase.ended import count_results as count_results
    from lineduel.tablebase.gpu.check import check_on_gpu as check_on_gpu
    from lineduel.tablebase.gpu.solve import (
        GpuSolution as GpuSolution,
        solve_on_gpu as solve_on_gpu,
    )
    from lineduel.tablebase.table_size import (
        TableSize as TableSize,
        bytes_to_check as bytes_to_check,
        bytes_to_solve as bytes_to_solve,
        estimate as estimate,
        estimate_of_pairs as estimate_of_pairs,
    )
    from lineduel.tablebase.tables import (
        Moves as Moves,
        SideFormations as SideFormations,
        Tables as Tables,
        make_tables as make_tables,
    )
    from lineduel.tablebase.verify import first_mistake as first_mistake

offer(__name__)
