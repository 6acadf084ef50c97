"""Policies, which give each choice a chance, and players, which make choices."""

from random import Random
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from lineduel.engine import Game, Move, Position
from lineduel.rules import Side

if TYPE_CHECKING:
    from lineduel.graph import GameGraph, PolicyTable

Chances = tuple[float, ...]
"""The chance of each legal move in order, or of each number in hand in a battle; they add up to 1.
"""


class Policy(Protocol):
    """A way of playing with known chances, so that results can be computed."""

    @property
    def name(self) -> str:
        """How it is written on a command line, as `level:3`."""
        ...

    def chances(self, position: Position, side: Side) -> Chances:
        """The chances of that side's choices in a game that is not over."""
        ...


def evenly(choices: list[int], size: int) -> Chances:
    """The same chance for each of some choices, none for the others."""
    share = 1 / len(choices)
    return tuple(share if number in choices else 0.0 for number in range(size))


class Player(Protocol):
    """Someone in a seat, whether or not the chances are known; closed at the end."""

    def choose_move(self, position: Position) -> Move:
        """A legal move for the side to move."""
        ...

    def choose_number(self, position: Position, side: Side) -> int:
        """That side's number in an open battle."""
        ...

    def close(self) -> None:
        """Release its resources; it may be called again."""
        ...


class SamplingPlayer:
    """A player whose choices are sampled from a policy."""

    def __init__(self, policy: Policy, game: Game, rng: Random) -> None:
        self._policy, self._game, self._rng = policy, game, rng

    def choose_move(self, position: Position) -> Move:
        chances = self._policy.chances(position, position.side)
        return self._rng.choices(self._game.moves(position), chances)[0]

    def choose_number(self, position: Position, side: Side) -> int:
        chances = self._policy.chances(position, side)
        return self._rng.choices(self._game.hand(position, side), chances)[0]

    def close(self) -> None:
        pass


@runtime_checkable
class Tabular(Protocol):
    """A policy that can be written out over a whole graph at once."""

    def table(self, graph: "GameGraph") -> "PolicyTable":
        """Its chances in every position."""
        ...


def policy_table(policy: Policy, graph: "GameGraph") -> "PolicyTable":
    """A policy as a table over a graph: made at once if it can, else position by position."""
    return policy.table(graph) if isinstance(policy, Tabular) else written_out(policy, graph)


def written_out(policy: Policy, graph: "GameGraph") -> "PolicyTable":
    """Ask a policy about every position of a graph once."""
    import numpy as np

    from lineduel.graph import BATTLE, PolicyTable

    moves = np.zeros(len(graph.after))
    first, mover = graph.first.tolist(), graph.mover.tolist()
    for at, position in enumerate(graph.positions):
        if mover[at] != BATTLE and first[at] != first[at + 1]:
            moves[first[at] : first[at + 1]] = policy.chances(position, position.side)
    numbers = np.zeros((len(Side), len(graph.battles), graph.numbers))
    for side in Side:
        for place, at in enumerate(graph.battles.tolist()):
            position = graph.positions[at]
            hand = [number - 1 for number in graph.game.hand(position, side)]
            numbers[side - 1, place, hand] = policy.chances(position, side)
    return PolicyTable(moves, numbers)
