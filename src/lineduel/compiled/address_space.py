"""Whether the limit on this process's address space leaves room for compiled code.

Where it does not, loading the libraries fails in ways that nobody understands, or never ends.
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
"""What Python, NumPy, SciPy, Numba and LLVM took to compile; NumPy and SciPy each have their own
linear algebra, which takes 40 MiB for every core when it is loaded."""


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def needed_address_space() -> int:
    """How many bytes of address space compiled code needs on this machine."""
    return _ALL_CORES + _EACH_CORE * usable_cores()


@cache
def check_address_space() -> None:
    """Refuse, once and before anything is loaded, to start a compiler that cannot start."""
    if resource is None:
        return
    allowed, needed = resource.getrlimit(resource.RLIMIT_AS)[0], needed_address_space()
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        raise AddressSpaceLimit(needed, allowed)
