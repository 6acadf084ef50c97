"""A batch plays the engine's games, whatever its form, its size and its threads."""

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from lineduel.engine import PASS, Game, Numbers
from lineduel.envs import Encoding
from lineduel.envs.batch import GameBatch
from lineduel.errors import IllegalMove, NotationError, TooLarge
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side
from oracles.sequential_play import SequentialPlay
from support.strategies import ALL_GAMES, rulebooks_that_begin

SAMPLE = ("cross-over", "flag-chase", "ctf-tokens:may-share")


def check_against_engine(
    rulebook: Rulebook, form: str, size: int = 8, steps: int = 60, max_plies: int = 25
) -> None:
    """Follow each game of a batch with the engine, move by move."""
    batch = GameBatch(rulebook, size, seed=3, form=form, max_plies=max_plies)  # type: ignore[arg-type]
    game, encoding = batch.game, batch.encoding
    plays = [SequentialPlay(game, encoding, game.start()) for _ in range(size)]
    if game.outcome(game.start()) is not None:
        return
    plies = [0] * size
    for step in range(steps):
        masks, seen, choosers = batch.masks(), batch.observations().copy(), batch.choosers
        theirs = batch.observations(Side.TWO)
        for at, play in enumerate(plays):
            assert batch.position(at) == play.position
            assert choosers[at] == play.chooser
            assert tuple(np.flatnonzero(masks[at])) == play.legal
            assert (seen[at] == encoding.observation(play.position, play.chooser)).all()
            assert (theirs[at] == encoding.observation(play.position, Side.TWO)).all()
        actions = batch.random_actions().copy()
        ended = batch.step(actions, observe=step % 2 == 0)
        for at, play in enumerate(plays):
            winner = play.play(int(actions[at]))
            plies[at] += 1
            assert ended.terminated[at] == (winner is not None)
            assert ended.rewards[at] == {None: 0, Side.ONE: 1, Side.TWO: -1}[winner]
            cut = winner is None and plies[at] == max_plies
            assert ended.truncated[at] == cut
            if winner is not None or cut:
                plays[at] = SequentialPlay(game, encoding, game.start())
                plies[at] = 0


@pytest.mark.parametrize("form", ["table", "cells"])
@pytest.mark.parametrize("address", SAMPLE)
def test_a_batch_plays_the_engines_games(address: str, form: str) -> None:
    check_against_engine(find_rulebook(address), form)


@pytest.mark.long
@pytest.mark.parametrize("form", ["table", "cells"])
@pytest.mark.parametrize("address", ALL_GAMES)
def test_a_batch_plays_the_engines_games_of_every_rulebook(address: str, form: str) -> None:
    check_against_engine(find_rulebook(address), form, size=40, steps=200, max_plies=70)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(rulebooks_that_begin())
def test_a_batch_plays_the_engines_games_of_random_rulebooks(rulebook: Rulebook) -> None:
    for form in ("table", "cells"):
        check_against_engine(rulebook, form, size=3, steps=20, max_plies=9)


@pytest.mark.long
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(rulebooks_that_begin())
def test_a_batch_plays_the_engines_games_of_many_random_rulebooks(rulebook: Rulebook) -> None:
    for form in ("table", "cells"):
        check_against_engine(rulebook, form, size=6, steps=60)


def history(batch: GameBatch, steps: int, *, fused: bool = False) -> list[tuple[list[int], ...]]:
    """The actions and results of a batch's first 5 games."""
    told = []
    for _ in range(steps):
        if fused:
            ended = batch.step_randomly(observe=True)
            actions = batch.last_actions
        else:
            actions = batch.random_actions().copy()
            ended = batch.step(actions)
        told.append(tuple(one[:5].tolist() for one in (actions, *ended)))
    return told


def test_games_do_not_depend_on_the_size_the_threads_or_the_form() -> None:
    rulebook = find_rulebook("cross-over")
    expected = history(GameBatch(rulebook, 5, seed=7), 60)
    assert history(GameBatch(rulebook, 20_000, seed=7, threads=2), 60) == expected
    assert history(GameBatch(rulebook, 20_000, seed=7, threads=1), 60) == expected
    assert history(GameBatch(rulebook, 6, seed=7, form="cells"), 60) == expected
    assert history(GameBatch(rulebook, 6, seed=7), 60, fused=True) == expected
    assert history(GameBatch(rulebook, 6, seed=7, form="cells"), 60, fused=True) == expected
    assert history(GameBatch(rulebook, 5, seed=8), 60) != expected


@pytest.mark.parametrize("form", ["table", "cells"])
def test_what_a_step_observes_is_what_is_seen_after_it(form: Any) -> None:
    """In every game of a batch that is shared among threads, and after an illegal action too."""
    one, two = (
        GameBatch(find_rulebook("flag-chase"), 20_000, seed=3, form=form, threads=2)
        for _ in range(2)
    )
    for _ in range(12):
        for batch, observe in ((one, True), (two, False)):
            batch.step_randomly(observe=observe)
        assert (one.masks() == two.masks()).all()
        assert (one.observations() == two.observations()).all()
    before = one.masks().copy(), one.observations().copy()
    actions = one.random_actions().copy()
    actions[-1] = 200
    with pytest.raises(IllegalMove, match="Action 200 is illegal in game 19999"):
        one.step(actions, observe=True)
    assert (one.masks() == before[0]).all()
    assert (one.observations() == before[1]).all()


@pytest.mark.parametrize("form", ["table", "cells"])
def test_a_batch_uses_its_arrays_again(form: Any) -> None:
    """Those that the documents name, and no others."""
    batch = GameBatch(find_rulebook("flag-chase"), 4, form=form, max_plies=9)

    def arrays() -> dict[str, Any]:
        drawn = batch.random_actions()
        ended = batch.step_randomly()
        return {
            "masks": batch.masks(),
            "observations": batch.observations(),
            "one side's observations": batch.observations(Side.TWO),
            "random actions": drawn,
            "last actions": batch.last_actions,
            "choosers": batch.choosers,
            **ended._asdict(),
        }

    first, second = arrays(), arrays()
    new = {name for name in first if not np.shares_memory(first[name], second[name])}
    assert new == {"choosers"}
    assert np.shares_memory(first["observations"], second["one side's observations"])
    assert np.shares_memory(first["random actions"], second["last actions"])


def test_an_illegal_action_moves_no_game() -> None:
    batch = GameBatch(find_rulebook("cross-over"), 3)
    with pytest.raises(IllegalMove, match="Action 0 is illegal in game 1, where the position is"):
        batch.step([3, 0, 4])
    for action in (-1, 7, 300):
        with pytest.raises(IllegalMove):
            batch.step([3, 3, action])
    assert [str(batch.position(game)) for game in range(3)] == ["0,1,2/10,9,8/1"] * 3


@pytest.mark.parametrize("form", ["table", "cells"])
@pytest.mark.parametrize(
    "action", [np.uint64(2**64 - 1), np.uint64(2**63), np.int64(-(2**63)), np.int8(-1), np.uint8(8)]
)
def test_numbers_of_any_type_that_are_no_actions_are_illegal(
    form: Any, action: np.integer[Any]
) -> None:
    batch = GameBatch(find_rulebook("flag-chase"), 4, form=form)
    with pytest.raises(IllegalMove, match=f"Action {action} is illegal in game 0"):
        batch.step(np.full(4, action))
    assert str(batch.position(0)) == "1/5/1"


@pytest.mark.parametrize("form", ["table", "cells"])
@pytest.mark.parametrize("kind", ["u1", "i1", ">i4", "<i4", "u8", ">u8"])
def test_actions_may_be_whole_numbers_of_any_type(form: Any, kind: str) -> None:
    batch = GameBatch(find_rulebook("flag-chase"), 4, form=form)
    batch.step(np.zeros(4, kind))
    assert str(batch.position(3)) == "2/5/2"


@pytest.mark.parametrize(
    "actions", [[3, 3], [[3, 3, 3]], [3.0, 3.0, 3.0], 3, ["a", "b", "c"], [3, 3, None]]
)
def test_wrong_shapes_and_types_of_actions_are_refused(actions: object) -> None:
    batch = GameBatch(find_rulebook("cross-over"), 3)
    with pytest.raises(ValueError, match="step takes 3 whole numbers"):
        batch.step(actions)  # type: ignore[arg-type]


def test_sizes_and_limits_below_1_are_refused() -> None:
    with pytest.raises(ValueError, match="size has to be a whole number of at least 1"):
        GameBatch(find_rulebook("cross-over"), 0)
    with pytest.raises(ValueError, match="max_plies has to be a whole number of at least 1"):
        GameBatch(find_rulebook("cross-over"), 1, max_plies=0)


def test_a_large_rulebook_is_computed_from_its_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["lineduel.envs.state_table"], "MOST_STATES", 5000)
    with pytest.raises(TooLarge):
        GameBatch(find_rulebook("cross-over"), 2, form="table")
    batch = GameBatch(find_rulebook("cross-over"), 2)
    batch.step(batch.random_actions())
    assert batch.position(0) != batch.game.start()


def test_actions_are_named_and_found() -> None:
    """Each move of the engine is an action of its side, and each action tells its move."""
    for address in ALL_GAMES:
        game = Game(find_rulebook(address))
        encoding = Encoding(game.rules)
        for side in Side:
            for piece in game.rules.team(side).pieces:
                for step in game.rules.movement.steps:
                    name = f"{piece.name}{step:+d}"
                    action = next(
                        one
                        for one in range(encoding.actions)
                        if encoding.action_name(side, one) == name
                    )
                    move = encoding.move(side, action)
                    assert not isinstance(move, int)
                    assert move is not None
                    assert encoding.action(move) == action


def test_the_last_actions_are_pass_numbers_and_wait() -> None:
    encoding = Encoding(find_rulebook("flag-chase").rules)
    names = [encoding.action_name(Side.TWO, action) for action in range(encoding.actions + 1)]
    assert names == ["P2+1", "P2-1", "pass", "1", "2", "3", "4", "5", "wait"]
    assert encoding.actions_of(Numbers(4, 2)) == (6, 4)
    assert encoding.actions_of(PASS) == (2,)
    for wrong in (-1, 9):
        with pytest.raises(NotationError, match="There is no action"):
            encoding.move(Side.ONE, wrong)
    with pytest.raises(NotationError, match="is not an action"):
        encoding.action(6)


def test_both_sides_see_a_symmetric_start_alike() -> None:
    game = Game(find_rulebook("cross-over"))
    encoding = Encoding(game.rules)
    one = encoding.observation(game.start(Side.ONE), Side.ONE)
    two = encoding.observation(game.start(Side.TWO), Side.TWO)
    assert (one[:-2] == two[:-2]).all()
    assert one[-2:].tolist() == [0, 1]
    assert two[-2:].tolist() == [1, 1]
