"""A value as a sign and a colour, small enough for a cell."""

from lineduel.rules import Side
from lineduel.solve.value import Value


def worth(value: Value, side: Side) -> tuple[str, str]:
    """`+17` wins in 17, `-4` loses in 4, `∞` never ends, `=` is even, `?` unknown; its colour."""
    if value.winner is not None:
        wins = value.winner is side
        return f"{'+' if wins else '-'}{value.plies}", "$win" if wins else "$loss"
    if (value.low, value.high) == (-1, 1):
        return "?", "$endless"
    if value.is_even:
        return "∞" if value.never_ends else "=", "$endless"
    middle = float(value.sure(side) + value.hoped(side)) / 2
    return f"{middle:+.2f}".replace("0.", "."), "$win" if middle > 0 else "$loss"
