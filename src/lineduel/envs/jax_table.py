"""A table of states as a pgx environment; this file needs JAX, NumPy and pgx, and no rules.

So it also runs from a file of arrays on a machine where nothing else is installed.
"""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.errors import NotInstalled

try:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx._src.struct import dataclass, field  # pgx offers it nowhere else
except ModuleNotFoundError:
    raise NotInstalled("JAX", "jax") from None

MAX_GAME_STEPS = 200
"""Longer games end with reward 0, unless `max_steps` says otherwise."""
_WORDS = ((8, np.uint8), (16, np.uint16), (32, np.uint32))


class TableArrays(NamedTuple):
    """What the environment needs of a table of states, as `StateTable` numbers them."""

    next: NDArray[np.int32]
    """Where each action leads, or -1; a row for each state that is not over."""
    kinds: NDArray[np.int32]
    """The first state in which player 2 chooses, the first that player 1 has won, the first that
    player 2 has won, and the start."""
    seen: NDArray[np.uint32]
    """For each side and state its observation as the bits of words, the lowest bit first."""
    size: int
    """The length of an observation."""

    def save(self, path: Path) -> None:
        """Write the arrays to a file."""
        np.savez_compressed(path, **self._asdict())

    @classmethod
    def load(cls, path: Path) -> "TableArrays":
        """Read the arrays from a file."""
        with np.load(path) as found:
            return cls(found["next"], found["kinds"], found["seen"], int(found["size"]))


@dataclasses.dataclass(frozen=True)
class Description:
    """What a state knows of its environment besides its arrays.

    Copies are equal, so that a state that was pickled is not compiled for again.
    """

    id: str
    draw: Callable[[Any], str] | None = dataclasses.field(default=None, hash=False)
    """Draws the observation of a single game as SVG."""


@dataclass
class DuelPgxState(pgx.State):  # type: ignore[misc]
    """A state of one game, or of many under `vmap`."""

    current_player: jax.Array
    observation: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    truncated: jax.Array
    legal_action_mask: jax.Array
    _step_count: jax.Array
    _state: jax.Array
    """The number of the state in the table; in other environments, the cells."""
    _seat: jax.Array
    """Which of the two players is player 1."""
    _about: Description = field(pytree_node=False)

    @property
    def env_id(self) -> str:
        """The rulebook, after `lineduel-`."""
        return self._about.id

    def to_svg(self, *, color_theme: str | None = None, scale: float | None = None) -> str:
        """The board of a game; of many games, that of the first."""
        if self._about.draw is None:
            raise NotImplementedError("An environment that was read from a file has no pictures.")
        first = self.observation.reshape(-1, self.observation.shape[-1])[0]
        return self._about.draw(np.asarray(first))

    def save_svg(
        self, filename: str, *, color_theme: str | None = None, scale: float | None = None
    ) -> None:
        """Write the board to a file."""
        Path(filename).write_text(self.to_svg(), encoding="utf-8")


class DuelPgxEnv(pgx.Env):  # type: ignore[misc]
    """What the environments have in common: seats, rewards, the limit, and automatic reset."""

    def __init__(self, about: Description, actions: int, max_steps: int | None) -> None:
        super().__init__()
        self._about, self._max_steps = about, max_steps
        self._actions = actions

    @property
    def id(self) -> str:
        """The rulebook, after `lineduel-`."""
        return self._about.id

    @property
    def version(self) -> str:
        """Changes with the encoding."""
        return "v0"

    @property
    def num_players(self) -> int:
        """Two."""
        return 2

    def _start(self) -> jax.Array:
        raise NotImplementedError

    def _chooser_is_second(self, state: jax.Array) -> jax.Array:
        """Whether player 2 chooses."""
        raise NotImplementedError

    def _mask(self, state: jax.Array) -> jax.Array:
        raise NotImplementedError

    def _after(self, state: jax.Array, action: jax.Array) -> tuple[jax.Array, jax.Array]:
        """The state after an action, and player 1's reward: 0 unless the game is over."""
        raise NotImplementedError

    def _view(self, state: jax.Array, second: jax.Array) -> jax.Array:
        """What player 1 sees, or player 2 where `second` is true."""
        raise NotImplementedError

    def _init(self, key: jax.Array) -> DuelPgxState:
        return self._begin(jax.random.bernoulli(key).astype(jnp.int32))

    def _begin(self, seat: jax.Array) -> DuelPgxState:
        """The start, where player 1 is the given player."""
        start = self._start()
        mask = self._mask(start)
        second = self._chooser_is_second(start)
        return DuelPgxState(
            current_player=jnp.where(second, 1 - seat, seat),
            observation=self._view(start, second),
            rewards=jnp.zeros(2, jnp.float32),
            terminated=jnp.bool_(False),
            truncated=jnp.bool_(False),
            legal_action_mask=mask,
            _step_count=jnp.int32(0),
            _state=start,
            _seat=seat,
            _about=self._about,
        )

    def _step(self, state: Any, action: jax.Array, key: jax.Array | None) -> DuelPgxState:
        reached, reward = self._after(state._state, action)
        ended = self._ended(reward, state._step_count)
        return self._stepped(state, reward, ended, reached, state._seat)

    def _stepped(
        self,
        state: DuelPgxState,
        reward: jax.Array,
        ended: tuple[jax.Array, jax.Array],
        now: jax.Array,
        seat: jax.Array,
    ) -> DuelPgxState:
        """The state after a step; `now` and `seat` are those of the game that goes on."""
        second = self._chooser_is_second(now)
        stepped: DuelPgxState = state.replace(
            current_player=jnp.where(second, 1 - seat, seat),
            rewards=jnp.where(jnp.arange(2) == state._seat, reward, -reward).astype(jnp.float32),
            terminated=ended[0],
            truncated=ended[1],
            legal_action_mask=self._mask(now),
            _state=now,
            _seat=seat,
        )
        return stepped

    def _ended(self, reward: jax.Array, count: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Whether a game is over after that many steps, and whether that is for the limit alone."""
        won = reward != 0
        if self._max_steps is None:
            return won, jnp.zeros_like(won)
        cut = ~won & (count >= self._max_steps)
        return won | cut, cut

    def _observe(self, state: Any, player_id: jax.Array) -> jax.Array:
        return self._view(state._state, player_id != state._seat)

    def step_auto_reset(
        self, state: DuelPgxState, action: jax.Array, key: jax.Array | None = None
    ) -> DuelPgxState:
        """A step after which a game that is over begins again, with the seats exchanged.

        Like pgx's `auto_reset`, which takes longer because it draws the seats for every game in
        every step. Rewards, `terminated` and `truncated` are those of the game that is over. The
        action has to be legal.
        """
        reached, reward = self._after(state._state, action)
        count = state._step_count + 1
        ends, cut = self._ended(reward, count)
        seat = jnp.where(ends, 1 - state._seat, state._seat)
        now = jnp.where(ends, self._start(), reached)
        stepped: DuelPgxState = self._stepped(state, reward, (ends, cut), now, seat).replace(
            observation=self._view(now, self._chooser_is_second(now)),
            _step_count=jnp.where(ends, 0, count),
        )
        return stepped


class TableEnv(DuelPgxEnv):
    """A game by its table of states."""

    def __init__(
        self, about: Description, arrays: TableArrays, max_steps: int | None = MAX_GAME_STEPS
    ) -> None:
        super().__init__(about, arrays.next.shape[1], max_steps)
        self._second, self._over, self._lost, self._begins = (int(one) for one in arrays.kinds)
        self._states, self._size = arrays.seen.shape[1], arrays.size
        self._next = jnp.asarray(arrays.next.reshape(-1))
        self._seen = jnp.asarray(arrays.seen.reshape(2 * self._states, -1))
        self._legal = jnp.asarray(_legal_words(arrays.next, self._states))

    def _start(self) -> jax.Array:
        return jnp.asarray(self._begins, jnp.int32)

    def _chooser_is_second(self, state: jax.Array) -> jax.Array:
        return jnp.asarray(state >= self._second)

    def _mask(self, state: jax.Array) -> jax.Array:
        found = self._legal[state]
        if self._legal.ndim == 2:
            return found
        return (found >> jnp.arange(self._actions, dtype=found.dtype)) & 1 == 1

    def _after(self, state: jax.Array, action: jax.Array) -> tuple[jax.Array, jax.Array]:
        reached = self._next[state * self._actions + action]
        # An illegal action ends the game in `pgx.Env.step`; until then the state stays.
        reached = jnp.where(reached < 0, state, reached)
        reward = jnp.where(reached >= self._lost, -1, jnp.where(reached >= self._over, 1, 0))
        return reached, reward

    def _view(self, state: jax.Array, second: jax.Array) -> jax.Array:
        words = self._seen[state + jnp.where(second, self._states, 0)]
        bits = (words[:, None] >> jnp.arange(32, dtype=jnp.uint32)) & 1
        return bits.reshape(-1)[: self._size] == 1


def random_legal_actions(key: jax.Array, legal_action_mask: jax.Array) -> jax.Array:
    """A legal action for each game of a batch, all equally likely, from one random number each.

    On a GPU this takes half the time of `jax.random.categorical` or less; on a CPU it takes longer.
    """
    legal = with_odd_actions(legal_action_mask)
    count = legal.sum(axis=-1, dtype=jnp.float32)
    drawn = jnp.floor(jax.random.uniform(key, count.shape) * count).astype(jnp.int32)
    return jnp.argmax(jnp.cumsum(legal, axis=-1, dtype=jnp.int32) > drawn[..., None], axis=-1)


def with_odd_actions(legal_action_mask: jax.Array) -> jax.Array:
    """The mask with one more action that is never legal, if the number of actions is even.

    On a GPU, XLA reduces rows of even length several times more slowly.
    """
    actions = legal_action_mask.shape[-1]
    added = [(0, 0)] * (legal_action_mask.ndim - 1) + [(0, 1 - actions % 2)]
    return jnp.pad(legal_action_mask, added)


def _legal_words(after: NDArray[np.int32], states: int) -> NDArray[Any]:
    """The legal actions of each state as the bits of a word, or as a row if there are too many.

    In a game that is over every action is legal, as pgx has it.
    """
    legal = np.ones((states, after.shape[1]), np.bool_)
    legal[: len(after)] = after >= 0
    for bits, kind in _WORDS:
        if after.shape[1] <= bits:
            words: NDArray[Any] = (legal * (1 << np.arange(after.shape[1]))).sum(axis=1)
            return words.astype(kind)
    return legal
