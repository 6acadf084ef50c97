"""The rules of one rulebook as arrays for compiled code.

The formations of both sides are numbered. The moves of a side in formation `f` are a list that
depends only on `f`. The enemy's formation `e` then decides the effect of a move:

- it is illegal if the enemy has a piece on one of the cells in its `bar`;
- the mover's formation becomes `to`, and the enemy's becomes `hit[land, e]`.

A side that has won or has no piece left gets formation number `size`, one past the last. In both
cases it is then the loser's turn. So a table of values needs one extra row and column, filled with
the value 'the side to move has lost'. A side without a legal move passes or, if `loses` is set,
has lost. If `again` is set, a mover who changes the enemy's formation keeps the turn, unless it has
won or has no legal move.
"""

from dataclasses import dataclass
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from lineduel.engine import Cells, Position
from lineduel.rules import Resting, Rules, Side
from lineduel.tablebase.formations import (
    BLOCK,
    KEY_BITS,
    Keys,
    Masks,
    Rows,
    SideRules,
    Stands,
    bits,
    formations,
    game_of,
    occupancy,
    pack,
    rules_of_sides,
    unpack,
)

NOWHERE = 0
"""The `land` of a move that cannot affect the enemy; landing on cell c is c + 1."""


class Moves(NamedTuple):
    """One side's moves and formations, as arrays for compiled code."""

    start: NDArray[np.int64]
    """The first move of each formation, followed by the number of moves."""
    to: NDArray[np.uint32]
    land: NDArray[np.uint8]
    bar: Masks
    hit: NDArray[np.uint32]
    """By `land` and formation: the formation after the enemy lands there."""
    occupied: Masks
    shuns: Masks
    """Cells that the formation cannot share with an enemy formation that `keeps` them."""
    keeps: Masks
    """A pair of formations is not a position if either shuns a cell that the other keeps."""
    sure: NDArray[np.bool_]
    """Whether the formation can win at once against any enemy formation."""
    frail: NDArray[np.bool_]
    """Whether the formation can lose at once by being landed on."""
    again: bool
    """Whether this side moves again after it has changed the enemy's formation."""
    loses: bool
    """Whether this side has lost if it has the turn and no legal move."""

    @property
    def size(self) -> int:
        return len(self.occupied)


@dataclass(frozen=True)
class SideFormations:
    """One side's formations, numbered by increasing level."""

    side_rules: SideRules
    keys: Keys
    """The sorted keys, to look up a formation."""
    numbers: Rows
    """The formation number for each key."""
    stands: Stands
    levels: Rows
    """How far each formation has advanced."""
    moves: Moves

    def number(self, cells: Cells) -> int:
        """The number of a formation; raises KeyError if it has none."""
        key = sum(cell << KEY_BITS * at for at, cell in enumerate(self.side_rules.stand(cells)))
        at = int(self.keys.searchsorted(np.uint64(key)))
        if at == len(self.keys) or int(self.keys[at]) != key:
            raise KeyError(cells)
        return int(self.numbers[at])

    def cells(self, number: int) -> Cells:
        return self.side_rules.cells(self.stands[number].tolist())

    @property
    def onward(self) -> bool:
        """Whether every move and every loss leads to a higher level, so no formation can repeat."""
        moves, levels = self.moves, np.append(self.levels, np.iinfo(np.int64).max)
        if (levels[moves.to] <= np.repeat(self.levels, np.diff(moves.start))).any():
            return False
        numbers = np.arange(moves.size)
        return all((levels[after] > self.levels)[after != numbers].all() for after in moves.hit)


@dataclass(frozen=True)
class Tables:
    """Both sides' formations and moves for one rulebook and start position."""

    rules: Rules
    formations1: SideFormations
    formations2: SideFormations

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of a table of values: one more row and column than there are formations."""
        return self.formations1.moves.size + 1, self.formations2.moves.size + 1

    @property
    def onward(self) -> bool:
        """Whether no position can repeat, except when both players can only pass."""
        return self.formations1.onward and self.formations2.onward

    def formations_of(self, side: Side) -> SideFormations:
        return self.formations1 if side is Side.ONE else self.formations2

    def numbers(self, position: Position) -> tuple[int, int]:
        """The formation numbers of an open position; raises KeyError for any other position."""
        if position.battle is not None:
            raise KeyError(position)
        number1 = self.formations1.number(position.player1)
        number2 = self.formations2.number(position.player2)
        moves1, moves2 = self.formations1.moves, self.formations2.moves
        if (
            moves1.shuns[number1] & moves2.keeps[number2]
            or moves1.keeps[number1] & moves2.shuns[number2]
        ):
            raise KeyError(position)
        return number1, number2

    def holds(self, position: Position) -> bool:
        """Whether the tables have an entry for a position."""
        try:
            self.numbers(position)
        except KeyError:
            return False
        return True

    def position(self, number1: int, number2: int, side: Side) -> Position:
        return Position(self.formations1.cells(number1), self.formations2.cells(number2), side)

    def winner(self, position: Position) -> Side | None:
        """The winner of an ended position; None if the position is open."""
        for side in Side:  # raises KeyError for what is no position
            self.formations_of(side).side_rules.stand(position.cells(side))
        return game_of(self.rules).outcome(position)


def make_tables(rules: Rules, start: Position) -> Tables:
    """The tables for all positions reachable from `start`, and some others; not for battles."""
    both_rules = rules_of_sides(rules)
    keys1, keys2 = (
        formations(side_rules, start.cells(side_rules.side)) for side_rules in both_rules
    )
    if game_of(rules).outcome(start) is not None:
        keys1, keys2 = keys1[:0], keys2[:0]
    return Tables(
        rules,
        _side_formations(both_rules[0], keys1),
        _side_formations(both_rules[1], keys2),
    )


def _side_formations(side_rules: SideRules, keys: Keys) -> SideFormations:
    stands = unpack(keys, len(side_rules.columns))
    levels = side_rules.levels(stands)
    order = np.lexsort((keys, levels))
    numbers = np.empty(len(keys), np.int64)
    numbers[order] = np.arange(len(keys))
    stands, levels = stands[order], levels[order]
    numbered = _FormationNumbers(side_rules, keys, numbers)
    blocks = [stands[first : first + BLOCK] for first in range(0, len(stands), BLOCK)]
    lists = [_move_lists(numbered, block) for block in blocks or [stands]]
    counts, to, land, bar = (np.concatenate(parts) for parts in zip(*lists, strict=True))
    start = np.concatenate(([0], np.cumsum(counts)))
    sure = np.zeros(len(stands), np.bool_)
    some = np.flatnonzero(counts)
    sure[some] = (to[start[some]] == len(stands)) & (bar[start[some]] == 0)
    shuns, keeps = _borders(side_rules, stands)
    hit = _hits(numbered, stands)
    moves = Moves(
        start=start,
        to=to,
        land=land,
        bar=bar,
        hit=hit,
        occupied=occupancy(stands),
        shuns=shuns,
        keeps=keeps,
        sure=sure,
        frail=(hit == len(stands)).any(axis=0),
        again=side_rules.rules.moves_again,
        loses=side_rules.rules.stuck.ends_game,
    )
    return SideFormations(side_rules, keys, numbers, stands, levels, moves)


class _FormationNumbers(NamedTuple):
    side_rules: SideRules
    keys: Keys
    numbers: Rows

    def number(self, stands: Stands) -> NDArray[np.uint32]:
        """The numbers of formations; one past the last for those that end the game."""
        asked = pack(stands)
        at = np.minimum(np.searchsorted(self.keys, asked), len(self.keys) - 1)
        known = self.keys[at] == asked
        return np.where(known, self.numbers[at], len(self.keys)).astype(np.uint32)


def _move_lists(
    numbered: _FormationNumbers, stands: Stands
) -> tuple[Rows, NDArray[np.uint32], NDArray[np.uint8], Masks]:
    """The number of moves of each formation, and `to`, `land` and `bar` of all moves in order."""
    side_rules, over = numbered.side_rules, len(numbered.keys)
    landing = side_rules.rules.meet.enemy.consequences
    stays = np.flatnonzero(side_rules.can_stay(stands))
    rows, tos = [stays], [numbered.number(stands[stays])]
    lands, bars = [np.zeros(len(stays), np.uint8)], [np.zeros(len(stays), np.uint64)]
    for hop in side_rules.hops(stands):
        after = numbered.number(hop.stands)
        meets = (after != over) & landing.changes_something
        rows.append(hop.rows)
        tos.append(after)
        lands.append(np.where(meets, hop.targets + 1, NOWHERE).astype(np.uint8))
        bars.append(hop.path | bits(hop.targets) if landing.blocks else hop.path)
    row, to = np.concatenate(rows), np.concatenate(tos)
    land, bar = np.concatenate(lands), np.concatenate(bars)
    # Winning moves come first, those that nothing bars at the front; duplicates are removed.
    order = np.lexsort((bar, land, -to.astype(np.int64), row))
    row, to, land, bar = row[order], to[order], land[order], bar[order]
    again = np.zeros(len(row), np.bool_)
    again[1:] = np.all([part[1:] == part[:-1] for part in (row, to, land, bar)], axis=0)
    counts = np.bincount(row[~again], minlength=len(stands)).astype(np.int64)
    return counts, to[~again], land[~again], bar[~again]


def _hits(numbered: _FormationNumbers, stands: Stands) -> NDArray[np.uint32]:
    """By `land` and formation: the formation that remains."""
    side_rules, landing = (
        numbered.side_rules,
        numbered.side_rules.rules.meet.enemy.consequences,
    )
    cells = len(side_rules.rules.track) if landing.changes_something else 0
    numbers = np.arange(len(stands), dtype=np.uint32)
    hit = np.tile(numbers, (cells + 1, 1))
    for cell in range(cells):
        rows = np.flatnonzero((stands == cell).any(axis=1))
        gone = np.uint32(len(stands))
        hit[cell + 1, rows] = (
            numbered.number(side_rules.struck(stands[rows], cell)) if side_rules.strikes else gone
        )
    return hit


def _borders(side_rules: SideRules, stands: Stands) -> tuple[Masks, Masks]:
    """The cells that each formation shuns and keeps, because enemies cannot always share a cell.

    Some rules let them share a cell only if both sides are at home there, others if one side is.
    """
    occupied, none = occupancy(stands), np.zeros(len(stands), np.uint64)
    astray = none.copy()
    for cell in range(len(side_rules.rules.track)):
        there = stands == cell
        at_home = side_rules.homes == cell
        if side_rules.rules.homes_matter:
            strangers = (there & ~at_home).any(axis=1)
        else:  # any piece of the side can count as at home, up to the number that began there
            strangers = there.sum(axis=1) > at_home.sum()
        astray |= strangers.astype(np.uint64) << np.uint64(cell)
    resting = side_rules.rules.resting
    match resting:
        case Resting.NOWHERE | Resting.WINNING_CELL:  # won positions are not in a table
            return occupied, occupied
        case Resting.HOME_OF_BOTH:
            return astray, occupied
        case Resting.HOME_OF_ONE:
            return astray, astray
        case Resting.ANYWHERE:
            return none, none
        case _:
            assert_never(resting)
