"""Every move of a rulebook has one number, and every number one move."""

import pytest
from hypothesis import given

from lineduel.engine import PASS, Actions, Game, Numbers, Step
from lineduel.errors import NotationError
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side
from strategies import ALL_GAMES, reachable, rulebooks


def assert_numbered(rulebook: Rulebook, most: int) -> None:
    """A bijection that has a number for each legal move, in the moves' own order."""
    game, actions = Game(rulebook), Actions(rulebook.rules)
    rules, battle = rulebook.rules, rulebook.rules.battle
    pieces = sum(len(rules.team(side).pieces) for side in Side)
    steps = len(rules.movement.steps)
    assert len(actions) == pieces * steps + 1 + (battle.numbers**2 if battle else 0)
    for action in range(len(actions)):
        assert actions.action(actions.move(action)) == action
    assert len(set(map(actions.move, range(len(actions))))) == len(actions)
    for position in reachable(game, most):
        moves, legal = game.moves(position), actions.legal(game, position)
        assert tuple(map(actions.move, legal)) == moves
        assert list(legal) == sorted(legal)
        mask = actions.legal_mask(game, position)
        assert [action for action, one in enumerate(mask) if one] == list(legal)
        assert len(mask) == len(actions)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_a_shipped_game_is_numbered(name: str) -> None:
    assert_numbered(find_rulebook(name), 2000)


@given(rulebooks())
def test_a_random_game_is_numbered(rulebook: Rulebook) -> None:
    assert_numbered(rulebook, 200)


def test_the_order_is_the_documented_one() -> None:
    """So that numbers that were written down mean the same for ever."""
    rules = find_rulebook("flag-chase").rules
    actions, steps = Actions(rules), rules.movement.steps
    pieces = [piece.name for side in Side for piece in rules.team(side).pieces]
    for place, piece in enumerate(pieces):
        for at, step in enumerate(steps):
            assert actions.action(Step(piece, step)) == place * len(steps) + at
    passing = len(pieces) * len(steps)
    assert actions.action(PASS) == passing
    assert rules.battle is not None
    assert [str(actions.move(passing + 1 + at)) for at in range(2)] == ["1:1", "1:2"]
    last = rules.battle.numbers
    assert actions.move(len(actions) - 1) == Numbers(last, last)


def test_what_has_no_number_is_refused() -> None:
    actions = Actions(find_rulebook("cross-over").rules)
    for action in (-1, len(actions)):
        with pytest.raises(NotationError, match="the actions are 0 to"):
            actions.move(action)
    for move in (Step("P1-A", 9), Step("nobody", 1), Numbers(1, 2)):
        with pytest.raises(NotationError, match="is not a move of this game"):
            actions.action(move)
