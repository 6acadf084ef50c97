"""What is drawn on a track at one moment, and the frames of an animated move."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lineduel.engine import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    Game,
    Moved,
    Position,
    SentHome,
    Won,
)
from lineduel.rules import Side

BLINKS = 3
"""How often a cell flashes when something happens on it."""


class Picture(NamedTuple):
    """Where every piece is drawn, and the cells on which something happens."""

    places: Mapping[str, int | None]
    """The cell of each piece; None for one that was captured."""
    signs: Mapping[int, str]
    """What happens on a cell: `captured`, `home`, `battle` or `won`."""

    def standing(self, cell: int) -> tuple[str, ...]:
        """The pieces on a cell, in the rulebook's order."""
        return tuple(piece for piece, place in self.places.items() if place == cell)


def picture_of(game: Game, position: Position) -> Picture:
    """The picture of a position, with a sign where a battle is open."""
    places = {
        piece.name: cell
        for side in Side
        for piece, cell in zip(game.rules.team(side).pieces, position.cells(side), strict=True)
    }
    return Picture(places, {} if position.battle is None else {position.battle: "battle"})


def moments(game: Game, before: Position, events: tuple[Event, ...]) -> Iterator[Picture]:
    """The frames of a move: the piece goes from cell to cell, then its effects on others."""
    shown = picture_of(game, before)._replace(signs={})
    for event in events:
        match event:
            case Moved(_, piece, _, start, end):
                yield from _glide(shown, piece, start, end)
                shown = _moved(shown, piece, end)
            case Captured(_, piece, cell):
                yield from _blink(shown, cell, "captured")
                shown = _moved(shown, piece, None)
            case SentHome(_, piece, start, home):
                yield from _blink(shown, start, "home")
                yield from _glide(shown, piece, start, home)
                shown = _moved(shown, piece, home)
            case BattleOpened(cell) | BattleSettled(cell):
                yield from _blink(shown, cell, "battle")
            case Won(_, _, _, cell) if cell is not None:
                yield from _blink(shown, cell, "won")
            case _:
                pass


def _moved(shown: Picture, piece: str, cell: int | None) -> Picture:
    return shown._replace(places={**shown.places, piece: cell})


def _glide(shown: Picture, piece: str, start: int, end: int) -> Iterator[Picture]:
    step = 1 if end > start else -1
    for cell in range(start + step, end + step, step):
        yield _moved(shown, piece, cell)


def _blink(shown: Picture, cell: int, sign: str) -> Iterator[Picture]:
    for _ in range(BLINKS):
        yield shown._replace(signs={cell: sign})
        yield shown
