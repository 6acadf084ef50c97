"""Verify a table of values by checking every position against the positions its moves lead to.

Every position is checked, and the order does not matter: a win in n plies depends on a loss in
n - 1, and so on down to the end. An endless position has a move to an endless position and none
that wins.
"""

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import Threads, compiled
from lineduel.rules import Side
from lineduel.tablebase.dense import ENDLESS, LARGEST_PLIES, NO_POSITION, Plies
from lineduel.tablebase.tables import Moves, Tables
from lineduel.tablebase.turns import is_position, keeps_turn

_ALL_RIGHT = -1
_TOO_LONG = 1 << 16
"""Larger than any value in a table, so it equals no entry and is never mistaken for endless."""
_Found = NDArray[np.int64]


def first_mistake(
    tables: Tables, plies1: Plies, plies2: Plies, threads: Threads
) -> tuple[int, int, Side] | None:
    """The formations and side of a position with a wrong value; None if all values are correct."""
    one, two = tables.formations1.moves, tables.formations2.moves
    for table in (plies1, plies2):
        for edge in (table[-1], table[:, -1]):
            if edge.any():
                return one.size, two.size, Side.ONE
    found = np.full((one.size, 2), _ALL_RIGHT, np.int64)
    threads.work(
        verify_rows,
        0,
        one.size,
        *(plies1, plies2, one, two, found),
        units=one.size * two.size,
        share=1.0,
    )
    for row, side in np.argwhere(found != _ALL_RIGHT).tolist():
        return row, int(found[row, side]), Side(side + 1)
    return None


@compiled
def verify_rows(
    low: int, high: int, plies1: Plies, plies2: Plies, one: Moves, two: Moves, found: _Found
) -> None:
    """Record the last wrong column of each row, for each side to move."""
    for a in range(low, high):
        for b in range(len(two.occupied)):
            wrong1, wrong2 = wrong_sides(a, b, plies1, plies2, one, two)
            if wrong1:
                found[a, 0] = b
            if wrong2:
                found[a, 1] = b


@compiled
def wrong_sides(
    a: int, b: int, plies1: Plies, plies2: Plies, one: Moves, two: Moves
) -> tuple[bool, bool]:
    """Whether the value of a pair of formations is wrong, for each side to move.

    If the pair is not a position, all is reported for player 1.
    """
    if not is_position(one, a, two, b):
        return plies1[a, b] != NO_POSITION or plies2[a, b] != NO_POSITION, False
    right1 = _right(one, a, two, b, plies1, plies2, True)
    right2 = _right(two, b, one, a, plies2, plies1, False)
    stuck1, stuck2 = right1 == NO_POSITION, right2 == NO_POSITION
    if stuck1:  # two who can never move pass for ever
        right1 = _if_stuck(ENDLESS if stuck2 else plies2[a, b], one)
    if stuck2:
        right2 = _if_stuck(ENDLESS if stuck1 else plies1[a, b], two)
    return plies1[a, b] != right1, plies2[a, b] != right2


@compiled
def _right(
    mover: Moves,
    own: int,
    enemy: Moves,
    other: int,
    mine: Plies,
    theirs: Plies,
    is_player1: bool,
) -> int:
    """The correct value of a position given its successors; `NO_POSITION` if there is no move.

    `mine` holds the values with the mover to move, `theirs` those with the enemy to move.
    """
    loss, win, endless, moves = 0, _TOO_LONG, False, 0
    for move in range(mover.start[own], mover.start[own + 1]):
        if mover.bar[move] & enemy.occupied[other]:
            continue
        moves += 1
        to, hit = mover.to[move], enemy.hit[mover.land[move], other]
        keeps = keeps_turn(mover, to, enemy, other, hit)
        after = mine if keeps else theirs
        reached = after[to, hit] if is_player1 else after[hit, to]
        if reached == ENDLESS:
            endless = True
        elif (reached % 2 == 1) == keeps:
            win = min(win, _plies(reached, mover.again) + 1)
        else:
            loss = max(loss, _plies(reached, mover.again) + 1)
    if moves == 0:
        return NO_POSITION
    if win < _TOO_LONG:
        return _written(win, True, mover.again)
    if endless:
        return ENDLESS
    return _written(loss, False, mover.again)


@compiled
def _if_stuck(reached: int, mover: Moves) -> int:
    """The correct value for a mover without a legal move, whose pass leads to `reached`."""
    if mover.loses:
        return NO_POSITION  # lost in 0 plies
    if reached == ENDLESS:
        return ENDLESS
    return _written(_plies(reached, mover.again) + 1, reached % 2 == 0, mover.again)


@compiled
def _plies(written: int, again: bool) -> int:
    return (written + 1) // 2 if again else int(written)


@compiled
def _written(plies: int, won: bool, again: bool) -> int:
    """The encoding of a win or loss in `plies` plies; `_TOO_LONG` if it is out of range."""
    value = 2 * plies - won if again else plies
    return value if 0 < value <= LARGEST_PLIES else _TOO_LONG
