"""A move as people read it: the one form for texts, lists, logs, hints and reviews."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from lineduel.engine import Captured, Game, Move, Position, Step
from lineduel.rules import Labels, listed


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


def line_text(
    game: Game,
    position: Position,
    moves: Iterable[Move],
    more: str = "",
    *,
    captures: bool = False,
) -> str:
    """A line of play from a position: `P1-C 2→4, P2-C 8→6, …`, if `more` is `…`.

    With captures it says what is taken: `P1-C 4→6 takes P2-C`.
    """
    texts = []
    for move in moves:
        text = move_text(game, position, move)
        taken = _taken(game, position, move) if captures else ()
        texts.append(f"{text} takes {listed(taken, 'and')}" if taken else text)
        position = game.play(position, move)
    return ", ".join([*texts, *([more] if more else [])])


def _taken(game: Game, position: Position, move: Move) -> tuple[str, ...]:
    events = game.events(position, move)
    return tuple(event.piece for event in events if isinstance(event, Captured))


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
