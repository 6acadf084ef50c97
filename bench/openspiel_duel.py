"""Any rulebook as an OpenSpiel Python game; an open battle is a simultaneous node.

It wraps the engine, whose step is a look-up of well under a microsecond, so that what is measured
is OpenSpiel's own work; and it shows like pieces in order, so that both count the same positions.
"""

from math import isqrt

import pyspiel

from lineduel.engine import Game, Position
from lineduel.engine.symmetry import Likeness
from lineduel.rules import Rulebook


def _game_type(dynamics: object) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name="python_line_duel",
        long_name="Python Line Duel",
        dynamics=dynamics,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )


TURNS = _game_type(pyspiel.GameType.Dynamics.SEQUENTIAL)
BATTLES = _game_type(pyspiel.GameType.Dynamics.SIMULTANEOUS)
MOST_ACTIONS = 64
LONGEST = 100_000


class Moment:
    """A position with all that is known of it; never copied, as it never changes."""

    def __init__(self, game: Game, likeness: Likeness, position: Position) -> None:
        self.game, self.likeness, self.position = game, likeness, position
        self.moves = game.moves(position)
        self.winner = game.outcome(position)
        self.text = str(position)

    def __deepcopy__(self, memo: object) -> "Moment":
        return self


class DuelGame(pyspiel.Game):
    def __init__(self, rulebook: Rulebook):
        info = pyspiel.GameInfo(
            num_distinct_actions=MOST_ACTIONS,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(TURNS if rulebook.rules.battle is None else BATTLES, info, {})
        self._engine = Game(rulebook)
        self._likeness = Likeness(rulebook.rules)

    def new_initial_state(self):
        start = self._likeness.standing_for(self._engine.start())
        return DuelState(self, Moment(self._engine, self._likeness, start))

    def new_initial_states(self):
        return [self.new_initial_state()]

    def make_py_observer(self, iig_obs_type=None, params=None):
        raise NotImplementedError


class DuelState(pyspiel.State):
    def __init__(self, game, moment):
        super().__init__(game)
        self._moment = moment

    def current_player(self):
        moment = self._moment
        if moment.winner:
            return pyspiel.PlayerId.TERMINAL
        if moment.position.battle is not None:
            return pyspiel.PlayerId.SIMULTANEOUS
        return moment.position.side - 1

    def _legal_actions(self, player):
        choices = len(self._moment.moves)
        return list(range(choices if self._moment.position.battle is None else isqrt(choices)))

    def _apply_actions(self, actions):
        one, two = actions
        self._apply_action(one * isqrt(len(self._moment.moves)) + two)

    def _apply_action(self, action):
        now = self._moment
        after = now.game.play(now.position, now.moves[action])
        self._moment = Moment(now.game, now.likeness, now.likeness.standing_for(after))

    def is_terminal(self):
        return self._moment.winner is not None

    def returns(self):
        winner = self._moment.winner
        if winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if winner == 1 else [-1.0, 1.0]

    def _action_to_string(self, player, action):
        return str(self._moment.moves[action])

    def __str__(self):
        return self._moment.text
