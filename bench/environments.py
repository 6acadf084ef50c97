"""Environments of Cross Over beside their peers: random legal moves, steps a second."""

import random
import time
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numba
import numpy as np
import pettingzoo
import pgx
from pgx.experimental import auto_reset

import lineduel.envs.gymnasium
import lineduel.envs.pettingzoo  # noqa: F401  it registers the games
from bench.jax_on_gpu import categorical, loop
from bench.timing import interleaved, verdict
from lineduel import Game, find_rulebook
from lineduel.envs import jax_table, state_table
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
    table = state_table(Game(rulebook))
    by_hand, by_hand_in_jax = _ByHand(table), _hand_loop(table)

    def everything() -> None:
        batch.step_randomly(observe=True)
        batch.masks()
        batch.observations()

    plain, full = "batch", "batch, with observations and masks"
    peer, jax_hand = "pgx tic_tac_toe on the CPU", "by hand in JAX"
    one_core, both = "by hand in Numba, one core", "by hand in Numba, both cores"
    ours, seen = "JAX environment", "JAX environment, observations"
    peer_seen = f"{peer}, observations"
    runs = {
        plain: lambda: _repeated(batch.step_randomly, BATCH),
        "batch, random_actions and step": lambda: _repeated(
            lambda: batch.step(batch.random_actions()), BATCH
        ),
        full: lambda: _repeated(everything, BATCH),
        one_core: lambda: _repeated(by_hand.step, BATCH),
        both: lambda: _repeated(by_hand.step_on_all_cores, BATCH),
        jax_hand: lambda: _in_jax(by_hand_in_jax),
    }
    for name, loop_of_env in _jax_loops(rulebook, (ours, seen), (peer, peer_seen)).items():
        runs[name] = lambda loop_of_env=loop_of_env: _in_jax(loop_of_env)
    found = interleaved(runs, ROUNDS)
    _told(f"{BATCH:,} games at once", found, plain, {peer: 30, jax_hand: 1, both: 0.5})
    _told("the same, with observations", {full: found[full], peer: found[peer]}, full, {peer: 15})
    told = {seen: found[seen], peer_seen: found[peer_seen]}
    _told("JAX on the CPU", told, seen, {peer_seen: 2})


def _jax_loops(rulebook: Any, ours: tuple[str, str], theirs: tuple[str, str]) -> dict[str, Any]:
    """Our environment in JAX and pgx's own game, each without and with observations."""
    environment, game = make_jax_env(rulebook), pgx.make("tic_tac_toe")
    loops = {}
    for names, env, step, keyed in (
        (ours, environment, environment.step_auto_reset, False),
        (theirs, game, auto_reset(game.step, game.init), True),
    ):
        for name, seen in zip(names, (False, True), strict=True):
            choose = categorical(jax_table)
            loops[name] = loop(env, jax.vmap(step), keyed, BATCH, JAX_STEPS, seen, choose)
    return loops


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
        _hand_step(*self._arrays)

    def step_on_all_cores(self) -> None:
        _hand_step_on_all_cores(*self._arrays)

    @property
    def _arrays(self) -> tuple[Any, ...]:
        return self._state, self._random, self._next, self._count, self._moves, self._over


def _hand_games(state, drawn, after, count, moves, over):  # type: ignore[no-untyped-def]
    for game in numba.prange(len(state)):
        x = np.uint64(drawn[game])
        x = (x ^ (x << np.uint64(13))) & np.uint64(0xFFFFFFFF)
        x ^= x >> np.uint64(17)
        x = (x ^ (x << np.uint64(5))) & np.uint64(0xFFFFFFFF)
        drawn[game] = x
        at = state[game]
        reached = after[at, moves[at, (x * np.uint64(count[at])) >> np.uint64(32)]]
        state[game] = 0 if reached >= over else reached


_hand_step = numba.njit(nogil=True)(_hand_games)
_hand_step_on_all_cores = numba.njit(parallel=True)(_hand_games)


def _hand_loop(table: Any) -> Any:
    """The same by hand in JAX: a compiled function that plays some steps in all games."""
    count = jnp.asarray((table.next >= 0).sum(axis=1).astype(np.uint32))
    order = np.argsort(table.next < 0, axis=1, kind="stable")
    reached = jnp.asarray(np.take_along_axis(table.next, order, axis=1).astype(np.int32))

    def body(_: Any, carry: Any) -> Any:
        state, key = carry
        key, draw = jax.random.split(key)
        chosen = ((jax.random.bits(draw, (BATCH,), jnp.uint32) >> 8) * count[state]) >> 24
        after = reached[state, chosen]
        return jnp.where(after >= table.over, table.start, after), key

    def run(key: Any) -> Any:
        begin = jnp.full(BATCH, table.start, jnp.int32), key
        return jax.lax.fori_loop(0, JAX_STEPS, body, begin)[0]

    return jax.jit(run)


if __name__ == "__main__":
    main()
