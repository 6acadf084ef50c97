"""A position as text, as pixels and as SVG, for environments that render."""

import numpy as np
from numpy.typing import NDArray

from lineduel.engine import Game, Position
from lineduel.envs.pixel_text import HIGH, WIDE, text_dots
from lineduel.lab import draw_position
from lineduel.rules import Side
from lineduel.session import Narrator

RENDER_MODES = ("ansi", "human", "rgb_array")
Colour = tuple[int, int, int]
_SCALE, _GAP = 2, 4
_LINE = HIGH * _SCALE + _GAP
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


def board_svg(game: Game, position: Position) -> str:
    """The track as a picture."""
    return draw_position(game, position)


def board_pixels(game: Game, position: Position) -> NDArray[np.uint8]:
    """The track as an image: whose turn it is, the cells with their labels, the pieces by name.

    The size depends on the rulebook alone, so that images make a video. Goals have the light
    colour of the side that wants to get there, and an open battle has a red frame.
    """
    rules = game.rules
    cells = tuple(rules.track.cells)
    names = {
        side: [piece.name[:_LONGEST_NAME] for piece in rules.team(side).pieces] for side in Side
    }
    labels = [len(str(cell)) for cell in cells]
    longest = max(*labels, *(len(name) for side in Side for name in names[side]))
    wide = max(_LEAST_CELL, longest * WIDE * _SCALE + 4 * _GAP)
    pieces = sum(len(names[side]) for side in Side)
    high = _GAP + pieces * (_LINE + _GAP) + _LINE + _GAP
    rows = -(-len(cells) // _IN_A_ROW)
    title, colour = _title(game, position)
    longest_title = _battle_title("9" * max(labels)) if rules.battle else _turn_title(Side.ONE)
    width = max(min(len(cells), _IN_A_ROW) * wide, len(longest_title) * WIDE * _SCALE) + 2 * _GAP
    image = np.full((_LINE + 2 * _GAP + rows * (high + _GAP), width, 3), 255, np.uint8)
    _write(image, _GAP, _GAP, title, colour)
    corners = {
        cell: (_LINE + 2 * _GAP + row * (high + _GAP), _GAP + column * wide)
        for cell, (row, column) in zip(
            cells, (divmod(at, _IN_A_ROW) for at in range(len(cells))), strict=True
        )
    }
    for cell, (top, left) in corners.items():
        thick, edge = (3, _BATTLE) if cell == position.battle else (1, _EDGE)
        goals = [side for side in Side if cell in rules.team(side).goal]
        ground = _GOALS[goals[0]] if goals else _WHITE
        _fill(image, top, left, high, wide, edge)
        _fill(image, top + thick, left + thick, high - 2 * thick, wide - 2 * thick, ground)
        if len(goals) > 1:
            half = high // 2
            _fill(image, top + half, left + thick, half - thick, wide - 2 * thick, _GOALS[goals[1]])
        _write_amid(image, top + high - _LINE - _GAP, left, wide, str(cell), _INK)
    stacked = dict.fromkeys(cells, 0)
    for side in Side:
        for name, standing in zip(names[side], position.cells(side), strict=True):
            if standing is not None:
                top, left = corners[standing]
                top += _GAP + stacked[standing] * (_LINE + _GAP)
                _fill(image, top, left + _GAP, _LINE, wide - 2 * _GAP, _PIECES[side])
                _write_amid(image, top + _GAP // 2, left, wide, name, _WHITE)
                stacked[standing] += 1
    return image


def _title(game: Game, position: Position) -> tuple[str, Colour]:
    """How the game stands, in the colour of the side it is about."""
    winner = game.outcome(position)
    if winner is not None:
        return f"Player {winner} has won", _PIECES[winner]
    if position.battle is not None:
        return _battle_title(str(position.battle)), _BATTLE
    return _turn_title(position.side), _PIECES[position.side]


def _battle_title(cell: str) -> str:
    return f"Battle on {cell}: both choose a number"


def _turn_title(side: Side) -> str:
    return f"Player {side} to move"


def _fill(
    image: NDArray[np.uint8], top: int, left: int, high: int, wide: int, colour: Colour
) -> None:
    image[top : top + high, left : left + wide] = colour


def _write(image: NDArray[np.uint8], top: int, left: int, text: str, colour: Colour) -> None:
    dots = text_dots(text, _SCALE)
    high, wide = dots.shape
    image[top : top + high, left : left + wide][dots] = colour


def _write_amid(
    image: NDArray[np.uint8], top: int, left: int, wide: int, text: str, colour: Colour
) -> None:
    """Write text in the middle of a number of columns."""
    _write(image, top, left + (wide - len(text) * WIDE * _SCALE + _SCALE) // 2, text, colour)
