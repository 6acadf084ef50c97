"""Whether the limit on this process's address space leaves room for compiled code.

Where it does not, loading the libraries fails in ways that nobody understands, or never ends.
"""

from functools import cache

from lineduel.errors import MemoryLimit

try:
    import resource
except ImportError:  # not on this platform
    resource = None  # type: ignore[assignment]

MIB = 1 << 20
NEEDED = 640 * MIB
"""What Python, NumPy, Numba and LLVM took to compile, with some to spare for arrays."""


@cache
def check_address_space() -> None:
    """Refuse, once and before anything is loaded, to start a compiler that cannot start."""
    if resource is None:
        return
    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if allowed != resource.RLIM_INFINITY and allowed < NEEDED:
        raise MemoryLimit(
            NEEDED,
            allowed,
            f"Compiled code needs {NEEDED // MIB} MiB of address space, "
            f"and this process is allowed {allowed // MIB} MiB (see 'ulimit -v').",
        )
