"""A value as a sign and a colour that fit into a cell."""

from typing import TYPE_CHECKING

from lineduel.rules import Side

if TYPE_CHECKING:
    from lineduel.solve import Value


def value_sign(value: "Value", side: Side) -> tuple[str, str]:
    """The sign of a value for one side, and its colour."""
    from lineduel.solve import as_sign

    return as_sign(value, side), _colour(value, side)


def _colour(value: "Value", side: Side) -> str:
    if value.winner is not None:
        return "$win" if value.winner is side else "$loss"
    if value.is_even or (value.low, value.high) == (-1, 1):
        return "$endless"
    return "$win" if value.expected(side) > 0 else "$loss"
