"""A program that takes a seat: it is asked for moves and numbers, and closed at the end."""

from random import Random
from typing import Protocol

from lineduel.engine import Game, Move, Position
from lineduel.players.policy import Policy, choose_move, choose_number
from lineduel.rules import Side


class Player(Protocol):
    """Whatever chooses, whether or not its chances are known."""

    def choose_move(self, position: Position) -> Move:
        """A legal move for the side to move."""
        ...

    def choose_number(self, position: Position, side: Side) -> int:
        """That side's number in an open battle."""
        ...

    def close(self) -> None:
        """Release its resources; it may be called again."""
        ...


class Drawing:
    """A policy that draws its choices at random."""

    def __init__(self, policy: Policy, game: Game, rng: Random) -> None:
        self._policy, self._game, self._rng = policy, game, rng

    def choose_move(self, position: Position) -> Move:
        return choose_move(self._policy, self._game, position, self._rng)

    def choose_number(self, position: Position, side: Side) -> int:
        return choose_number(self._policy, position, side, self._rng)

    def close(self) -> None:
        pass
