"""All that can come up in a game without battles, found by compiled code."""

from collections.abc import Sequence
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import (
    ILLEGAL,
    CellRow,
    RuleNumbers,
    arrange,
    cells_of,
    compiled,
    inner,
    landing,
    row_of,
    rule_numbers,
    step_to,
    winner_of,
)
from lineduel.engine import Game, Position
from lineduel.errors import TooLarge
from lineduel.graph.array_types import NumberArray, SideArray
from lineduel.graph.columns import Columns
from lineduel.graph.game_graph import GameGraph
from lineduel.rules import Rules, Side

_Item = TypeVar("_Item", bound=np.generic)

_AT_FIRST = 256
"""Positions that there is space for at first."""
_EMPTY = -1
_MIX = 1_000_003
_KEPT = (1 << 40) - 1
"""Bits of a hash: times `_MIX` it still fits into 64."""


def breadth_first(game: Game, start: Position, most: int) -> GameGraph:
    """The graph of what can come up; battles and more than `most` positions are refused."""
    rules = game.rules
    if rules.meet.enemy.consequences.opens_battle:
        raise ValueError("Battles are no part of compiled graphs; the engine explores them.")
    cells, mover, winner, first, after = search(
        rule_numbers(rules), row_of(rules, start), int(start.side), most
    )
    if len(mover) > most:
        raise TooLarge(len(mover), most)
    return GameGraph(
        game=game,
        positions=CellRows(rules, cells.reshape(len(mover), -1), mover),
        columns=Columns(first, after, mover, winner),
        compiled=True,
    )


class CellRows(Sequence[Position]):
    """Positions given by where the pieces stand, each made when it is first asked for."""

    def __init__(self, rules: Rules, cells: CellRow, mover: SideArray) -> None:
        self._rules = rules
        self._pieces1 = len(rules.player1.pieces)
        self._cells, self._mover = cells, mover
        self._made: list[Position | None] = [None] * len(mover)

    def __len__(self) -> int:
        return len(self._mover)

    @overload
    def __getitem__(self, number: int) -> Position: ...
    @overload
    def __getitem__(self, number: slice) -> list[Position]: ...
    def __getitem__(self, number: int | slice) -> Position | list[Position]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        position = self._made[number]
        if position is None:
            cells = self._cells[number].tolist()
            position = self._made[number] = Position(
                cells_of(self._rules, cells[: self._pieces1]),
                cells_of(self._rules, cells[self._pieces1 :]),
                Side(int(self._mover[number])),
            )
        return position


@compiled
def search(
    ruling: RuleNumbers, start: CellRow, side: int, most: int
) -> tuple[CellRow, SideArray, SideArray, NumberArray, NumberArray]:
    """A breadth-first search, given up as soon as there are more than `most` positions.

    Returned are the cells of all positions in one line, mover, winner, first and after.
    """
    pieces, steps = len(start), len(ruling.steps)
    space, known = _AT_FIRST, np.zeros(1, np.int64)
    cells, mover = np.empty(space * pieces, np.int8), np.empty(space, np.int8)
    winner, first = np.empty(space, np.int8), np.zeros(space + 1, np.int64)
    after = np.empty(4 * space, np.int64)
    slots = np.full(4 * space, _EMPTY, np.int64)
    reached = start.copy()
    arrange(ruling, reached)
    _number(cells, mover, slots, reached, side, known)
    at = 0
    while at < known[0] <= most:
        if known[0] + pieces * steps >= space:
            space *= 4
            cells, mover, winner = (
                longer(cells, space * pieces),
                longer(mover, space),
                longer(winner, space),
            )
            first = longer(first, space + 1)
            slots = _placed(cells, mover, known, pieces, 4 * space)
        choice = first[at]
        if choice + pieces * steps >= len(after):
            after = longer(after, 4 * len(after) + pieces * steps)
        row, side = cells[at * pieces : (at + 1) * pieces], 1 if mover[at] == 1 else 2
        winner[at] = winner_of(ruling, row, side)
        if winner[at] == 0:
            choice = _expand(ruling, cells, mover, slots, row, reached, after, side, choice, known)
        at += 1
        first[at] = choice
    found, choices = known[0], first[at]
    return (
        cells[: found * pieces],
        mover[:found],
        winner[:found],
        first[: found + 1],
        after[:choices],
    )


@inner
def _expand(
    ruling: RuleNumbers,
    cells: CellRow,
    mover: SideArray,
    slots: NumberArray,
    row: CellRow,
    reached: CellRow,
    after: NumberArray,
    side: int,
    choice: int,
    known: NumberArray,
) -> int:
    """Write down where the legal moves of an open position lead, from `choice` on."""
    steps, begun = len(ruling.steps), choice
    low, high = (0, ruling.pieces1) if side == 1 else (ruling.pieces1, len(row))
    for move in range(low * steps, high * steps):
        piece = move // steps
        target = landing(ruling, row, side, piece, ruling.steps[move % steps])
        if target != ILLEGAL:
            step_to(ruling, row, side, piece, target, reached)
            after[choice] = _number(cells, mover, slots, reached, 3 - side, known)
            choice += 1
    if choice == begun:  # a forced pass
        after[choice] = _number(cells, mover, slots, row, 3 - side, known)
        choice += 1
    return choice


@inner
def _number(
    cells: CellRow,
    mover: SideArray,
    slots: NumberArray,
    row: CellRow,
    side: int,
    known: NumberArray,
) -> int:
    """The number of a position; a new one is written down after those that are known."""
    pieces, mask = len(row), len(slots) - 1
    slot = _hashed(row, side) & mask
    while slots[slot] != _EMPTY:
        number = int(slots[slot])
        same = mover[number] == side
        for piece in range(pieces):
            same &= cells[number * pieces + piece] == row[piece]
        if same:
            return number
        slot = (slot + 1) & mask
    found = int(known[0])
    known[0] += 1
    slots[slot] = found
    mover[found] = side
    for piece in range(pieces):
        cells[found * pieces + piece] = row[piece]
    return found


@inner
def _hashed(row: CellRow, side: int) -> int:
    """A number for a position that no product of it overflows."""
    code = side
    for piece in range(len(row)):
        code = (code * _MIX + int(row[piece])) & _KEPT
    return (code ^ (code >> 20)) * _MIX >> 20


@inner
def _placed(
    cells: CellRow, mover: SideArray, known: NumberArray, pieces: int, size: int
) -> NumberArray:
    """A larger table of slots."""
    slots = np.full(size, _EMPTY, np.int64)
    for number in range(known[0]):
        row = cells[number * pieces : (number + 1) * pieces]
        slot = _hashed(row, 1 if mover[number] == 1 else 2) & (size - 1)
        while slots[slot] != _EMPTY:
            slot = (slot + 1) & (size - 1)
        slots[slot] = number
    return slots


@inner
def longer(array: NDArray[_Item], size: int) -> NDArray[_Item]:
    """What an array holds in a longer one, the rest of it undefined."""
    made = np.empty(size, array.dtype)
    for at in range(len(array)):
        made[at] = array[at]
    return made
