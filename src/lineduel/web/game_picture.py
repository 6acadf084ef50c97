"""A live game as a picture to share, which is also the preview of its link."""

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from lineduel.engine import Game, Position
from lineduel.narration import Narrator, headline, how_it_ended, names_for
from lineduel.play import NO_SIDES, LiveGame
from lineduel.rules import Side

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

WIDTH, HEIGHT = 1200, 630
"""What pages that show previews of links ask for."""
_FINE = 2
"""Everything is drawn this many times larger, and then made smaller: edges become smooth."""
_MARGIN = 50
_LONGEST_LINE = WIDTH - 2 * _MARGIN
_MOST_IN_ROW = 16
_INK, _QUIET, _PAPER = "#1b222d", "#565b66", "#f6f2ea"
_SKY, _FAR, _NEAR = "#dcebf5", "#dcefe3", "#c9e5d3"
_ROAD, _EDGE, _SEAM = "#ede5d8", "#b9ab93", "#d9cdb9"
_BODY = {Side.ONE: "#0072b2", Side.TWO: "#e69f00"}
_RIM = {Side.ONE: "#004b7d", Side.TWO: "#9a6300"}
_CAMP = {Side.ONE: "#d6e8f6", Side.TWO: "#fbeac8"}
_CORNERED = ((0.06, 0.08), (0.62, 0.08), (0.97, 0.5), (0.62, 0.92), (0.06, 0.92))
"""The body of player 2's pieces, in parts of their size."""


class GameCard(NamedTuple):
    """What is said about a game to those who have only its address."""

    title: str
    headline: str
    how: str
    winner: Side | None
    position: Position


def game_card(live: LiveGame) -> GameCard:
    """A finished game with its result; one that goes on only as an invitation, at its start."""
    session = live.session
    title, narrator = session.rulebook.title, Narrator(session.game)
    if not live.is_over:
        summary = session.rulebook.summary
        return GameCard(title, "Play a duel", summary, None, session.start)
    names = names_for(narrator, NO_SIDES, session.people, live.names)
    how = how_it_ended(session, names, narrator)
    return GameCard(title, headline(session, names), how, session.winner, session.position)


def game_picture(game: Game, card: GameCard) -> bytes:
    """The position with the title and the result, as a PNG."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH * _FINE, HEIGHT * _FINE), _SKY)
    _Picture(ImageDraw.Draw(image), game, card.position).draw(card)
    small = image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).quantize(64)
    written = BytesIO()
    small.save(written, "PNG", optimize=True)
    return written.getvalue()


class _Picture:
    """Draws on a surface that is `_FINE` times as large as the numbers here."""

    def __init__(self, surface: "ImageDraw", game: Game, position: Position) -> None:
        self._surface, self._game, self._position = surface, game, position
        self._cells = tuple(game.rules.track.cells)
        rows = -(-len(self._cells) // _MOST_IN_ROW)
        self._columns = -(-len(self._cells) // rows)
        self._wide = min(150.0, (WIDTH - 2 * _MARGIN) / self._columns)
        self._high = min(150.0 if rows == 1 else 330.0 / rows, self._wide * 1.5)
        self._left = (WIDTH - self._wide * self._columns) / 2
        self._top = 400 - self._high * rows / 2
        self._letters = {
            side: _short_names(one.name for one in game.rules.team(side).pieces) for side in Side
        }

    def draw(self, card: GameCard) -> None:
        self._ellipse(-300, 330, 900, 1100, _FAR)
        self._ellipse(500, 380, 1600, 1200, _NEAR)
        self._text(card.title, 66, 34, _QUIET)
        self._text(card.headline, 130, 76, _RIM[card.winner] if card.winner else _INK)
        self._text(card.how, 205, 32, _INK)
        for cell in self._cells:
            self._cell(cell)
        for cell in self._cells:
            self._pieces(cell)
        self._text("lineduel", HEIGHT - 34, 28, _QUIET)

    def _box(self, cell: int) -> tuple[float, float, float, float]:
        """Where a cell is drawn; rows go to and fro."""
        row, along = divmod(self._cells.index(cell), self._columns)
        column = self._columns - 1 - along if row % 2 else along
        left, top = self._left + column * self._wide, self._top + row * self._high
        return left, top, left + self._wide, top + self._high

    def _cell(self, cell: int) -> None:
        rules = self._game.rules
        left, top, right, bottom = self._box(cell)
        homes = [side for side in Side if cell in rules.team(side).homes]
        goals = [side for side in Side if cell in rules.team(side).goal]
        colour = _CAMP[homes[0]] if homes else _CAMP[goals[0].other] if goals else _ROAD
        self._surface.rectangle(_scaled(left, top, right, bottom), colour, _SEAM, _FINE)
        for y in (top, bottom):
            self._surface.line(_scaled(left, y, right, y), _EDGE, 3 * _FINE)
        for side in goals:
            self._flag((left + right) / 2, top, side.other)
        label = Narrator(self._game).label(cell)
        size = min(24.0, self._wide / 3)
        self._text(label, bottom - size * 0.75, size, _QUIET, (left + right) / 2)

    def _flag(self, x: float, foot: float, side: Side) -> None:
        size = min(46.0, self._wide * 0.6, self._high * 0.5)
        self._surface.line(_scaled(x - size / 4, foot - size, x - size / 4, foot), _QUIET, 8)
        cloth = (
            (x - size / 4, foot - size),
            (x + size / 2, foot - size * 0.8),
            (x - size / 4, foot - size * 0.5),
        )
        self._surface.polygon([(a * _FINE, b * _FINE) for a, b in cloth], _BODY[side])

    def _pieces(self, cell: int) -> None:
        here = [
            (side, self._letters[side][number])
            for side in Side
            for number, one in enumerate(self._position.cells(side))
            if one == cell
        ]
        if not here:
            return
        left, top, right, bottom = self._box(cell)
        room = bottom - top - min(34.0, self._wide / 2.4)
        down = max(1, min(len(here), round(room / self._wide)))
        across = -(-len(here) // down)
        size = min(self._wide / (0.3 + 0.7 * across) * 1.2, self._wide, room / down) * 0.94
        for number, (side, letters) in enumerate(here):
            row, column = divmod(number, across)
            in_row = min(across, len(here) - row * across)
            x = (left + right) / 2 + (column - (in_row - 1) / 2) * size * 0.8
            y = top + room / 2 + (row - (down - 1) / 2) * size + 4
            self._face(x - size / 2, y - size / 2, size, side, letters)

    def _face(self, left: float, top: float, size: float, side: Side, letters: str) -> None:
        forward = 1 if side is Side.ONE else -1
        eyes = 0.34 if letters else 0.42

        def at(x: float, y: float) -> tuple[float, float]:
            turned = x if forward > 0 else 1 - x
            return (left + turned * size) * _FINE, (top + y * size) * _FINE

        rim = max(2, round(size * 0.05 * _FINE))
        if side is Side.ONE:
            self._ellipse(left, top + size * 0.06, left + size * 0.9, top + size * 0.94, _RIM[side])
            self._surface.polygon([at(0.75, 0.2), at(0.99, 0.5), at(0.75, 0.8)], _RIM[side])
            inner = size * 0.05
            self._ellipse(
                left + inner,
                top + size * 0.06 + inner,
                left + size * 0.9 - inner,
                top + size * 0.94 - inner,
                _BODY[side],
            )
            self._surface.polygon([at(0.7, 0.24), at(0.92, 0.5), at(0.7, 0.76)], _BODY[side])
        else:
            outline = [at(x, y) for x, y in _CORNERED]
            self._surface.polygon(outline, _BODY[side])
            self._surface.line([*outline, outline[0]], _RIM[side], rim, joint="curve")
        for x in (0.4, 0.66):
            self._dot(at(x, eyes), size * 0.1, "#fff")
            self._dot(at(x + 0.04, eyes), size * 0.05, "#14181f")
        dark = "#14181f" if side is Side.TWO else "#fff"
        if letters:
            middle = left + size * (0.47 if side is Side.ONE else 0.53)
            self._text(letters, top + size * 0.68, size * 0.36, dark, middle)
            return
        mouth = [at(0.36, 0.66), at(0.44, 0.72), at(0.53, 0.74), at(0.62, 0.72), at(0.7, 0.66)]
        self._surface.line(mouth, dark, rim, joint="curve")

    def _dot(self, centre: tuple[float, float], radius: float, colour: str) -> None:
        (x, y), far = centre, radius * _FINE
        self._surface.ellipse((x - far, y - far, x + far, y + far), colour)

    def _ellipse(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        self._surface.ellipse(_scaled(left, top, right, bottom), colour)

    def _text(self, words: str, y: float, size: float, colour: str, x: float = WIDTH / 2) -> None:
        """A line in the middle of a point; a long one is drawn smaller."""
        wide = _font(round(size * _FINE)).getlength(words) / _FINE
        fitting = size * min(1.0, _LONGEST_LINE / max(1.0, wide))
        font = _font(max(1, round(fitting * _FINE)))
        self._surface.text((x * _FINE, y * _FINE), words, colour, font, anchor="mm")


def _short_names(names: Iterable[str]) -> tuple[str, ...]:
    """What is written on each piece, as on the page's own board; nothing on a single one."""
    ends = tuple(name.rpartition("-")[2][:3] for name in names)
    if len(ends) == 1:
        return ("",)
    is_clear = len(set(ends)) == len(ends)
    return ends if is_clear else tuple(str(number) for number in range(1, len(ends) + 1))


def _scaled(*numbers: float) -> tuple[float, ...]:
    return tuple(number * _FINE for number in numbers)


@cache
def _font(size: int) -> "FreeTypeFont | ImageFont":
    """The font that comes with Pillow."""
    from PIL.ImageFont import load_default

    return load_default(size)
