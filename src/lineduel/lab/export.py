"""The rows of a sweep as lines of text, as CSV, as Parquet, and as a picture."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from lineduel.errors import NotationError, NotInstalled, shown
from lineduel.lab.drawings import STYLE
from lineduel.lab.sweep import RowData, Sweep
from lineduel.quantities import percent, plural, signed_worth
from lineduel.svg import Svg, svg_picture, svg_shape, svg_text

_SIGNED = re.compile(r"[+-][0-9]+")
"""What begins like a formula and is a number."""


_SHOWN = {
    "positions": "positions",
    "value": "value",
    "decisions": "decisions",
    "drama": "drama",
    "skill1": "skill 1",
    "skill2": "skill 2",
}
"""The columns of the text, and what they are called there."""
_VALUE_WIDE = 17
_SHARES = ("decisions", "drama", "skill1", "skill2")


def sweep_lines(sweep: Sweep) -> Iterator[str]:
    """A table of the most important columns, and how many rows have figures."""
    rows, keys = sweep.table(), list(sweep.space.axes)
    wides = {key: max(len(key), *(len(row[key]) for row in rows)) + 2 for key in keys}
    yield "".join(f"{key:<{wide}}" for key, wide in wides.items()) + _cells(_SHOWN.values())
    missing = 0
    for row in rows:
        cells = "".join(f"{row[key]:<{wide}}" for key, wide in wides.items())
        if "value" in row:
            yield cells + _cells(_cell(name, row) for name in _SHOWN)
        else:
            missing += 1
            yield cells + shown(row["status"], 1000)
    without = f", {missing:,} without figures (see above)" if missing else ""
    combinations = plural(len(rows), "combination")
    yield f"\n{len(rows):,} {combinations}, {sweep.solved:,} worked out{without}."


def _cell(name: str, row: RowData) -> str:
    """A cell of the text: shares are per cent, and of a forced win there is who wins."""
    value = row[name]
    if name == "value" and isinstance(value, float | int):
        return f"player {row['winner']} in {row['plies']}" if row["winner"] else signed_worth(value)
    return percent(value) if name in _SHARES and isinstance(value, float) else cell_text(value)


def _cells(texts: Iterable[str]) -> str:
    return "".join(
        f"{text:>{_VALUE_WIDE if name == 'value' else 11}}"
        for name, text in zip(_SHOWN, texts, strict=True)
    )


def cell_text(value: object, missing: str = "-") -> str:
    """A cell of a table as text."""
    match value:
        case None:
            return missing
        case float():
            return f"{value:.3g}"
        case int():
            return f"{value:,}"
        case _:
            return str(value)


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


_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 420, 76, 30, 66, 60
_LETTER = 7.2
"""The width of a letter, about."""
_ROW = 20
_COLOURS = ("#2563a8", "#c76a00", "#1d7a35", "#8a3fa0", "#8a8f98", "#b3261e")
_STYLE = f"""\
{STYLE}
.title{{font-size:16px;font-weight:600}}
.pale{{fill:#fff}}
.dark{{fill:#222}}
.dot{{fill-opacity:.75}}
.box{{stroke:#fff}}"""
_MOST_TICKS = 8
_LONGEST_NAME = 28


def draw_plot(rows: Sequence[RowData], x: str, y: str) -> Svg:
    """A dot for each row that has both; a colour for each value of the first other key."""
    points = [row for row in rows if None not in (number_of(row.get(x)), number_of(row.get(y)))]
    if not points:
        known = ", ".join(columns_of(rows))
        raise NotationError(f"No row has numbers for {x} and {y}. The columns: {known}.")
    key, groups = _groups(points, x)
    wide = max(map(_text_width, (key, *groups))) + 40 if key else 0
    right, bottom = _WIDTH - _RIGHT, max(_HEIGHT, _TOP + _ROW * (len(groups) + 2)) - _BOTTOM
    xs, ys = _Axis.of(points, x, _LEFT, right), _Axis.of(points, y, bottom, _TOP)
    parts = [svg_text(_LEFT, 24, f"{y} by {x}", kind="title"), *_grid(xs, ys, x, y)]
    for number, (name, members) in enumerate(groups.items()):
        colour = _colour(number, len(groups))
        if key:
            left, level = right + 20, _TOP + _ROW * (number + 1)
            parts.append(svg_shape("circle", cx=left, cy=level - 4, r=5, fill=colour))
            parts.append(svg_text(left + 12, level, _cut(name), kind="small"))
        for row in members:
            told = ", ".join(f"{one}={row[one]}" for one in dict.fromkeys((x, key, y)) if one)
            cx, cy = xs.place(row[x]), ys.place(row[y])
            parts.append(svg_shape("circle", "dot", told, cx=cx, cy=cy, r=5, fill=colour))
    if key:
        parts.append(svg_text(right + 14, _TOP, key, kind="small"))
    width, height = _WIDTH + wide, bottom + _BOTTOM
    return svg_picture(width, height, f"{y} by {x}", _STYLE, parts)


def draw_heat_map(rows: Sequence[RowData], x: str, y: str, column: str) -> Svg:
    """A box for each combination of two keys, coloured by a column, the number in it."""
    across, down = (list(dict.fromkeys(str(row[key]) for row in rows)) for key in (x, y))
    known = {(str(row[x]), str(row[y])): row for row in rows}
    numbers = [one for row in rows if (one := number_of(row.get(column))) is not None]
    if not numbers:
        told = ", ".join(columns_of(rows))
        raise NotationError(f"No row has a number for {column}. The columns: {told}.")
    cell = max(58.0, max(map(_text_width, across)) + 14)
    left = max(map(_text_width, (y, *down))) + 34
    ends = min(numbers), max(numbers)
    title = f"{column} by {x} and {y}"
    parts = [
        svg_text(20, 24, title, kind="title"),
        svg_text(left + cell * len(across) / 2, 48, x, "middle", "small"),
        svg_text(left - 12, 66, y, "end", "small"),
    ]
    parts += [
        svg_text(left + cell * (at + 0.5), _TOP, _cut(name), "middle")
        for at, name in enumerate(across)
    ]
    for line, name in enumerate(down):
        top = _TOP + 10 + line * 36
        parts.append(svg_text(left - 12, top + 23, _cut(name), "end"))
        for at, other in enumerate(across):
            parts += _box(left + at * cell, top, cell, known.get((other, name)), column, ends)
    width = max(left + cell * len(across) + 20, 40 + _LETTER * 1.4 * len(title))
    return svg_picture(width, _TOP + 30 + 36 * len(down), title, _STYLE, parts)


def _box(
    x: float, y: float, wide: float, row: RowData | None, column: str, ends: tuple[float, float]
) -> Iterator[str]:
    value = None if row is None else row.get(column)
    fill, is_dark, text = "#eee", False, "–"
    hint = "not tried" if row is None else str(row.get("status", ""))
    if (number := number_of(value)) is not None:
        (fill, is_dark), text, hint = _shade(number, ends), _short(number), f"{column}={value}"
    yield svg_shape("rect", "box", hint, x=x, y=y, width=wide, height=36, fill=fill)
    yield svg_text(x + wide / 2, y + 23, text, "middle", "pale" if is_dark else "dark")


def _shade(number: float, ends: tuple[float, float]) -> tuple[str, bool]:
    """The colour of a number, and whether it is dark: orange below 0, blue above."""
    low, high = ends
    if low < 0:
        most = max(-low, high) or 1.0
        share, colour = abs(number) / most, (38, 99, 168) if number >= 0 else (199, 106, 0)
    else:
        share, colour = ((number - low) / (high - low) if high > low else 0.5), (38, 99, 168)
    red, green, blue = (round(245 + (one - 245) * share) for one in colour)
    return f"rgb({red},{green},{blue})", share > 0.6


def _short(number: float) -> str:
    """A number that fits into a box."""
    if number == int(number) or abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"


def _groups(points: Sequence[RowData], x: str) -> tuple[str, dict[str, list[RowData]]]:
    """The first key that varies besides x, and the points by its values; no key: all at once."""
    keys = [name for name in points[0] if "." in name and name != x]
    key = keys[0] if keys else ""
    groups: dict[str, list[RowData]] = {}
    for row in points:
        groups.setdefault(str(row[key]) if key else "", []).append(row)
    return key, groups


def _colour(number: int, total: int) -> str:
    """Colours that differ, however many there are."""
    if total <= len(_COLOURS):
        return _COLOURS[number]
    return f"hsl({360 * number // total} 60% 40%)"


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _text_width(text: str) -> float:
    return _LETTER * min(len(text), _LONGEST_NAME)


def number_of(value: object) -> float | None:
    """A cell of a table that is a number, or text that is one; else None."""
    try:
        return None if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class _Axis:
    """Numbers from low to high, drawn from a beginning to an end."""

    low: float
    high: float
    begin: float
    end: float
    whole: bool

    @classmethod
    def of(cls, points: Sequence[RowData], name: str, begin: float, end: float) -> "_Axis":
        """An axis on which all rows have a place, with some room at either end."""
        numbers = [float(row[name]) for row in points]
        low, high = min(numbers), max(numbers)
        whole = all(number == int(number) for number in numbers)
        if low == high:
            low, high = low - 1, high + 1
        room = (high - low) * 0.04
        return cls(low - room, high + room, begin, end, whole)

    def place(self, value: float | str) -> float:
        share = (float(value) - self.low) / (self.high - self.low)
        return self.begin + (self.end - self.begin) * share

    def ticks(self) -> list[tuple[float, str]]:
        """Round numbers along the axis with their labels; whole ones where all numbers are."""
        rough = (self.high - self.low) / _MOST_TICKS
        size = 10.0 ** floor(log10(rough))
        step = next(size * by for by in (1, 2, 5, 10) if size * by >= rough)
        if self.whole:
            step = max(1.0, step)
        digits = max(0, -floor(log10(step)))
        first = ceil(self.low / step - 1e-9)
        count = floor(self.high / step + 1e-9) - first + 1
        numbers = [(first + at) * step for at in range(count)]
        return [(number, f"{number + 0.0:,.{digits}f}") for number in numbers]


def _grid(xs: _Axis, ys: _Axis, x: str, y: str) -> Iterator[str]:
    for number, label in ys.ticks():
        height = ys.place(number)
        yield svg_shape("line", "grid", x1=xs.begin, x2=xs.end, y1=height, y2=height)
        yield svg_text(xs.begin - 8, height + 4, label, "end", "small")
    for number, label in xs.ticks():
        yield svg_text(xs.place(number), ys.begin + 20, label, "middle", "small")
    yield svg_text((xs.begin + xs.end) / 2, ys.begin + 46, x, "middle")
    yield svg_text(14, 48, y)
