"""Memory for solving and checking: what is free here, and whether a table goes to a GPU."""

import os
from typing import Literal

from lineduel.errors import DeviceMemoryLimit

GpuUse = Literal["auto", "always", "never"]
"""When to use a GPU; `auto` means for large tables, if there is a device and they fit."""
WORTH_IT = 1 << 30
"""With at least this many entries a GPU is faster, even if its code has to be compiled first."""


def free_memory() -> int:
    """Bytes that can be used safely: four fifths of the free memory; 2 GiB if that is unknown."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 4 // 5
    except (AttributeError, ValueError, OSError):
        return 2 << 30


def in_bytes(number: int) -> str:
    """A number of bytes in readable units, such as `1.5 GiB`."""
    size, units = float(number), iter(("bytes", "KiB", "MiB", "GiB", "TiB", "PiB"))
    unit = next(units)
    while size >= 1024 and unit != "PiB":
        size, unit = size / 1024, next(units)
    return f"{size:.0f} {unit}" if size >= 10 or unit == "bytes" else f"{size:.1f} {unit}"


def require_device() -> None:
    """Raise if there is no GPU that can be used: an error that says what is missing."""
    from lineduel.compiled import device_problem

    if problem := device_problem():
        raise problem


def uses_gpu(use: GpuUse, entries: int, needed: int) -> bool:
    """Whether to use the GPU for a table; raises if it must be used and the table is too large."""
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
