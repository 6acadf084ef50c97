"""How much memory there is to solve and to check with."""

import os


def free_memory() -> int:
    """What can be used without pushing others aside: most of what is free."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 4 // 5
    except (AttributeError, ValueError, OSError):
        return 2 << 30


def in_bytes(number: int) -> str:
    """A number of bytes as people say it."""
    size, units = float(number), iter(("bytes", "KiB", "MiB", "GiB", "TiB", "PiB"))
    unit = next(units)
    while size >= 1024 and unit != "PiB":
        size, unit = size / 1024, next(units)
    return f"{size:.0f} {unit}" if size >= 10 or unit == "bytes" else f"{size:.1f} {unit}"
