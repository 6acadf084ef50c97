"""Shares as people read them: 0 and 100 per cent only for what never or always happens."""

_ROUNDING = 1e-12
"""The tolerance for a computed 0 or 1."""


def percent(share: float, digits: int = 0, sign: str = "%") -> str:
    """`35%`, `99.9%`; what only rounds to 0 or 100 is `<1%` and `>99%`."""
    least = 10.0**-digits
    shown = round(share * 100, digits)
    if shown <= 0 and share > _ROUNDING:
        return f"<{least:.{digits}f}{sign}"
    if shown >= 100 and share < 1 - _ROUNDING:
        return f">{100 - least:.{digits}f}{sign}"
    return f"{shown:.{digits}f}{sign}"
