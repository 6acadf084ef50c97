"""A complete engine: it wins where it can at once, avoids losing at once, else plays at random."""

import random

from lineduel import Game, Move, Position
from lineduel.bot import BotQuestion, run_bot


def choose(question: BotQuestion) -> Move | int:
    game, position = question.game, question.position
    if position.battle is not None:
        return random.choice(question.choices)
    moves = game.moves(position)
    worths = [worth(game, position, move) for move in moves]
    best = [move for move, one in zip(moves, worths, strict=True) if one == max(worths)]
    return random.choice(best)


def worth(game: Game, position: Position, move: Move) -> int:
    """1 for a move that wins at once, -1 for one that lets the enemy do so."""
    me, after = position.side, game.play(position, move)
    if game.outcome(after) is me:
        return 1
    replies = [game.outcome(game.play(after, reply)) for reply in game.moves(after)]
    return -1 if me.other in replies else 0


if __name__ == "__main__":
    run_bot("example", choose)
