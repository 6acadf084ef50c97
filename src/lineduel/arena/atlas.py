"""Every position of a game as a number, and where each choice leads, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lineduel.engine import Game, Position
from lineduel.errors import TooLarge
from lineduel.players import Policy
from lineduel.rules import Side
from lineduel.solve.graph import Graph, explore

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 200_000
"""Positions up to which a pair of players is computed with."""
BATTLE = 0
"""Who moves in an open battle: both."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Atlas:
    """The graph of a game laid out in arrays; like pieces are not told apart, the start is 0.

    The choices of position p are `first[p]` to `first[p + 1]`, in the order of its legal moves;
    for an open battle that is a matrix, row by row.
    """

    game: Game
    positions: Sequence[Position]
    first: "NDArray[np.int64]"
    origin: "NDArray[np.int64]"
    """The position of each choice."""
    after: "NDArray[np.int64]"
    """Where each choice leads."""
    mover: "NDArray[np.int8]"
    """1 or 2, or BATTLE."""
    winner: "NDArray[np.int8]"
    """1 or 2 where the game is over, else 0."""
    battles: "NDArray[np.int64]"
    """The positions with an open battle."""

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def numbers(self) -> int:
        """How many numbers a battle has, 0 in a game without battles."""
        battle = self.game.rules.battle
        return battle.numbers if battle else 0


def survey(game: Game, start: Position | None = None, most: int = MOST) -> Atlas:
    """The atlas of all that can come up; more than `most` positions are refused."""
    try:
        graph = explore(game, start or game.start(), most)
    except TooLarge:
        told = f"There are more than {most:,} positions, too many to compute every pairing."
        raise TooLarge(most, most, told) from None
    return lay_out(graph)


def lay_out(graph: Graph) -> Atlas:
    """A graph as arrays."""
    sizes = np.array([len(row) for row in graph.after], np.int64)
    in_battle = np.array([position.battle is not None for position in graph.positions])
    sides = np.array([int(position.side) for position in graph.positions], np.int8)
    return Atlas(
        game=graph.game,
        positions=graph.positions,
        first=np.concatenate(([0], np.cumsum(sizes))),
        origin=np.repeat(np.arange(len(graph)), sizes),
        after=np.array([reached for row in graph.after for reached in row], np.int64),
        mover=np.where(in_battle, np.int8(BATTLE), sides),
        winner=np.array([graph.game.outcome(one) or 0 for one in graph.positions], np.int8),
        battles=np.flatnonzero(in_battle),
    )


@dataclass(frozen=True, eq=False)
class Sheet:
    """A policy written out over an atlas, for whichever seat it takes."""

    turns: "NDArray[np.float64]"
    """The chance of each choice where it is to move; 0 in battles."""
    numbers: "NDArray[np.float64]"
    """For each side, open battle and number, its chance."""


def write_out(policy: Policy, atlas: Atlas) -> Sheet:
    """Ask a policy about every position once."""
    turns = np.zeros(len(atlas.after))
    first = atlas.first.tolist()
    for at, position in enumerate(atlas.positions):
        if position.battle is None and first[at] != first[at + 1]:
            turns[first[at] : first[at + 1]] = policy.chances(position, position.side)
    numbers = [
        [policy.chances(atlas.positions[at], side) for at in atlas.battles.tolist()]
        for side in Side
    ]
    shape = len(Side), len(atlas.battles), atlas.numbers
    return Sheet(turns, np.array(numbers, np.float64).reshape(shape))


def together(atlas: Atlas, player1: Sheet, player2: Sheet) -> "NDArray[np.float64]":
    """The chance of each choice of the atlas when these two play."""
    movers = atlas.mover[atlas.origin]
    chances = np.where(movers == Side.ONE, player1.turns, player2.turns)
    if len(atlas.battles):
        rows, columns = player1.numbers[0], player2.numbers[1]
        pairs: NDArray[np.float64] = rows[:, :, None] * columns[:, None, :]
        chances[movers == BATTLE] = pairs.reshape(-1)
    return chances
