"""The rows of a sweep as CSV, as Parquet, and as a picture."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from lineduel.errors import NotationError, NotInstalled
from lineduel.lab.drawings import STYLE
from lineduel.lab.sweep_file import RowData
from lineduel.svg import svg_picture, svg_text

_SIGNED = re.compile(r"[+-][0-9]+")
"""What begins like a formula and is a number."""


def columns_of(rows: Sequence[RowData]) -> list[str]:
    """Every column that a row has, in the order of their first coming."""
    return list(dict.fromkeys(name for row in rows for name in row))


def to_csv(rows: Sequence[RowData]) -> str:
    """The rows as text, what is missing left empty and text that looks like a formula quoted."""
    written = io.StringIO()
    table = csv.DictWriter(written, columns_of(rows), lineterminator="\n")
    table.writeheader()
    table.writerows({name: _plain(cell) for name, cell in row.items()} for row in rows)
    return written.getvalue()


def _plain(cell: object) -> object:
    """A cell as it is; a quote before text keeps spreadsheets from taking it for a formula."""
    if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")):
        return cell if _SIGNED.fullmatch(cell) else f"'{cell}"
    return cell


def to_parquet(rows: Sequence[RowData]) -> bytes:
    """The rows as the content of a Parquet file."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise NotInstalled("PyArrow", "full") from None
    names = columns_of(rows)
    table = pyarrow.table({name: [row.get(name) for row in rows] for name in names})
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(table, sink)
    return bytes(sink.getvalue().to_pybytes())


_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 420, 70, 30, 50, 60
_COLOURS = ("#2563a8", "#c76a00", "#1d7a35", "#8a3fa0", "#8a8f98", "#b3261e")


def draw_plot(rows: Sequence[RowData], x: str, y: str) -> str:
    """A dot for each row that has both; a colour for each value of the first other key."""
    points = [row for row in rows if None not in (_number(row.get(x)), _number(row.get(y)))]
    if not points:
        known = ", ".join(columns_of(rows))
        raise NotationError(f"No row has numbers for {x} and {y}. The columns: {known}.")
    xs, ys = _spread(points, x), _spread(points, y)
    groups = _groups(points, x)
    parts = [svg_text(_WIDTH / 2, 28, f"{y} by {x}", "middle"), *_axes(xs, ys, x, y)]
    for number, (name, members) in enumerate(groups.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        if name:
            parts.append(
                f'<circle cx="{_LEFT + 10 + number * 110}" cy="40" r="5" fill="{colour}"/>'
                + svg_text(_LEFT + 20 + number * 110, 44, name[:14], kind="small")
            )
        for row in members:
            told = escape(", ".join(f"{key}={row[key]}" for key in row if key in (x, y)))
            parts.append(
                f'<circle cx="{_at(_number(row[x]), xs, _LEFT, _WIDTH - _RIGHT):.1f}" '
                f'cy="{_at(_number(row[y]), ys, _HEIGHT - _BOTTOM, _TOP):.1f}" r="5" '
                f'fill="{colour}" fill-opacity="0.75"><title>{told}</title></circle>'
            )
    return svg_picture(_WIDTH, _HEIGHT, f"{y} by {x}", STYLE, parts) + "\n"


def _groups(points: Sequence[RowData], x: str) -> dict[str, list[RowData]]:
    """The points by the first key that varies besides x."""
    keys = [name for name in points[0] if "." in name and name != x]
    groups: dict[str, list[RowData]] = {}
    for row in points:
        groups.setdefault(str(row[keys[0]]) if keys else "", []).append(row)
    return groups


def _number(value: object) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(value)  # type: ignore[arg-type]  # the caller catches what is not a number
    except (TypeError, ValueError):
        return None


def _spread(points: Sequence[RowData], name: str) -> tuple[float, float]:
    numbers = [number for row in points if (number := _number(row[name])) is not None]
    low, high = min(numbers), max(numbers)
    return (low, high) if low < high else (low - 1, high + 1)


def _at(number: float | None, spread: tuple[float, float], begin: float, end: float) -> float:
    low, high = spread
    return begin + (end - begin) * ((number or 0.0) - low) / (high - low)


def _axes(xs: tuple[float, float], ys: tuple[float, float], x: str, y: str) -> Iterator[str]:
    for part in range(5):
        number = ys[0] + (ys[1] - ys[0]) * part / 4
        height = _at(number, ys, _HEIGHT - _BOTTOM, _TOP)
        yield (
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{height:.1f}" '
            f'y2="{height:.1f}"/>'
        )
        yield svg_text(_LEFT - 8, height + 4, f"{number:.3g}", "end", "small")
        across = xs[0] + (xs[1] - xs[0]) * part / 4
        place = _at(across, xs, _LEFT, _WIDTH - _RIGHT)
        yield svg_text(place, _HEIGHT - _BOTTOM + 20, f"{across:.3g}", "middle", "small")
    yield svg_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 12, x, "middle")
    yield svg_text(14, _TOP - 10, y)
