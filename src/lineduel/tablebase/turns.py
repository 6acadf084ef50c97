"""Whose turn it is after a move of a table, and what a value then means to the mover."""

import numpy as np

from lineduel.compiled import compiled
from lineduel.tablebase.plies import ENDLESS
from lineduel.tablebase.tables import Moves


@compiled
def keeps_turn(mover: Moves, to: int, enemy: Moves, before: int, hit: int) -> bool:
    """Whether a side moves again that now stands in `to`, the enemy in `hit` after `before`."""
    if not mover.again or hit == before or to == len(mover.occupied) or hit == len(enemy.occupied):
        return False
    return can_move(mover, to, enemy.occupied[hit])


@compiled
def can_move(mover: Moves, own: int, occupied: np.uint64) -> bool:
    """Whether a formation has a move that an enemy on these cells does not bar."""
    for move in range(mover.start[own], mover.start[own + 1]):
        if mover.bar[move] & occupied == 0:
            return True
    return False


@compiled
def as_the_enemys(value: np.uint16) -> np.uint16:
    """How a value of the mover's own turn would be written if it were the enemy's."""
    if value == ENDLESS:
        return value
    return np.uint16(value + 1 if value & 1 else value - 1)
