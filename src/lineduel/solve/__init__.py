"""Exact values, the play that reaches them, and certificates that prove them.

The package itself is callable: `lineduel.solve(game)` calls `lineduel.solve.solve(game)`. So
`from lineduel import solve` works as a function no matter what was imported before.
"""

from typing import TYPE_CHECKING, Any

from lineduel.lazy_names import LazyPackage, offer

if TYPE_CHECKING:
    from lineduel.solve.cache import Cache
    from lineduel.solve.certificate import Certificate, read_certificate, write_certificate
    from lineduel.solve.checker import check_certificate
    from lineduel.solve.mistakes import (
        given_away,
        given_away_by_number,
        is_mistake,
        keeping_moves,
        keeping_numbers,
        number_values,
        only_move,
    )
    from lineduel.solve.proof import check_proof, proof_of
    from lineduel.solve.reachability import leading_to
    from lineduel.solve.solution import (
        MOST_OUTLOOKS,
        Counted,
        PlainSolution,
        Plan,
        Solution,
        ValueArrays,
    )
    from lineduel.solve.solver import BYTES_EACH, MOST_PLAIN, Report, solve
    from lineduel.solve.stochastic.matrix import solve_matrix
    from lineduel.solve.stochastic.proof_chain import Chain, Law
    from lineduel.solve.stochastic.work import WorkLimit
    from lineduel.solve.value import NEVER_ENDS, Endless, Number, Value
    from lineduel.solve.wording import (
        LIMITED,
        as_effect,
        as_prize,
        as_sentence,
        as_sign,
        as_verdict,
        in_short,
        in_words,
        move_in_words,
    )

__all__ = [
    "BYTES_EACH",
    "LIMITED",
    "MOST_OUTLOOKS",
    "MOST_PLAIN",
    "NEVER_ENDS",
    "Cache",
    "Certificate",
    "Chain",
    "Counted",
    "Endless",
    "Law",
    "Number",
    "PlainSolution",
    "Plan",
    "Report",
    "Solution",
    "Value",
    "ValueArrays",
    "WorkLimit",
    "as_effect",
    "as_prize",
    "as_sentence",
    "as_sign",
    "as_verdict",
    "check_certificate",
    "check_proof",
    "given_away",
    "given_away_by_number",
    "in_short",
    "in_words",
    "is_mistake",
    "keeping_moves",
    "keeping_numbers",
    "leading_to",
    "move_in_words",
    "number_values",
    "only_move",
    "proof_of",
    "read_certificate",
    "solve",
    "solve_matrix",
    "write_certificate",
]


class _CallablePackage(LazyPackage):
    """A package that can be called like its function of the same name."""

    def __call__(self, *arguments: Any, **options: Any) -> "Solution":
        from lineduel.solve.solver import solve

        return solve(*arguments, **options)


offer(
    __name__,
    {
        "cache": ("Cache",),
        "certificate": ("Certificate", "read_certificate", "write_certificate"),
        "checker": ("check_certificate",),
        "mistakes": (
            "given_away",
            "given_away_by_number",
            "is_mistake",
            "keeping_moves",
            "keeping_numbers",
            "number_values",
            "only_move",
        ),
        "proof": ("check_proof", "proof_of"),
        "reachability": ("leading_to",),
        "solution": (
            "MOST_OUTLOOKS",
            "Counted",
            "PlainSolution",
            "Plan",
            "Solution",
            "ValueArrays",
        ),
        "solver": ("BYTES_EACH", "MOST_PLAIN", "Report", "solve"),
        "stochastic.matrix": ("solve_matrix",),
        "stochastic.proof_chain": ("Chain", "Law"),
        "stochastic.work": ("WorkLimit",),
        "value": ("NEVER_ENDS", "Endless", "Number", "Value"),
        "wording": (
            "LIMITED",
            "as_effect",
            "as_prize",
            "as_sentence",
            "as_sign",
            "as_verdict",
            "in_short",
            "in_words",
            "move_in_words",
        ),
    },
    _CallablePackage,
)
