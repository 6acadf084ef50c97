"""The door to Numba: how functions are compiled, where their code is kept, and its limits.

Importing this package imports neither NumPy nor Numba. It also has the rules in the form that
compiles, `rule_numbers` and the functions on rows of cells, and `Threads` for work on all cores.
"""

from typing import TYPE_CHECKING

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
    "ILLEGAL",
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
