"""A position as text, as pixels and as SVG, for environments that render."""

import numpy as np
from numpy.typing import NDArray

from lineduel.engine import Game, Position
from lineduel.lab import draw_position
from lineduel.rules import Side
from lineduel.session import Narrator

RENDER_MODES = ("ansi", "human", "rgb_array")
_CELL, _PIECE, _GAP = 32, 12, 2
_GROUND, _EDGE, _BATTLE = (255, 255, 255), (153, 153, 153), (200, 30, 30)
_PIECES = {Side.ONE: (37, 99, 168), Side.TWO: (199, 106, 0)}
_GOALS = {Side.ONE: (230, 239, 250), Side.TWO: (251, 238, 221)}


def board_text(game: Game, position: Position) -> str:
    """The track in the rulebook's own words, and the position in its text form."""
    return f"{Narrator(game).board(position)}\n{position}"


def board_svg(game: Game, position: Position) -> str:
    """The track as a picture."""
    return draw_position(game, position)


def board_pixels(game: Game, position: Position) -> NDArray[np.uint8]:
    """The track as an image: a column of pixels for each cell, a small square for each piece."""
    rules = game.rules
    crowd = max(len(rules.player1.pieces) + len(rules.player2.pieces), 1)
    high = _GAP + crowd * (_PIECE + _GAP) + _GAP
    image = np.empty((high, len(rules.track) * _CELL, 3), np.uint8)
    image[:] = _GROUND
    for at, cell in enumerate(rules.track.cells):
        for side in Side:
            if cell in rules.team(side).goal:
                image[:, at * _CELL : (at + 1) * _CELL] = _GOALS[side]
        edge = _BATTLE if cell == position.battle else _EDGE
        image[:, at * _CELL] = image[:, (at + 1) * _CELL - 1] = edge
    stacked = [0] * len(rules.track)
    for side in Side:
        for standing in position.cells(side):
            if standing is None:
                continue
            at = standing - rules.track.first
            top = _GAP + stacked[at] * (_PIECE + _GAP)
            left = at * _CELL + (_CELL - _PIECE) // 2
            image[top : top + _PIECE, left : left + _PIECE] = _PIECES[side]
            stacked[at] += 1
    return image
