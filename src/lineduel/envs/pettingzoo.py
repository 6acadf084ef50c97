"""Any rulebook as a PettingZoo environment: one agent after the other, or both at once.

Importing this module registers the shipped rulebooks:

>>> import pettingzoo
>>> import lineduel.envs.pettingzoo
>>> env = pettingzoo.make("aec", "lineduel/cross-over-v0")
>>> env.reset(seed=1)
>>> env.agent_selection, env.last()[0]["action_mask"].tolist()
('player_1', [0, 0, 0, 1, 1, 1, 0])

`env` and `parallel_env` take any rulebook. Their checks are built in, because PettingZoo's wrappers
take several times as long as a step.
"""

from typing import Any, Literal, get_args

import numpy as np

from lineduel.envs.arguments import (
    AnyRulebook,
    no_action,
    position_asked_for,
    require_limit,
    require_one_of,
    require_rulebook,
    require_seed,
    whole_action,
)
from lineduel.envs.board_images import RENDER_MODES, Rendered, board_text, rendered_board
from lineduel.envs.encoding import Bits
from lineduel.envs.sequential import SequentialGame
from lineduel.errors import NotationError, NotInstalled, NotNow
from lineduel.rulebooks import SHIPPED
from lineduel.rules import Side

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv, register
except ModuleNotFoundError:
    raise NotInstalled("PettingZoo", "pettingzoo") from None

AGENTS = ("player_1", "player_2")
IllegalActions = Literal["lose", "replaced"]
"""What an illegal action does: its agent loses, or a random legal action is played instead."""
Observation = dict[str, Bits]
Action = int | np.integer[Any] | None


_OWN_DEFAULT = "the default of the class"
"""Stands for the rulebook of the class itself, and is no name of a game."""


class _Seats:
    """What both forms have in common: the game, its spaces, and how it is shown."""

    waits = False
    """Whether a side has an action for the turns of the other."""
    default = "cross-over"
    """The rulebook if none is given."""

    def __init__(
        self,
        rulebook: AnyRulebook = _OWN_DEFAULT,
        *,
        first: Side | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        illegal: IllegalActions = "lose",
        regret: bool = False,
    ) -> None:
        super().__init__()
        rulebook = require_rulebook(self.default if rulebook is _OWN_DEFAULT else rulebook)
        require_one_of("render_mode", render_mode, (*RENDER_MODES, None))
        require_limit("max_cycles", max_cycles)
        require_one_of("illegal", illegal, get_args(IllegalActions))
        self.play = SequentialGame(rulebook, first, regret=regret)
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.metadata = {
            "name": f"{rulebook.id}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._replaces = illegal == "replaced"
        self._random = seeding.np_random()[0]
        encoding = self.play.encoding
        self._actions = encoding.actions + self.waits
        self._nothing = np.zeros(self._actions, np.int8)
        self.state_space = spaces.Box(0, 1, (encoding.size,), np.int8)
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (encoding.size,), np.int8),
                    "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self._action_spaces = {agent: spaces.Discrete(self._actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same space at each call."""
        require_one_of("agent", agent, AGENTS)
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same space at each call."""
        require_one_of("agent", agent, AGENTS)
        return self._action_spaces[agent]

    def state(self) -> Bits:
        """What player 1 sees, which is everything but a hidden number."""
        return self.play.view.seen(0).copy()

    def render(self) -> Rendered:
        """The board as text, printed, or as an image, as the render mode says."""
        game, position = self.play.game, self.play.position
        if self.render_mode == "human":
            print(board_text(game, position))
        return rendered_board(self.render_mode, game, position)

    def close(self) -> None:
        """Nothing is open."""

    def _new_game(self, seed: int | None, options: dict[str, Any] | None) -> None:
        require_seed(seed)
        self.play.reset(position_asked_for(self.play.game, options))
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        self._cycles = 0
        self._regrets: dict[str, float] = {}
        """What each agent's last action has given away, if that is asked for."""

    def _note_regret(self, agent: str, regret: float | None) -> None:
        if regret is not None:
            self._regrets[agent] = regret

    def _whole(self, action: object) -> int:
        """An action as an int; whatever is not in the action space is refused."""
        chosen = whole_action(action, self._actions)
        if 0 <= chosen < self._actions:
            return chosen
        raise no_action(action, self._actions)

    def _results(self) -> tuple[float, float]:
        """The rewards of both players."""
        winner = self.play.winner
        if winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if winner is Side.ONE else (-1.0, 1.0)


class DuelAEC(_Seats, AECEnv[str, Observation, Action]):  # type: ignore[misc]
    """One agent chooses at a time; in a battle player 1 first, hidden from player 2.

    With `regret`, an agent's info says what its last action has given away.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the seed matters only where illegal actions are replaced.

        `options={"position": ...}` begins at a position, given as a Position or its text form.
        """
        self._new_game(seed, options)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._skip_agent_selection = None
        self._select()

    def observe(self, agent: str) -> Observation:
        """What an agent sees; its action mask is 0 everywhere while the other one chooses."""
        self._require_reset("observe")
        require_one_of("agent", agent, AGENTS)
        view = self.play.view
        mask = view.mask if agent == self._choosing else self._nothing
        side = 0 if agent == AGENTS[0] else 1
        return {"observation": view.seen(side).copy(), "action_mask": mask.copy()}

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """What the selected agent sees, its reward since it last acted, and how the game stands."""
        self._require_reset("last")
        seen: tuple[Observation | None, float, bool, bool, dict[str, Any]] = super().last(observe)
        return seen

    def _require_reset(self, method: str) -> None:
        if not hasattr(self, "agent_selection"):
            raise NotNow(f"Call reset() before {method}().")

    def step(self, action: Action) -> None:
        """Play the action of the selected agent; None once the game is over."""
        self._require_reset("step")
        if not self.agents:
            raise NotNow("The game is over; call reset() for another one.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = self._whole(action)
        self._cumulative_rewards[agent] = 0.0
        is_played = self.play.play(chosen)
        if not is_played and self._replaces:
            is_played = self.play.play(int(self._random.choice(self.play.view.legal)))
        self._note_regret(agent, self.play.regret)
        if is_played:
            self._cycles += 1
            self._end(self.play.view.winner is not None, *self._results())
        else:
            self._end(True, *(-1.0 if agent == one else 0.0 for one in AGENTS))
        self._select()

    def _end(self, over: bool, reward1: float, reward2: float) -> None:
        """Write down the rewards, and whether the game is over or cut."""
        one, two = AGENTS
        self.rewards = {one: reward1, two: reward2}
        self._cumulative_rewards[one] += reward1
        self._cumulative_rewards[two] += reward2
        if over:
            self.terminations = dict.fromkeys(AGENTS, True)
        elif self.max_cycles is not None and self._cycles >= 2 * self.max_cycles:
            self.truncations = dict.fromkeys(AGENTS, True)

    def _select(self) -> None:
        """Select the agent that chooses next."""
        self.agent_selection = AGENTS[self.play.chooser - 1]
        over = self.terminations[AGENTS[0]]
        self._choosing = "" if over else self.agent_selection
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._nothing.copy()} for agent in AGENTS
        }
        if not over:
            self.infos[self.agent_selection]["action_mask"] = self.play.view.mask.copy()
        for agent, regret in self._regrets.items():
            self.infos[agent]["regret"] = regret


class DuelParallel(_Seats, ParallelEnv[str, Observation, Action]):  # type: ignore[misc]
    """Both agents act in every step; while one of them moves, the other one has to `wait`.

    With `regret`, the info of an agent that chose says what its action has given away.
    """

    waits = True
    default = "flag-chase"

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game; the seed matters only where illegal actions are replaced.

        `options={"position": ...}` begins at a position, given as a Position or its text form.
        """
        self._new_game(seed, options)
        self.agents = list(AGENTS)
        seen = self._observations()
        return seen, self._infos(seen)

    def step(
        self, actions: dict[str, Action]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play both agents' actions."""
        if not self.agents:
            raise NotNow("Call reset() before step(), and after the end of a game.")
        if set(actions) != set(AGENTS):
            raise NotationError(f"step() takes an action of each of {' and '.join(AGENTS)}.")
        chosen = {agent: self._whole(actions[agent]) for agent in AGENTS}
        legal = {agent: self._legal(side) for agent, side in zip(AGENTS, Side, strict=True)}
        wrong = {agent for agent in AGENTS if chosen[agent] not in legal[agent]}
        if self._replaces:
            chosen |= {agent: int(self._random.choice(legal[agent])) for agent in sorted(wrong)}
            wrong = set()
        self._regrets = {}
        for agent, side in zip(AGENTS, Side, strict=True):
            if agent in wrong:
                self._note_regret(agent, self.play.regret_of_losing(side))
            elif not wrong and chosen[agent] != self.play.encoding.wait:
                self.play.play(chosen[agent])
                self._note_regret(agent, self.play.regret)
        self._cycles += not wrong
        lost = tuple(-1.0 if agent in wrong else 0.0 for agent in AGENTS)
        rewards = lost if wrong else self._results()
        over = bool(wrong) or self.play.winner is not None
        cut = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        if over or cut:
            self.agents = []
        seen = self._observations()
        return (
            seen,
            dict(zip(AGENTS, rewards, strict=True)),
            dict.fromkeys(AGENTS, over),
            dict.fromkeys(AGENTS, cut),
            self._infos(seen),
        )

    def _legal(self, side: Side) -> tuple[int, ...]:
        """The legal actions of a side; it waits while the other one moves."""
        play = self.play
        if play.winner is not None:
            return ()
        if play.position.battle is not None or play.position.side is side:
            return play.encoding.legal(play.game, play.position, side)
        return (play.encoding.wait,)

    def _observations(self) -> dict[str, Observation]:
        view, encoding = self.play.view, self.play.encoding
        return {
            agent: {
                "observation": view.seen(side - 1).copy(),
                "action_mask": encoding.mask(self._legal(side), wait=True),
            }
            for agent, side in zip(AGENTS, Side, strict=True)
        }

    def _infos(self, seen: dict[str, Observation]) -> dict[str, dict[str, Any]]:
        infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": one["action_mask"].copy()} for agent, one in seen.items()
        }
        for agent, regret in self._regrets.items():
            infos[agent]["regret"] = regret
        return infos


env = DuelAEC
"""The name that PettingZoo's modules give their environment."""
parallel_env = DuelParallel

for _id in SHIPPED:
    register("aec", f"lineduel/{_id}-v0", DuelAEC, kwargs={"rulebook": _id})
    register("parallel", f"lineduel/{_id}-v0", DuelParallel, kwargs={"rulebook": _id})
