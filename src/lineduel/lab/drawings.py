"""Pictures of a rulebook as SVG that needs nothing else: its openings, its lengths; its track."""

from collections.abc import Iterable, Sequence

from lineduel.engine import Game
from lineduel.narration import Narrator
from lineduel.rules import Rulebook, Rules, Side, listed
from lineduel.solve import Number, Value, move_in_words
from lineduel.svg import Svg, svg_picture, svg_shape, svg_text

PLAYER1, PLAYER2, EVEN = "#2563a8", "#c76a00", "#8a8f98"
STYLE = """\
.small{font-size:11px;fill:#666}
.one{fill:#2563a8}
.grid{stroke:#ddd}"""
_BAR = 22
_COLUMNS = 72
"""Columns of a track as text."""


def draw_openings(openings: Sequence[tuple[object, Value]], side: Side) -> Svg:
    """What each first move is worth to the player who makes it."""
    width, left = 640, 90
    middle, reach = left + (width - left - 170) / 2, (width - left - 170) / 2
    parts = []
    for x, name in ((left, "loses"), (middle, "even"), (middle + reach, "wins")):
        parts.append(svg_shape("line", "grid", x1=x, x2=x, y1=24, y2=30 + len(openings) * _BAR))
        parts.append(svg_text(x, 16, name, "middle", "small"))
    for row, (move, value) in enumerate(openings):
        y = 28 + row * _BAR
        worth = _middle(value.sure(side), value.hoped(side))
        colour = EVEN if worth == 0 else PLAYER1 if worth > 0 else PLAYER2
        x, wide = min(middle, middle + reach * worth), max(abs(reach * worth), 3)
        parts.append(svg_text(left - 8, y + 14, str(move), "end"))
        parts.append(svg_shape("rect", x=x, y=y, width=wide, height=_BAR - 6, fill=colour))
        parts.append(svg_text(middle + reach + 10, y + 14, move_in_words(value, side)))
    return svg_picture(width, 40 + len(openings) * _BAR, "What each opening is worth", STYLE, parts)


def _middle(low: Number, high: Number) -> float:
    return float(low + high) / 2


def draw_lengths(chances: Iterable[float]) -> Svg:
    """How many plies a game takes."""
    shares = list(chances)
    last = max((at for at, share in enumerate(shares) if share > 0.0005), default=1)
    shares = shares[: last + 1]
    width, high, left, bottom = 640, 200, 46, 34
    most = max(shares, default=0) or 1.0
    bar = (width - left - 10) / max(len(shares), 1)
    parts = []
    for share in (0.0, most / 2, most):
        y = high - bottom - (high - bottom - 16) * share / most
        parts.append(svg_shape("line", "grid", x1=left, x2=width - 10, y1=y, y2=y))
        parts.append(svg_text(left - 6, y + 4, f"{share:.0%}", "end", "small"))
    for ply, share in enumerate(shares):
        tall = (high - bottom - 16) * share / most
        x, y, wide = left + ply * bar, high - bottom - tall, max(bar - 1, 0.5)
        told = f"{ply} plies: {share:.2%}"
        parts.append(svg_shape("rect", "one", told, x=x, y=y, width=wide, height=tall))
    every = max(1, round(len(shares) / 12))
    parts += [
        svg_text(left + (ply + 0.5) * bar, high - bottom + 14, str(ply), "middle", "small")
        for ply in range(0, len(shares), every)
    ]
    parts.append(svg_text((left + width) / 2, high - 4, "plies", "middle", "small"))
    return svg_picture(width, high, "How long a game lasts", STYLE, parts)


def track_lines(rulebook: Rulebook) -> tuple[str, ...]:
    """The track at the start in lines of text: labels, pieces below, and which cells win."""
    game = Game(rulebook)
    narrator, rules = Narrator(game), rulebook.rules
    stacks = [_standing(rules, cell) for cell in rules.track.cells]
    labels = [narrator.label(cell) for cell in rules.track.cells]
    wide = max(map(len, (*labels, *(name for stack in stacks for name in stack)))) + 2
    in_a_row = max(_COLUMNS // wide, 1)
    lines = []
    for begin in range(0, len(labels), in_a_row):
        part = slice(begin, begin + in_a_row)
        lines.append("".join(f"{label:>{wide}}" for label in labels[part]))
        for row in range(max(1, *map(len, stacks[part]))):
            empty = "." if row == 0 else ""
            names = (stack[row] if row < len(stack) else empty for stack in stacks[part])
            lines.append("".join(f"{name:>{wide}}" for name in names).rstrip())
    goals = (
        f"{narrator.name(side)} wins on {_listed(narrator, rules.team(side).goal)}" for side in Side
    )
    return (*lines, f"{'; '.join(goals)}.")


def _standing(rules: Rules, cell: int) -> list[str]:
    """The names of the pieces that start on a cell."""
    pieces = (piece for side in Side for piece in rules.team(side).pieces)
    return [piece.name for piece in pieces if piece.home == cell]


def _listed(narrator: Narrator, cells: Sequence[int]) -> str:
    return listed(map(narrator.label, sorted(cells)), "or")
