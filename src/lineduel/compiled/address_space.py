"""Check that the limit on this process's address space leaves room for compiled code.

If it does not, loading the libraries fails with obscure errors or hangs.
"""

import os
from functools import cache

from lineduel.errors import AddressSpaceLimit

try:
    import resource
except ImportError:  # not on this platform
    resource = None  # type: ignore[assignment]

_MIB = 1 << 20
_ALL_CORES, _EACH_CORE = 640 * _MIB, 80 * _MIB
"""Measured for Python, NumPy, SciPy, Numba and LLVM while compiling. NumPy and SciPy each load
their own linear algebra library, which takes 40 MiB per core."""


def usable_cores() -> int:
    """The number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def needed_address_space() -> int:
    """Bytes of address space that compiled code needs on this machine."""
    return _ALL_CORES + _EACH_CORE * usable_cores()


@cache
def check_address_space() -> None:
    """Raise `AddressSpaceLimit` if the compiler cannot start; called before anything is loaded."""
    if resource is None:
        return
    allowed, needed = resource.getrlimit(resource.RLIMIT_AS)[0], needed_address_space()
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        raise AddressSpaceLimit(needed, allowed)
