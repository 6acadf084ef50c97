"""The players that an agent can learn against, by name or as any policy."""

from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

from lineduel.engine import Game, Position
from lineduel.envs.arguments import check_chances
from lineduel.envs.encoding import Bits, Encoding
from lineduel.envs.sequential import SequentialGame
from lineduel.envs.state_table import StateTable, action_chances
from lineduel.errors import NotSolved, shown
from lineduel.graph import PositionRows, graph_of_rows
from lineduel.players import (
    LEVEL_NAMES,
    LEVELS,
    Lookahead,
    Policy,
    check_policy_name,
    make_player,
    policy_table,
)
from lineduel.solve import solve

RANDOM = LEVEL_NAMES[LEVELS[0]]
"""The name of the level for which all legal actions are equally likely; it needs no solution."""
ActionChooser = Callable[[Bits, Bits], int]
"""A policy of the user's: takes an observation and an action mask, returns an action."""
Opponent = str | Policy | ActionChooser


class OpponentAnywhere:
    """An opponent in games that can begin at any position.

    A player by its name knows the positions that can come up from where it was made; for a game
    that begins elsewhere, it is made for that position.
    """

    def __init__(self, opponent: Opponent, game: Game, start: Position) -> None:
        self._opponent, self._game, self._start = opponent, game, start
        allowed = "a player's name, a policy or a function"
        self._made: list[Policy | ActionChooser] = [
            opponent if callable(opponent) else policy_of(opponent, game, start, allowed)
        ]

    def playing_from(self, position: Position) -> "Policy | ActionChooser":
        """The opponent for a game that begins there."""
        if isinstance(self._opponent, str) and position != self._start:
            for player in self._made:
                if _knows(player, position):
                    return player
            # The first is the start's; others would add up.
            self._made[1:] = [policy_of(self._opponent, self._game, position)]
            return self._made[1]
        return self._made[0]


def _knows(player: "Policy | ActionChooser", position: Position) -> bool:
    """Whether a player by its name can play from a position: if not, its solution lacks it."""
    assert not callable(player)
    try:
        player.chances(position, position.side)
    except NotSolved:
        return False
    return True


def policy_of(
    opponent: str | Policy,
    game: Game,
    start: Position,
    allowed: str = "a player's name or a policy",
) -> Policy:
    """A policy as it was given, or by its name: `random`, a level, `fallible` or `perfect`.

    The error about anything else says what is `allowed`.
    """
    if opponent == RANDOM:
        return make_player(RANDOM, Lookahead(game))
    if isinstance(opponent, str):
        name = check_policy_name(opponent)  # before the game is solved, which may take a while
        return make_player(name, solve(game, start))
    if not hasattr(opponent, "chances"):
        raise ValueError(f"{shown(repr(opponent))} is not {allowed}.")
    return opponent


def reply_of(opponent: "Policy | ActionChooser", play: SequentialGame, rng: Random) -> int:
    """The action that an opponent chooses in its turn."""
    position, side, legal = play.position, play.chooser, play.view.legal
    if not callable(opponent):
        return rng.choices(legal, opponent.chances(position, side))[0]
    return int(opponent(play.encoding.observation(position, side), play.encoding.mask(legal)))


def cumulative_chances(
    opponent: str | Policy, game: Game, start: Position, found: PositionRows, table: StateTable
) -> NDArray[np.uint64]:
    """An opponent's chances in every state of a table, summed up and scaled to 2**32."""
    graph = graph_of_rows(game, found)
    policy = policy_of(opponent, game, start)
    chances = action_chances(
        table, graph, policy_table(policy, graph), Encoding(game.rules).first_number
    )
    check_chances(chances)
    summed = np.cumsum(chances, axis=1)
    summed /= summed[:, -1:]
    return np.rint(summed * 2.0**32).astype(np.uint64)
