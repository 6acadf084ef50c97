"""Values in words: `wins in 7`, `loses in 4`, `endless`, `+1/47`."""

from fractions import Fraction

from lineduel.rules import Side
from lineduel.solve.value import Number, Value

LARGEST_DENOMINATOR = 100_000
"""A fraction with a larger one is told as a decimal number."""


def in_words(value: Value, side: Side) -> str:
    """What a value means to one side."""
    if value.winner is not None:
        when = f"in {value.plies}" if value.plies else "at once"
        return f"{'wins' if value.winner is side else 'loses'} {when}"
    low, high, _ = value.for_side(side)
    if low == high == 0:
        return "endless"
    if low == high:
        return _signed(low)
    middle = f"{float(low + high) / 2:+.6f}"
    return middle if high - low < Fraction(1, 10**6) else f"{float(low):+.4f} to {float(high):+.4f}"


def _signed(number: Number) -> str:
    fraction = Fraction(number)
    if fraction.denominator > LARGEST_DENOMINATOR:
        return f"{float(fraction):+.6f}"
    return f"{'+' if fraction > 0 else ''}{fraction}"
