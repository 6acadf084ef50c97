"""The JAX environment beside pgx's own games, on whatever device JAX finds.

Two steps, which may be on two machines. The first needs lineduel and Numba, and writes the tables
of the five games to a folder:

    python bench/jax_on_gpu.py export TABLES

The second needs JAX and this repository's files, and pgx, in a folder if it is not installed:

    python bench/jax_on_gpu.py run TABLES --packages FOLDER --batch 1048576

All are run in turns by the same loop: a random choice among the legal actions, automatic reset,
and observations that are summed up or not looked at. Actions are drawn by `random_legal_actions`,
or with `--categorical` by `jax.random.categorical`; in both, rows of even length get one more
action that is never legal, which helps every game that has such rows. Ours is run by its own
`step_auto_reset`, and by pgx's `auto_reset` as every other game of pgx.
"""

import argparse
import importlib.util
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
GAMES = ("cross-over", "ctf-soldiers", "flag-chase", "blockade-duel", "ctf-tokens")
PEERS = ("tic_tac_toe", "connect_four")


def export(folder: Path) -> None:
    """Write the tables of all games to a folder."""
    from lineduel import Game, find_rulebook
    from lineduel.envs import state_table
    from lineduel.envs.jax import table_arrays

    folder.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        game = Game(find_rulebook(name))
        table_arrays(game, state_table(game)).save(folder / f"{name}.npz")
        print(f"{folder / name}.npz")


def table_module() -> Any:
    """`lineduel.envs.jax_table` from its file, which needs nothing else of lineduel."""
    path = ROOT / "src" / "lineduel" / "envs" / "jax_table.py"
    spec = importlib.util.spec_from_file_location("jax_table", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["jax_table"] = module
    spec.loader.exec_module(module)
    return module


def loop(
    env: Any,
    step: Callable[..., Any],
    keyed: bool,
    batch: int,
    steps: int,
    seen: bool,
    choose: Callable[[Any, Any], Any],
) -> Any:
    """A compiled function that plays so many steps in all games."""
    import jax
    import jax.numpy as jnp

    def run(key: Any) -> Any:
        key, start = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(start, batch))
        total = jnp.zeros(state.observation.shape, jnp.int8) if seen else jnp.int8(0)

        def body(_: Any, carry: Any) -> Any:
            state, total, rewards, key = carry
            key, draw, reset = jax.random.split(key, 3)
            action = choose(draw, state.legal_action_mask)
            if keyed:
                state = step(state, action, jax.random.split(reset, batch))
            else:
                state = step(state, action)
            if seen:
                total = total + state.observation.astype(jnp.int8)
            return state, total, rewards + state.rewards[:, 0], key

        begin = (state, total, jnp.zeros(batch), key)
        _, total, rewards, _ = jax.lax.fori_loop(0, steps, body, begin)
        return total, rewards

    return jax.jit(run)


def rate(function: Any, batch: int, steps: int, rounds: int) -> float:
    """Steps a second, by the fastest of some rounds."""
    import jax

    jax.block_until_ready(function(jax.random.PRNGKey(0)))
    taken = []
    for seed in range(rounds):
        began = time.perf_counter()
        jax.block_until_ready(function(jax.random.PRNGKey(seed)))
        taken.append(time.perf_counter() - began)
    return batch * steps / min(taken)


def categorical(module: Any) -> Callable[[Any, Any], Any]:
    """The choice by `jax.random.categorical`."""
    import jax
    import jax.numpy as jnp

    def choose(key: Any, legal: Any) -> Any:
        logits = jnp.log(module.with_odd_actions(legal).astype(jnp.float32))
        return jax.random.categorical(key, logits, axis=-1)

    return choose


def run(options: argparse.Namespace) -> None:
    """Measure all games and print steps a second."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    module = table_module()
    folder, batch, steps = options.tables, options.batch, options.steps
    choose = categorical(module) if options.categorical else module.random_legal_actions
    print(f"{jax.devices()[0]}, JAX {jax.__version__}, pgx {pgx.__version__}, batch {batch:,}")
    contestants: dict[str, tuple[Any, Any, bool]] = {}
    for name in GAMES:
        arrays = module.TableArrays.load(folder / f"{name}.npz")
        env = module.TableEnv(module.Description(name), arrays)
        contestants[name] = env, jax.vmap(env.step_auto_reset), False
        if name == GAMES[0]:
            wrapped = jax.vmap(auto_reset(env.step, env.init))
            contestants[f"{name}, pgx's auto_reset"] = env, wrapped, True
    for name in PEERS:
        env = pgx.make(name)
        contestants[f"pgx {name}"] = env, jax.vmap(auto_reset(env.step, env.init)), True
    print(f"{'billion steps a second':<32}{'without':>10}{'with observations':>20}")
    found = {}
    for name, (env, step, keyed) in contestants.items():
        rates = [
            rate(loop(env, step, keyed, batch, steps, seen, choose), batch, steps, options.rounds)
            for seen in (False, True)
        ]
        found[name] = rates
        print(f"{name:<32}{rates[0] / 1e9:>10.3f}{rates[1] / 1e9:>20.3f}", flush=True)
    if options.out is not None:
        told = {
            "device": str(jax.devices()[0]),
            "jax": jax.__version__,
            "batch": batch,
            "categorical": options.categorical,
        }
        options.out.write_text(
            json.dumps(told | {"steps a second": found}, indent=1), encoding="utf-8"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["export", "run"])
    parser.add_argument("tables", type=Path, help="the folder of the tables")
    parser.add_argument("--packages", type=Path, help="a folder with pgx, if it is not installed")
    parser.add_argument("--batch", type=int, default=1 << 20)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--categorical", action="store_true", help="draw by categorical choice")
    parser.add_argument("--out", type=Path, help="write the figures to this file, as JSON")
    options = parser.parse_args()
    if options.packages is not None:
        sys.path.insert(0, str(options.packages))
    if options.action == "export":
        export(options.tables)
    else:
        run(options)


if __name__ == "__main__":
    main()
