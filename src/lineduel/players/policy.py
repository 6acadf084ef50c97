"""Policies: for any position, the chance of each choice."""

from random import Random
from typing import Protocol

from lineduel.engine import Game, Move, Position
from lineduel.rules import Side

Chances = tuple[float, ...]
"""The chance of each legal move in order, or of each number in a battle; they add up to 1."""


class Policy(Protocol):
    """A way of playing with known chances, so that results can be computed."""

    @property
    def name(self) -> str:
        """How it is written on a command line, as `level:3`."""
        ...

    @property
    def description(self) -> str:
        """How it thinks, in one plain sentence."""
        ...

    def chances(self, position: Position, side: Side) -> Chances:
        """The chances of that side's choices in a game that is not over."""
        ...


def choose_move(policy: Policy, game: Game, position: Position, rng: Random) -> Move:
    """Draw a move for the side to move."""
    moves = game.moves(position)
    chances = policy.chances(position, position.side)
    return rng.choices(moves, chances)[0]


def choose_number(policy: Policy, position: Position, side: Side, rng: Random) -> int:
    """Draw a number in a battle."""
    chances = policy.chances(position, side)
    return rng.choices(range(1, len(chances) + 1), chances)[0]


def evenly(choices: list[int], size: int) -> Chances:
    """The same chance for each of some choices, none for the others."""
    share = 1 / len(choices)
    return tuple(share if number in choices else 0.0 for number in range(size))
