"""All reachable positions of a game, found by compiled breadth-first search."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import (
    ILLEGAL,
    LOW_NUMBERS,
    NO_BATTLE,
    CellRow,
    RuleNumbers,
    arrange,
    borrowing,
    compiled,
    hand_of,
    inner,
    landing,
    number_in_hand,
    position_of,
    row_of,
    rule_numbers,
    settle_battle,
    side_after,
    spend,
    step_to,
    winner_of,
)
from lineduel.engine import Game, Position
from lineduel.errors import TooLarge
from lineduel.graph.array_types import NumberArray, SideArray
from lineduel.graph.game_graph import BATTLE, Columns, GameGraph, PositionSequence
from lineduel.rules import Rules

_Item = TypeVar("_Item", bound=np.generic)

MOST_CHOICES = 128
"""More than a position can have: 81 pairs of numbers, or 64 moves."""
_AT_FIRST = 256
"""Initial capacity, in positions."""
_EMPTY = -1
_MIX = 1_000_003
_KEPT = (1 << 40) - 1
"""Mask for the bits of a hash; multiplied by `_MIX`, it still fits into 64 bits."""


def breadth_first(game: Game, start: Position, most: int) -> GameGraph:
    """The graph of reachable positions; raises `TooLarge` if there are more than `most`."""
    return graph_of_rows(game, _all_rows(game.rules, rule_numbers(game.rules), start, most))


def graph_of_rows(game: Game, found: "PositionRows") -> GameGraph:
    """The graph of positions that were found as rows."""
    mover = np.where(found.rows[:, -1] == NO_BATTLE, found.side, BATTLE).astype(np.int8)
    return GameGraph(
        game=game,
        positions=CellRows(game.rules, found.rows, found.side),
        columns=Columns(found.first, found.after, mover, found.winner),
        compiled=True,
    )


class PositionRows(NamedTuple):
    """Positions as rows, with their choices as in a `GameGraph`."""

    rows: CellRow
    """Rows as `compiled.row_of` makes them."""
    side: SideArray
    """The side to move, or to move after the battle."""
    winner: SideArray
    first: NumberArray
    after: NumberArray


def rows_told_apart(rules: Rules, start: Position, most: int) -> PositionRows:
    """All reachable positions with every piece told apart; `TooLarge` for more than `most`."""
    return _all_rows(rules, rule_numbers(rules, told_apart=True), start, most)


def _all_rows(rules: Rules, ruling: RuleNumbers, start: Position, most: int) -> PositionRows:
    rows, side, winner, first, after = search(ruling, row_of(rules, start), int(start.side), most)
    if len(side) > most:
        raise TooLarge(len(side), most)
    return PositionRows(rows.reshape(len(side), -1), side, winner, first, after)


class CellRows(PositionSequence):
    """Positions given by rows; each `Position` is created when it is first used."""

    def __init__(self, rules: Rules, rows: CellRow, side: SideArray) -> None:
        self._rules = rules
        self.rows, self.side = rows, side
        self._made: dict[int, Position] = {}

    def __len__(self) -> int:
        return len(self.side)

    def position(self, number: int) -> Position:
        position = self._made.get(number)
        if position is None:
            side = int(self.side[number])
            position = self._made[number] = position_of(self._rules, self.rows[number], side)
        return position


def sides_of(positions: Sequence[Position]) -> SideArray:
    """The side to move in each position, or to move after its battle."""
    if isinstance(positions, CellRows):
        return positions.side
    return np.array([position.side for position in positions], np.int8)


def hands_as_bits(positions: Sequence[Position], some: NumberArray) -> NumberArray:
    """For each side and each of some positions, the numbers in hand as bits; bit 0 is number 1."""
    if isinstance(positions, CellRows):
        items = positions.rows[some, -5:-1].astype(np.int64)
    else:
        items = np.array(
            [
                [sum(1 << number - 1 for number in hand), 0]
                for at in some.tolist()
                for hand in positions[at].hands or ()
            ],
            np.int64,
        ).reshape(len(some), 4)
    found: NumberArray = (items[:, ::2] | items[:, 1::2] << LOW_NUMBERS).T
    return found


class FoundPositions(NamedTuple):
    """The positions found so far, and a hash table of their numbers."""

    rows: CellRow
    """All rows, concatenated."""
    sides: SideArray
    """The side to move, or to move after the battle."""
    slots: NDArray[np.int32]
    """A hash table with open addressing: the number of a position, or `_EMPTY`."""
    known: NumberArray
    """The number of positions found, as an array of one item."""


@compiled
def search(
    ruling: RuleNumbers, start: CellRow, side: int, most: int
) -> tuple[CellRow, SideArray, SideArray, NumberArray, NumberArray]:
    """A breadth-first search that stops as soon as there are more than `most` positions.

    Returns the concatenated rows of all positions, the side to move (or to move after the battle),
    and the columns `winner`, `first` and `after`.
    """
    width = len(start)
    choices = max((width - 1) * len(ruling.steps), ruling.numbers * ruling.numbers)
    space, count = _AT_FIRST + choices, np.zeros(1, np.int64)
    rows, sides = np.empty(space * width, np.int8), np.empty(space, np.int8)
    winner, first = np.empty(space, np.int8), np.zeros(space + 1, np.int64)
    after = np.empty(4 * space, np.int64)
    found = FoundPositions(rows, sides, empty_slots(_table_size(space)), count)
    reached = start.copy()
    arrange(ruling, reached[: len(ruling.homes)])
    number_in(found, reached, side)
    at = 0
    while at < count[0] <= most:
        if count[0] + choices >= space:
            space *= 4
            rows, sides = longer(rows, space * width), longer(sides, space)
            winner, first = longer(winner, space), longer(first, space + 1)
            found = FoundPositions(rows, sides, empty_slots(_table_size(space)), count)
            place_all(found, width)
        choice = first[at]
        if choice + choices >= len(after):
            after = longer(after, 4 * len(after) + choices)
        winner[at], choice = choices_of(ruling, found, at, reached, after, choice)
        at += 1
        first[at] = choice
    size, written = count[0], first[at]
    return (
        rows[: size * width],
        sides[:size],
        winner[:size],
        first[: size + 1],
        after[:written],
    )


@borrowing
def choices_of(
    ruling: RuleNumbers,
    found: FoundPositions,
    at: int,
    reached: CellRow,
    after: NumberArray,
    choice: int,
) -> tuple[int, int]:
    """Write what a position's choices lead to to `after[choice:]`; returns its winner and the end.

    Positions that were not known are added; `reached` is scratch space for a row.
    """
    width = len(reached)
    row, side = found.rows[at * width : (at + 1) * width], 1 if found.sides[at] == 1 else 2
    for place in range(len(ruling.homes), width):
        reached[place] = row[place]
    if row[-1] != NO_BATTLE:
        return 0, _fight(ruling, found, row, reached, after, side, choice)
    winner = winner_of(ruling, row[: len(ruling.homes)], side)
    if winner == 0:
        choice = _move(ruling, found, row, reached, after, side, choice)
    return winner, choice


@borrowing
def _move(
    ruling: RuleNumbers,
    found: FoundPositions,
    row: CellRow,
    reached: CellRow,
    after: NumberArray,
    side: int,
    choice: int,
) -> int:
    """Write the targets of a position's legal moves to `after[choice:]`; returns the end."""
    steps, begun, pieces = len(ruling.steps), choice, len(ruling.homes)
    cells, stands = row[:pieces], reached[:pieces]
    low, high = (0, ruling.pieces1) if side == 1 else (ruling.pieces1, len(cells))
    for move in range(low * steps, high * steps):
        piece = move // steps
        target = landing(ruling, cells, side, piece, ruling.steps[move % steps])
        if target != ILLEGAL:
            reached[-1] = step_to(ruling, cells, side, piece, target, stands)
            to_move = side_after(ruling, cells, side, stands)
            after[choice] = number_in(found, reached, to_move)
            choice += 1
    if choice == begun:  # a forced pass
        after[choice] = number_in(found, row, 3 - side)
        choice += 1
    return choice


@borrowing
def _fight(
    ruling: RuleNumbers,
    found: FoundPositions,
    row: CellRow,
    reached: CellRow,
    after: NumberArray,
    side: int,
    choice: int,
) -> int:
    """Write the targets of a battle's pairs of numbers to `after[choice:]`; returns the end.

    If no number is spent, what follows depends on who wins, so each outcome is settled and looked
    up once. A number that is not in hand stands for the lowest one that is.
    """
    numbers, battle, pieces = ruling.numbers, int(row[-1]), len(ruling.homes)
    hand1, hand2 = hand_of(ruling, row, 1), hand_of(ruling, row, 2)
    reached[-1] = NO_BATTLE
    tied, won1, won2 = _EMPTY, _EMPTY, _EMPTY
    for pair in range(numbers * numbers):
        winner = ruling.battle_winner[pair]
        target = tied if winner == 0 else won1 if winner == 1 else won2
        if target == _EMPTY or ruling.spends:
            one = number_in_hand(hand1, pair // numbers + 1)
            two = number_in_hand(hand2, pair % numbers + 1)
            settle_battle(ruling, row[:pieces], side, battle, one, two, reached[:pieces])
            spend(ruling, row, 1, one, reached)
            spend(ruling, row, 2, two, reached)
            target = number_in(found, reached, side)
            if winner == 0:
                tied = target
            elif winner == 1:
                won1 = target
            else:
                won2 = target
        after[choice] = target
        choice += 1
    return choice


@borrowing
def _slot_of(found: FoundPositions, row: CellRow, side: int) -> int:
    """The slot of a position in the hash table; it is empty if the position is not known."""
    width, mask = len(row), len(found.slots) - 1
    slot = _hashed(row, side) & mask
    while found.slots[slot] != _EMPTY:
        number = int(found.slots[slot])
        same = found.sides[number] == side
        for place in range(width):
            same &= found.rows[number * width + place] == row[place]
        if same:
            break
        slot = (slot + 1) & mask
    return slot


@compiled
def number_of_row(found: FoundPositions, row: CellRow, side: int) -> int:
    """The number of a known position; a negative number if it is not known."""
    return int(found.slots[_slot_of(found, row, side)])


@compiled
def found_of_rows(rows: CellRow, sides: SideArray) -> FoundPositions:
    """A hash table of positions given by rows; if one comes twice, `known` is too small by it.

    There is room for some more positions at the end, which `choices_of` may add.
    """
    size, width = rows.shape
    room = size + _AT_FIRST
    known = np.zeros(1, np.int64)
    found = FoundPositions(
        np.empty(room * width, np.int8),
        np.empty(room, np.int8),
        empty_slots(_table_size(room)),
        known,
    )
    for at in range(size):
        number_in(found, rows[at], 1 if sides[at] == 1 else 2)
    return found


@borrowing
def number_in(found: FoundPositions, row: CellRow, side: int) -> int:
    """The number of a position; a new position is added at the end."""
    width, slot = len(row), _slot_of(found, row, side)
    if found.slots[slot] != _EMPTY:
        return int(found.slots[slot])
    number = int(found.known[0])
    found.known[0] += 1
    found.slots[slot] = number
    found.sides[number] = side
    for place in range(width):
        found.rows[number * width + place] = row[place]
    return number


@borrowing
def _hashed(row: CellRow, side: int) -> int:
    """The hash of a position, computed without integer overflow."""
    code = side
    for place in range(len(row)):
        code = (code * _MIX + int(row[place])) & _KEPT
    return (code ^ (code >> 20)) * _MIX >> 20


@borrowing
def _table_size(space: int) -> int:
    """The number of slots for `space` positions: a power of two, filled to at most a half."""
    size = 4 * _AT_FIRST
    while size < 2 * space:
        size *= 2
    return size


@compiled
def empty_slots(size: int) -> NDArray[np.int32]:
    """A hash table without positions; `size` is a power of two."""
    return np.full(size, _EMPTY, np.int32)


@compiled
def place_all(found: FoundPositions, width: int) -> None:
    """Fill an empty hash table with all positions found so far."""
    mask = len(found.slots) - 1
    for number in range(found.known[0]):
        row = found.rows[number * width : (number + 1) * width]
        slot = _hashed(row, 1 if found.sides[number] == 1 else 2) & mask
        while found.slots[slot] != _EMPTY:
            slot = (slot + 1) & mask
        found.slots[slot] = number


@inner
def longer(array: NDArray[_Item], size: int) -> NDArray[_Item]:
    """A copy of an array with a new, larger size; the added items are undefined."""
    made = np.empty(size, array.dtype)
    for at in range(len(array)):
        made[at] = array[at]
    return made
