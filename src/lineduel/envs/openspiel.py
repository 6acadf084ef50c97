"""Any rulebook as an OpenSpiel game; an open battle is a simultaneous node.

>>> import pyspiel
>>> import lineduel.envs.openspiel
>>> state = pyspiel.load_game("lineduel(game=cross-over)").new_initial_state()
>>> [state.action_to_string(action) for action in state.legal_actions()]
['P1-B+2', 'P1-C+1', 'P1-C+2']

Rulebooks without battles are games of perfect information, with turns. With battles use
`lineduel_battles`; for algorithms that need turns, `pyspiel.convert_to_turn_based`. OpenSpiel's
games have an end, so `max_plies` cuts games that go on for longer, with a return of 0 for both.

The parameters of `load_game` are text, so it takes a rulebook by its name or path. `TurnDuel` and
`BattleDuel` also take a `Rulebook` or a `Game`:

>>> from lineduel import find_rulebook
>>> duel = lineduel.envs.openspiel.TurnDuel({"game": find_rulebook("cross-over")})
>>> duel.new_initial_state().legal_actions()
[3, 4, 5]
"""

from typing import Any

import numpy as np

from lineduel.engine import Game, Numbers, Pass, Position, Step
from lineduel.envs.arguments import (
    AnyRulebook,
    require_at_least,
    require_one_of,
    require_position,
    require_rulebook,
)
from lineduel.envs.encoding import Encoding
from lineduel.errors import IllegalMove, NotInstalled, RulebookError
from lineduel.record import parse_move
from lineduel.rulebooks import LARGEST_RULEBOOK
from lineduel.rules import (
    Rulebook,
    Side,
    pack_rulebook,
    rulebook_data,
    rulebook_from_data,
    toml_text,
    unpack_rulebook,
)
from lineduel.safe_toml import parse_toml

try:
    import pyspiel
except ModuleNotFoundError:
    raise NotInstalled("open-spiel", "openspiel") from None

MAX_PLIES = 100
"""Games that are longer are cut, unless `max_plies` says otherwise."""
_PACKED = "toml:"
"""How the parameter `game` begins if it holds a whole rulebook."""
_Kind = pyspiel.GameType


def _game_type(name: str, long_name: str, dynamics: Any) -> Any:
    return pyspiel.GameType(
        short_name=name,
        long_name=long_name,
        dynamics=dynamics,
        chance_mode=_Kind.ChanceMode.DETERMINISTIC,
        information=_Kind.Information.PERFECT_INFORMATION,
        utility=_Kind.Utility.ZERO_SUM,
        reward_model=_Kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"game": "", "max_plies": MAX_PLIES, "first": 0},
    )


TURNS = _game_type("lineduel", "lineduel: a rulebook without battles", _Kind.Dynamics.SEQUENTIAL)
BATTLES = _game_type(
    "lineduel_battles", "lineduel: a rulebook with battles", _Kind.Dynamics.SIMULTANEOUS
)


class DuelParts:
    """What a game and all its states have in common; copying a state does not copy it."""

    def __init__(self, rulebook: Rulebook, max_plies: int, first: int) -> None:
        self.rulebook = rulebook
        self.encoding = Encoding(rulebook.rules)
        self.game = Game(rulebook)
        require_one_of("first", first, (0, *Side))
        require_at_least(1, "max_plies", max_plies)
        self.start = self.game.start(Side(first) if first else None)
        self.max_plies = max_plies

    def __deepcopy__(self, memo: dict[int, object]) -> "DuelParts":
        return self


class _Duel(pyspiel.Game):  # type: ignore[misc]
    """A rulebook as a game: the parameter `game` is a name, a path, a `Rulebook` or a `Game`."""

    kind: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        given: AnyRulebook = params.get("game", "")
        rulebook = _rulebook_of(self.default if given == "" else given)
        max_plies, first = int(params.get("max_plies", MAX_PLIES)), int(params.get("first", 0))
        self.parts = DuelParts(rulebook, max_plies, first)
        battles = rulebook.rules.battle is not None
        if battles != (self.kind is BATTLES):
            other = "lineduel_battles" if battles else "lineduel"
            raise RulebookError("meet.enemy", "battle" if battles else "no battle", f"use {other}")
        info = pyspiel.GameInfo(
            num_distinct_actions=self.parts.encoding.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_plies,
        )
        params["game"] = given if isinstance(given, str) else _packed(rulebook)
        params |= {"max_plies": max_plies, "first": first}  # as a loaded game has them
        super().__init__(self.kind, info, params)

    default = "cross-over"

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: OpenSpiel's own way leaves out what Python has added to the game."""
        return type(self), (self.get_parameters(),)

    def new_initial_state(self, state: object = None) -> "DuelState":
        """The start; or the state that a text describes: a position, moves, or both.

        A position stands before the moves, which are then played from there.
        """
        made = DuelState(self)
        if isinstance(state, str):
            made.replay(state)
        return made

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "DuelObserver":
        """What a player sees: the shared encoding, and how many plies were played."""
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return DuelObserver(self.parts, recall=recall)


def _packed(rulebook: Rulebook) -> str:
    """A rulebook as text, so that OpenSpiel can copy, store and load its game as any other."""
    return f"{_PACKED}{pack_rulebook(toml_text(rulebook_data(rulebook)))}"


def _rulebook_of(given: AnyRulebook) -> Rulebook:
    """The rulebook of the parameter `game`, packed or in any form that environments take."""
    if isinstance(given, str) and given.startswith(_PACKED):
        text = unpack_rulebook(given.removeprefix(_PACKED), LARGEST_RULEBOOK)
        return rulebook_from_data(parse_toml(text), "packed")
    return require_rulebook(given)


class TurnDuel(_Duel):
    """A rulebook without battles."""

    kind = TURNS


class BattleDuel(_Duel):
    """A rulebook with battles."""

    kind = BATTLES
    default = "flag-chase"


class DuelState(pyspiel.State):  # type: ignore[misc]
    """A position, and the moves that led there."""

    def __init__(self, game: _Duel) -> None:
        super().__init__(game)
        self.parts: DuelParts = game.parts
        self.start: Position = self.parts.start
        self.position: Position = self.start
        self.moves: list[Step | Pass | Numbers] = []

    def current_player(self) -> int:
        """Whose turn it is: 0, 1, both in a battle, or the game is over."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.position.battle is not None:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return self.position.side - 1

    def _legal_actions(self, player: int) -> list[int]:
        chooses = self.position.battle is not None or player == self.position.side - 1
        if not chooses:
            return []
        return list(self.parts.encoding.legal(self.parts.game, self.position, Side(player + 1)))

    def _apply_action(self, action: int) -> None:
        move = self.parts.encoding.move(self.position.side, action)
        if not isinstance(move, Step | Pass):
            legal = self.parts.game.moves(self.position)
            raise IllegalMove(action, self.position, legal, f"Action {action} is not a move.")
        self._carry_out(move)

    def _apply_actions(self, actions: list[int]) -> None:
        if self.position.battle is None:  # a turn, for algorithms that always ask both
            self._apply_action(actions[self.position.side - 1])
            return
        numbers = [self.parts.encoding.move(Side.ONE, action) for action in actions]
        self._carry_out(Numbers(*numbers))  # type: ignore[arg-type]

    def _carry_out(self, move: Step | Pass | Numbers) -> None:
        self.position = self.parts.game.play(self.position, move)
        self.moves.append(move)

    def _action_to_string(self, player: int, action: int) -> str:
        side = self.position.side if player < 0 else Side(player + 1)
        return self.parts.encoding.action_name(side, action)

    def is_terminal(self) -> bool:
        """Whether somebody has won, or the game is cut."""
        over = self.parts.game.outcome(self.position) is not None
        return over or len(self.moves) >= self.parts.max_plies

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser; 0 for both while nobody has won."""
        winner = self.parts.game.outcome(self.position)
        return [0.0 if winner is None else 1.0 if winner is side else -1.0 for side in Side]

    def __str__(self) -> str:
        """The position and the number of plies, which decide how the game can go on."""
        return f"{self.position} {len(self.moves)}"

    def replay(self, text: str) -> None:
        """Play moves in their text form, separated by spaces, from a position if there is one."""
        words = text.split()
        if words and "/" in words[0]:
            self.start = self.position = require_position(self.parts.game, words.pop(0))
        for word in words:
            self._carry_out(parse_move(word))

    def serialize(self) -> str:
        """The moves in their text form, after the position if the game began elsewhere."""
        begun = () if self.start == self.parts.start else (self.start,)
        return " ".join(map(str, (*begun, *self.moves)))


class DuelObserver:
    """An observation as a tensor and as text, as OpenSpiel's observers have it."""

    def __init__(self, parts: DuelParts, *, recall: bool) -> None:
        self._parts, self._recall = parts, recall
        size = parts.encoding.size + 1
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor[:-1], "plies": self.tensor[-1:]}

    def set_from(self, state: DuelState, player: int) -> None:
        """Write what a player sees to the tensor; plies count as a share of the longest game."""
        self.tensor[:-1] = self._parts.encoding.observation(state.position, Side(player + 1))
        self.tensor[-1] = len(state.moves) / self._parts.max_plies

    def string_from(self, state: DuelState, player: int) -> str:
        """The position; with perfect recall, the moves that led there."""
        return state.serialize() if self._recall else str(state)


pyspiel.register_game(TURNS, TurnDuel)
pyspiel.register_game(BATTLES, BattleDuel)
