"""A complete engine: it wins where it can at once, avoids losing at once, else plays at random."""

import random
import sys

from lineduel import Game, LineduelError, Move, Position, Rulebook, parse_move, read_position
from lineduel.rules import Words
from lineduel.rules.assignments import parse_rules


def new_game(rules: str) -> Game:
    return Game(Rulebook(id="", title="", summary="", rules=parse_rules(rules), words=Words()))


def choose(game: Game, position: Position, side: str) -> Move | int:
    if position.battle is not None and game.rules.battle is not None and side in ("1", "2"):
        return random.randint(1, game.rules.battle.numbers)
    me = position.side

    def worth(move: Move) -> int:
        after = game.play(position, move)
        if game.outcome(after) is me:
            return 1
        replies = [game.outcome(game.play(after, reply)) for reply in game.moves(after)]
        return -1 if me.other in replies else 0

    moves = game.moves(position)
    best = max(map(worth, moves))
    return random.choice([move for move in moves if worth(move) == best])


def main() -> None:
    game = position = None
    for line in sys.stdin:
        try:
            match line.split():
                case ["duel"]:
                    print("id name example\nduelok", flush=True)
                case ["isready"]:
                    print("readyok", flush=True)
                case ["rules", "set", *_]:
                    game, position = new_game(line.split(None, 2)[2]), None
                case ["position", where, *moves] if game:
                    position = read_position(game, where)
                    for move in moves[1:]:
                        position = game.play(position, parse_move(move))
                case ["go", *words] if game and position and game.moves(position):
                    print("bestmove", choose(game, position, words[-1]), flush=True)
                case ["quit"]:
                    return
                case [_, *_]:
                    print("error not understood:", line.strip(), flush=True)
        except LineduelError as error:
            print("error", *str(error).split(), flush=True)


main()
