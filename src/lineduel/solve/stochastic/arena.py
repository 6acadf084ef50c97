"""Finite two-player games with simultaneous choices, as numbered nodes.

Player 1 receives a payoff when play ends, and 0 if it never ends (Everett's recursive games).
"""

from dataclasses import dataclass

from lineduel.rules import Side


@dataclass(frozen=True, slots=True)
class Ended:
    """Play is over, and player 1 receives the payoff."""

    payoff: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One side chooses the next node."""

    side: Side
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Clash:
    """Both sides choose simultaneously: player 1 a row, player 2 a column."""

    after: tuple[tuple[int, ...], ...]


Node = Ended | Choice | Clash


@dataclass(frozen=True, slots=True)
class Arena:
    """The nodes of a game, identified by their index."""

    nodes: tuple[Node, ...]

    def __post_init__(self) -> None:
        for number, node in enumerate(self.nodes):
            match node:
                case Ended():
                    continue
                case Choice(_, after):
                    reached, whole = set(after), bool(after)
                case Clash(rows):
                    reached = {target for row in rows for target in row}
                    whole = bool(reached) and len({len(row) for row in rows}) == 1
            if not whole or not all(0 <= target < len(self.nodes) for target in reached):
                raise ValueError(f"node {number} does not lead to nodes of the arena: {node}")

    def mirrored(self) -> "Arena":
        """The same game with the two sides exchanged."""
        return Arena(tuple(map(_mirrored, self.nodes)))


def _mirrored(node: Node) -> Node:
    match node:
        case Ended(payoff):
            return Ended(-payoff)
        case Choice(side, after):
            return Choice(side.other, after)
        case Clash(rows):
            return Clash(tuple(zip(*rows, strict=True)))
