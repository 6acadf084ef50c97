"""Cross Over as an OpenSpiel Python game, written the way OpenSpiel's own examples are."""

import pyspiel

LAST = 10
PIECES = 3
STEPS = (1, 2)
HOMES = ((0, 1, 2), (10, 9, 8))
GOALS = ((8, 9, 10), (0, 1, 2))
PASS = PIECES * len(STEPS)
CAPTURED = -1

GAME_TYPE = pyspiel.GameType(
    short_name="python_cross_over",
    long_name="Python Cross Over",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={},
)
GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=PASS + 1,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=120,
)


class CrossOverGame(pyspiel.Game):
    def __init__(self, params=None):
        super().__init__(GAME_TYPE, GAME_INFO, params or {})

    def new_initial_state(self):
        return CrossOverState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        raise NotImplementedError


class CrossOverState(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self._cells = [list(HOMES[0]), list(HOMES[1])]
        self._player = 0
        self._winner = None

    def current_player(self):
        return pyspiel.PlayerId.TERMINAL if self._winner is not None else self._player

    def _legal_actions(self, player):
        mine = self._cells[player]
        direction = 1 if player == 0 else -1
        actions = []
        for piece, cell in enumerate(mine):
            if cell == CAPTURED:
                continue
            for choice, step in enumerate(STEPS):
                target = cell + direction * step
                if 0 <= target <= LAST and target not in mine:
                    actions.append(piece * len(STEPS) + choice)
        return actions or [PASS]

    def _apply_action(self, action):
        player = self._player
        self._player = 1 - player
        if action == PASS:
            return
        piece, choice = divmod(action, len(STEPS))
        direction = 1 if player == 0 else -1
        target = self._cells[player][piece] + direction * STEPS[choice]
        self._cells[player][piece] = target
        theirs = self._cells[1 - player]
        if target in theirs:
            theirs[theirs.index(target)] = CAPTURED
        if target in GOALS[player] or theirs == [CAPTURED] * PIECES:
            self._winner = player

    def is_terminal(self):
        return self._winner is not None

    def returns(self):
        if self._winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if self._winner == 0 else [-1.0, 1.0]

    def _action_to_string(self, player, action):
        return f"{player}:{action}"

    def information_state_string(self, player=None):
        return str(self)

    def observation_string(self, player=None):
        return str(self)

    def __str__(self):
        return f"{self._cells[0]}/{self._cells[1]}/{self._player}"


pyspiel.register_game(GAME_TYPE, CrossOverGame)
