"""Find all positions reachable from a position, with the engine or with compiled code."""

from array import array
from collections.abc import Callable
from itertools import islice

from lineduel.compiled import compiler_installed
from lineduel.engine import Game, Likeness, Position
from lineduel.errors import TooLarge
from lineduel.graph.game_graph import BATTLE, Columns, GameGraph

_Progress = Callable[[int], None]
"""Called at intervals with the number of positions found so far."""

MOST_POSITIONS = 200_000
"""The largest number of positions for computations with arrays."""
_PROGRESS_EVERY = 1000


class Exploration:
    """A breadth-first search with the engine; one that was stopped can go on."""

    def __init__(self, game: Game, start: Position) -> None:
        self._game = game
        self._standing_for = Likeness(game.rules).standing_for
        self._positions = [self._standing_for(start)]
        self._numbers = {self._positions[0]: 0}
        self._columns = array("q", [0]), array("q"), array("b"), array("b")

    def graph(self, most: int = MOST_POSITIONS, progress: _Progress | None = None) -> GameGraph:
        """The graph of reachable positions; `TooLarge` for more than `most`.

        After that, a call with a larger `most` goes on with what was found.
        """
        game, standing_for = self._game, self._standing_for
        positions, numbers = self._positions, self._numbers
        first, after, mover, winner = self._columns
        for position in islice(positions, len(mover), None):
            for move in game.choices(position):
                reached = standing_for(game.play(position, move))
                number = numbers.setdefault(reached, len(positions))
                if number == len(positions):
                    positions.append(reached)
                after.append(number)
            first.append(len(after))
            mover.append(position.side if position.battle is None else BATTLE)
            winner.append(game.outcome(position) or 0)
            if len(positions) > most:
                raise TooLarge(len(positions), most)
            if progress and len(mover) % _PROGRESS_EVERY == 0:
                progress(len(positions))
        return GameGraph(game=game, positions=positions, columns=Columns(*self._columns))


def explore_by_engine(game: Game, start: Position, most: int = MOST_POSITIONS) -> GameGraph:
    """The graph of reachable positions, found with the engine; `TooLarge` for more than `most`."""
    return Exploration(game, start).graph(most)


def explore_compiled(
    game: Game, start: Position | None = None, most: int = MOST_POSITIONS
) -> GameGraph:
    """The graph of reachable positions, found with compiled code if possible.

    Use it for computations on the whole graph. The compiled code takes a second to load. If no
    compiler is installed, the engine is used.
    """
    start = start or game.start()
    try:
        if compiler_installed():
            from lineduel.graph.breadth_first import breadth_first

            return breadth_first(game, start, most)
        return explore_by_engine(game, start, most)
    except TooLarge:
        told = f"There are more than {most:,} positions, too many to compute every pairing."
        raise TooLarge(most, most, told) from None
