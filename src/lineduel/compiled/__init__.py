"""The interface to Numba: compiling functions, caching their code, and checking its limits.

Importing this package does not import NumPy or Numba. It also provides the rules in a form that
Numba can compile (`rule_numbers` and the functions on rows of cells), and `Threads` to run work on
all cores.
"""

from typing import TYPE_CHECKING

from lineduel.compiled.address_space import usable_cores
from lineduel.compiled.compile_notice import announce_compiling, tell_compiling_by
from lineduel.compiled.compiler import (
    compiled,
    compiler_installed,
    inner,
    kernels_are_simulated,
)
from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.compiled.gpu import (
        DeviceArray,
        Kernel,
        copy_to_device,
        device_function,
        device_name,
        device_operations,
        device_problem,
        empty_on_device,
        free_device_memory,
        kernel,
        start,
        to_device,
        to_host,
        wait,
        zeros_on_device,
    )
    from lineduel.compiled.row_rules import (
        ILLEGAL,
        arrange,
        landing,
        settle_battle,
        side_after,
        step_to,
        winner_of,
    )
    from lineduel.compiled.rule_numbers import (
        GOES_HOME,
        LEAVES,
        NO_BATTLE,
        OUT,
        CellRow,
        RuleNumbers,
        cells_of,
        row_of,
        rule_numbers,
    )
    from lineduel.compiled.threads import Threads

__all__ = [
    "GOES_HOME",
    "ILLEGAL",
    "LEAVES",
    "NO_BATTLE",
    "OUT",
    "CellRow",
    "DeviceArray",
    "Kernel",
    "RuleNumbers",
    "Threads",
    "announce_compiling",
    "arrange",
    "cells_of",
    "compiled",
    "compiler_installed",
    "copy_to_device",
    "device_function",
    "device_name",
    "device_operations",
    "device_problem",
    "empty_on_device",
    "free_device_memory",
    "inner",
    "kernel",
    "kernels_are_simulated",
    "landing",
    "row_of",
    "rule_numbers",
    "settle_battle",
    "side_after",
    "start",
    "step_to",
    "tell_compiling_by",
    "to_device",
    "to_host",
    "usable_cores",
    "wait",
    "winner_of",
    "zeros_on_device",
]

offer(
    __name__,
    {
        "gpu": (
            "DeviceArray",
            "Kernel",
            "copy_to_device",
            "device_function",
            "device_name",
            "device_operations",
            "device_problem",
            "empty_on_device",
            "free_device_memory",
            "kernel",
            "start",
            "to_device",
            "to_host",
            "wait",
            "zeros_on_device",
        ),
        "row_rules": (
            "ILLEGAL",
            "arrange",
            "landing",
            "settle_battle",
            "side_after",
            "step_to",
            "winner_of",
        ),
        "rule_numbers": (
            "GOES_HOME",
            "LEAVES",
            "NO_BATTLE",
            "OUT",
            "CellRow",
            "RuleNumbers",
            "cells_of",
            "row_of",
            "rule_numbers",
        ),
        "threads": ("Threads",),
    },
)
