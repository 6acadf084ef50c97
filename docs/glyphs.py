"""The signs of a terminal that are drawn as shapes: frames, blocks, arrows, circles and flags.

Fonts draw them differently: with gaps between rows, or wider than a column.
"""

from collections.abc import Callable
from functools import partial

COLUMN, ROW = 8.4, 17
"""The size of a character in pixels."""
_MIDDLE, _CENTRE, _LINE = COLUMN / 2, ROW / 2, 0.6
"""The middle of a character, and half the width of a line."""
_OVERLAP = 0.3
"""A block is a little larger than its cell, so that no gap is seen beside it."""
Shape = Callable[[float, float], str]
"""A path at the upper left corner of a character."""


def _box(left: float, top: float, right: float, bottom: float, x: float, y: float) -> str:
    return f"M{x + left:.4g} {y + top:.4g}H{x + right:.4g}V{y + bottom:.4g}H{x + left:.4g}z"


def _polygon(points: tuple[tuple[float, float], ...], x: float, y: float) -> str:
    return f"M{'L'.join(f'{x + across:.4g} {y + down:.4g}' for across, down in points)}z"


def _ring(radius: float, hole: float, x: float, y: float) -> str:
    drawn = ""
    for size, sweep in ((radius, 1), (hole, 0)):
        if size:
            left, right = x + _MIDDLE - size, x + _MIDDLE + size
            arc = f"A{size:g} {size:g} 0 1 {sweep}"
            drawn += f"M{left:.4g} {y + _CENTRE:.4g}{arc} {right:.4g} {y + _CENTRE:.4g}"
            drawn += f"{arc} {left:.4g} {y + _CENTRE:.4g}z"
    return drawn


def _joined(shapes: tuple[Shape, ...], x: float, y: float) -> str:
    return "".join(shape(x, y) for shape in shapes)


def _arms(arms: str, apart: float = 0) -> Shape:
    """Lines from the centre to the left, right, top or bottom (`lrud`), single or double."""
    ways: list[Shape] = []
    for side in (-apart, apart) if apart else (0.0,):
        x, y = _MIDDLE + side, _CENTRE + side
        # Of a double corner the outer lines meet, and so do the inner ones.
        if (apart and "r" in arms and "u" in arms) or (apart and "l" in arms and "d" in arms):
            y = _CENTRE - side
        ends = {
            "l": (0.0, y - _LINE, x + _LINE, y + _LINE),
            "r": (x - _LINE, y - _LINE, COLUMN, y + _LINE),
            "u": (x - _LINE, 0.0, x + _LINE, y + _LINE),
            "d": (x - _LINE, y - _LINE, x + _LINE, float(ROW)),
        }
        if arms == "lr":
            ends = {"l": (0.0, y - _LINE, COLUMN, y + _LINE)}
        elif arms == "ud":
            ends = {"u": (x - _LINE, 0.0, x + _LINE, float(ROW))}
        ways += [partial(_box, *ends[arm]) for arm in arms if arm in ends]
    return partial(_joined, tuple(ways))


def _block(top: float, bottom: float) -> Shape:
    return partial(_box, 0.0, top * ROW, COLUMN + _OVERLAP, bottom * ROW + _OVERLAP * (bottom == 1))


_POLE = (1.6, 3.6), (2.6, 3.6), (2.6, 14.0), (1.6, 14.0)
_CLOTH = (2.6, 3.8), (7.6, 3.8), (6.4, 6.3), (7.6, 8.8), (2.6, 8.8)
_HOLE = (3.4, 8.0), (6.0, 8.0), (5.4, 6.3), (6.0, 4.6), (3.4, 4.6)
_ROUND = {"●": (3.2, 0.0), "○": (3.2, 2.3), "◦": (2.0, 1.1)}

SHAPES: dict[str, Shape] = {
    **{
        sign: _arms(arms)
        for signs, arms in (
            ("─╌", "lr"),
            ("│", "ud"),
            ("┌╭", "rd"),
            ("┐╮", "ld"),
            ("└╰", "ru"),
            ("┘╯", "lu"),
            ("├", "rud"),
            ("┤", "lud"),
            ("┬", "lrd"),
            ("┴", "lru"),
            ("┼", "lrud"),
        )
        for sign in signs
    },
    **{
        sign: _arms(arms, 1.6)
        for sign, arms in (
            ("═", "lr"),
            ("║", "ud"),
            ("╔", "rd"),
            ("╗", "ld"),
            ("╚", "ru"),
            ("╝", "lu"),
        )
    },
    "╌": partial(_joined, (partial(_box, 0.8, 7.9, 3.4, 9.1), partial(_box, 5.0, 7.9, 7.6, 9.1))),
    **{sign: _block(1 - eighths / 8, 1) for eighths, sign in enumerate("▁▂▃▄▅▆▇█", start=1)},
    "▀": _block(0, 0.5),
    "►": partial(_polygon, ((0.8, 4.3), (7.6, 8.5), (0.8, 12.7))),
    "◄": partial(_polygon, ((7.6, 4.3), (0.8, 8.5), (7.6, 12.7))),
    "▲": partial(_polygon, ((0.4, 12.3), (4.2, 4.7), (8.0, 12.3))),
    **{sign: partial(_ring, *sizes) for sign, sizes in _ROUND.items()},
    "⚑": partial(_joined, (partial(_polygon, _POLE), partial(_polygon, _CLOTH))),
    "⚐": partial(
        _joined, (partial(_polygon, _POLE), partial(_polygon, _CLOTH), partial(_polygon, _HOLE))
    ),
}
"""What draws each sign. A hole goes round the other way, so that it stays empty."""
SMOOTH = frozenset("►◄▲●○◦⚑⚐")
"""Those with slanted or round edges."""
