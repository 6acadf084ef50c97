"""Exact values, how to play for them, and certificates that prove them.

The package can be called: `lineduel.solve(game)` is `lineduel.solve.solve(game)`, so that
`from lineduel import solve` gives what it promises whatever was imported before.
"""

from typing import TYPE_CHECKING, Any

from lineduel.lazy_names import LazyPackage, offer

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


class _CallablePackage(LazyPackage):
    """A package that stands for its function of the same name."""

    def __call__(self, *arguments: Any, **options: Any) -> "Solution":
        from lineduel.solve.solver import solve

        return solve(*arguments, **options)


offer(
    __name__,
    {
        "cache": ("Cache",),
        "certificate": ("Certificate", "read_certificate", "write_certificate"),
        "checker": ("check_certificate",),
        "proof": ("check_proof", "proof_of"),
        "solution": ("PlainSolution", "Plan", "Solution"),
        "solver": ("solve",),
        "value": ("Value",),
        "wording": ("in_words",),
    },
    _CallablePackage,
)
