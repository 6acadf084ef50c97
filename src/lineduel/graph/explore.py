"""Find all positions reachable from a position, with the engine or with compiled code."""

from array import array
from collections.abc import Callable
from importlib.util import find_spec

from lineduel.engine import Game, Likeness, Position
from lineduel.errors import TooLarge
from lineduel.graph.columns import BATTLE, Columns
from lineduel.graph.game_graph import GameGraph

_Progress = Callable[[int], None]
"""Called at intervals with the number of positions found so far."""

MOST_POSITIONS = 200_000
"""The largest number of positions for computations with arrays."""
_PROGRESS_EVERY = 1000


def explore_by_engine(
    game: Game, start: Position, most: int = MOST_POSITIONS, progress: _Progress | None = None
) -> GameGraph:
    """The graph of reachable positions, found with the engine; `TooLarge` for more than `most`."""
    standing_for = Likeness(game.rules).standing_for
    positions = [standing_for(start)]
    numbers = {positions[0]: 0}
    first, after, mover, winner = array("q", [0]), array("q"), array("b"), array("b")
    for position in positions:
        for move in game.moves(position):
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
    return GameGraph(game=game, positions=positions, columns=Columns(first, after, mover, winner))


def explore_compiled(
    game: Game, start: Position | None = None, most: int = MOST_POSITIONS
) -> GameGraph:
    """The graph of reachable positions, found with compiled code if possible.

    Use it for computations on the whole graph. The compiled code takes a second to load. If no
    compiler is installed, the engine is used.
    """
    start = start or game.start()
    compiler = find_spec("numba") is not None
    try:
        if compiler:
            from lineduel.graph.breadth_first import breadth_first

            return breadth_first(game, start, most)
        return explore_by_engine(game, start, most)
    except TooLarge:
        told = f"There are more than {most:,} positions, too many to compute every pairing."
        raise TooLarge(most, most, told) from None
