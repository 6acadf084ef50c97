"""Whether a table is solved or checked on a GPU, and whether it fits there."""

from typing import Literal

from lineduel.errors import DeviceMemoryLimit
from lineduel.solve.memory import in_bytes

GpuUse = Literal["auto", "always", "never"]
"""When to use a GPU; `auto` means for large tables, if there is a device and they fit."""
WORTH_IT = 1 << 30
"""From this many entries on, a GPU is faster even if its code has yet to be compiled."""


def require_device() -> None:
    """Raise if there is no GPU that can be used: an error that says what is missing."""
    from lineduel.compiled import device_problem

    if problem := device_problem():
        raise problem


def uses_gpu(use: GpuUse, entries: int, needed: int) -> bool:
    """Whether a table is left to the GPU; raises if it has to be and is too large for it."""
    if use == "never" or (use == "auto" and entries < WORTH_IT):
        return False
    from lineduel.compiled import device_problem, free_device_memory

    if use == "auto":
        return device_problem() is None and needed <= free_device_memory()
    require_device()
    room = free_device_memory()
    if needed > room:
        why = (
            f"This table is too large for the GPU: it needs {in_bytes(needed)} of memory there, "
            f"and {in_bytes(room)} may be used."
        )
        raise DeviceMemoryLimit(entries, room, why)
    return True
