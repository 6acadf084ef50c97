"""Exact values, how to play for them, and certificates that prove them."""

from lineduel.solve.certificate import Certificate, read_certificate, write_certificate
from lineduel.solve.checker import check_certificate
from lineduel.solve.proof import check_proof, proof_of
from lineduel.solve.solution import PlainSolution, Plan, Solution
from lineduel.solve.solver import solve
from lineduel.solve.value import Value
from lineduel.solve.wording import in_words

__all__ = [
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
