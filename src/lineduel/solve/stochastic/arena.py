"""Finite two-player games with simultaneous choices, as numbered nodes.

Player 1 is paid where play ends and 0 where it never does: Everett's recursive games.
"""

from dataclasses import dataclass

from lineduel.rules import Side


@dataclass(frozen=True, slots=True)
class Ended:
    """Play is over, and player 1 is paid."""

    payoff: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One side chooses among the nodes that follow."""

    side: Side
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Clash:
    """Both choose at once: player 1 a row, player 2 a column."""

    after: tuple[tuple[int, ...], ...]


Node = Ended | Choice | Clash


@dataclass(frozen=True, slots=True)
class Arena:
    """The nodes of a game, each known by its number."""

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
        """The same game seen from the other chair."""
        return Arena(tuple(map(_mirrored, self.nodes)))


def _mirrored(node: Node) -> Node:
    match node:
        case Ended(payoff):
            return Ended(-payoff)
        case Choice(side, after):
            return Choice(side.other, after)
        case Clash(rows):
            return Clash(tuple(zip(*rows, strict=True)))
