"""Where a track's cells lie on the screen: in one row, or folded into several."""

from collections.abc import Sequence
from dataclasses import dataclass

_WIDEST = 11
"""No cell is drawn wider inside than this, unless a name needs it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Cells of one width in rows, each row a block of lines with shared borders."""

    rows: tuple[tuple[int, ...], ...]
    inner: int
    """The columns inside a cell."""
    depth: int
    """The lines in which pieces stand on a cell."""

    @property
    def block(self) -> int:
        """The lines of one row: two borders, the pieces, and what is said of the cell."""
        return self.depth + 3

    @property
    def width(self) -> int:
        return len(self.rows[0]) * (self.inner + 1) + 1

    @property
    def height(self) -> int:
        return len(self.rows) * self.block

    def cell_at(self, x: int, y: int) -> int | None:
        """The cell drawn at a place, or None beside the track."""
        row, column = y // self.block, x // (self.inner + 1)
        if not 0 <= row < len(self.rows) or x < 0 or x >= self.width - 1:
            return None
        cells = self.rows[row]
        return cells[column] if column < len(cells) else None

    def line_of(self, cell: int) -> int:
        """The first line of the row in which a cell lies."""
        return next(at for at, row in enumerate(self.rows) if cell in row) * self.block


def lay_out(
    cells: Sequence[int], width: int, short: int, full: int, depth: int, flipped: bool
) -> Layout:
    """The widest cells that keep the track in one row, or rows of cells for short names.

    `short` and `full` are the columns that the pieces' short and full names need.
    """
    ordered = tuple(reversed(cells)) if flipped else tuple(cells)
    inner = min((width - 1) // len(ordered) - 1, max(full, _WIDEST))
    if inner >= short:
        return Layout((ordered,), inner, depth)
    in_a_row = max((width - 1) // (short + 1), 1)
    rows = -(-len(ordered) // in_a_row)
    in_a_row = -(-len(ordered) // rows)  # rows of about the same length
    folded = tuple(ordered[at : at + in_a_row] for at in range(0, len(ordered), in_a_row))
    return Layout(folded, short, depth)
