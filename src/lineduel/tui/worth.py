"""A value as a sign and a colour, small enough for a cell."""

from lineduel.rules import Side
from lineduel.solve.value import Value


def worth(value: Value, side: Side) -> tuple[str, str]:
    """`+17` wins in 17 plies, `-4` loses in 4, `∞` never ends; with the colour of that."""
    if value.winner is not None:
        wins = value.winner is side
        return f"{'+' if wins else '-'}{value.plies}", "$win" if wins else "$loss"
    low, high, _ = value.for_side(side)
    middle = float(low + high) / 2
    if middle == 0:
        return "∞", "$endless"
    return f"{middle:+.2f}".replace("0.", "."), "$win" if middle > 0 else "$loss"
