"""The interface to Numba: compiling functions, caching their code, and checking its limits.

Importing this package does not import NumPy or Numba. It also provides the rules in a form that
Numba can compile (`rule_numbers` and the functions on rows of cells), and `Threads` to run work on
all cores.
"""

from typing import TYPE_CHECKING

from lineduel.compiled.address_space import usable_cores
from lineduel.compiled.compile_notice import tell_compiling_by
from lineduel.compiled.compiler import compiled, compiler_installed, inner
from lineduel.lazy_names import offer

if TYPE_CHECKING:
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
    "RuleNumbers",
    "Threads",
    "arrange",
    "cells_of",
    "compiled",
    "compiler_installed",
    "inner",
    "landing",
    "row_of",
    "rule_numbers",
    "settle_battle",
    "side_after",
    "step_to",
    "tell_compiling_by",
    "usable_cores",
    "winner_of",
]

offer(
    __name__,
    {
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
