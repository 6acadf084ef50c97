"""Which pieces are interchangeable, and the position that represents all arrangements of them."""

from functools import lru_cache

from lineduel.engine.position import Cells, Position
from lineduel.rules import Rules, Side


class Likeness:
    """Pieces of one side are alike when their homes are the same or can never matter.

    A piece whose name is given as `apart` is like no other.
    """

    def __init__(self, rules: Rules, apart: str | None = None) -> None:
        self._groups: dict[Side, Groups] = {}
        for side in Side:
            names = [piece.name for piece in rules.team(side).pieces]
            groups = (
                tuple(index for index in group if names[index] != apart)
                for group in rules.like_pieces(side)
            )
            self._groups[side] = tuple(group for group in groups if len(group) > 1)

    def standing_for(self, position: Position) -> Position:
        """The position with like pieces in order; equal exactly for positions that are alike."""
        player1 = _ordered(position.player1, self._groups[Side.ONE])
        player2 = _ordered(position.player2, self._groups[Side.TWO])
        if player1 == position.player1 and player2 == position.player2:
            return position
        return Position(player1, player2, position.side, position.battle, position.hands)

    def order(self, position: Position) -> tuple[int, ...]:
        """For each piece of the position that stands for this one, which piece here it is.

        Player 2's pieces are counted on from player 1's.
        """
        order1 = _order(position.player1, self._groups[Side.ONE])
        order2 = _order(position.player2, self._groups[Side.TWO])
        return (*order1, *(len(order1) + one for one in order2))


Groups = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=1 << 15)  # the same few formations, over and over
def _ordered(cells: Cells, groups: Groups) -> Cells:
    if not groups:
        return cells
    ordered = list(cells)
    for group in groups:
        standing = sorted((cells[index] for index in group), key=_key)
        for index, cell in zip(group, standing, strict=True):
            ordered[index] = cell
    return tuple(ordered)


def _order(cells: Cells, groups: Groups) -> tuple[int, ...]:
    order = list(range(len(cells)))
    for group in groups:
        standing = sorted(group, key=lambda index: _key(cells[index]))
        for index, piece in zip(group, standing, strict=True):
            order[index] = piece
    return tuple(order)


def _key(cell: int | None) -> tuple[bool, int]:
    return cell is None, cell or 0
