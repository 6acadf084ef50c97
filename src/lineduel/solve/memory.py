"""Memory available for solving and checking."""

import os


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
