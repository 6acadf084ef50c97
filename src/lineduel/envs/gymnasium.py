"""Any rulebook as a Gymnasium environment: one agent against a player of known strength.

>>> import gymnasium
>>> env = gymnasium.make("lineduel.envs.gymnasium:lineduel/CrossOver-v0", opponent="level:5")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"].tolist()
((68,), [0, 0, 0, 1, 1, 1, 0])

`gymnasium.make_vec` makes many games at once, played by compiled code. The reward is 1 for a win,
-1 for a loss and 0 otherwise. An illegal action loses at once. If the game is over before the agent
has had a move, no action is legal, and the next step has the result, whatever its action is.
"""

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lineduel.engine import Game
from lineduel.envs.arguments import (
    AnyRulebook,
    action_array,
    position_asked_for,
    refused_argument,
    require_at_least,
    require_limit,
    require_one_of,
    require_position,
    require_rulebook,
    require_seed,
    whole_action,
)
from lineduel.envs.batch_kernels import game_seeds, step_against, unpack_views
from lineduel.envs.board_images import RENDER_MODES, board_text, rendered_board
from lineduel.envs.encoding import Bits, Encoding
from lineduel.envs.opponents import Opponent, OpponentAnywhere, cumulative_chances, reply_of
from lineduel.envs.regret import feedback_on_actions
from lineduel.envs.sequential import SequentialGame
from lineduel.envs.state_table import (
    MOST_STATES,
    NO_STATE,
    StateArray,
    StateIndex,
    packed_views,
    rows_up_to,
    table_of_rows,
    words_for,
)
from lineduel.errors import InvalidPosition, NotInstalled, NotNow
from lineduel.players import Policy
from lineduel.rulebooks import SHIPPED
from lineduel.rules import Side

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    raise NotInstalled("Gymnasium", "gymnasium") from None

Seat = Literal["player1", "player2", "either"]
"""Which side the agent has; `either` is drawn for each game."""
_SEATS: dict[Seat, tuple[Side, ...]] = {
    "player1": (Side.ONE,),
    "player2": (Side.TWO,),
    "either": (Side.ONE, Side.TWO),
}
_TOO_LARGE = (
    'Use single environments, which gymnasium.make_vec makes with vectorization_mode="sync", '
    "or lineduel.envs.batch."
)


class DuelEnv(gymnasium.Env[Bits, np.int64]):
    """One agent against an opponent: a player's name, a policy, or a function.

    The function takes an observation and an action mask and returns an action. With `regret`, the
    info after a step says what the agent's action has given away.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        rulebook: AnyRulebook = "cross-over",
        opponent: Opponent = "random",
        *,
        seat: Seat = "either",
        first: Side | None = None,
        max_plies: int | None = None,
        render_mode: str | None = None,
        regret: bool = False,
    ) -> None:
        rulebook = require_rulebook(rulebook)
        require_one_of("seat", seat, tuple(_SEATS))
        require_limit("max_plies", max_plies)
        require_one_of("render_mode", render_mode, (*RENDER_MODES, None))
        self.play = SequentialGame(rulebook, first, regret=regret)
        self.render_mode = render_mode
        self._opponent = OpponentAnywhere(opponent, self.play.game, self.play.position)
        self._sides = _SEATS[seat]
        self._limit = max_plies
        encoding = self.play.encoding
        self.observation_space = spaces.Box(0, 1, (encoding.size,), np.int8)
        self.action_space = spaces.Discrete(encoding.actions)
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bits, dict[str, Any]]:
        """Begin a game: draw the agent's side, and let the opponent move if it begins.

        `options={"position": ...}` begins at a position, given as a Position or its text form.
        """
        require_seed(seed)
        self.play.reset(position_asked_for(self.play.game, options))
        super().reset(seed=seed)
        self._rng = Random(int(self.np_random.integers(1 << 62)))
        self.side = self._rng.choice(self._sides)
        self._replies = self._opponent.playing_from(self.play.position)
        self._plies = 0
        self._over = False
        self._let_opponent_move()
        self._show()
        return self._seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Bits, float, bool, bool, dict[str, Any]]:
        """Play the agent's action and the opponent's reply."""
        if self._over:
            raise NotNow("Call reset() before step(), and after the end of a game.")
        chosen = whole_action(action, self.play.encoding.actions)
        chooses = self.play.winner is None and not self._is_cut()
        extra: dict[str, Any] = {}
        is_illegal = chooses and not self.play.play(chosen)
        if chooses and self.play.regret is not None:
            extra["regret"] = self.play.regret
        if is_illegal:
            extra["illegal"] = True
            reward, over, cut = -1.0, True, False
        else:
            if chooses:
                self._plies += 1
                self._let_opponent_move()
            winner = self.play.winner
            over, cut = winner is not None, winner is None and self._is_cut()
            reward = 0.0 if winner is None else 1.0 if winner is self.side else -1.0
        self._over = over or cut
        self._show()
        return self._seen(), reward, over, cut, self._info() | extra

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, under the name that MaskablePPO asks for."""
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """The board as text or as an image; with `human` it was printed already."""
        return rendered_board(self.render_mode, self.play.game, self.play.position)

    def _show(self) -> None:
        if self.render_mode == "human":
            print(board_text(self.play.game, self.play.position))

    def _let_opponent_move(self) -> None:
        play = self.play
        while play.winner is None and play.chooser is not self.side and not self._is_cut():
            reply = reply_of(self._replies, play, self._rng)
            if not play.play(reply):
                raise play.refusal(reply)
            self._plies += 1

    def _is_cut(self) -> bool:
        return self._limit is not None and self._plies >= self._limit

    def _seen(self) -> Bits:
        return self.play.view.seen(self.side - 1).copy()

    def _mask(self) -> Bits:
        mask = self.play.view.mask
        chooses = self.play.winner is None and self.play.chooser is self.side
        return mask.copy() if chooses else np.zeros_like(mask)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}


class DuelVectorEnv(VectorEnv[Bits, NDArray[np.int64], NDArray[Any]]):
    """Many games against one opponent, played by compiled code.

    After the end of a game the next step begins another, whatever the action is. Arrays are new at
    each step. The opponent is a player's name or a policy. With `regret`, `info["regret"]` has what
    each action has given away, and `info["_regret"]` says in which games an action was played.
    """

    metadata = {  # noqa: RUF012
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        rulebook: AnyRulebook = "cross-over",
        num_envs: int = 1,
        opponent: str | Policy = "random",
        *,
        seat: Seat = "either",
        first: Side | None = None,
        max_plies: int | None = None,
        render_mode: None = None,
        regret: bool = False,
    ) -> None:
        rulebook = require_rulebook(rulebook)
        require_one_of("seat", seat, tuple(_SEATS))
        require_one_of("render_mode", render_mode, (None,))
        require_at_least(1, "num_envs", num_envs)
        require_limit("max_plies", max_plies)
        game = Game(rulebook)
        encoding = self.encoding = Encoding(rulebook.rules)
        self._game = game
        start = self._start = game.start(first)
        self._feedback = feedback_on_actions(rulebook, first) if regret else None
        found = rows_up_to(MOST_STATES, game, start, "DuelVectorEnv", _TOO_LARGE)
        table = self._table = table_of_rows(game, found)
        self._limits = cumulative_chances(opponent, game, start, found, table)
        self._packed = packed_views(encoding, table)
        self.num_envs = num_envs
        self.single_observation_space = spaces.Box(0, 1, (encoding.size,), np.int8)
        self.single_action_space = spaces.Discrete(encoding.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seats = np.array(_SEATS[seat], np.int8)
        self._sides = np.full(num_envs, self._seats[0])
        self._limit = max_plies or 0
        self._seeds = np.empty(num_envs, np.uint64)
        self._starts = np.full(num_envs, table.start, np.int32)
        self._state, self._views = self._starts.copy(), self._starts.copy()
        self._plies = np.zeros(num_envs, np.int32)
        self._draws = -1

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bits, dict[str, Any]]:
        """Begin new games; without a seed, chance goes on as it would have.

        `options={"position": ...}` begins all games at a position that can come up from the start,
        or each at its own if it is a sequence of positions. Later games begin at the start.
        """
        if isinstance(seed, list):
            raise ValueError("A seed is one whole number; each game draws its own from it.")
        starts = self._states_asked_for(options)
        super().reset(seed=seed)
        if seed is not None or self._draws < 0:
            game_seeds(np.uint64(self.np_random.integers(1 << 62)), self._seeds)
            self._draws = 0
        self._terminated = np.ones(self.num_envs, np.bool_)
        self._truncated = np.zeros(self.num_envs, np.bool_)
        self._step(np.zeros(self.num_envs, np.int64), starts)
        return self._view()

    @cached_property
    def _index(self) -> StateIndex:
        return StateIndex(self._game.rules, self._table)

    def _states_asked_for(self, options: dict[str, Any] | None) -> StateArray:
        """The state that each game is to begin in, by the options of a reset."""
        asked = (options or {}).get("position")
        if asked is None:
            return self._starts
        several = isinstance(asked, Sequence | np.ndarray) and not isinstance(asked, str)
        each = list(asked) if several else [asked]
        if len(each) not in (1, self.num_envs):
            raise refused_argument(
                "position", f"one position or one for each of {self.num_envs} games", asked
            )
        positions = [require_position(self._game, one) for one in each]
        states = self._index.find(positions)
        for position, state in zip(positions, states.tolist(), strict=True):
            if state == NO_STATE:
                raise InvalidPosition(
                    f"{position} cannot come up from {self._start}, and many games at once know "
                    "only what can.\nUse DuelEnv, which begins at any position."
                )
        return np.broadcast_to(states, self.num_envs).copy()

    def step(
        self, actions: ArrayLike
    ) -> tuple[Bits, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play an action in every game, and the opponent's reply."""
        if self._draws < 0:
            raise NotNow("Call reset() before step().")
        chosen = action_array(actions, self.num_envs)
        extra = self._regret_info(chosen)
        rewards = self._step(chosen, self._starts)
        seen, info = self._view()
        return seen, rewards, self._terminated.copy(), self._truncated.copy(), info | extra

    def _regret_info(self, actions: NDArray[np.integer]) -> dict[str, Any]:
        """What the actions give away, where the agent chooses."""
        if self._feedback is None:
            return {}
        chooses = ~(self._terminated | self._truncated) & (self._state < self._table.over)
        if self._limit:
            chooses &= self._plies < self._limit
        games = np.flatnonzero(chooses)
        state, action = self._state[games], actions[games]
        regret = np.zeros(self.num_envs)
        regret[games] = self._feedback.losing_regrets[self._sides[games] - 1, state]
        known = np.flatnonzero((action >= 0) & (action < self.encoding.actions))
        lost = self._feedback.action_regrets[state[known], action[known].astype(np.int64)]
        legal = ~np.isnan(lost)
        regret[games[known[legal]]] = lost[legal]
        return {"regret": regret, "_regret": chooses}

    def _step(self, actions: NDArray[np.integer], starts: StateArray) -> NDArray[np.float64]:
        self._draws += 1
        rewards = np.empty(self.num_envs)
        step_against(
            self._table,
            self._limits,
            self._seats,
            starts,
            self._seeds,
            np.uint64(self._draws),
            actions,
            self._sides,
            self._state,
            self._views,
            self._plies,
            self._limit,
            rewards,
            self._terminated,
            self._truncated,
        )
        return rewards

    def _view(self) -> tuple[Bits, dict[str, Any]]:
        """What the agent sees in each game, and the actions it may choose; none in other turns."""
        size, split, width = self.encoding.size, words_for(self.encoding.size), len(self._packed[0])
        words = np.empty((self.num_envs, width), np.uint64)
        unpack_views(0, self.num_envs, self._packed, 0, self._views, 1, 0, width, words)
        items = words.view(np.int8)
        masks = items[:, 8 * split : 8 * split + self.encoding.actions]
        return items[:, :size], {"action_mask": masks}


def environment_id(rulebook_id: str) -> str:
    """The id under which a rulebook is registered: `lineduel/CrossOver-v0`."""
    return f"lineduel/{''.join(map(str.capitalize, rulebook_id.split('-')))}-v0"


for _id in SHIPPED:
    gymnasium.register(
        environment_id(_id),
        entry_point=f"{__name__}:DuelEnv",
        vector_entry_point=f"{__name__}:DuelVectorEnv",
        kwargs={"rulebook": _id},
    )
