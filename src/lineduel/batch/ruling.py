"""The engine's rules over rows of cells, in the form that compiles; there are no battles.

A row holds the cells of player 1's pieces and then of player 2's, counted from 0; a captured
piece stands on `OUT`. Every function here is checked against the engine, position by position.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import inner
from lineduel.engine import Position
from lineduel.kernel.formations import OUT
from lineduel.rules import Edge, Meeting, Rules, Side

Row = NDArray[np.int8]

ILLEGAL = -1
"""Where an illegal step leads."""
NOBODY = -1


class Ruling(NamedTuple):
    """A rulebook's rules as plain numbers."""

    cells: int
    pieces1: int
    """How many pieces are player 1's."""
    steps: NDArray[np.int64]
    homes: NDArray[np.int8]
    goals: NDArray[np.bool_]
    """For each side and cell, whether a piece there wins; `OUT` is among the cells."""
    fellow: NDArray[np.int64]
    """The piece before each that is like it, or NOBODY."""
    jumps: bool
    stays: bool
    """Whether a step off the track is a stay."""
    own_blocks: bool
    enemy_blocks: bool
    captures: bool
    sends_home: bool
    wins: bool


def rule(rules: Rules) -> Ruling:
    """The rules as numbers; a ValueError where there are battles."""
    enemy = rules.meet.enemy
    if enemy is Meeting.BATTLE:
        raise ValueError("Battles are no part of these charts.")
    first, teams = rules.track.first, (rules.player1, rules.player2)
    goals = np.zeros((len(Side), OUT + 1), np.bool_)
    homes: list[int] = []
    fellow: list[int] = []
    for number, team in enumerate(teams):
        for cell in team.goal:
            goals[number, cell - first] = True
        last: dict[int, int] = {}
        for home in team.homes:
            # A home tells pieces apart only where one can be sent there.
            kind = home if enemy is Meeting.SENT_HOME else first
            fellow.append(last.get(kind, NOBODY))
            last[kind] = len(homes)
            homes.append(home - first)
    return Ruling(
        cells=len(rules.track),
        pieces1=len(rules.player1.pieces),
        steps=np.array(rules.movement.steps, np.int64),
        homes=np.array(homes, np.int8),
        goals=goals,
        fellow=np.array(fellow, np.int64),
        jumps=rules.movement.jump,
        stays=rules.movement.edge is Edge.STAY,
        own_blocks=rules.meet.own is Meeting.BLOCKED,
        enemy_blocks=enemy is Meeting.BLOCKED,
        captures=enemy is Meeting.CAPTURED,
        sends_home=enemy is Meeting.SENT_HOME,
        wins=enemy is Meeting.WINS,
    )


def row_of(rules: Rules, position: Position) -> Row:
    """A position's cells; like pieces need not be in order."""
    first = rules.track.first
    cells = position.player1 + position.player2
    return np.array([OUT if cell is None else cell - first for cell in cells], np.int8)


@inner
def arrange(ruling: Ruling, row: Row) -> None:
    """Put like pieces in order, captured ones last: an insertion sort along each chain."""
    for piece in range(len(row)):
        cell, place, before = row[piece], piece, ruling.fellow[piece]
        while before != NOBODY and row[before] > cell:
            row[place] = row[before]
            place, before = before, ruling.fellow[before]
        row[place] = cell


@inner
def winner_of(ruling: Ruling, row: Row, side: int) -> int:
    """The side that has won, or 0 while the game goes on."""
    goal1, goal2, left1, left2 = False, False, False, False
    for piece in range(ruling.pieces1):
        goal1 |= ruling.goals[0, row[piece]]
        left1 |= row[piece] != OUT
    for piece in range(ruling.pieces1, len(row)):
        goal2 |= ruling.goals[1, row[piece]]
        left2 |= row[piece] != OUT
    if goal1:
        return 1
    if goal2:
        return 2
    if not left2:
        return 1
    if not left1:
        return 2
    if ruling.wins:
        for one in range(ruling.pieces1):
            for two in range(ruling.pieces1, len(row)):
                if row[one] == row[two]:
                    return 3 - side
    return 0


@inner
def landing(ruling: Ruling, row: Row, side: int, piece: int, step: int) -> int:
    """The cell that a step of a piece of the side to move leads to, or ILLEGAL."""
    cell = int(row[piece])
    if cell == OUT:
        return ILLEGAL
    target = cell + step if side == 1 else cell - step
    if target < 0 or target >= ruling.cells:
        return cell if ruling.stays else ILLEGAL
    if step == 0:
        return cell
    low, high = min(cell, target), max(cell, target)
    for other in range(len(row)):
        if row[other] == target:
            own = (other < ruling.pieces1) == (side == 1)
            if (own and ruling.own_blocks) or (not own and ruling.enemy_blocks):
                return ILLEGAL
        elif low < row[other] < high and not ruling.jumps:
            return ILLEGAL
    return target


@inner
def step_to(ruling: Ruling, row: Row, side: int, piece: int, target: int, after: Row) -> None:
    """Write down how the pieces stand, like ones in order, once a piece has legally landed."""
    for other in range(len(row)):
        after[other] = row[other]
    if target == row[piece]:
        return
    after[piece] = target
    if ruling.captures or ruling.sends_home:
        low, high = (ruling.pieces1, len(row)) if side == 1 else (0, ruling.pieces1)
        for enemy in range(low, high):
            if row[enemy] == target:
                after[enemy] = OUT if ruling.captures else ruling.homes[enemy]
    arrange(ruling, after)
