"""The rules over rows of cells say of every position what the engine says, battles included."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from lineduel.compiled import compiled
from lineduel.compiled.row_rules import (
    ILLEGAL,
    hand_of,
    landing,
    number_in_hand,
    settle_battle,
    side_after,
    spend,
    step_to,
    winner_of,
)
from lineduel.compiled.rule_numbers import (
    NO_BATTLE,
    CellRow,
    RuleNumbers,
    position_of,
    row_of,
    rule_numbers,
)
from lineduel.engine import Game, Position
from lineduel.engine.symmetry import Likeness
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook
from support.strategies import ALL_GAMES, reachable, rulebooks

MOST = 3000
"""Positions of a shipped game that are looked at; of all but two these are all."""


@compiled
def winner(rules: RuleNumbers, row: CellRow, side: int) -> int:
    return winner_of(rules, row, side)


@compiled
def all_after(
    rules: RuleNumbers,
    whole: CellRow,
    side: int,
    battle: int,
    rows: CellRow,
    battles: CellRow,
    sides: CellRow,
) -> int:
    """Where all legal moves but a pass lead, in the engine's order; how many there are.

    `whole` and `rows` are rows without the cell of the battle: pieces, and hands if there are any.
    """
    found, pieces = 0, len(rules.homes)
    row = whole[:pieces]
    for one in range(len(rows)):
        for place in range(pieces, len(whole)):
            rows[one, place] = whole[place]
    if battle != NO_BATTLE:
        for number in range(rules.numbers * rules.numbers):
            one, two = number // rules.numbers + 1, number % rules.numbers + 1
            hand1, hand2 = hand_of(rules, whole, 1), hand_of(rules, whole, 2)
            if number_in_hand(hand1, one) != one or number_in_hand(hand2, two) != two:
                continue
            after = rows[found]
            settle_battle(rules, row, side, battle, one, two, after[:pieces])
            spend(rules, whole, 1, one, after)
            spend(rules, whole, 2, two, after)
            battles[found], sides[found] = NO_BATTLE, side
            found += 1
        return found
    low, high = (0, rules.pieces1) if side == 1 else (rules.pieces1, len(row))
    for piece in range(low, high):
        for step in rules.steps:
            target = landing(rules, row, side, piece, step)
            if target != ILLEGAL:
                battles[found] = step_to(rules, row, side, piece, target, rows[found, :pieces])
                sides[found] = side_after(rules, row, side, rows[found, :pieces])
                found += 1
    return found


def assert_engines_rules(game: Game, positions: list[Position]) -> None:
    rules, numbers, likeness = game.rules, rule_numbers(game.rules), Likeness(game.rules)
    most = max(len(numbers.homes) * len(numbers.steps), numbers.numbers**2)
    pieces = len(numbers.homes)
    rows = np.empty((most, len(row_of(rules, game.start())) - 1), np.int8)
    battles, sides = np.empty(most, np.int8), np.empty(most, np.int8)
    for position in dict.fromkeys(map(likeness.standing_for, positions)):
        *_, battle = full = row_of(rules, position)
        row = full[:-1]
        if position.battle is None:
            assert winner(numbers, row[:pieces], int(position.side)) == (
                game.outcome(position) or 0
            )
        if game.outcome(position) is not None:
            continue
        assert position_of(rules, full, position.side) == position
        count = all_after(numbers, row, int(position.side), battle, rows, battles, sides)
        reached = [
            position_of(rules, np.append(rows[at], battles[at]), int(sides[at]))
            for at in range(count)
        ]
        after = (game.play(position, move) for move in game.moves(position))
        passed = position_of(rules, np.append(row, np.int8(NO_BATTLE)), position.side.other)
        assert (reached or [passed]) == list(map(likeness.standing_for, after))


@pytest.mark.parametrize("name", ALL_GAMES)
def test_a_shipped_game_has_the_engines_rules(name: str) -> None:
    game = Game(find_rulebook(name))
    assert_engines_rules(game, reachable(game, MOST))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(rulebooks())
def test_a_random_game_has_the_engines_rules(rulebook: Rulebook) -> None:
    game = Game(rulebook)
    assert_engines_rules(game, reachable(game, 300))
