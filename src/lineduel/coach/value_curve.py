"""What one side could expect over a game, as a picture: in characters, and as SVG."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby, pairwise
from operator import itemgetter

from lineduel.coach.review import Judgement, Review
from lineduel.engine import Game
from lineduel.narration import NUMBERED, MoveWords, Names
from lineduel.rules import Side
from lineduel.svg import Svg, svg_page, svg_shape, svg_text

COLUMNS = 52
"""The moments that fit on a screen of 60 columns; more of them share a column."""
ROWS = 9
_MOST_APART = 4
"""Columns between two moments of a short game."""
_ROOM = 5
"""Columns that the number of a turn needs, with some space around it."""

_WIDTH, _HEIGHT = 760, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 100, 24, 56, 72
_STYLE = """\
.grid{stroke:#ddd}
.zero{stroke:#999}
.value{fill:none;stroke:#2563a8;stroke-width:2;stroke-linejoin:round}
.mistake{fill:#c62828}
.mark{fill:#c62828;font-weight:700}"""


def draw_curve_text(
    review: Review,
    columns: int = COLUMNS,
    rows: int = ROWS,
    turn: int | None = None,
    side: Side = Side.ONE,
) -> str:
    """The curve of a side in some columns and a margin, with a mark below each mistake.

    `▲` is below a turn that is given.

    A turn stands where the curve is after it. Short games are drawn wider. Resigning has a place
    after the last turn.
    """
    labels = {0: "+1", rows // 2: "0", rows - 1: "-1"}
    curve = [worth if side is Side.ONE else -worth for worth in review.curve]
    places = _places(len(curve), columns)
    grid = [[" "] * (places[-1] + 1) for _ in range(rows)]
    heights = [round((1 - worth) / 2 * (rows - 1)) for worth in curve]
    for column, together in groupby(zip(places, heights, strict=True), itemgetter(0)):
        reached = [height for _, height in together]
        for row in range(min(reached), max(reached) + 1):
            grid[row][column] = "●" if row in reached else "│"
    for (column, height), (following, next_height) in pairwise(zip(places, heights, strict=True)):
        if height == next_height:
            grid[height][column + 1 : following] = "─" * (following - column - 1)
    lines = [
        f"{labels.get(row, ''):>3} {'┤' if row in labels else '│'}{''.join(cells)}".rstrip()
        for row, cells in enumerate(grid)
    ]
    lines.append(f"    └{'─' * len(grid[0])}")
    if review.mistakes or review.resigned_mistake:
        lines.append(f"     {_marks(review, places)}")
    if len(curve) > 1:
        lines.append(f"     {_numbers(places[: len(review.judgements) + 1], turn)}")
    return "\n".join(lines)


def draw_curve_svg(review: Review, names: Names = NUMBERED) -> Svg:
    """The curve of player 1 as a picture that needs nothing else; mistakes are marked and named."""
    end, game = max(len(review.curve) - 1, 1), Game(review.record.rulebook)
    points = " ".join(f"{_x(at, end):.1f},{_y(worth):.1f}" for at, worth in enumerate(review.curve))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    who = names[Side.ONE]
    upright = f"translate(20 {_y(Fraction(0)):.1f}) rotate(-90)"
    parts = [
        *_grid(end),
        svg_shape("polyline", "value", points=points),
        *(
            line
            for one in review.mistakes
            for line in _mark(one, review.curve[one.number], end, MoveWords(game, one.position))
        ),
        svg_text(middle, _HEIGHT - 10, "turns", "middle"),
        svg_shape("g", inside=[svg_text(0, 0, f"{who} expects", "middle")], transform=upright),
    ]
    title = f"{review.record.rulebook.title}: what {who} could expect"
    return svg_page(_WIDTH, _HEIGHT, title, _STYLE, parts, _LEFT)


def _grid(end: int) -> Iterable[str]:
    """Lines and numbers along both axes."""
    for worth, label in ((1, "win +1"), (0, "even 0"), (-1, "loss -1")):
        y = _y(Fraction(worth))
        kind = "grid" if worth else "zero"
        yield svg_shape("line", kind, x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y)
        yield svg_text(_LEFT - 8, y + 4, label, "end")
    apart = -(-end // 10)
    for at in range(0, end + 1, apart):
        yield svg_text(_x(at, end), _HEIGHT - _BOTTOM + 40, str(at), "middle")


def _mark(one: Judgement, worth: Fraction, end: int, words: MoveWords) -> Iterable[str]:
    """A mistake where it took the curve."""
    x, y = _x(one.number, end), _y(worth)
    better = f" (better: {words(one.better)})" if one.better else ""
    told = f"{one.number}. {words(one.move)}{one.mistake}{better}"
    yield svg_shape("circle", "mistake", told, cx=x, cy=y, r=5)
    # Where nothing lies beyond the curve: above its upper half, below its lower.
    beside = y - 10 if worth > 0 else y + 20
    yield svg_text(x, beside, str(one.mistake), "middle", "mark")


def _places(moments: int, columns: int) -> list[int]:
    """The column of each moment; several share one where there are too many of them."""
    if moments > columns:
        return [moment * columns // moments for moment in range(moments)]
    apart = min(_MOST_APART, (columns - 1) // max(moments - 1, 1))
    return [moment * apart for moment in range(moments)]


def _marks(review: Review, places: list[int]) -> str:
    """The mark of each mistake below its turn; only `?` where they stand close together."""
    whole = len(places) < 2 or places[1] - places[0] > len("??")
    marks = [(one.number, str(one.mistake)) for one in review.mistakes]
    if review.resigned_mistake:
        marks.append((len(places) - 1, str(review.resigned_mistake)))
    line = ""
    for moment, mark in marks:
        line = line.ljust(places[moment])[: places[moment]] + (mark if whole else "?")
    return line


def _numbers(places: list[int], turn: int | None) -> str:
    """`▲` below a turn, and as many numbers of turns as there is room for."""
    last = len(places) - 1
    line = [" "] * (places[last] + len(str(last)) + 1)
    if turn is not None:
        line[places[turn]] = "▲"
    round_steps = (digit * 10**zeros for zeros in range(len(str(last))) for digit in (1, 2, 5))
    apart = next((step for step in round_steps if places[-1] * step >= last * _ROOM), last)
    for number in (0, last, *range(apart, last, apart)):
        begin, text = places[number], str(number)
        around = line[max(begin - 1, 0) : begin + len(text) + 1]
        if set(around) == {" "}:
            line[begin : begin + len(text)] = text
    return "".join(line).rstrip()


def _x(at: int, end: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * at / end


def _y(worth: Fraction) -> float:
    return _TOP + float((1 - worth) / 2) * (_HEIGHT - _TOP - _BOTTOM)
