"""Formations: all arrangements of one side's pieces, independent of the other side.

A position without a battle consists of two formations and the side to move. Like pieces are not
distinguished, so a formation stores their cells in order. Cells are numbered from 0, as in
`compiled/rule_numbers.py`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb, inf, prod
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import OUT, RuleNumbers, cells_of, rule_numbers
from lineduel.engine import Cells, Game
from lineduel.rules import Displacement, Rulebook, Rules, Side, Words

BLOCK = 1 << 16
"""Number of formations to process at once, to limit temporary memory."""

KEY_BITS = 7
"""Bits of a key per piece, for 64 cells and `OUT`; eight pieces take 56 bits."""

Masks = NDArray[np.uint64]
"""Sets of cells, one bit per cell."""
Keys = NDArray[np.uint64]
"""Formations, each packed into an integer."""
Stands = NDArray[np.uint8]
"""Formations, one per row: the cells of the pieces."""
Rows = NDArray[np.int64]


class Hop(NamedTuple):
    """One step of one piece, in all formations in which its own side does not prevent it."""

    rows: Rows
    """The indices of these formations."""
    stands: Stands
    """The formations after the step."""
    targets: Rows
    """The cells that the piece lands on."""
    path: Masks
    """The cells in between, which must be free; none if jumping is allowed."""


@dataclass(frozen=True)
class SideRules:
    """One side's rules, as far as they do not depend on the enemy's pieces."""

    rules: Rules
    side: Side

    @cached_property
    def numbers(self) -> RuleNumbers:
        return rule_numbers(self.rules)

    @cached_property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The pieces by their index in the rulebook, grouped into like pieces."""
        homes = self.rules.team(self.side).homes
        return tuple(sorted(self.rules.like_pieces(self.side), key=lambda alike: homes[alike[0]]))

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The index in the rulebook of the piece in each column of `Stands`."""
        return tuple(place for alike in self.classes for place in alike)

    @cached_property
    def spans(self) -> tuple[slice, ...]:
        """The columns of each class of like pieces."""
        ends = np.cumsum([len(alike) for alike in self.classes]).tolist()
        return tuple(
            slice(end - len(alike), end) for alike, end in zip(self.classes, ends, strict=True)
        )

    @cached_property
    def homes(self) -> Stands:
        """The home of the piece in each column."""
        begin = 0 if self.side is Side.ONE else self.numbers.pieces1
        return np.array([self.numbers.homes[begin + place] for place in self.columns], np.uint8)

    @cached_property
    def goal(self) -> int:
        """The goal as a mask."""
        cells = np.flatnonzero(self.numbers.goals[self.side - 1]).tolist()
        return sum(1 << cell for cell in cells)

    @cached_property
    def strides(self) -> tuple[tuple[int, ...], ...]:
        """The steps of the piece in each column, as offsets along the track."""
        return tuple(
            tuple(self.side.direction * step for step in self.rules.steps_of(self.side, place))
            for place in self.columns
        )

    @property
    def strikes(self) -> bool:
        """Whether landing on a piece displaces it."""
        return self.displaces is not Displacement.NONE

    @property
    def displaces(self) -> Displacement:
        """What happens to a piece that an enemy lands on."""
        return self.rules.meet.enemy.consequences.displaces

    @property
    def looks(self) -> int:
        """The work to find the successors of one formation."""
        return sum(len(strides) + self.strikes for strides in self.strides)

    # One formation

    def stand(self, cells: Cells) -> tuple[int, ...]:
        """The formation of a side's cells; raises KeyError if they are not a valid formation."""
        track = self.rules.track
        if len(cells) != len(self.columns):
            raise KeyError(cells)
        if any(cell is not None and cell not in track for cell in cells):
            raise KeyError(cells)
        found: list[int] = []
        for alike in self.classes:
            here = (cells[place] for place in alike)
            found += sorted(OUT if cell is None else cell - track.first for cell in here)
        return tuple(found)

    def cells(self, stand: Sequence[int]) -> Cells:
        """The cells of a formation, in the order of the pieces in the rulebook."""
        found = [OUT] * len(stand)
        for place, cell in zip(self.columns, stand, strict=True):
            found[place] = cell
        return cells_of(self.rules, found)

    # Many formations at once

    def on_goal(self, stands: Stands) -> NDArray[np.bool_]:
        """Which formations have won by their goal."""
        arrived = self.numbers.goals[self.side - 1][stands].sum(axis=1)
        won: NDArray[np.bool_] = arrived >= self.numbers.goal_needs[self.side - 1]
        return won

    def hops(self, stands: Stands) -> Iterator[Hop]:
        """Every step to another cell; like pieces on the same cell yield only one step."""
        numbers, occupied = self.numbers, occupancy(stands)
        track = numbers.cells
        between = _between(track)
        twins = {column for span in self.spans for column in range(span.start + 1, span.stop)}
        for column in range(stands.shape[1]):
            starts = stands[:, column].astype(np.int64)
            able = starts != OUT
            if column in twins:
                able &= stands[:, column] != stands[:, column - 1]
            for stride in self.strides[column]:
                ends = starts + stride
                rows = np.flatnonzero(able & (ends >= 0) & (ends < track) & (ends != starts))
                ends = ends[rows]
                path = between[starts[rows], ends] * np.uint64(not numbers.jumps)
                shut = path | bits(ends) if numbers.own_blocks else path
                free = shut & occupied[rows] == 0
                rows, ends, path = rows[free], ends[free], path[free]
                after = stands[rows]
                after[:, column] = ends
                yield Hop(rows, self._ordered(after), ends, path)

    def can_stay(self, stands: Stands) -> NDArray[np.bool_]:
        """Which formations can use a turn without moving."""
        track = self.numbers.cells
        able = np.zeros(len(stands), np.bool_)
        for column, strides in enumerate(self.strides):
            starts = stands[:, column].astype(np.int64)
            for stride in strides:
                ends = starts + stride
                stays = ends == starts
                if self.numbers.stays_at_edge:
                    stays |= (ends < 0) | (ends >= track)
                able |= stays & (starts != OUT)
        return able

    def struck(self, stands: Stands, cell: int) -> Stands:
        """The formations after an enemy lands on all their pieces on that cell."""
        goes: np.uint8 | Stands
        match self.displaces:
            case Displacement.NONE:
                return stands
            case Displacement.OUT:
                goes = np.uint8(OUT)
            case Displacement.HOME:
                goes = self.homes
            case _:
                assert_never(self.displaces)
        return self._ordered(np.where(stands == cell, goes, stands))

    def levels(self, stands: Stands) -> Rows:
        """How far the formations have advanced.

        If all steps go in one direction, every step and every capture raises the level. The level
        counts backward if all steps are backward, otherwise forward.
        """
        track = len(self.rules.track)
        backward = all(step < 0 for step in self.rules.all_steps)
        rightward = (self.side is Side.ONE) != backward
        come = stands.astype(np.int64) if rightward else track - 1 - stands.astype(np.int64)
        levels: Rows = np.where(stands == OUT, track, come).sum(axis=1)
        return levels

    def _ordered(self, stands: Stands) -> Stands:
        for span in self.spans:
            stands[:, span].sort(axis=1)
        return stands


def rules_of_sides(rules: Rules) -> tuple[SideRules, SideRules]:
    """The rules of both sides; ValueError for rules with battles, which have no tables."""
    if rules.meet.enemy.consequences.opens_battle:
        raise ValueError("These tables do not have battles.")
    return SideRules(rules, Side.ONE), SideRules(rules, Side.TWO)


class TooMany(Exception):
    """Counting the formations takes more work than allowed."""


def formations(side_rules: SideRules, cells: Cells, most_work: float = inf) -> Keys:
    """The sorted keys of all formations reachable by own steps and by being landed on.

    Formations with a piece on its goal, or with no piece left, are excluded. Raises `TooMany` if
    this takes more than `most_work` units of `SideRules.looks`.
    """
    found = frontier = _open(side_rules, np.array([side_rules.stand(cells)], np.uint8))
    work = 0
    while frontier.size:
        work += frontier.size * side_rules.looks
        if work > most_work:
            raise TooMany
        blocks = (frontier[at : at + BLOCK] for at in range(0, frontier.size, BLOCK))
        keys = np.unique(np.concatenate([_after(side_rules, block) for block in blocks]))
        frontier = keys[~among(found, keys)]
        found = np.sort(np.concatenate((found, frontier)), kind="stable")
    return found


@lru_cache(maxsize=8)
def game_of(rules: Rules) -> Game:
    """The engine's game, which knows what a single formation cannot show: who has won."""
    return Game(Rulebook(id="table", title="", summary="", rules=rules, words=Words()))


def most_formations(side_rules: SideRules, cells: Cells) -> int:
    """An upper bound on the number of `formations`, without searching for them."""
    rules, stand = side_rules.rules, side_rules.stand(cells)
    free = len(rules.track)
    if rules.team(side_rules.side).goal_needs == 1:
        free -= side_rules.goal.bit_count()
    left = [cell for cell in stand if cell != OUT]
    alike = [sum(cell != OUT for cell in stand[span]) for span in side_rules.spans]
    stacked = not side_rules.numbers.own_blocks or len(set(left)) < len(left)
    arrangements = _heaps if stacked else comb
    match side_rules.displaces:
        case Displacement.NONE:
            return prod(arrangements(free, pieces) for pieces in alike)
        case Displacement.OUT:
            some = prod(
                sum(arrangements(free, left) for left in range(pieces + 1)) for pieces in alike
            )
            return some - 1  # not the one without any piece
        case Displacement.HOME:
            return prod(_heaps(free, len(span)) for span in side_rules.classes)
        case _:
            assert_never(side_rules.displaces)


def pack(stands: Stands) -> Keys:
    """The key of each formation."""
    keys = np.zeros(len(stands), np.uint64)
    for column in range(stands.shape[1]):
        keys |= stands[:, column].astype(np.uint64) << np.uint64(KEY_BITS * column)
    return keys


def unpack(keys: Keys, pieces: int) -> Stands:
    """The formation of each key."""
    stands = np.empty((len(keys), pieces), np.uint8)
    for column in range(pieces):
        stands[:, column] = keys >> np.uint64(KEY_BITS * column) & np.uint64((1 << KEY_BITS) - 1)
    return stands


def bits(cells: Rows) -> Masks:
    """The mask of each cell."""
    return np.uint64(1) << cells.astype(np.uint64)


def occupancy(stands: Stands) -> Masks:
    """The cells where each formation has a piece."""
    occupied = np.zeros(len(stands), np.uint64)
    for column in range(stands.shape[1]):
        cells = stands[:, column].astype(np.int64)
        occupied |= np.where(cells == OUT, np.uint64(0), bits(cells % OUT))
    return occupied


def among(keys: Keys, asked: Keys) -> NDArray[np.bool_]:
    """For each key in `asked`, whether it is in the sorted `keys`."""
    at = np.searchsorted(keys, asked)
    at[at == len(keys)] = 0
    return keys[at] == asked if len(keys) else np.zeros(len(asked), np.bool_)


def _after(side_rules: SideRules, keys: Keys) -> Keys:
    stands = unpack(keys, len(side_rules.columns))
    return np.unique(
        np.concatenate([_open(side_rules, after) for after in _next(side_rules, stands)])
    )


def _open(side_rules: SideRules, stands: Stands) -> Keys:
    """The keys of the formations that have not won and have a piece left."""
    occupied = occupancy(stands)
    return pack(stands[(occupied != 0) & ~side_rules.on_goal(stands)])


def _next(side_rules: SideRules, stands: Stands) -> Iterator[Stands]:
    for hop in side_rules.hops(stands):
        yield hop.stands
    if side_rules.strikes:
        occupied = occupancy(stands)
        for cell in range(len(side_rules.rules.track)):
            hit = occupied >> np.uint64(cell) & np.uint64(1) != 0
            yield side_rules.struck(stands[hit], cell)


def _heaps(cells: int, pieces: int) -> int:
    """The number of ways to put like pieces on cells that they may share."""
    return comb(cells + pieces - 1, pieces)


def _between(cells: int) -> Masks:
    """The cells strictly between each pair of cells."""
    low, high = np.triu_indices(cells, 1)
    one = np.uint64(1)
    masks = np.zeros((cells, cells), np.uint64)
    masks[low, high] = (one << high.astype(np.uint64)) - (one << (low + 1).astype(np.uint64))
    return masks | masks.T
