"""The table solver and its checker on a GPU: the same tables of moves, and the same values.

Kernels only decide which thread looks at which pair of formations. What a move does is read from
the tables of moves, by functions that are compiled for the CPU, too.
"""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.tablebase.gpu.check import check_on_gpu
    from lineduel.tablebase.gpu.memory import bytes_to_check, bytes_to_solve
    from lineduel.tablebase.gpu.solve import GpuSolution, solve_on_gpu

__all__ = ["GpuSolution", "bytes_to_check", "bytes_to_solve", "check_on_gpu", "solve_on_gpu"]

offer(
    __name__,
    {
        "check": ("check_on_gpu",),
        "memory": ("bytes_to_check", "bytes_to_solve"),
        "solve": ("GpuSolution", "solve_on_gpu"),
    },
)
