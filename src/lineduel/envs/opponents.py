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
from lineduel.graph import BATTLE, GameGraph, PolicyTable, PositionRows, graph_of_rows
from lineduel.players import Policy, check_policy_name, make_player, policy_table
from lineduel.rules import Side
from lineduel.solve import Solution, solve

RANDOM = "random"
"""The name of the opponent for whom all legal actions are equally likely."""
ActionChooser = Callable[[Bits, Bits], int]
"""A policy of the user's: takes an observation and an action mask, returns an action."""
Opponent = str | Policy | ActionChooser


class EqualChances:
    """A policy for which all legal actions are equally likely."""

    name = RANDOM

    def __init__(self, game: Game) -> None:
        self._game = game

    def chances(self, position: Position, side: Side) -> tuple[float, ...]:
        battle = self._game.rules.battle
        fights = position.battle is not None and battle is not None
        size = battle.numbers if fights and battle else len(self._game.moves(position))
        return (1 / size,) * size

    def table(self, graph: GameGraph) -> PolicyTable:
        """The same over a whole graph."""
        counts = np.diff(graph.first)
        moves = np.repeat(1 / np.maximum(counts, 1), counts)
        moves[np.repeat(graph.mover == BATTLE, counts)] = 0.0
        shape = len(Side), len(graph.battles), graph.numbers
        return PolicyTable(moves, np.full(shape, 1 / max(graph.numbers, 1)))


class OpponentAnywhere:
    """An opponent in games that can begin at any position.

    A player by its name knows the positions that can come up from where it was made; for a game
    that begins elsewhere, it is made for that position.
    """

    def __init__(self, opponent: Opponent, game: Game, start: Position) -> None:
        self._game = game
        self._name: str | None = None
        self._given: Policy | ActionChooser | None = None
        if callable(opponent):
            self._given = opponent
        elif isinstance(opponent, str) and opponent != RANDOM:
            self._name = check_policy_name(opponent)
        else:
            allowed = "a player's name, a policy or a function"
            self._given = policy_of(opponent, game, start, allowed)
        self._made: list[tuple[Solution, Policy]] = []
        self.playing_from(start)

    def playing_from(self, position: Position) -> "Policy | ActionChooser":
        """The opponent for a game that begins there."""
        if self._name is None:
            assert self._given is not None
            return self._given
        for solution, player in self._made:
            if _covers(solution, position):
                return player
        solution = solve(self._game, position)
        player = make_player(self._name, solution)
        self._made[1:] = [(solution, player)]  # the first is the start's; others would add up
        return player


def _covers(solution: Solution, position: Position) -> bool:
    try:
        solution.value(position)
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
        return EqualChances(game)
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
