"""The engine's rules for rows of cells, in a form that Numba can compile.

Like pieces of a row are in the order given by `arrange`. Every function here is tested against the
engine, position by position.
"""

from lineduel.compiled.compiler import borrowing
from lineduel.compiled.rule_numbers import (
    GOES_HOME,
    LEAVES,
    LOW_NUMBERS,
    NO_BATTLE,
    NOBODY,
    OUT,
    STAYS,
    CellRow,
    RuleNumbers,
)

ILLEGAL = -1
"""The target of an illegal step."""


@borrowing
def arrange(rules: RuleNumbers, row: CellRow) -> None:
    """Sort like pieces in place, captured ones last (insertion sort along each chain)."""
    for piece in range(len(row)):
        cell, place, before = row[piece], piece, rules.fellow[piece]
        while before != NOBODY and row[before] > cell:
            row[place] = row[before]
            place, before = before, rules.fellow[before]
        row[place] = cell


@borrowing
def winner_of(rules: RuleNumbers, row: CellRow, side: int) -> int:
    """The side that has won, or 0 if the game goes on; do not call it during an open battle."""
    winner = _winner_by_cells(rules, row, side)
    if winner == 0 and rules.stuck_loses and not _can_step(rules, row, side):
        return 3 - side
    return winner


@borrowing
def _winner_by_cells(rules: RuleNumbers, row: CellRow, side: int) -> int:
    """The side that has won, whether or not the side to move can move."""
    goal1, goal2, left1, left2 = 0, 0, False, False
    for piece in range(rules.pieces1):
        goal1 += rules.goals[0, row[piece]]
        left1 |= row[piece] != OUT
    for piece in range(rules.pieces1, len(row)):
        goal2 += rules.goals[1, row[piece]]
        left2 |= row[piece] != OUT
    if goal1 >= rules.goal_needs[0]:
        return 1
    if goal2 >= rules.goal_needs[1]:
        return 2
    if not left1 and not left2:  # lost in a battle; the side to move did not attack
        return side
    if not left2:
        return 1
    if not left1:
        return 2
    if rules.wins:
        for one in range(rules.pieces1):
            for two in range(rules.pieces1, len(row)):
                if row[one] == row[two]:
                    return 3 - side
    return 0


@borrowing
def landing(rules: RuleNumbers, row: CellRow, side: int, piece: int, step: int) -> int:
    """The cell that a step of a piece of the side to move leads to, or ILLEGAL."""
    cell = int(row[piece])
    if cell == OUT or not rules.may_step[piece, step]:
        return ILLEGAL
    target = cell + step if side == 1 else cell - step
    if target < 0 or target >= rules.cells:
        return cell if rules.stays_at_edge else ILLEGAL
    if step == 0:
        return cell
    low, high = min(cell, target), max(cell, target)
    for other in range(len(row)):
        if row[other] == target:
            own = (other < rules.pieces1) == (side == 1)
            if (own and rules.own_blocks) or (not own and rules.enemy_blocks):
                return ILLEGAL
        elif low < row[other] < high and not rules.jumps:
            return ILLEGAL
    return target


@borrowing
def step_to(
    rules: RuleNumbers, row: CellRow, side: int, piece: int, target: int, after: CellRow
) -> int:
    """Write the row after a legal step to `after`, with like pieces in order.

    Returns the cell of the battle that the step opens, or NO_BATTLE.
    """
    for other in range(len(row)):
        after[other] = row[other]
    if target == row[piece]:
        return NO_BATTLE
    after[piece] = target
    meets = False
    if rules.landed_on != STAYS or rules.opens_battle:
        low, high = (rules.pieces1, len(row)) if side == 1 else (0, rules.pieces1)
        for enemy in range(low, high):
            if row[enemy] == target:
                after[enemy] = displaced(rules, enemy, target, rules.landed_on)
                meets = True
    arrange(rules, after)
    return target if meets and rules.opens_battle else NO_BATTLE


@borrowing
def side_after(rules: RuleNumbers, row: CellRow, side: int, after: CellRow) -> int:
    """The side to move after a step of `side` has led from `row` to `after`."""
    if not rules.moves_again or _winner_by_cells(rules, after, 3 - side) != 0:
        return 3 - side
    displaces = False
    low, high = (rules.pieces1, len(row)) if side == 1 else (0, rules.pieces1)
    for enemy in range(low, high):
        displaces |= row[enemy] != after[enemy]
    return side if displaces and _can_step(rules, after, side) else 3 - side


@borrowing
def _can_step(rules: RuleNumbers, row: CellRow, side: int) -> bool:
    """Whether a side has any legal step."""
    low, high = (0, rules.pieces1) if side == 1 else (rules.pieces1, len(row))
    for piece in range(low, high):
        for step in rules.steps:
            if landing(rules, row, side, piece, step) != ILLEGAL:
                return True
    return False


@borrowing
def settle_battle(
    rules: RuleNumbers,
    row: CellRow,
    side: int,
    cell: int,
    number1: int,
    number2: int,
    after: CellRow,
) -> None:
    """Write the row after a battle on a cell to `after`, with like pieces in order.

    `side` moves after the battle, so the other side attacked.
    """
    winner = rules.battle_winner[(number1 - 1) * rules.numbers + number2 - 1]
    for piece in range(len(row)):
        owner = 1 if piece < rules.pieces1 else 2
        tied_goes = rules.tied_defender_goes if owner == side else rules.tied_attacker_goes
        goes = tied_goes if winner == 0 else owner != winner
        after[piece] = row[piece]
        if row[piece] == cell and goes:
            after[piece] = displaced(rules, piece, cell, rules.lost_battle)
    arrange(rules, after)


@borrowing
def hand_of(rules: RuleNumbers, whole: CellRow, side: int) -> int:
    """As bits: the numbers that a side has in hand, by the whole row; bit 0 is number 1."""
    if not rules.spends:
        return (1 << rules.numbers) - 1
    place = len(rules.homes) + 2 * (side - 1)
    return int(whole[place]) | int(whole[place + 1]) << LOW_NUMBERS


@borrowing
def number_in_hand(hand: int, number: int) -> int:
    """The number itself, or the lowest in hand if it is not there."""
    if not hand >> (number - 1) & 1:
        number = 1
        while not hand >> (number - 1) & 1:
            number += 1
    return number


@borrowing
def spend(rules: RuleNumbers, whole: CellRow, side: int, number: int, after: CellRow) -> None:
    """Write a side's hand after it has chosen a number to the whole row `after`."""
    if rules.spends:
        left = hand_of(rules, whole, side) & ~(1 << (number - 1))
        if left == 0:
            left = (1 << rules.numbers) - 1
        place = len(rules.homes) + 2 * (side - 1)
        after[place] = left & ((1 << LOW_NUMBERS) - 1)
        after[place + 1] = left >> LOW_NUMBERS


@borrowing
def displaced(rules: RuleNumbers, piece: int, cell: int, how: int) -> int:
    """The cell that a piece goes to if `how` happens to it on that cell."""
    if how == LEAVES:
        return OUT
    if how == GOES_HOME:
        return int(rules.homes[piece])
    return cell
