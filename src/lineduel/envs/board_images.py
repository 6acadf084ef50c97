"""A position as text and as pixels, for environments that render."""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lineduel.engine import Game, Position
from lineduel.narration import Narrator
from lineduel.rules import Side

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

Rendered = str | NDArray[np.uint8] | None
RENDER_MODES = ("ansi", "human", "rgb_array")
Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""
_TEXT, _GAP = 18, 4
_LINE = _TEXT + 2 * _GAP
"""The height of a line of text, and of a piece."""
_LEAST_CELL = 48
_IN_A_ROW = 16
_LONGEST_NAME = 12
"""More letters of a piece's name are not shown."""
_WHITE, _INK, _EDGE, _BATTLE = (255, 255, 255), (60, 60, 60), (153, 153, 153), (200, 30, 30)
_PIECES = {Side.ONE: (37, 99, 168), Side.TWO: (176, 88, 0)}
_GOALS = {Side.ONE: (230, 239, 250), Side.TWO: (251, 238, 221)}


def board_text(game: Game, position: Position) -> str:
    """The track in the rulebook's own words, and the position in its text form."""
    return f"{Narrator(game).board(position)}\n{position}"


def rendered_board(mode: str | None, game: Game, position: Position) -> Rendered:
    """What `render` returns: the track as text or as an image; nothing in other modes."""
    if mode == "rgb_array":
        return board_pixels(game, position)
    return board_text(game, position) if mode == "ansi" else None


def board_pixels(game: Game, position: Position) -> NDArray[np.uint8]:
    """The track as an image: whose turn it is, the cells with their labels, the pieces by name.

    The size depends on the rulebook alone, so that images make a video. Goals have the light
    colour of the side that wants to get there, and an open battle has a red frame.
    """
    from PIL import Image, ImageDraw

    cells = tuple(game.rules.track.cells)
    names = {
        side: [piece.name[:_LONGEST_NAME] for piece in game.rules.team(side).pieces]
        for side in Side
    }
    every_name = [name for side in Side for name in names[side]]
    wide = max(_LEAST_CELL, *(_width(text) + 4 * _GAP for text in (*every_name, *map(str, cells))))
    high = _GAP + (len(every_name) + 1) * (_LINE + _GAP)
    rows = -(-len(cells) // _IN_A_ROW)
    title, colour = _title(game, position)
    width = max(min(len(cells), _IN_A_ROW) * wide, *map(_width, _titles(game))) + 2 * _GAP
    image = Image.new("RGB", (width, _LINE + rows * (high + _GAP)), _WHITE)
    draw = ImageDraw.Draw(image)
    draw.text((_GAP, _LINE // 2), title, colour, _font(), anchor="lm")
    corners = {
        cell: (_GAP + at % _IN_A_ROW * wide, _LINE + at // _IN_A_ROW * (high + _GAP))
        for at, cell in enumerate(cells)
    }
    for cell, (left, top) in corners.items():
        _draw_cell(draw, game, cell, (left, top, left + wide, top + high), position.battle == cell)
    stacked = dict.fromkeys(cells, 0)
    for side in Side:
        for name, standing in zip(names[side], position.cells(side), strict=True):
            if standing is not None:
                left, top = corners[standing]
                top += _GAP + stacked[standing] * (_LINE + _GAP)
                box = (left + _GAP, top, left + wide - _GAP, top + _LINE)
                draw.rounded_rectangle(box, _GAP, _PIECES[side])
                draw.text(_centre(box), name, _WHITE, _font(), anchor="mm")
                stacked[standing] += 1
    return np.array(image)


def _draw_cell(draw: "ImageDraw", game: Game, cell: int, box: Box, battle: bool) -> None:
    left, top, right, bottom = box
    goals = [side for side in Side if cell in game.rules.team(side).goal]
    draw.rectangle(box, _GOALS[goals[0]] if goals else _WHITE)
    if len(goals) > 1:
        draw.rectangle((left, (top + bottom) // 2, right, bottom), _GOALS[goals[1]])
    draw.rectangle(box, outline=_BATTLE if battle else _EDGE, width=3 if battle else 1)
    label = (left, bottom - _LINE, right, bottom)
    draw.text(_centre(label), str(cell), _INK, _font(), anchor="mm")


def _centre(box: Box) -> tuple[float, float]:
    left, top, right, bottom = box
    return (left + right) / 2, (top + bottom) / 2


def _title(game: Game, position: Position) -> tuple[str, Colour]:
    """How the game stands, in the colour of the side it is about."""
    winner = game.outcome(position)
    if winner is not None:
        return f"Player {winner} has won", _PIECES[winner]
    if position.battle is not None:
        return _battle_title(position.battle), _BATTLE
    return f"Player {position.side} to move", _PIECES[position.side]


def _titles(game: Game) -> list[str]:
    """Every title that a game can have."""
    players = [f"Player {side} {stands}" for side in Side for stands in ("to move", "has won")]
    cells = game.rules.track.cells if game.rules.battle else ()
    return [*players, *map(_battle_title, cells)]


def _battle_title(cell: int) -> str:
    return f"Battle on {cell}: both choose a number"


@cache
def _font() -> "FreeTypeFont | ImageFont":
    """The font that comes with Pillow."""
    from PIL.ImageFont import load_default

    return load_default(_TEXT)


def _width(text: str) -> int:
    return round(_font().getlength(text)) + 1
