"""Exact tables for large games without battles, solved by compiled code.

The moves and values in the tables are checked against the engine.
"""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.tablebase.counts import count_results as count_results
    from lineduel.tablebase.dense import (
        DenseSolution as DenseSolution,
        SolvedTable as SolvedTable,
        TableValue as TableValue,
        solve_dense as solve_dense,
    )
    from lineduel.tablebase.ended import list_ended as list_ended
    from lineduel.tablebase.gpu.check import check_on_gpu as check_on_gpu
    from lineduel.tablebase.gpu.device_memory import (
        bytes_to_check as bytes_to_check,
        bytes_to_solve as bytes_to_solve,
    )
    from lineduel.tablebase.gpu.solve import (
        GpuSolution as GpuSolution,
        solve_on_gpu as solve_on_gpu,
    )
    from lineduel.tablebase.plies import (
        ENDLESS as ENDLESS,
        LARGEST_PLIES as LARGEST_PLIES,
        NO_POSITION as NO_POSITION,
        Plies as Plies,
        plies_of as plies_of,
    )
    from lineduel.tablebase.summary import Summary as Summary
    from lineduel.tablebase.table_size import (
        TableSize as TableSize,
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
