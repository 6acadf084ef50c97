"""Counts and shares as people read them."""

from fractions import Fraction

_ROUNDING = 1e-12
"""The tolerance for a computed 0 or 1."""


def percent(share: float | Fraction, digits: int = 0, sign: str = "%") -> str:
    """`35%`, `99.9%`; 0 and 100 only for what never or always happens, else `<1%` and `>99%`."""
    least = 10.0**-digits
    share = float(share)
    shown = round(share * 100, digits)
    if shown <= 0 and share > _ROUNDING:
        return f"<{least:.{digits}f}{sign}"
    if shown >= 100 and share < 1 - _ROUNDING:
        return f">{100 - least:.{digits}f}{sign}"
    return f"{shown:.{digits}f}{sign}"


def signed_worth(value: float | Fraction) -> str:
    """What somebody can expect, between a win `+1.00` and a loss `-1.00`: `+0.04`, `0.00`."""
    rounded = round(float(value), 2)
    return f"{rounded:+.2f}" if rounded else "0.00"


def percent_right(share: Fraction) -> int:
    """A share in per cent, rounded; it is 100 only where nothing was wrong."""
    return 100 if share == 1 else min(round(share * 100), 99)


def plural(count: int, one: str, many: str = "") -> str:
    """The word for one or for several: `turn`, `turns`."""
    return one if count == 1 else many or f"{one}s"


def counted(count: int, one: str, many: str = "") -> str:
    """`1 turn`, `2 turns`, `1,000 turns`."""
    return f"{count:,} {plural(count, one, many)}"
