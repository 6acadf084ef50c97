"""Draws how the time to solve a table grows with its size, on CPU and GPU.

    python docs/gpu_chart.py FIGURES.json ...

The figures are those that `python -m bench.gpu_tables` writes, in one file or several. They are
kept together in docs/gpu_figures.json, and the picture is docs/gpu.svg.
"""

import json
import sys
from collections.abc import Iterator
from math import log10
from pathlib import Path
from typing import Any

from lineduel.svg import svg_picture, svg_text

DOCS = Path(__file__).parent
KEPT, PICTURE = DOCS / "gpu_figures.json", DOCS / "gpu.svg"
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 400, 64, 48, 40, 70
CORES = "cpu_cores"
SIZES, TIMES = (7, 10), (-2, 2)
"""The powers of ten at the ends of both axes: positions, and seconds."""
STYLE = """
text { font: 13px sans-serif; fill: #333 } .grid { stroke: #ddd } .title { font-weight: bold }
.gpu { stroke: #1a7f37; fill: #1a7f37 } .cpu { stroke: #b35900; fill: #b35900 }
polyline { fill: none !important; stroke-width: 1.5 } text.gpu, text.cpu { stroke: none }
"""
Point = tuple[float, float]


def main(files: list[str]) -> None:
    found: dict[str, Any] = {}
    for file in files:
        found |= json.loads(Path(file).read_text(encoding="utf-8"))
    if files:
        KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    else:
        found = json.loads(KEPT.read_text(encoding="utf-8"))
    PICTURE.write_text(picture(found), encoding="utf-8")


def picture(found: dict[str, Any]) -> str:
    """The chart: positions and seconds, both axes logarithmic."""
    title = "Seconds to solve a table, by its number of positions"
    parts = [svg_text(WIDTH / 2, 22, title, "middle", "title"), *_axes()]
    parts += _line("gpu", "GPU, Cross Over", _points(found["rows"], "seconds"))
    parts += _line("gpu", "GPU, Soldiers", _points(found["soldiers"], "seconds"), dashed=True)
    for kept, game in (("values", "Cross Over"), ("soldiers", "Soldiers")):
        for cores in sorted({one["cpu_cores"] for one in found[kept].values() if CORES in one}):
            points = _points(found[kept], "cpu_seconds", cores)
            parts += _line("cpu", f"{cores} cores, {game}", points, dashed=game == "Soldiers")
    return svg_picture(WIDTH, HEIGHT, title, STYLE, parts)


def _points(part: dict[str, Any], key: str, cores: int | None = None) -> list[Point]:
    """Positions and seconds, for a CPU only those measured with so many cores."""
    return sorted(
        (one["positions"], one[key])
        for one in part.values()
        if "positions" in one and key in one and (cores is None or one[CORES] == cores)
    )


def _line(kind: str, name: str, points: list[Point], *, dashed: bool = False) -> Iterator[str]:
    spots = [(_x(size), _y(seconds)) for size, seconds in points]
    dashes = ' stroke-dasharray="5 3"' if dashed else ""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    yield f'<polyline class="{kind}" points="{path}"{dashes}/>'
    for x, y in spots:
        yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'
    x, y = spots[-1]
    if dashed or kind == "cpu":  # above, where it meets none of the other names
        yield svg_text(x, y - 10, name, "middle", kind)
    else:
        yield svg_text(x + 9, y + 4, name, "start", kind)


def _axes() -> Iterator[str]:
    for power in range(SIZES[0], SIZES[1] + 1):
        x = _x(10.0**power)
        yield f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        yield svg_text(x, HEIGHT - BOTTOM + 18, f"{10**power:,}", "middle")
    for power in range(TIMES[0], TIMES[1] + 1):
        y = _y(10.0**power)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
        yield svg_text(LEFT - 8, y + 4, f"{10.0**power:g}", "end")


def _x(size: float) -> float:
    share = (log10(size) - SIZES[0]) / (SIZES[1] - SIZES[0])
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _y(seconds: float) -> float:
    share = (log10(seconds) - TIMES[0]) / (TIMES[1] - TIMES[0])
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)


if __name__ == "__main__":
    main(sys.argv[1:])
