"""The board as SVG: at the start, in a position, or move by move."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lineduel.engine import Game, Position
from lineduel.narration import Narrator
from lineduel.quantities import counted
from lineduel.record import Record, write_record
from lineduel.rules import Side
from lineduel.svg import Svg, svg_picture, svg_shape, svg_text

BOARD_STYLE = """\
.small{font-size:11px;fill:#666}
.cell{fill:#fff;stroke:#999}
.goal1{fill:#e6effa}
.goal2{fill:#fbeedd}
.one{fill:#2563a8}
.two{fill:#c76a00}
.light{fill:#fff;font-weight:600}
.piece{transition:transform .2s}
@media (prefers-reduced-motion:reduce){.piece{transition:none}}"""
_CELL, _PIECE = 58, 26
_IN_A_ROW = 16


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


def draw_track(game: Game) -> Svg:
    """The track as it stands at the start, with everybody's goal."""
    return draw_position(game, game.start())


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
        told = f"{narrator.tell(events)} {narrator.victory(events)}"
        said = f"Turn {number + 1} of {len(record.moves)}: {move}\n{' '.join(told.split())}"
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
                shown = piece.name if len(piece.name) < 7 else f"{piece.name[:6]}…"
                box = svg_shape(
                    "rect",
                    "one" if side is Side.ONE else "two",
                    width=_CELL - 10,
                    height=22,
                    rx=11 if side is Side.ONE else 3,
                )
                name = svg_text((_CELL - 10) / 2, 16, shown, "middle", "light")
                style = f"transform:translate({x}px,{y}px){hidden}"
                yield svg_shape("g", "piece", piece.name, (box, name), style=style)
