"""Where the cells of a track are on the screen: in one row, or folded into several."""

from collections.abc import Sequence
from typing import NamedTuple

_WIDEST = 17
"""The largest inner width of a cell, unless a name needs more."""


class Layout(NamedTuple):
    """Rows of cells of equal width; neighbouring cells share a border."""

    rows: tuple[tuple[int, ...], ...]
    inner: int
    """The width of a cell in columns, without its borders."""
    depth: int
    """The number of lines for pieces in a cell."""

    @property
    def block(self) -> int:
        """The number of lines of one row: two borders, the pieces, and the cell's text."""
        return self.depth + 3

    @property
    def width(self) -> int:
        return len(self.rows[0]) * (self.inner + 1) + 1

    @property
    def height(self) -> int:
        return len(self.rows) * self.block

    def cell_at(self, x: int, y: int) -> int | None:
        """The cell drawn at these coordinates, or None outside the track."""
        row, column = y // self.block, x // (self.inner + 1)
        if not 0 <= row < len(self.rows) or x < 0 or x >= self.width - 1:
            return None
        cells = self.rows[row]
        return cells[column] if column < len(cells) else None

    def line_of(self, cell: int) -> int:
        """The first line of the row that contains a cell."""
        return next(at for at, row in enumerate(self.rows) if cell in row) * self.block


def lay_out(
    cells: Sequence[int],
    width: int,
    names: tuple[int, int],
    depth: int,
    height: int,
    flipped: bool,
) -> Layout:
    """The layout with the widest cells that fit into one row, or else with several rows.

    `names` are the widths that the pieces' short and full names need. Rows have room for full
    names if they are no higher than `height` together.
    """
    short, full = names
    ordered = tuple(reversed(cells)) if flipped else tuple(cells)
    inner = min((width - 1) // len(ordered) - 1, max(full, _WIDEST))
    if inner >= short:
        return Layout((ordered,), inner, depth)
    layout = _folded(ordered, width, full, depth)
    return layout if layout.height <= height else _folded(ordered, width, short, depth)


def _folded(cells: tuple[int, ...], width: int, inner: int, depth: int) -> Layout:
    """The smallest possible number of rows, all of about the same length."""
    most = max((width - 1) // (inner + 1), 1)
    count = -(-len(cells) // most)
    length = -(-len(cells) // count)
    rows = tuple(cells[at : at + length] for at in range(0, len(cells), length))
    return Layout(rows, inner, depth)
