"""A move as people read it: the one form for texts, lists, logs, hints and reviews."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from lineduel.engine import Game, Move, Position, Step
from lineduel.rules import Labels


def cell_label(game: Game, cell: int) -> str:
    """A cell as the rulebook prints it."""
    signed = game.rulebook.words.labels is Labels.SIGNED and cell
    return f"{cell:+d}" if signed else str(cell)


def move_text(game: Game, position: Position, move: Move) -> str:
    """A legal move: `P1-C 2→4`, `P1 back to 1`, `P1 stays`, `pass`; a battle's numbers `4:2`."""
    if not isinstance(move, Step):
        return str(move)
    start, end = game.cell_of(position, move.piece), game.landing(position, move)
    assert start is not None
    assert end is not None
    return step_text(move.piece, start, end, partial(cell_label, game), back=move.step < 0)


def step_text(
    piece: str, start: int, end: int, label: Callable[[int], str], *, back: bool = False
) -> str:
    """A piece that goes from a cell to another, or stays."""
    if start == end:
        return f"{piece} stays"
    if back:
        return f"{piece} back to {label(end)}"
    return f"{piece} {label(start)}→{label(end)}"


def line_text(game: Game, position: Position, moves: Iterable[Move], more: str = "") -> str:
    """A line of play from a position: `P1-C 2→4, P2-C 8→6, …`, if `more` is `…`."""
    return ", ".join([*_texts(game, position, moves), *([more] if more else [])])


def _texts(game: Game, position: Position, moves: Iterable[Move]) -> Iterator[str]:
    for move in moves:
        yield move_text(game, position, move)
        position = game.play(position, move)


@dataclass(frozen=True, slots=True)
class MoveWords:
    """Puts the moves of one position into words, for facts that name some of them."""

    game: Game
    position: Position

    def __call__(self, move: Move) -> str:
        return move_text(self.game, self.position, move)

    def line(self, *moves: Move, more: str = "") -> str:
        """Moves that follow each other from that position."""
        return line_text(self.game, self.position, moves, more)
