"""Pictures of a rulebook as SVG that needs nothing else: its track, its openings, its lengths."""

from collections.abc import Iterable, Sequence

from lineduel.engine import Game
from lineduel.rules import Rulebook, Side, listed
from lineduel.session import Narrator
from lineduel.solve import Number, Value, move_in_words
from lineduel.svg import svg_picture, svg_text

PLAYER1, PLAYER2, EVEN = "#2563a8", "#c76a00", "#8a8f98"
STYLE = """\
.small{font-size:11px;fill:#666}
.cell{fill:#fff;stroke:#999}
.one{fill:#2563a8}
.two{fill:#c76a00}
.light{fill:#fff;font-weight:600}
.grid{stroke:#ddd}"""
_CELL, _BAR = 58, 22


def draw_track(game: Game) -> str:
    """The track as it stands at the start, with everybody's goal."""
    rules, start, narrator = game.rules, game.start(), Narrator(game)
    cells = rules.track.cells
    in_a_row = 16
    rows = [cells[at : at + in_a_row] for at in range(0, len(cells), in_a_row)]
    most = max(sum(one == cell for side in Side for one in start.cells(side)) for cell in cells)
    high = 26 * max(most, 1) + 20
    parts: list[str] = []
    for row, labels in enumerate(rows):
        top = row * (high + 30) + 6
        for column, cell in enumerate(labels):
            x = 10 + column * _CELL
            goals = [side for side in Side if cell in rules.team(side).goal]
            colour = {Side.ONE: "#e6effa", Side.TWO: "#fbeedd"}[goals[0]] if goals else "#fff"
            parts.append(
                f'<rect class="cell" x="{x}" y="{top}" width="{_CELL}" height="{high}" '
                f'style="fill:{colour}"/>'
            )
            parts.append(svg_text(x + _CELL / 2, top + high + 18, narrator.label(cell), "middle"))
            pieces = [
                (piece.name, side)
                for side in Side
                for piece, stands in zip(rules.team(side).pieces, start.cells(side), strict=True)
                if stands == cell
            ]
            for at, (name, side) in enumerate(pieces):
                y = top + 6 + at * 26
                kind = "one" if side is Side.ONE else "two"
                parts.append(
                    f'<rect class="{kind}" x="{x + 5}" y="{y}" width="{_CELL - 10}" height="22" '
                    f'rx="{11 if side is Side.ONE else 3}"/>'
                )
                shown = name if len(name) < 7 else f"{name[:6]}…"
                parts.append(svg_text(x + _CELL / 2, y + 16, shown, "middle", "light"))
            for at, side in enumerate(goals):
                flag = f"P{side} wins"
                parts.append(
                    svg_text(x + _CELL / 2, top + high - 4 - 12 * at, flag, "middle", "small")
                )
    width = 20 + min(len(cells), in_a_row) * _CELL
    return svg_picture(width, len(rows) * (high + 30) + 10, "The track", STYLE, parts)


def draw_openings(openings: Sequence[tuple[object, Value]], side: Side) -> str:
    """What each first move is worth to the player who makes it."""
    width, left = 640, 90
    middle, reach = left + (width - left - 170) / 2, (width - left - 170) / 2
    parts = [
        f'<line class="grid" x1="{middle + reach * at}" x2="{middle + reach * at}" y1="24" '
        f'y2="{30 + len(openings) * _BAR}"/>'
        + svg_text(middle + reach * at, 16, name, "middle", "small")
        for at, name in ((-1, "loses"), (0, "even"), (1, "wins"))
    ]
    for row, (move, value) in enumerate(openings):
        y = 28 + row * _BAR
        worth = _middle(value.sure(side), value.hoped(side))
        colour = EVEN if worth == 0 else PLAYER1 if worth > 0 else PLAYER2
        x, wide = min(middle, middle + reach * worth), max(abs(reach * worth), 3)
        parts.append(svg_text(left - 8, y + 14, str(move), "end"))
        parts.append(
            f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{_BAR - 6}" fill="{colour}"/>'
        )
        parts.append(svg_text(middle + reach + 10, y + 14, move_in_words(value, side)))
    return svg_picture(width, 40 + len(openings) * _BAR, "What each opening is worth", STYLE, parts)


def _middle(low: Number, high: Number) -> float:
    return float(low + high) / 2


def draw_lengths(chances: Iterable[float]) -> str:
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
        parts.append(f'<line class="grid" x1="{left}" x2="{width - 10}" y1="{y}" y2="{y}"/>')
        parts.append(svg_text(left - 6, y + 4, f"{share:.0%}", "end", "small"))
    for ply, share in enumerate(shares):
        tall = (high - bottom - 16) * share / most
        x = left + ply * bar
        parts.append(
            f'<rect class="one" x="{x:.1f}" y="{high - bottom - tall:.1f}" '
            f'width="{max(bar - 1, 0.5):.1f}" height="{tall:.1f}">'
            f"<title>{ply} plies: {share:.2%}</title></rect>"
        )
    every = max(1, round(len(shares) / 12))
    parts += [
        svg_text(left + (ply + 0.5) * bar, high - bottom + 14, str(ply), "middle", "small")
        for ply in range(0, len(shares), every)
    ]
    parts.append(svg_text((left + width) / 2, high - 4, "plies", "middle", "small"))
    return svg_picture(width, high, "How long a game lasts", STYLE, parts)


def track_lines(rulebook: Rulebook) -> tuple[str, ...]:
    """The track at the start in lines of text, and which cells win."""
    game = Game(rulebook)
    narrator = Narrator(game)
    goals = (
        f"{narrator.name(side)} wins on {_listed(narrator, rulebook.rules.team(side).goal)}"
        for side in Side
    )
    return (*narrator.board(game.start()).splitlines(), f"{'; '.join(goals)}.")


def _listed(narrator: Narrator, cells: Sequence[int]) -> str:
    return listed(map(narrator.label, sorted(cells)), "or")
