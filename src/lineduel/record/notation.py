"""Positions and moves from their text; writing them is `str`."""

import re

from lineduel.engine import (
    PASS,
    Cells,
    Game,
    Move,
    Numbers,
    ParsedPosition,
    Position,
    Step,
    valid_position,
)
from lineduel.errors import NotationError, shown
from lineduel.rules import Side

_POSITION = (
    r"(?P<cells1>[^/;]+)/(?P<cells2>[^/;]+)/(?P<side>[12])(?P<open>\*(?P<battle>[+-]?[0-9]{1,4})?)?"
    r"(;(?P<hand1>[1-9]{1,9})/(?P<hand2>[1-9]{1,9}))?"
)
# Patterns are compiled when they are first used: a game without typed moves starts faster.
_CELL = r"(?:[+-]?[0-9]{1,4}|x)"
_CELLS = rf"{_CELL}(?:,{_CELL})*"
_STEP = r"(?P<piece>[A-Za-z][A-Za-z0-9_-]*)(?P<step>\+0|[+-][1-9][0-9]?)"
_NUMBERS = r"([1-9]):([1-9])"


def parse_position(text: str, example: str = "0,1,2/10,9,8/1") -> ParsedPosition:
    """The position a text describes, whether or not any rulebook allows it.

    An error about any other text shows the example.
    """
    spaced = text.split() != [text]
    tight = re.sub(r"\s*([,/*;])\s*", r"\1", text.strip()) if spaced else text
    found = re.fullmatch(_POSITION, tight)
    if not found:
        raise NotationError(
            f"'{shown(text)}' is not a valid position. "
            f"Write player 1's cells, player 2's cells and the side to move, as {example}."
        )
    player1, player2 = _cells(found["cells1"], text), _cells(found["cells2"], text)
    side, hands = Side(int(found["side"])), None
    if found["hand1"]:
        hands = _hand(found["hand1"], text), _hand(found["hand2"], text)
    if not found["open"]:
        return ParsedPosition(player1, player2, side, None, hands)
    if found["battle"]:
        return ParsedPosition(player1, player2, side, int(found["battle"]), hands)
    shared = ParsedPosition(player1, player2, side).shared_cells()
    if len(shared) != 1:
        number = "no cell" if not shared else f"{len(shared)} cells"
        raise NotationError(
            f"'{shown(text)}' has both players on {number}, so * does not say where the battle is."
            " Write its cell behind it, as *3."
        )
    return ParsedPosition(player1, player2, side, shared[0], hands)


def read_position(game: Game, text: str) -> Position:
    """A position of this game from its text; one that is impossible in the rulebook is refused."""
    return valid_position(game.rules, parse_position(text, str(game.start())))


def parse_move(text: str) -> Move:
    """The move a text describes, whether or not it is legal anywhere."""
    if text == "pass":
        return PASS
    if found := re.fullmatch(_NUMBERS, text):
        return Numbers(int(found[1]), int(found[2]))
    if found := re.fullmatch(_STEP, text):
        return Step(found["piece"], int(found["step"]))
    raise NotationError(f"'{shown(text)}' is not a move. Moves look like P1+2, pass or 4:2.")


def _hand(text: str, whole: str) -> tuple[int, ...]:
    numbers = tuple(map(int, text))
    if numbers != tuple(sorted(set(numbers))):
        raise NotationError(
            f"'{shown(whole)}' is not a valid position: the numbers of the hand {text} are not in "
            "order, each once."
        )
    return numbers


def _cells(text: str, whole: str) -> Cells:
    parts = text.split(",")
    if not re.fullmatch(_CELLS, text):
        part = next(part for part in parts if not re.fullmatch(_CELL, part))
        raise NotationError(
            f"'{shown(whole)}' is not a valid position: '{shown(part)}' is neither a cell nor x."
        )
    return tuple([None if part == "x" else int(part) for part in parts])
