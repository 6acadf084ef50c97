"""Exact values, how to play for them, and certificates that prove them.

The package can be called: `lineduel.solve(game)` is `lineduel.solve.solve(game)`, so that
`from lineduel import solve` gives what it promises whatever was imported before.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineduel.solve.cache import Cache
    from lineduel.solve.certificate import Certificate, read_certificate, write_certificate
    from lineduel.solve.checker import check_certificate
    from lineduel.solve.proof import check_proof, proof_of
    from lineduel.solve.solution import PlainSolution, Plan, Solution
    from lineduel.solve.solver import solve
    from lineduel.solve.value import Value
    from lineduel.solve.wording import in_words

__all__ = [
    "Cache",
    "Certificate",
    "PlainSolution",
    "Plan",
    "Solution",
    "Value",
    "check_certificate",
    "check_proof",
    "in_words",
    "proof_of",
    "read_certificate",
    "solve",
    "write_certificate",
]
_FILES = {
    "cache": ("Cache",),
    "certificate": ("Certificate", "read_certificate", "write_certificate"),
    "checker": ("check_certificate",),
    "proof": ("check_proof", "proof_of"),
    "solution": ("PlainSolution", "Plan", "Solution"),
    "solver": ("solve",),
    "value": ("Value",),
    "wording": ("in_words",),
}


def __getattr__(name: str) -> object:
    """Each name is imported on first use: who only plays does not wait for the solver."""
    for file, names in _FILES.items():
        if name in names:
            return getattr(import_module(f"lineduel.solve.{file}"), name)
    raise AttributeError(f"module 'lineduel.solve' has no attribute '{name}'")


class _CallablePackage(ModuleType):
    """A package that stands for its function of the same name."""

    def __call__(self, *arguments: Any, **options: Any) -> "Solution":
        from lineduel.solve.solver import solve

        return solve(*arguments, **options)


sys.modules[__name__].__class__ = _CallablePackage
