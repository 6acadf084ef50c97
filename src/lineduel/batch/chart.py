"""All positions of a small game and where each choice leads, found by compiled code."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lineduel.batch.room import longer
from lineduel.compiled import compiled, inner
from lineduel.compiled.row_rules import ILLEGAL, arrange, landing, step_to, winner_of
from lineduel.compiled.rule_numbers import (
    Row,
    RuleNumbers,
    cells_of,
    row_of,
    rule_numbers,
)
from lineduel.engine import Position
from lineduel.errors import TooLarge
from lineduel.rules import Rules, Side

MOST = 200_000
"""Positions up to which a game is small."""

Numbers = NDArray[np.int64]
Sides = NDArray[np.int8]
Found = tuple[Row, Sides, Sides, Numbers, Numbers]
"""Cells of all positions in one line, `mover`, `winner`, `first` and `after`."""

_ROOM = 256
"""Positions that there is room for at first."""
_EMPTY = -1
_MIX = 1_000_003
_KEPT = (1 << 40) - 1
"""Bits of a hash: times `_MIX` it still fits into 64."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Chart:
    """A game without battles as arrays; like pieces are not told apart, the start is 0.

    Positions come in the order in which a search in breadth meets them. The choices of position
    p are `first[p]` to `first[p + 1]`, in the order of its legal moves.
    """

    rules: Rules
    cells: Row
    """A row for each position: where the pieces stand, player 1's first, counted from 0."""
    mover: Sides
    winner: Sides
    """1 or 2 where the game is over, else 0."""
    first: Numbers
    after: Numbers
    """Where each choice leads."""

    def __len__(self) -> int:
        return len(self.mover)

    @cached_property
    def origin(self) -> Numbers:
        """The position of each choice."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def position(self, number: int) -> Position:
        """A position as the engine knows it."""
        cells, pieces1 = self.cells[number].tolist(), len(self.rules.player1.pieces)
        return Position(
            cells_of(self.rules, cells[:pieces1]),
            cells_of(self.rules, cells[pieces1:]),
            Side(int(self.mover[number])),
        )


def chart(rules: Rules, start: Position, most: int = MOST) -> Chart:
    """All that can come up from a position; battles and more than `most` positions are refused."""
    if rules.meet.enemy.consequences.opens_battle:
        raise ValueError("Battles are no part of these charts.")
    cells, mover, winner, first, after = explore(
        rule_numbers(rules), row_of(rules, start), int(start.side), most
    )
    if len(mover) > most:
        raise TooLarge(len(mover), most)
    return Chart(
        rules=rules,
        cells=cells.reshape(len(mover), -1),
        mover=mover,
        winner=winner,
        first=first,
        after=after,
    )


@compiled
def explore(ruling: RuleNumbers, start: Row, side: int, most: int) -> Found:
    """A search in breadth, given up as soon as there are more than `most` positions."""
    pieces, steps = len(start), len(ruling.steps)
    room, known = _ROOM, np.zeros(1, np.int64)
    cells, mover = np.empty(room * pieces, np.int8), np.empty(room, np.int8)
    winner, first = np.empty(room, np.int8), np.zeros(room + 1, np.int64)
    after = np.empty(4 * room, np.int64)
    slots = np.full(4 * room, _EMPTY, np.int64)
    reached = start.copy()
    arrange(ruling, reached)
    _number(cells, mover, slots, reached, side, known)
    at = 0
    while at < known[0] <= most:
        if known[0] + pieces * steps >= room:
            room *= 4
            cells, mover, winner = (
                longer(cells, room * pieces),
                longer(mover, room),
                longer(winner, room),
            )
            first = longer(first, room + 1)
            slots = _placed(cells, mover, known, pieces, 4 * room)
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
    cells: Row,
    mover: Sides,
    slots: Numbers,
    row: Row,
    reached: Row,
    after: Numbers,
    side: int,
    choice: int,
    known: Numbers,
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
def _number(cells: Row, mover: Sides, slots: Numbers, row: Row, side: int, known: Numbers) -> int:
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
def _hashed(row: Row, side: int) -> int:
    """A number for a position that no product of it overflows."""
    code = side
    for piece in range(len(row)):
        code = (code * _MIX + int(row[piece])) & _KEPT
    return (code ^ (code >> 20)) * _MIX >> 20


@inner
def _placed(cells: Row, mover: Sides, known: Numbers, pieces: int, size: int) -> Numbers:
    """A larger table of slots."""
    slots = np.full(size, _EMPTY, np.int64)
    for number in range(known[0]):
        row = cells[number * pieces : (number + 1) * pieces]
        slot = _hashed(row, 1 if mover[number] == 1 else 2) & (size - 1)
        while slots[slot] != _EMPTY:
            slot = (slot + 1) & (size - 1)
        slots[slot] = number
    return slots
