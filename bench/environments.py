"""Environments of Cross Over beside their peers: random legal moves, steps a second."""

import random
import time
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import jax
import numba
import numpy as np
import pettingzoo
import pgx
from pgx.experimental import auto_reset

import lineduel.envs.gymnasium
import lineduel.envs.pettingzoo  # noqa: F401  it registers the games
from bench.jax_on_gpu import loop
from bench.timing import interleaved, verdict
from lineduel import Game, find_rulebook
from lineduel.envs import state_table
from lineduel.envs.batch import GameBatch
from lineduel.envs.jax import make_jax_env

ROUNDS = 5
SECONDS = 0.5
GAMES = 64
BATCH = 65_536
JAX_STEPS = 16


def main() -> None:
    rulebook = find_rulebook("cross-over")
    print("Environments of Cross Over, random legal moves, steps a second")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the peers' own environments
        _one_at_a_time()
        _vectors()
        _batches(rulebook)


def _told(title: str, found: dict[str, float], ours: str, goals: dict[str, float]) -> None:
    print(f"  {title}")
    for name, one in found.items():
        print(f"    {name:<44}{one:>16,.0f}")
    for peer, goal in goals.items():
        ratio = found[ours] / found[peer]
        print(f"    {ours} / {peer}: {ratio:.2f}  ({verdict(ratio, goal)})")


def _one_at_a_time() -> None:
    ours, theirs = "lineduel", "PettingZoo tictactoe_v3"
    envs = {
        ours: pettingzoo.make("aec", "lineduel/cross-over-v0"),
        theirs: pettingzoo.make("aec", "classic/tictactoe-v3"),
        "PettingZoo connect_four_v3": pettingzoo.make("aec", "classic/connect_four-v3"),
    }
    for env in envs.values():  # positions are remembered, as they are in long training
        _agents(env, 6 * SECONDS)
    runs = {name: (lambda env=env: _agents(env, SECONDS)) for name, env in envs.items()}
    _told("PettingZoo, as a user makes it", interleaved(runs, ROUNDS), ours, {theirs: 3})


def _agents(env: Any, seconds: float) -> float:
    """Steps a second of an AEC environment in the usual loop."""
    rng, steps, began = random.Random(0), 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        env.reset()
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
            else:
                env.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
                steps += 1
    return steps / (time.perf_counter() - began)


def _vectors() -> None:
    ours = f"lineduel, {GAMES} games"
    sync, own = f"{GAMES} CartPoles, SyncVectorEnv", f"{GAMES} CartPoles, their own vector form"
    duel = gymnasium.make_vec("lineduel/CrossOver-v0", num_envs=GAMES, opponent="random")
    poles = {
        sync: gymnasium.make_vec("CartPole-v1", num_envs=GAMES, vectorization_mode="sync"),
        own: gymnasium.make_vec(
            "CartPole-v1", num_envs=GAMES, vectorization_mode="vector_entry_point"
        ),
    }
    legal = _legal_script(duel)
    rng = np.random.default_rng(0)
    actions = [rng.integers(0, 2, GAMES) for _ in range(64)]
    runs: dict[str, Callable[[], float]] = {ours: lambda: _scripted(duel, legal)}
    for name, env in poles.items():
        runs[name] = lambda env=env: _scripted(env, actions)
    goals = {sync: 1.0, own: 1.0}
    _told("Gymnasium, step alone, actions chosen before", interleaved(runs, ROUNDS), ours, goals)


def _legal_script(env: Any) -> list[Any]:
    """Legal actions for many steps from a seed, so that the same game can be played again."""
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=1)
    script = []
    for _ in range(4000):
        chances = rng.random(info["action_mask"].shape) * info["action_mask"]
        script.append(chances.argmax(axis=1))
        *_, info = env.step(script[-1])
    return script


def _scripted(env: Any, script: list[Any]) -> float:
    steps, taken = 0, 0.0
    while taken < SECONDS:
        env.reset(seed=1)
        began = time.perf_counter()
        for actions in script:
            env.step(actions)
        taken += time.perf_counter() - began
        steps += len(script) * GAMES
    return steps / taken


def _batches(rulebook: Any) -> None:
    batch = GameBatch(rulebook, BATCH)
    one_core = GameBatch(rulebook, BATCH, threads=1)
    table = state_table(Game(rulebook))
    by_hand = _ByHand(table)
    environment, ttt = make_jax_env(rulebook), pgx.make("tic_tac_toe")
    in_jax = loop(environment, jax.vmap(environment.step_auto_reset), False, BATCH, JAX_STEPS, True)
    wrapped = jax.vmap(auto_reset(ttt.step, ttt.init))
    pgx_loop = loop(ttt, wrapped, True, BATCH, JAX_STEPS, True)
    bare = loop(environment, jax.vmap(environment.step_auto_reset), False, BATCH, JAX_STEPS, False)
    pgx_bare = loop(ttt, wrapped, True, BATCH, JAX_STEPS, False)

    def everything() -> None:
        batch.step_randomly()
        batch.masks()
        batch.observations()

    plain, full, hand = "batch", "batch, with observations and masks", "by hand in Numba, tables"
    one, peer = "batch, one core", "pgx tic_tac_toe on the CPU"
    runs = {
        plain: lambda: _repeated(batch.step_randomly, BATCH),
        one: lambda: _repeated(one_core.step_randomly, BATCH),
        "batch, random_actions and step": lambda: _repeated(
            lambda: batch.step(batch.random_actions()), BATCH
        ),
        full: lambda: _repeated(everything, BATCH),
        f"{hand}, one core": lambda: _repeated(by_hand.step, BATCH),
        peer: lambda: _in_jax(pgx_bare),
        f"{peer}, observations": lambda: _in_jax(pgx_loop),
        "JAX environment": lambda: _in_jax(bare),
        "JAX environment, observations": lambda: _in_jax(in_jax),
    }
    found = interleaved(runs, ROUNDS)
    _told(f"{BATCH:,} games at once", found, plain, {peer: 30})
    _told("the same", {full: found[full], peer: found[peer]}, full, {peer: 15})
    hand = f"{hand}, one core"
    _told("the same, one core", {one: found[one], hand: found[hand]}, one, {hand: 0.5})
    jax_name = "JAX environment, observations"
    theirs = f"{peer}, observations"
    told = {jax_name: found[jax_name], theirs: found[theirs]}
    _told("JAX on the CPU", told, jax_name, {theirs: 2})


def _repeated(action: Callable[[], object], steps: int) -> float:
    action()
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        for _ in range(5):
            action()
        count += 5
    return count * steps / (time.perf_counter() - began)


def _in_jax(function: Any) -> float:
    seed = iter(range(1_000_000))
    return _repeated(
        lambda: jax.block_until_ready(function(jax.random.PRNGKey(next(seed)))), BATCH * JAX_STEPS
    )


class _ByHand:
    """Cross Over as somebody would write it for this one purpose: tables, and a random step."""

    def __init__(self, table: Any) -> None:
        self._next, self._over = table.next, table.over
        self._count = (table.next >= 0).sum(axis=1).astype(np.uint8)
        self._moves = np.argsort(table.next < 0, axis=1, kind="stable").astype(np.uint8)
        self._state = np.zeros(BATCH, np.int32)
        self._random = np.random.default_rng(0).integers(1, 1 << 32, BATCH).astype(np.uint32)

    def step(self) -> None:
        _hand_step(self._state, self._random, self._next, self._count, self._moves, self._over)


@numba.njit(nogil=True)
def _hand_step(state, drawn, after, count, moves, over):  # type: ignore[no-untyped-def]
    for game in range(len(state)):
        x = np.uint64(drawn[game])
        x = (x ^ (x << np.uint64(13))) & np.uint64(0xFFFFFFFF)
        x ^= x >> np.uint64(17)
        x = (x ^ (x << np.uint64(5))) & np.uint64(0xFFFFFFFF)
        drawn[game] = x
        at = state[game]
        reached = after[at, moves[at, (x * np.uint64(count[at])) >> np.uint64(32)]]
        state[game] = 0 if reached >= over else reached


if __name__ == "__main__":
    main()
