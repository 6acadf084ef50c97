"""One pass over a table in which no position can repeat, on a GPU.

Every move leads to formations whose levels add up to more. So all positions with the same sum of
levels are solved at the same time, those with the largest sum first.
"""

from collections import defaultdict

import numpy as np

from lineduel.compiled import compiled
from lineduel.tablebase.dense import ENDLESS, STUCK, Plies
from lineduel.tablebase.formations import Rows
from lineduel.tablebase.gpu.device_tables import DeviceTable
from lineduel.tablebase.gpu.visits import Rectangle, begin_visit, plan_visits, visitor
from lineduel.tablebase.tables import Moves, Tables
from lineduel.tablebase.turns import as_the_enemys, keeps_turn, mover_key, value_before


def sweep_on_gpu(
    tables: Tables, one: Moves, two: Moves, plies1: DeviceTable, plies2: DeviceTable
) -> None:
    """Fill tables of zeros with values; `one` and `two` are the moves on the device."""
    rounds: dict[int, list[Rectangle]] = defaultdict(list)
    for level1, low1, high1 in _groups(tables.formations1.levels):
        for level2, low2, high2 in _groups(tables.formations2.levels):
            rectangle = Rectangle(low1, high1 - low1, low2, high2 - low2)
            rounds[level1 + level2].append(rectangle)
    parts, visits = plan_visits(rounds[total] for total in sorted(rounds, reverse=True))
    for visit in visits:
        begin_visit(_sweep, visit, parts, one, two, plies1.plies, plies2.plies)


def _groups(levels: Rows) -> list[tuple[int, int, int]]:
    """The levels that occur, each with its first formation and the one after its last."""
    found, firsts = np.unique(levels, return_index=True)
    ends = [*firsts[1:].tolist(), len(levels)]
    return list(zip(found.tolist(), firsts.tolist(), ends, strict=True))


@compiled
def solve_pair(a: int, b: int, one: Moves, two: Moves, state: tuple[Plies, Plies]) -> None:
    """Compute both values of a pair of formations from the values of all its successors."""
    plies1, plies2 = state
    best1 = _best_key(one, a, two, b, plies1, plies2, True)
    best2 = _best_key(two, b, one, a, plies2, plies1, False)
    if best1 == STUCK and best2 == STUCK:
        plies1[a, b] = plies2[a, b] = ENDLESS
        return
    if best1 == STUCK:  # a pass: the enemy's value is known first
        best1 = mover_key(value_before(best2, two.again))
    elif best2 == STUCK:
        best2 = mover_key(value_before(best1, one.again))
    plies1[a, b] = value_before(best1, one.again)
    plies2[a, b] = value_before(best2, two.again)


@compiled
def _best_key(
    mover: Moves, own: int, enemy: Moves, other: int, mine: Plies, theirs: Plies, is_player1: bool
) -> np.uint16:
    """The smallest `mover_key` of all legal moves; `STUCK` if there is none."""
    best = np.uint16(STUCK)
    if mover.sure[own]:
        return np.uint16(0)
    occupied = enemy.occupied[other]
    for move in range(mover.start[own], mover.start[own + 1]):
        if mover.bar[move] & occupied:
            continue
        to, hit = mover.to[move], enemy.hit[mover.land[move], other]
        if keeps_turn(mover, to, enemy, other, hit):
            key = mover_key(as_the_enemys(mine[to, hit] if is_player1 else mine[hit, to]))
        else:
            key = mover_key(theirs[to, hit] if is_player1 else theirs[hit, to])
        best = min(best, key)
        if best == 0:  # nothing is better than to win at once
            break
    return best


_sweep = visitor(solve_pair)
