"""Pairs of formations that are positions, who moves next, and values as the mover sees them."""

import numpy as np

from lineduel.compiled import compiled
from lineduel.tablebase.dense import ENDLESS
from lineduel.tablebase.tables import Moves


@compiled
def is_position(one: Moves, a: int, two: Moves, b: int) -> bool:
    """Whether two formations can be on the track at the same time."""
    apart: bool = (one.shuns[a] & two.keeps[b]) | (one.keeps[a] & two.shuns[b]) == 0
    return apart


@compiled
def keeps_turn(mover: Moves, to: int, enemy: Moves, before: int, hit: int) -> bool:
    """Whether a side that is now in `to` moves again; the enemy went from `before` to `hit`."""
    if not mover.again or hit == before or to == len(mover.occupied) or hit == len(enemy.occupied):
        return False
    return can_move(mover, to, enemy.occupied[hit])


@compiled
def leaves_stuck(mover: Moves, move: int, enemy: Moves, other: int) -> bool:
    """Whether a legal move that does not end the game gives the turn to an enemy who is stuck."""
    to, hit = mover.to[move], enemy.hit[mover.land[move], other]
    stuck = not can_move(enemy, hit, mover.occupied[to])
    return stuck and not keeps_turn(mover, to, enemy, other, hit)


@compiled
def can_move(mover: Moves, own: int, occupied: np.uint64) -> bool:
    """Whether a formation has a legal move if the enemy occupies these cells."""
    for move in range(mover.start[own], mover.start[own + 1]):
        if mover.bar[move] & occupied == 0:
            return True
    return False


@compiled
def value_if_stuck(passed: np.uint16, mover: Moves) -> np.uint16:
    """The value for a mover without a legal move; `passed` is that with the enemy to move."""
    if mover.loses:
        return np.uint16(0)
    return value_before(mover_key(passed), mover.again)


@compiled
def as_the_enemys(value: np.uint16) -> np.uint16:
    """A value with the mover to move, rewritten as if it were the enemy's turn."""
    if value == ENDLESS:
        return value
    return np.uint16(value + 1 if value & 1 else value - 1)


@compiled
def mover_key(plies: np.uint16) -> np.uint16:
    """The key of a successor by which the mover compares its moves; smaller is better.

    It is n if the enemy loses in n plies, `ENDLESS` if play is endless, and 0xFFFF - n if the enemy
    wins in n plies. `STUCK` as a key means that there is no legal move.
    """
    return plies ^ np.uint16(0xFFFF * (plies & 1))


@compiled
def value_before(key: np.uint16, again: bool) -> np.uint16:
    """The value of a position whose best successor has that key; `again` selects the encoding."""
    if key == ENDLESS:
        return key
    return np.uint16(key + 1 if key < ENDLESS else 0xFFFF - key + (3 if again else 1))
