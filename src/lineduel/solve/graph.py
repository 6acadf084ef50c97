"""All positions that can come up from one, and where each leads."""

from collections.abc import Callable
from dataclasses import dataclass, field

from lineduel.engine import Game, Position
from lineduel.engine.symmetry import Likeness
from lineduel.errors import TooLarge

Progress = Callable[[int], None]
"""Called now and then with the number of positions found so far."""

_PROGRESS_EVERY = 1000


@dataclass(slots=True)
class Graph:
    """Positions as numbers, the start being 0; like pieces are not told apart.

    `after` holds, for each legal move of a position in the rulebook's order, the number of the
    position it leads to; for an open battle that is a matrix, row by row.
    """

    game: Game
    likeness: Likeness
    positions: list[Position] = field(default_factory=list)
    after: list[tuple[int, ...]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.positions)


def explore(game: Game, start: Position, most: int, progress: Progress | None = None) -> Graph:
    """The graph of what can come up; more than `most` positions are refused."""
    graph = Graph(game, Likeness(game.rules))
    first = graph.likeness.standing_for(start)
    numbers = {first: 0}
    positions, after = graph.positions, graph.after
    positions.append(first)
    for position in positions:
        row = []
        for move in game.moves(position):
            reached = graph.likeness.standing_for(game.play(position, move))
            number = numbers.setdefault(reached, len(positions))
            if number == len(positions):
                positions.append(reached)
            row.append(number)
        after.append(tuple(row))
        if len(positions) > most:
            raise TooLarge(len(positions), most)
        if progress and len(after) % _PROGRESS_EVERY == 0:
            progress(len(positions))
    return graph
