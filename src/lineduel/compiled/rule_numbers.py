"""A rulebook's rules as plain numbers and arrays, for compiled code and tables.

Cells are numbered from 0 here. A row holds the cells of player 1's pieces, those of player 2's, and
the cell of the open battle or `NO_BATTLE`; the cell of a captured piece is `OUT`. If numbers are
spent, the hands of both players come before the cell of the battle, in two items each: bits for the
numbers 1 to `LOW_NUMBERS`, then for the others.
"""

from itertools import pairwise
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from lineduel.engine import Cells, Hands, Position
from lineduel.rules import MAX_NUMBERS, Displacement, Rules, Side, Tie

CellRow = NDArray[np.int8]

OUT = 64
"""The cell of a captured piece; larger than any cell of a track."""
NOBODY = -1
NO_BATTLE = -1
"""Used instead of a cell if no battle is open."""
LOW_NUMBERS = 7
"""How many numbers of a hand fit into one item of a row."""
STAYS, LEAVES, GOES_HOME = 0, 1, 2
"""What happens to a piece that is landed on or has lost a battle."""


class RuleNumbers(NamedTuple):
    """All rules that affect play, without the names."""

    cells: int
    pieces1: int
    """The number of player 1's pieces."""
    steps: NDArray[np.int64]
    """Every step that some piece may take."""
    may_step: NDArray[np.bool_]
    """For each piece and step, whether it may take it; a negative step counts from the end."""
    homes: CellRow
    goals: NDArray[np.bool_]
    """For each side and cell, including `OUT`, whether it is a goal of that side."""
    goal_needs: NDArray[np.int64]
    """For each side, how many of its pieces have to be there at the same time."""
    fellow: NDArray[np.int64]
    """For each piece, the previous like piece, or NOBODY."""
    jumps: bool
    stays_at_edge: bool
    """Whether a step off the track leaves the piece on its cell."""
    own_blocks: bool
    enemy_blocks: bool
    landed_on: int
    """What happens to enemies that a step lands on: STAYS, LEAVES or GOES_HOME."""
    opens_battle: bool
    moves_again: bool
    """Whether a side keeps the turn after a step that displaces an enemy."""
    stuck_loses: bool
    """Whether a side loses if it has the turn and no legal move."""
    wins: bool
    """Whether landing on an enemy wins."""
    battle_winner: CellRow
    """The winner of each pair of numbers (1, 2, or 0 for a tie), a row per number of player 1."""
    numbers: int
    """The number of choices a side has in a battle; 0 without battles."""
    lost_battle: int
    """What happens to the loser's pieces and, after a tie, to the pieces that go."""
    tied_attacker_goes: bool
    tied_defender_goes: bool
    spends: bool
    """Whether a number that was chosen leaves the hand."""


def rule_numbers(rules: Rules, *, told_apart: bool = False) -> RuleNumbers:
    """The rules as numbers; if pieces are told apart, no two of them are alike."""
    enemy_blocks, displaces, opens_battle, wins, _, _, _ = rules.meet.enemy.consequences
    first, teams = rules.track.first, {side: rules.team(side) for side in Side}
    goals = np.zeros((len(Side), OUT + 1), np.bool_)
    for side, team in teams.items():
        for cell in team.goal:
            goals[side - 1, cell - first] = True
    homes = [home - first for team in teams.values() for home in team.homes]
    battle = rules.battle
    tied = battle.tie.consequences if battle else Tie.NOBODY.consequences
    choices = range(1, battle.numbers + 1) if battle else range(0)
    return RuleNumbers(
        cells=len(rules.track),
        pieces1=len(rules.player1.pieces),
        steps=np.array(rules.all_steps, np.int64),
        may_step=_may_step(rules),
        homes=np.array(homes, np.int8),
        goals=goals,
        goal_needs=np.array([team.goal_needs for team in teams.values()], np.int64),
        fellow=np.full(len(homes), NOBODY, np.int64) if told_apart else _fellows(rules),
        jumps=rules.movement.jump,
        stays_at_edge=rules.movement.edge.keeps_cell,
        own_blocks=rules.meet.own.consequences.blocks,
        enemy_blocks=enemy_blocks,
        landed_on=_code(displaces),
        opens_battle=opens_battle,
        moves_again=rules.moves_again,
        stuck_loses=rules.stuck.ends_game,
        wins=wins,
        battle_winner=np.array(
            [(battle.winner(one, two) or 0) for one in choices for two in choices]
            if battle
            else [],
            np.int8,
        ),
        numbers=len(choices),
        lost_battle=_code(battle.displaces) if battle else STAYS,
        tied_attacker_goes=tied.attacker_goes,
        tied_defender_goes=tied.defender_goes,
        spends=bool(battle and battle.hand.is_spent),
    )


def row_of(rules: Rules, position: Position) -> CellRow:
    """A position as a row; like pieces may be out of order."""
    first = rules.track.first
    cells = [OUT if cell is None else cell - first for cell in position.player1 + position.player2]
    for hand in position.hands or ():
        bits = sum(1 << number - 1 for number in hand)
        cells += [bits & (1 << LOW_NUMBERS) - 1, bits >> LOW_NUMBERS]
    cells.append(NO_BATTLE if position.battle is None else position.battle - first)
    return np.array(cells, np.int8)


def position_of(rules: Rules, row: CellRow, side: int) -> Position:
    """The position of such a row, with that side to move."""
    *cells, battle = row.tolist()
    pieces1, first = len(rules.player1.pieces), rules.track.first
    pieces = pieces1 + len(rules.player2.pieces)
    return Position(
        cells_of(rules, cells[:pieces1]),
        cells_of(rules, cells[pieces1:pieces]),
        Side(side),
        None if battle == NO_BATTLE else battle + first,
        _hands_of(cells[pieces:]),
    )


def row_width(rules: Rules) -> int:
    """How many items a row has."""
    pieces = len(rules.player1.pieces) + len(rules.player2.pieces)
    return pieces + (4 if rules.battle and rules.battle.hand.is_spent else 0) + 1


def _hands_of(items: list[int]) -> Hands | None:
    if not items:
        return None
    hands = (low | high << LOW_NUMBERS for low, high in (items[:2], items[2:]))
    one, two = (
        tuple(number for number in range(1, MAX_NUMBERS + 1) if bits >> number - 1 & 1)
        for bits in hands
    )
    return one, two


def cells_of(rules: Rules, numbers: list[int]) -> Cells:
    """The labels of cells given by numbers from 0."""
    first = rules.track.first
    return tuple(None if cell == OUT else cell + first for cell in numbers)


def _may_step(rules: Rules) -> NDArray[np.bool_]:
    pieces = [(side, place) for side in Side for place in range(len(rules.team(side).pieces))]
    may = np.zeros((len(pieces), 2 * max(map(abs, rules.all_steps)) + 1), np.bool_)
    for row, (side, place) in zip(may, pieces, strict=True):
        row[list(rules.steps_of(side, place))] = True
    return may


def _fellows(rules: Rules) -> NDArray[np.int64]:
    fellow = [NOBODY] * sum(len(rules.team(side).pieces) for side in Side)
    for side in Side:
        begin = 0 if side is Side.ONE else len(rules.player1.pieces)
        for group in rules.like_pieces(side):
            for before, place in pairwise(group):
                fellow[begin + place] = begin + before
    return np.array(fellow, np.int64)


def _code(displaces: Displacement) -> int:
    match displaces:
        case Displacement.NONE:
            return STAYS
        case Displacement.OUT:
            return LEAVES
        case Displacement.HOME:
            return GOES_HOME
        case _:
            assert_never(displaces)
