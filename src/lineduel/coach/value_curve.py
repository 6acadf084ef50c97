"""What player 1 could expect over a game, as a picture: in characters, and as SVG."""

from collections.abc import Iterable
from fractions import Fraction
from xml.sax.saxutils import escape

from lineduel.coach.review import Judgement, Review
from lineduel.svg import svg_page

COLUMNS = 52
"""The moments that fit on a screen of 60 columns; more of them share a column."""
ROWS = 9

_WIDTH, _HEIGHT = 760, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 100, 24, 56, 72
_STYLE = """\
.grid{stroke:#ddd}
.zero{stroke:#999}
.value{fill:none;stroke:#2563a8;stroke-width:2;stroke-linejoin:round}
.mistake{fill:#c62828}
.mark{fill:#c62828;font-weight:700}"""


def draw_curve_text(
    review: Review, columns: int = COLUMNS, rows: int = ROWS, at: int | None = None
) -> str:
    """The curve in some columns and a margin, `?` below each mistake, `▲` below a moment."""
    curve, labels = review.curve, {0: "+1", rows // 2: "0", rows - 1: "-1"}
    wide = min(len(curve), columns)
    wrong = {_column(one.number, len(curve), wide) for one in review.mistakes}
    grid = [[" "] * wide for _ in range(rows)]
    heights: list[list[int]] = [[] for _ in range(wide)]
    for moment, worth in enumerate(curve):
        heights[_column(moment, len(curve), wide)].append(_row(worth, rows))
    for column, reached in enumerate(heights):
        for row in range(min(reached), max(reached) + 1):
            grid[row][column] = "●" if row in reached else "│"
    lines = [
        f"{labels.get(row, ''):>3} {'┤' if row in labels else '│'}{''.join(cells)}".rstrip()
        for row, cells in enumerate(grid)
    ]
    lines.append(f"    └{'─' * wide}")
    if at is not None:
        lines.append(f"     {' ' * _column(at, len(curve), wide)}▲")
    if wrong:
        marks = "".join("?" if column in wrong else " " for column in range(wide))
        lines.append(f"     {marks}".rstrip())
    if wide > 1:
        lines.append(f"     0{len(curve) - 1:>{wide - 1}}")
    return "\n".join(lines)


def draw_curve_svg(review: Review) -> str:
    """The curve as a picture that needs nothing else, each mistake marked and told."""
    end = max(len(review.curve) - 1, 1)
    points = " ".join(f"{_x(at, end):.1f},{_y(worth):.1f}" for at, worth in enumerate(review.curve))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts = [
        *_grid(end),
        f'<polyline class="value" points="{points}"/>',
        *(line for one in review.mistakes for line in _mark(one, review.curve[one.number], end)),
        f'<text x="{middle}" y="{_HEIGHT - 10}" text-anchor="middle">moves played</text>',
        f'<text transform="translate(20 {_y(Fraction(0)):.1f}) rotate(-90)" '
        'text-anchor="middle">player 1 expects</text>',
    ]
    title = f"{review.record.rulebook.title}: what player 1 could expect"
    return svg_page(_WIDTH, _HEIGHT, title, _STYLE, parts, _LEFT)


def _grid(end: int) -> Iterable[str]:
    """Lines and numbers along both axes."""
    for worth, label in ((1, "win +1"), (0, "even 0"), (-1, "loss -1")):
        y = _y(Fraction(worth))
        kind = "grid" if worth else "zero"
        yield f'<line class="{kind}" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{label}</text>'
    apart = -(-end // 10)
    for at in range(0, end + 1, apart):
        x = f"{_x(at, end):.1f}"
        yield f'<text x="{x}" y="{_HEIGHT - _BOTTOM + 40}" text-anchor="middle">{at}</text>'


def _mark(one: Judgement, worth: Fraction, end: int) -> Iterable[str]:
    """A mistake where it took the curve."""
    x, y = _x(one.number, end), _y(worth)
    better = f" (better: {one.better})" if one.better else ""
    told = escape(f"{one.number}. {one.move}{one.mistake}{better}")
    yield f'<circle class="mistake" cx="{x:.1f}" cy="{y:.1f}" r="5"><title>{told}</title></circle>'
    # Where nothing lies beyond the curve: above its upper half, below its lower.
    beside = y - 10 if worth > 0 else y + 20
    yield (
        f'<text class="mark" x="{x:.1f}" y="{beside:.1f}" text-anchor="middle">{one.mistake}</text>'
    )


def _column(at: int, moments: int, wide: int) -> int:
    return at * wide // moments


def _row(worth: Fraction, rows: int) -> int:
    return round((1 - worth) / 2 * (rows - 1))


def _x(at: int, end: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * at / end


def _y(worth: Fraction) -> float:
    return _TOP + float((1 - worth) / 2) * (_HEIGHT - _TOP - _BOTTOM)
