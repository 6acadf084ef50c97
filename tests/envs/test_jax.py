"""pgx's own test passes, and the games in JAX are the engine's."""

import copy
import pickle
import typing
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pgx
import pgx._src.api_test
import pytest
from hypothesis import HealthCheck, given, settings
from pgx.experimental import auto_reset

from lineduel.engine import Game
from lineduel.envs import Encoding, state_table
from lineduel.envs.jax import make_jax_env, table_arrays
from lineduel.envs.jax_table import Description, TableArrays, TableEnv, random_legal_actions
from lineduel.lab import draw_position
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side
from oracles.sequential_play import SequentialPlay
from support.strategies import ALL_GAMES, rulebooks_that_begin

SAMPLE = [("cross-over", "table"), ("flag-chase", "table"), ("flag-chase", "cells")]


def check_by_pgx(address: str, form: Any, games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run pgx's `api_test`, with two defects of it mended.

    Its `act_randomly` takes axis 1, which a single game does not have, and its list of ids is
    closed.
    """
    env = make_jax_env(find_rulebook(address), form=form)
    ids = (*typing.get_args(pgx.EnvId), env.id)
    monkeypatch.setattr(pgx._src.api_test, "EnvId", typing.Literal[ids])
    monkeypatch.setattr(
        pgx._src.api_test,
        "act_randomly",
        jax.jit(lambda key, mask: jax.random.categorical(key, jnp.log(mask), axis=-1)),
    )
    pgx.api_test(env, games)


@pytest.mark.parametrize(("address", "form"), SAMPLE[:2])
def test_the_test_of_pgx_passes(address: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_by_pgx(address, form, 2, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("form", ["table", "cells"])
@pytest.mark.parametrize("address", ALL_GAMES)
def test_the_test_of_pgx_passes_for_every_rulebook(
    address: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_by_pgx(address, form, 20, monkeypatch)
    check_against_engine(find_rulebook(address), form, 32, 150)


def check_against_engine(rulebook: Rulebook, form: Any, size: int, steps: int) -> None:
    """Follow each game with the engine, through resets."""
    env = make_jax_env(rulebook, form=form, max_steps=30)
    game = Game(rulebook)
    if game.outcome(game.start()) is not None:
        return
    encoding = Encoding(rulebook.rules)
    step = jax.jit(jax.vmap(env.step_auto_reset))
    other_view = jax.jit(jax.vmap(lambda state: env._observe(state, 1 - state.current_player)))
    state: Any = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), size))
    plays = [SequentialPlay(game, encoding, game.start()) for _ in range(size)]
    seats = np.asarray(state._seat).tolist()
    lengths = [0] * size
    rng = np.random.default_rng(2)
    for _ in range(steps):
        masks, seen = np.asarray(state.legal_action_mask), np.asarray(state.observation)
        others, players = np.asarray(other_view(state)), np.asarray(state.current_player)
        actions = []
        for at, play in enumerate(plays):
            assert players[at] == (seats[at] if play.chooser is Side.ONE else 1 - seats[at])
            assert tuple(np.flatnonzero(masks[at])) == play.legal
            assert (seen[at] == encoding.observation(play.position, play.chooser)).all()
            theirs = encoding.observation(play.position, play.chooser.other)
            assert (others[at] == theirs).all()
            actions.append(rng.choice(play.legal))
        state = step(state, jnp.array(actions))
        over, rewards = np.asarray(state.terminated), np.asarray(state.rewards)
        for at, play in enumerate(plays):
            winner = play.play(int(actions[at]))
            lengths[at] += 1
            assert over[at] == (winner is not None or lengths[at] == 30)
            reward = {None: 0, Side.ONE: 1, Side.TWO: -1}[winner]
            assert rewards[at][seats[at]] == reward
            assert rewards[at][1 - seats[at]] == -reward
            if over[at]:
                plays[at] = SequentialPlay(game, encoding, game.start())
                lengths[at], seats[at] = 0, 1 - seats[at]


@pytest.mark.parametrize(("address", "form"), SAMPLE)
def test_its_games_are_the_engines(address: str, form: str) -> None:
    check_against_engine(find_rulebook(address), form, 6, 40)


@pytest.mark.long
@pytest.mark.timeout(3600)  # each rulebook is compiled twice
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(rulebooks_that_begin())
def test_its_games_are_the_engines_for_random_rulebooks(rulebook: Rulebook) -> None:
    for form in ("table", "cells"):
        check_against_engine(rulebook, form, 4, 30)


def test_a_variant_is_known_by_its_address() -> None:
    assert make_jax_env("cross-over:no-jump").id == "lineduel-cross-over:no-jump"


def test_the_wrapper_of_pgx_and_our_own_reset_agree() -> None:
    """They differ only in who sits where after a reset."""
    env = make_jax_env(find_rulebook("blockade-duel"))
    theirs = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    ours = jax.jit(jax.vmap(env.step_auto_reset))
    state: Any = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(3), 8))
    one = two = state
    for at in range(30):
        actions = one.legal_action_mask.argmax(axis=-1)
        keys = jax.random.split(jax.random.key(at), 8)
        one, two = theirs(one, actions, keys), ours(two, actions)
        assert (one._state == two._state).all()
        assert (one.legal_action_mask == two.legal_action_mask).all()
        assert (one.terminated == two.terminated).all()


def test_an_illegal_action_loses_and_nothing_happens_after_the_end() -> None:
    env = make_jax_env(find_rulebook("blockade-duel"))
    step = jax.jit(env.step)
    state: Any = jax.jit(env.init)(jax.random.key(0))
    wrong = int(jnp.argmin(state.legal_action_mask))
    player = int(state.current_player)
    after: Any = step(state, wrong)
    assert bool(after.terminated)
    assert after.rewards[player] == -1
    again: Any = step(after, 0)
    assert not again.rewards.any()


@pytest.mark.parametrize("actions", [3, 4])
def test_random_legal_actions_are_legal_and_equally_likely(actions: int) -> None:
    """For an odd number of actions and for an even one, which is drawn among one more."""
    mask = np.array([[True] * actions, [False] * (actions - 1) + [True]])
    masks = jnp.asarray(np.repeat(mask, 3000, axis=0))
    drawn = np.asarray(jax.jit(random_legal_actions)(jax.random.key(0), masks))
    assert set(drawn[3000:]) == {actions - 1}
    counts = np.bincount(drawn[:3000], minlength=actions)
    assert len(counts) == actions
    assert (abs(counts - 3000 / actions) < 150).all()


def test_both_players_get_both_seats() -> None:
    env = make_jax_env(find_rulebook("blockade-duel"))
    state: Any = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), 64))
    assert 10 < int(state.current_player.sum()) < 54


FORMS = ("table", "cells")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_environments_and_states_can_be_copied_and_pickled(form: Any, copied: Any) -> None:
    """A copy plays the same game, and goes on where the other one was."""
    env = make_jax_env("cross-over", form=form)
    step: Any = jax.jit(env.step)
    state: Any = jax.jit(env.init)(jax.random.key(1))
    other_step, other = jax.jit(copied(env).step), copied(state)
    for _ in range(3):
        action = state.legal_action_mask.argmax()
        state, mixed, other = step(state, action), step(other, action), other_step(other, action)
        for one in (mixed, other):
            assert all(map(np.array_equal, jax.tree.leaves(one), jax.tree.leaves(state)))
    assert step._cache_size() == 1  # a copy is not compiled for again
    assert other.to_svg() == state.to_svg()
    assert len(pickle.dumps(state)) < 20_000


@pytest.mark.parametrize("form", FORMS)
def test_a_state_is_drawn_as_the_position_it_is(form: Any) -> None:
    """Through a battle, and from whichever side it is seen."""
    game = Game(find_rulebook("flag-chase"))
    play = SequentialPlay(game, Encoding(game.rules), game.start())
    env = make_jax_env("flag-chase", form=form)
    step = jax.jit(env.step)
    state: Any = jax.jit(env.init)(jax.random.key(1))
    for action in (0, 0, 0, 0, 4, 3, 0):  # a battle on 3
        state = step(state, action)
        play.play(action)
        assert state.to_svg() == draw_position(game, play.position)


@pytest.mark.parametrize("form", FORMS)
def test_games_begin_at_a_position(form: Any) -> None:
    """Each time, and on after a battle that is open there."""
    game = Game(find_rulebook("flag-chase"))
    position = read_position(game, "3/3/2*")
    env = make_jax_env("flag-chase", form=form, position="3/3/2*", max_steps=2)
    assert make_jax_env("flag-chase", form=form, position=position).id == env.id
    state: Any = env.init(jax.random.key(0))
    seen = Encoding(game.rules).observation(position, Side.ONE)
    assert (state.observation == seen).all()
    step = jax.jit(env.step_auto_reset)
    for action in (3, 4):
        state = step(state, action)
    assert (state.terminated, state.truncated) == (True, True)
    assert (state.observation == seen).all()


@pytest.mark.parametrize("form", FORMS)
def test_a_limit_is_told_from_an_end(form: Any) -> None:
    """At the limit a game is truncated, and terminated as pgx wants it; a won game is not cut."""
    env = make_jax_env("ctf-tokens", form=form, max_steps=6)
    step, auto = jax.jit(env.step), jax.jit(env.step_auto_reset)
    cut = won = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        state: Any = env.init(jax.random.key(seed))
        while not state.terminated:
            action = int(rng.choice(np.flatnonzero(state.legal_action_mask)))
            before, state = state, step(state, action)
            reset = auto(before, action)
            assert (reset.terminated, reset.truncated) == (state.terminated, state.truncated)
        assert state.truncated == (not state.rewards.any())
        cut, won = cut + bool(state.truncated), won + bool(state.rewards.any())
    assert cut
    assert won


def test_arrays_are_kept_in_a_file(tmp_path: Path) -> None:
    env = make_jax_env(find_rulebook("blockade-duel"))
    assert isinstance(env, TableEnv)
    path = tmp_path / "blockade.npz"
    game = Game(find_rulebook("blockade-duel"))
    arrays = table_arrays(game, state_table(game))
    arrays.save(path)
    read = TableArrays.load(path)
    again = TableEnv(Description("read"), read)
    first, second = env.init(jax.random.key(0)), again.init(jax.random.key(0))
    assert (first.observation == second.observation).all()
    assert first.to_svg().startswith("<svg")
    with pytest.raises(NotImplementedError, match="no pictures"):
        second.to_svg()
