"""Random rulebooks: the same for the same seed, all different, with what was asked for."""

import sys
from itertools import islice

import pytest

from lineduel.engine import Game
from lineduel.envs import random_rulebooks, split_of
from lineduel.graph import explore_by_engine
from lineduel.lab import identity
from lineduel.solve import solve
from support.strategies import mirrored

SIZE = (10, 150)


def test_the_stream_depends_on_its_seed_alone() -> None:
    first = list(random_rulebooks(5, count=8, positions=SIZE))
    assert list(islice(random_rulebooks(5, positions=SIZE), 8)) == first
    assert list(random_rulebooks(6, count=8, positions=SIZE)) != first


def test_no_two_are_the_same_game_and_all_are_solved() -> None:
    found = list(random_rulebooks(1, count=12, positions=SIZE))
    assert len({identity(one.rules).key for one in found}) == 12
    assert len({one.id for one in found}) == 12
    for rulebook in found:
        game = Game(rulebook)
        assert 10 <= len(explore_by_engine(game, game.start())) <= 150
        solve(game)


def test_splits_share_no_game_up_to_mirror_and_renaming() -> None:
    train = list(random_rulebooks(1, count=10, split="train", positions=SIZE))
    test = list(random_rulebooks(2, count=10, split="test", positions=SIZE))
    keys = [{identity(one.rules).key for one in split} for split in (train, test)]
    assert not keys[0] & keys[1]
    for rulebook in train:
        assert split_of(rulebook) == "train"
        if rulebook.rules.first is not None:
            assert split_of(mirrored(rulebook)) == "train"


@pytest.mark.parametrize("battles", [True, False])
def test_battles_can_be_asked_for(battles: bool) -> None:
    for rulebook in random_rulebooks(3, count=5, battles=battles, positions=SIZE):
        assert (rulebook.rules.battle is not None) == battles


def test_a_depth_can_be_asked_for() -> None:
    for rulebook in random_rulebooks(4, count=3, depth=7, battles=False, positions=SIZE):
        assert (solve(Game(rulebook)).longest or 0) >= 7


def test_asking_for_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["lineduel.envs.random_rulebooks"]
    monkeypatch.setattr(module, "_MOST_REJECTED", 50)
    with pytest.raises(ValueError, match="ask for less"):
        next(random_rulebooks(1, positions=(2, 3), depth=9))


def test_compiled_code_draws_what_the_engine_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[random_rulebooks.__module__]
    drawn = []
    for most in (0, 3, 1000):
        monkeypatch.setattr(module, "_MOST_BY_ENGINE", most)
        drawn.append([one.rules for one in random_rulebooks(4, count=6, depth=4)])
    assert drawn[0] == drawn[1] == drawn[2]


def test_a_rulebook_may_have_as_few_and_as_many_positions_as_are_asked_for() -> None:
    """The bounds belong to what is allowed."""
    first = next(random_rulebooks(5, positions=SIZE))
    game = Game(first)
    size = len(explore_by_engine(game, game.start()))
    for least, most, fits in (
        (size, 150, True),
        (size + 1, 150, False),
        (10, size, True),
        (10, size - 1, False),
    ):
        assert (next(random_rulebooks(5, positions=(least, most))) == first) is fits
