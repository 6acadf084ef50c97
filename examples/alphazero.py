"""AlphaZero in miniature: a small network learns Cross Over by search against itself.

Needs JAX, pgx, mctx and optax. The strength that it prints is exact: the whole policy of the
network, without search, is compared with best play and with the levels.

    python examples/alphazero.py --minutes 5 --curve run.jsonl
    lineduel curve run.jsonl --svg curve.svg

`Learner` is an agent for exams: it learns each rule set by playing against itself.

    lineduel benchmark python:examples/alphazero.py:Learner --seed 1
"""

import argparse
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import optax

from lineduel import Rulebook, find_rulebook
from lineduel.agents import AgentAnswer, AgentQuestion
from lineduel.envs import Encoding
from lineduel.envs.jax import make_jax_env
from lineduel.envs.regret import CurveCallback, ExactFeedback, Strength

HIDDEN = 128
LEARNER_ROUNDS = 200
LEARNER_SIMULATIONS = 64
"""How long `Learner` trains on a rule set, and how far it searches before a move."""
Params = list[tuple[jax.Array, jax.Array]]


class Sample(NamedTuple):
    """What one step of play teaches: the position, what search chose, and how it ended."""

    seen: jax.Array
    mask: jax.Array
    target: jax.Array
    value: jax.Array
    known: jax.Array
    """Whether the game was over in time, so that the value is known."""


def new_network(key: jax.Array, inputs: int, actions: int) -> Params:
    """Two hidden layers; the last layer has the actions and the value."""
    sizes = [inputs, HIDDEN, HIDDEN, actions + 1]
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (jax.random.normal(one, (low, high)) * jnp.sqrt(2 / low), jnp.zeros(high))
        for one, low, high in zip(keys, sizes, sizes[1:], strict=False)
    ]


def network(params: Params, seen: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Logits of the actions, and the value for whoever chooses."""
    x = seen.astype(jnp.float32)
    for weights, bias in params[:-1]:
        x = jax.nn.relu(x @ weights + bias)
    weights, bias = params[-1]
    x = x @ weights + bias
    return x[..., :-1], jnp.tanh(x[..., -1])


def legal_logits(logits: jax.Array, mask: jax.Array) -> jax.Array:
    return jnp.where(mask, logits, -1e9)


def make_search(env: Any, simulations: int, gumbel_scale: float = 1.0) -> Any:
    """A function that searches in a batch of games, guided by the network."""
    step = jax.vmap(env.step)

    def recurrent(params: Params, key: jax.Array, action: jax.Array, state: Any) -> Any:
        player = state.current_player
        after = step(state, action)
        logits, value = network(params, after.observation)
        reward = jnp.take_along_axis(after.rewards, player[:, None], axis=1)[:, 0]
        same = after.current_player == player
        discount = jnp.where(after.terminated, 0.0, jnp.where(same, 1.0, -1.0))
        output = mctx.RecurrentFnOutput(
            reward=reward,
            discount=discount,
            prior_logits=legal_logits(logits, after.legal_action_mask),
            value=jnp.where(after.terminated, 0.0, value),
        )
        return output, after

    def search(params: Params, state: Any, key: jax.Array) -> Any:
        logits, value = network(params, state.observation)
        root = mctx.RootFnOutput(
            prior_logits=legal_logits(logits, state.legal_action_mask), value=value, embedding=state
        )
        return mctx.gumbel_muzero_policy(
            params,
            key,
            root,
            recurrent,
            num_simulations=simulations,
            invalid_actions=~state.legal_action_mask,
            gumbel_scale=gumbel_scale,
        )

    return search


def make_trainer(env: Any, batch: int, steps: int, simulations: int) -> Any:
    """A compiled function: play some steps in many games, learn from them, return the results."""
    optimizer = optax.adam(1e-3)
    search = make_search(env, simulations)
    step_on = jax.vmap(env.step_auto_reset)

    def play(params: Params, state: Any, key: jax.Array) -> tuple[Any, Any]:
        def one_step(state: Any, key: jax.Array) -> tuple[Any, Any]:
            found = search(params, state, key)
            after = step_on(state, found.action)
            player = state.current_player
            reward = jnp.take_along_axis(after.rewards, player[:, None], axis=1)[:, 0]
            same = after.current_player == player
            told = (
                state.observation,
                state.legal_action_mask,
                found.action_weights,
                reward,
                after.terminated,
                same,
            )
            return after, told

        return jax.lax.scan(one_step, state, jax.random.split(key, steps))

    def samples(told: Any) -> Sample:
        seen, mask, target, reward, over, same = told

        def back(carry: Any, one: Any) -> tuple[Any, Any]:
            value, known = carry
            reward, over, same = one
            value = jnp.where(over, reward, jnp.where(same, value, -value))
            known |= over
            return (value, known), (value, known)

        begin = (jnp.zeros(batch), jnp.zeros(batch, jnp.bool_))
        _, (value, known) = jax.lax.scan(back, begin, (reward, over, same), reverse=True)
        flat = [one.reshape(-1, *one.shape[2:]) for one in (seen, mask, target, value, known)]
        return Sample(*flat)

    def loss(params: Params, some: Sample) -> jax.Array:
        logits, value = network(params, some.seen)
        fitting = optax.softmax_cross_entropy(legal_logits(logits, some.mask), some.target)
        return (fitting + some.known * (value - some.value) ** 2).mean()

    @jax.jit
    def train(params: Params, learned: Any, state: Any, key: jax.Array) -> Any:
        play_key, order_key = jax.random.split(key)
        state, told = play(params, state, play_key)
        data = samples(told)
        count = batch * steps
        order = jax.random.permutation(order_key, count).reshape(8, -1)

        def one_update(carry: Any, chosen: jax.Array) -> tuple[Any, jax.Array]:
            params, learned = carry
            some = jax.tree.map(lambda column: column[chosen], data)
            value, slope = jax.value_and_grad(loss)(params, some)
            change, learned = optimizer.update(slope, learned)
            return (optax.apply_updates(params, change), learned), value

        (params, learned), losses = jax.lax.scan(one_update, (params, learned), order)
        return params, learned, state, losses.mean()

    return optimizer, train


def training(
    env: Any, *, seed: int = 0, batch: int = 256, steps: int = 32, simulations: int = 16
) -> Iterator[Params]:
    """The network before each round of training, for ever.

    `batch` games are played at once, each for `steps` steps in a round.
    """
    optimizer, train = make_trainer(env, batch, steps, simulations)
    key = jax.random.key(seed)
    state: Any = jax.vmap(env.init)(jax.random.split(key, batch))
    params = new_network(key, state.observation.shape[-1], state.legal_action_mask.shape[-1])
    learned = optimizer.init(params)
    while True:
        yield params
        key, one = jax.random.split(key)
        params, learned, state, _ = train(params, learned, state, one)


def legal_chances(params: Params, seen: jax.Array, mask: jax.Array) -> jax.Array:
    """How likely the network chooses each action, without search."""
    return jax.nn.softmax(legal_logits(network(params, seen)[0], mask == 1))


def main(arguments: list[str] | None = None) -> list[Strength]:
    """Train, and return the exact strengths from first to last."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="cross-over")
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=1_000_000, help="stop after this many rounds")
    parser.add_argument("--batch", type=int, default=256, help="games at once")
    parser.add_argument("--steps", type=int, default=32, help="steps of each game in a round")
    parser.add_argument("--simulations", type=int, default=16, help="of each search")
    parser.add_argument("--measure", type=int, default=20, help="rounds between measurements")
    parser.add_argument("--curve", type=Path, default=Path("run.jsonl"))
    options = parser.parse_args(arguments)
    rulebook = find_rulebook(options.game)
    feedback = ExactFeedback(rulebook)
    callback = CurveCallback(feedback, options.curve, every=options.measure, levels=(1, 3, 5, 8))
    rounds = training(
        make_jax_env(rulebook),
        batch=options.batch,
        steps=options.steps,
        simulations=options.simulations,
    )
    policy = jax.jit(legal_chances)
    found: list[Strength] = []
    began = time.monotonic()
    for number, params in enumerate(rounds):

        def chances(seen: Any, mask: Any, current: Params = params) -> Any:
            return np.asarray(policy(current, seen, mask))

        strength = callback(number, chances)
        if strength is not None:
            found.append(strength)
            means = {level: sum(pair) / 2 for level, pair in strength.against.items()}
            told = "  ".join(f"level {level} {mean:+.3f}" for level, mean in means.items())
            minutes = (time.monotonic() - began) / 60
            print(f"{minutes:6.1f} min  round {number:>5}  regret {strength.regret:.3f}  {told}")
        if number == options.rounds or time.monotonic() - began > options.minutes * 60:
            break
    return found


# An agent for exams


class Learner:
    """Knows the rules and no solution.

    A move is what its search finds. A number in a battle is drawn as its network says, since the
    search would look at the other number.
    """

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        rulebook, position, side = question.game.rulebook, question.position, question.side
        encoding = Encoding(rulebook.rules)
        params, choose = learned(rulebook, question.exam_seed)
        if position.battle is None:
            env = make_jax_env(rulebook, position=position, form="cells")
            state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 1))
            action = int(choose(params, state))
        else:
            seen = encoding.observation(position, side)
            mask = encoding.mask(encoding.legal(question.game, position, side))
            chances = np.asarray(legal_chances(params, seen, mask), np.float64)
            rng = np.random.default_rng(question.seed)
            action = int(rng.choice(len(chances), p=chances / chances.sum()))
        return AgentAnswer(f"ANSWER: {encoding.action_name(side, action)}")

    def close(self, hasty: bool = False) -> None:
        pass


@lru_cache(maxsize=4)
def learned(rulebook: Rulebook, seed: int) -> tuple[Params, Callable[[Params, Any], jax.Array]]:
    """The network after its training on a rule set, and what chooses a move with it."""
    rounds = training(make_jax_env(rulebook), seed=seed, batch=64)
    params = next(params for number, params in enumerate(rounds) if number == LEARNER_ROUNDS)
    search = make_search(make_jax_env(rulebook, form="cells"), LEARNER_SIMULATIONS, 0.0)
    return params, jax.jit(lambda params, state: search(params, state, jax.random.key(0)).action[0])


if __name__ == "__main__":
    main()
