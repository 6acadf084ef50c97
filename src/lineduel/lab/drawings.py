"""Pictures of a rulebook: its openings and lengths, its track, its board move by move."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lineduel.engine import Game, Position
from lineduel.narration import Narrator, move_text
from lineduel.quantities import counted
from lineduel.record import Record, write_record
from lineduel.rules import Rulebook, Rules, Side, listed
from lineduel.solve import Value, move_in_words
from lineduel.svg import Svg, svg_picture, svg_shape, svg_text

PLAYER1, PLAYER2, EVEN = "#2563a8", "#c76a00", "#8a8f98"
STYLE = """\
.small{font-size:11px;fill:#666}
.one{fill:#2563a8}
.grid{stroke:#ddd}"""
BOARD_STYLE = """\
.small{font-size:11px;fill:#666}
.cell{fill:#fff;stroke:#999}
.goal1{fill:#fbebc8}
.goal2{fill:#d8eaf6}
.one{fill:#0072b2}
.two{fill:#e69f00}
.piece text{font-size:11px;font-weight:600}
.white{fill:#fff}
.dark{fill:#14181f}
.piece{transition:transform .2s}
@media (prefers-reduced-motion:reduce){.piece{transition:none}}"""
_CELL, _PIECE = 66, 26
_FACE = 0.6
"""How much smaller a face is than it is drawn here; its parts are those of the browser's pieces."""
_BODIES = {
    Side.ONE: "M19 3.5a16.5 16.5 0 1 0 0 33c8.5 0 13.4-6.3 18.6-14.4a4 4 0 0 0 0-4.2"
    "C32.4 9.8 27.5 3.5 19 3.5z",
    Side.TWO: "M33 4H16.5a5 5 0 0 0-3.8 1.7L1.9 18a3 3 0 0 0 0 4l10.8 12.3a5 5 0 0 0 3.8 1.7H33"
    "a4 4 0 0 0 4-4V8a4 4 0 0 0-4-4z",
}
_EYES = {Side.ONE: (15.5, 26.0, 1.5), Side.TWO: (14.0, 24.5, -1.5)}
"""Where the eyes are, and how far they look ahead."""
_IN_A_ROW = 16
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
        worth = float(value.sure(side) + value.hoped(side)) / 2
        colour = EVEN if worth == 0 else PLAYER1 if worth > 0 else PLAYER2
        x, wide = min(middle, middle + reach * worth), max(abs(reach * worth), 3)
        parts.append(svg_text(left - 8, y + 14, str(move), "end"))
        parts.append(svg_shape("rect", x=x, y=y, width=wide, height=_BAR - 6, fill=colour))
        parts.append(svg_text(middle + reach + 10, y + 14, move_in_words(value, side)))
    return svg_picture(width, 40 + len(openings) * _BAR, "What each opening is worth", STYLE, parts)


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
        hint = f"{ply} turns: {share:.2%}"
        parts.append(svg_shape("rect", "one", hint, x=x, y=y, width=wide, height=tall))
    every = max(1, round(len(shares) / 12))
    parts += [
        svg_text(left + (ply + 0.5) * bar, high - bottom + 14, str(ply), "middle", "small")
        for ply in range(0, len(shares), every)
    ]
    parts.append(svg_text((left + width) / 2, high - 4, "turns", "middle", "small"))
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
    goals = {side: map(narrator.label, sorted(rules.team(side).goal)) for side in Side}
    wins = (f"{narrator.name(side)} wins on {listed(goals[side], 'or')}" for side in Side)
    return (*lines, f"{'; '.join(wins)}.")


def _standing(rules: Rules, cell: int) -> list[str]:
    """The names of the pieces that start on a cell."""
    pieces = (piece for side in Side for piece in rules.team(side).pieces)
    return [piece.name for piece in pieces if piece.home == cell]


# The board


class ReplayFrame(NamedTuple):
    """What is said after a turn, and where each piece is drawn; None if it is out of the game."""

    said: str
    places: Sequence[tuple[int, int] | None]


class Replay(NamedTuple):
    """A line of play to step through on a page."""

    picture: Svg
    """The board at the start."""
    frames: tuple[ReplayFrame, ...]
    record: str


def draw_position(game: Game, position: Position) -> Svg:
    """The track with the pieces as they stand, and everybody's goal."""
    return _Board.of(game, (position,)).picture(position)


def replay_of(record: Record) -> Replay:
    """A line of play, ready for a page."""
    game, positions = Game(record.rulebook), record.positions()
    board, narrator = _Board.of(game, positions), Narrator(game)
    count = counted(len(record.moves), "turn")
    said = f"The start of {count}. Step through them with the buttons or the arrow keys."
    frames = [ReplayFrame(said, board.places(positions[0]))]
    for number, move in enumerate(record.moves):
        events = game.events(positions[number], move)
        line = move_text(game, positions[number], move)
        said_then = f"{narrator.tell(events, positions[number])} {narrator.victory(events)}"
        said = f"Turn {number + 1} of {len(record.moves)}: {line}\n{' '.join(said_then.split())}"
        frames.append(ReplayFrame(said, board.places(positions[number + 1])))
    return Replay(board.picture(positions[0]), tuple(frames), write_record(record))


@dataclass(frozen=True, slots=True)
class _Board:
    """Where everything is drawn, with room for the most pieces that meet on one cell."""

    game: Game
    most: int

    @classmethod
    def of(cls, game: Game, positions: Sequence[Position]) -> "_Board":
        """A board on which all these positions have room."""
        crowds = (
            sum(one == cell for side in Side for one in position.cells(side))
            for position in positions
            for cell in game.rules.track.cells
        )
        return cls(game, max(1, *crowds))

    @property
    def _high(self) -> int:
        return _PIECE * self.most + 28

    def _corner(self, cell: int) -> tuple[int, int]:
        """The upper left corner of a cell."""
        row, column = divmod(cell - self.game.rules.track.first, _IN_A_ROW)
        return 10 + column * _CELL, row * (self._high + 30) + 6

    def places(self, position: Position) -> list[tuple[int, int] | None]:
        """Where each piece is drawn, None for one that is out of the game."""
        crowd: dict[int, int] = {}
        places: list[tuple[int, int] | None] = []
        for side in Side:
            for cell in position.cells(side):
                if cell is None:
                    places.append(None)
                    continue
                x, y = self._corner(cell)
                places.append((x + 5, y + 6 + crowd.get(cell, 0) * _PIECE))
                crowd[cell] = crowd.get(cell, 0) + 1
        return places

    def picture(self, position: Position) -> Svg:
        """The track, with the pieces as groups that can be moved."""
        cells = self.game.rules.track.cells
        rows = -(-len(cells) // _IN_A_ROW)
        width = 20 + min(len(cells), _IN_A_ROW) * _CELL
        parts = [*self._cells(), *self._pieces(position)]
        return svg_picture(width, rows * (self._high + 30) + 10, "The track", BOARD_STYLE, parts)

    def _cells(self) -> Iterator[str]:
        rules, narrator = self.game.rules, Narrator(self.game)
        for cell in rules.track.cells:
            x, top = self._corner(cell)
            goals = [side for side in Side if cell in rules.team(side).goal]
            kind = f"cell goal{goals[0]}" if goals else "cell"
            yield svg_shape("rect", kind, x=x, y=top, width=_CELL, height=self._high)
            yield svg_text(x + _CELL / 2, top + self._high + 18, narrator.label(cell), "middle")
            for at, side in enumerate(goals):
                y = top + self._high - 4 - 12 * at
                yield svg_text(x + _CELL / 2, y, f"P{side} wins", "middle", "small")

    def _pieces(self, position: Position) -> Iterator[str]:
        places = iter(self.places(position))
        for side in Side:
            for piece, place in zip(self.game.rules.team(side).pieces, places, strict=False):
                x, y = place or (0, 0)
                hidden = "" if place else ";display:none"
                shown = piece.name if len(piece.name) < 5 else f"{piece.name[:3]}…"
                name = svg_text(40 * _FACE + 1, 16, shown)
                style = f"transform:translate({x}px,{y}px){hidden}"
                yield svg_shape("g", "piece", piece.name, (_face(side), name), style=style)


def _face(side: Side) -> str:
    """The drawing of a piece, which looks where it goes."""
    *eyes, ahead = _EYES[side]
    parts = [svg_shape("path", "one" if side is Side.ONE else "two", d=_BODIES[side])]
    for x in eyes:
        parts.append(svg_shape("circle", "white", cx=x, cy=17, r=4.6))
        parts.append(svg_shape("circle", "dark", cx=x + ahead, cy=17, r=2.3))
    return svg_shape("g", inside=parts, transform=f"scale({_FACE})")
