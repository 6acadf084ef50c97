"""A value as part of a JSON document."""

from fractions import Fraction
from math import inf, nextafter

from lineduel.solve import Value
from lineduel.solve.value import Number


def value_document(value: Value) -> dict[str, object]:
    """The proved interval, the plies of a forced win, and a fraction where there is one."""
    told: dict[str, object] = {
        "value": [_outward(value.low, -inf), _outward(value.high, inf)],
        "plies": value.plies,
    }
    exact = value.exact
    if exact is not None and Fraction(exact).denominator > 1:
        told["exact"] = str(exact)
    return told


def _outward(number: Number, toward: float) -> int | float:
    """A bound as a JSON number; one that is not exact is moved outward, so that it still holds."""
    if Fraction(number).denominator == 1:
        return int(number)
    near = float(number)
    return near if Fraction(near) == number else nextafter(near, toward)
