"""Counts of move sequences, which show whether two engines agree on the rules."""

from collections import Counter
from collections.abc import Iterator

from lineduel.engine.game import Game
from lineduel.engine.position import Position


def perft(game: Game, start: Position, depth: int) -> Iterator[int]:
    """The number of move sequences of length 1, 2, … up to `depth`, one after the other.

    Sequences that reach the same position are counted together.
    """
    ways = Counter({start: 1})
    for _ in range(depth):
        after: Counter[Position] = Counter()
        for position, number in ways.items():
            for move in game.moves(position):
                after[game.play(position, move)] += number
        ways = after
        yield ways.total()
