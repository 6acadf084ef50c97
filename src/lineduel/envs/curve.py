"""Exact strength over training: a file with a line for each measurement, and its picture."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from lineduel.documents import CurveDocument, CurvePointDocument
from lineduel.errors import LedgerLine, StorageError, shown
from lineduel.storage import read_bytes
from lineduel.svg import svg_page, svg_shape, svg_text

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 640, 320, 60, 50, 50
_COLOURS = ("#b00020", "#2563a8", "#c76a00", "#3a7d44", "#7b3fa0", "#555")
_STYLE = ".small{font-size:11px;fill:#666}\n.axis{stroke:#999}\n.line{fill:none;stroke-width:2}"


def append_point(path: Path, game: str, point: CurvePointDocument) -> None:
    """Add a line to a curve's file, which is made if there is none."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode({"game": game} | msgspec.structs.asdict(point)) + b"\n")


def read_curve(path: Path) -> CurveDocument:
    """All measurements of a curve's file."""
    games, points = [], []
    for number, line in enumerate(read_bytes(path).splitlines(), start=1):
        try:
            data = msgspec.json.decode(line, type=dict[str, Any])
            games.append(msgspec.convert(data.pop("game", None), str))
            points.append(msgspec.convert(data, CurvePointDocument))
        except msgspec.MsgspecError:
            raise LedgerLine(path, number, "it is not a measurement of a curve") from None
    if not points:
        raise StorageError(f"{shown(path, 200)} has no measurements.")
    return CurveDocument(game=games[0], points=points)


def curve_lines(curve: CurveDocument) -> Iterator[str]:
    """The measurements as a table, with the mean of both seats against each level."""
    names = list(curve.points[0].against)
    yield f"{curve.game}: exact strength over training"
    yield "".join(f"{name:>15}" for name in ("step", "seconds", "exploitability", "regret", *names))
    for point in curve.points:
        means = (_mean_against(point, name) for name in names)
        figures = "".join(f"{one:>15.4f}" for one in (point.exploitability, point.regret, *means))
        yield f"{point.step:>15,}{point.seconds:>15.1f}{figures}"


def _mean_against(point: CurvePointDocument, name: str) -> float:
    return sum(point.against.get(name, (0.0, 0.0))) / 2


def draw_curve(curve: CurveDocument) -> str:
    """Exploitability, regret, and the mean result against each level, over the steps."""
    points = curve.points
    lines = {
        "exploitability": [point.exploitability for point in points],
        "regret": [point.regret for point in points],
    }
    for name in points[0].against:
        lines[f"against {name}"] = [_mean_against(point, name) for point in points]
    low = min(0.0, *(min(values) for values in lines.values()))
    high = max(1.0, *(max(values) for values in lines.values()))
    last = max(point.step for point in points) or 1
    right, bottom = _LEFT + _WIDTH, _TOP + _HEIGHT

    def x(step: int) -> float:
        return _LEFT + _WIDTH * step / last

    def y(value: float) -> float:
        return bottom - _HEIGHT * (value - low) / (high - low)

    parts = [svg_shape("path", "axis", d=f"M{_LEFT} {_TOP}V{bottom}H{right}", fill="none")]
    parts += [
        svg_text(_LEFT - 8, y(tick) + 4, f"{tick:g}", "end", "small") for tick in (low, 0.0, high)
    ]
    parts.append(svg_text(right, bottom + 20, f"{last:,} steps", "end", "small"))
    for number, (name, values) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = " ".join(
            f"{x(point.step):.1f},{y(value):.1f}"
            for point, value in zip(points, values, strict=True)
        )
        parts.append(svg_shape("polyline", "line", stroke=colour, points=places))
        at = _TOP + 10 + 18 * number
        sample = svg_shape("rect", x=right + 20, y=at - 9, width=12, height=4, fill=colour)
        parts.append(sample)
        parts.append(svg_text(right + 38, at, name))
    title = f"{curve.game}: exact strength over training"
    return svg_page(right + 200, bottom + _BOTTOM, title, _STYLE, parts, _LEFT)
