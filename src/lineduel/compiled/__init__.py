"""The door to Numba: how functions are compiled, where their code is kept, and its limits.

Importing this package imports neither NumPy nor Numba. Its other modules are `rule_numbers`, the
rules in the form that compiles, and `threads`, compiled work on all cores.
"""

from lineduel.compiled.compiler import compiled, compiler_installed, inner

__all__ = ["compiled", "compiler_installed", "inner"]
