"""One game between two programs; a program that breaks the protocol loses it."""

from typing import NamedTuple

from lineduel.engine import Game, Move, Numbers, Position
from lineduel.errors import EngineError
from lineduel.players import Player
from lineduel.rules import Side


class GameResult(NamedTuple):
    """The moves of a game, who won (None at the limit of plies), and why without playing."""

    moves: tuple[Move, ...]
    winner: Side | None
    why: str | None = None
    """What the loser did wrong, if that is how it lost."""


def play_game(
    game: Game, start: Position, player1: Player, player2: Player, plies: int
) -> GameResult:
    """Play to the end, or up to a limit of plies; a battle is one ply."""
    players = {Side.ONE: player1, Side.TWO: player2}
    position, moves = start, list[Move]()
    while (winner := game.outcome(position)) is None and len(moves) < plies:
        side = position.side
        try:
            if position.battle is None:
                move = players[side].choose_move(position)
            else:
                numbers = []
                for side in Side:
                    numbers.append(players[side].choose_number(position, side))
                move = Numbers(*numbers)
        except EngineError as error:
            return GameResult(tuple(moves), side.other, str(error))
        moves.append(move)
        position = game.play(position, move)
    return GameResult(tuple(moves), winner)
