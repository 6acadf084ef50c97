"""Exact feedback for learning programs: how strong a policy is, and what each move gives away.

>>> from lineduel import find_rulebook
>>> from lineduel.envs.regret import ExactFeedback
>>> feedback = ExactFeedback(find_rulebook("blockade-duel"))
>>> strength = feedback.measure("level:1", levels=(1, 8))
>>> strength.worst_case, strength.exploitability
((0.0, -1.0), 0.5)

A policy is a player's name, a policy with known chances, a table over the graph, an array of the
chance of each action in each state, or a function from observations and masks to such an array.

Single moves and records need no policy and no `ExactFeedback`: `move_regrets` and `record_regrets`
judge them by any solution, also by a table of a game that is too large for the rest.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.documents import CurvePointDocument
from lineduel.engine import Game, Move, Numbers, Position
from lineduel.envs.arguments import (
    AnyRulebook,
    check_chances,
    require_one_of,
    require_rulebook,
)
from lineduel.envs.best_response import Values, best_response
from lineduel.envs.curve import append_point
from lineduel.envs.encoding import Bits, Encoding
from lineduel.envs.opponents import policy_of
from lineduel.envs.state_table import (
    MOST_STATES,
    NO_STATE,
    StateIndex,
    choices_of_states,
    rows_up_to,
    state_observations,
    table_of_rows,
)
from lineduel.errors import InvalidPosition, TooLarge
from lineduel.graph import (
    BATTLE,
    PolicyTable,
    absorb,
    graph_of_rows,
    joint_chances,
    result_of,
)
from lineduel.players import LEVELS, Policy, policy_table, table_of_level
from lineduel.record import Record
from lineduel.rules import Rulebook, Side
from lineduel.solve import (
    Number,
    Solution,
    given_away,
    given_away_by_number,
    number_values,
    solve,
)

BatchPolicy = Callable[[Bits, Bits], NDArray[np.floating]]
"""Takes a row of observation and of mask for each state; returns the chance of each action."""
AnyPolicy = str | Policy | PolicyTable | NDArray[np.floating] | BatchPolicy
_ALLOWED = "a player's name, a policy, a table, an array or a function"
_TOO_LARGE = "lineduel.envs.regret.record_regrets(solve(game), record) judges single games."


class Strength(NamedTuple):
    """How strong a policy is, in exact numbers; each pair is as player 1 and as player 2."""

    worst_case: tuple[float, float]
    """What it can expect against the best response."""
    exploitability: float
    """What best responses win of it, on average over the seats; 0 exactly for optimal play."""
    against: dict[int, tuple[float, float]]
    """What it can expect against each level."""
    regret: float
    """The value that a move gives away, on average over the moves of its games against itself."""
    mistakes: dict[int, float]
    """By the plies of a forced win: how likely it is to let it go, on average over positions."""


class MoveRegret(NamedTuple):
    """What a side has given away in one turn of a game; a battle has an entry for each side."""

    ply: int
    side: Side
    """The side that moved or, in a battle, that chose its number of the pair."""
    move: Move
    regret: float
    plies: int | None
    """The length of the forced win that the side had, if it had one."""


class ExactFeedback:
    """A solved rulebook that judges policies; setting it up takes longer than asking it."""

    def __init__(self, rulebook: AnyRulebook, *, first: Side | None = None) -> None:
        rulebook = require_rulebook(rulebook)
        game = self.game = Game(rulebook)
        self.encoding = Encoding(rulebook.rules)
        self._start = game.start(first)
        found = rows_up_to(MOST_STATES, game, self._start, "ExactFeedback", _TOO_LARGE)
        self.graph = graph_of_rows(game, found)
        self.states = table_of_rows(game, found)
        self.solution: Solution = solve(game, self._start)
        self._low, self._high = self._proved_bounds()
        self.values = (self._low + self._high) / 2
        """What player 1 can expect in each position of the graph, with best play.

        `state_values` has the same for each state, as the side that chooses there sees it.
        """
        self._levels: dict[int, PolicyTable] = {}

    def _proved_bounds(self) -> tuple[Values, Values]:
        """The least and the most that player 1 can expect in each position; often the same."""
        if self.game.rules.battle is None:
            won = np.asarray(self.graph.forced_wins.winner)
            exact = np.where(won == 1, 1.0, np.where(won == 2, -1.0, 0.0))
            return exact, exact
        found = [self.solution.value(position) for position in self.graph.positions]
        return (
            np.array([float(one.low) for one in found]),
            np.array([float(one.high) for one in found]),
        )

    @cached_property
    def _move_regrets(self) -> Values:
        """What each choice of the graph is proved to give away; 0 for the choices of a battle.

        A position is worth as much as its best choice, so a choice can raise what is sure.
        """
        graph = self.graph
        second = graph.mover == Side.TWO
        sure = np.where(second, -self._high, self._low)
        second, after = second[graph.origin], graph.after
        np.maximum.at(sure, graph.origin, np.where(second, -self._high[after], self._low[after]))
        hoped = np.where(second, -self._low[after], self._high[after])
        lost = np.maximum(sure[graph.origin] - hoped, 0.0)
        return np.where(graph.mover[graph.origin] == BATTLE, 0.0, lost)

    @cached_property
    def action_regrets(self) -> Values:
        """What each action in each state gives away; NaN for illegal ones.

        It is exactly 0 unless the action is proved to be a mistake. Rows and columns are those of
        `masks`. A number in a battle meets an optimal mixture of the other side.
        """
        return self._of_actions(
            self._move_regrets,
            lambda position, side: given_away_by_number(
                self.solution, position, side, self.mixtures[position][side.other - 1]
            ),
        )

    @cached_property
    def mixtures(self) -> Mapping[Position, tuple[tuple[Fraction, ...], ...]]:
        """An optimal mixture of each side in each open battle: the chance of every number."""
        mixture, battles = self.solution.mixture, self.graph.battles.tolist()
        return {
            position: tuple(tuple(mixture(position, side).values()) for side in Side)
            for position in map(self.graph.positions.__getitem__, battles)
        }

    @cached_property
    def losing_regrets(self) -> Values:
        """What each side would give away by losing at once, in each state that is not over."""
        position = self.states.position[: self.states.over]
        return 1.0 + np.array([self._low[position], -self._high[position]])

    def state_of(self, position: Position) -> int:
        """The state of a position; in a battle, the one in which player 1 chooses."""
        if position == self._start:
            return self.states.start
        state = int(self._index.find([position])[0])
        if state == NO_STATE:
            raise InvalidPosition(
                f"{position} cannot come up from {self._start}, and regret is known only for "
                "what can.\nLeave regret out to begin there."
            )
        return state

    @cached_property
    def _index(self) -> StateIndex:
        return StateIndex(self.game.rules, self.states)

    def table(self, policy: AnyPolicy) -> PolicyTable:
        """A policy as a table over the graph."""
        if isinstance(policy, np.ndarray):
            return self._from_actions(policy)
        if callable(policy):
            return self._from_actions(np.asarray(policy(self.observations, self.masks)))
        if not isinstance(policy, PolicyTable):
            policy = policy_table(policy_of(policy, self.game, self._start, _ALLOWED), self.graph)
        self._check_shape(policy)
        return policy

    def _check_shape(self, table: PolicyTable) -> None:
        """Compiled code relies on a number for each choice, and for each number in a battle."""
        graph = self.graph
        needed = (len(graph.after),), (len(Side), len(graph.battles), graph.numbers)
        shapes = np.shape(table.moves), np.shape(table.numbers)
        if shapes != needed:
            raise ValueError(
                "A policy's table over this graph has arrays of the shapes {} and {}, "
                "not {} and {}.".format(*needed, *shapes)
            )

    @property
    def masks(self) -> Bits:
        """The legal actions of each state that is not over."""
        masks: Bits = (self.states.next != NO_STATE).astype(np.int8)
        return masks

    @property
    def observations(self) -> Bits:
        """What the side that chooses sees in each state that is not over."""
        return state_observations(self.encoding, self.states)

    @property
    def state_values(self) -> Values:
        """What the side that chooses can expect in each state that is not over, with best play.

        The second to choose in a battle does not see the first number, so all states of a battle
        have the value of its position.
        """
        states = self.states
        return _viewed(self.values[states.position[: states.over]], self._signs)

    @property
    def _signs(self) -> Values:
        """1 for each state in which player 1 chooses, -1 for those of player 2."""
        return np.where(self.states.choosers[: self.states.over] == 1, 1.0, -1.0)

    @cached_property
    def action_values(self) -> Values:
        """What the side that chooses can expect of each action, with best play after it.

        Rows and columns are those of `masks`; an illegal action has NaN. A number in a battle is
        worth what it brings against the other side's optimal mixture, for both sides.
        """
        graph = self.graph
        signs = np.where(graph.mover == Side.TWO, -1.0, 1.0)[graph.origin]
        return self._of_actions(
            _viewed(self.values[graph.after], signs),
            lambda position, side: number_values(
                self.solution,
                position,
                side,
                lambda value: value.expected(side),
                self.mixtures[position][side.other - 1],
            ),
        )

    def _of_actions(
        self, moves: Values, numbers: Callable[[Position, Side], Mapping[int, Number]]
    ) -> Values:
        """A figure of each action in each state, NaN for illegal ones; it cannot be changed.

        `moves` has a figure for each choice of the graph, `numbers` one for each number that a
        side has in hand in a battle.
        """
        graph, found = self.graph, np.full(self.states.next.shape, np.nan)
        states, actions, choices, fights, battles = choices_of_states(self.states, graph)
        found[states, actions] = moves[choices]
        if len(fights):
            chosen = np.full((len(graph.battles), len(Side), graph.numbers), np.nan)
            for place, at in enumerate(graph.battles.tolist()):
                for player in Side:
                    for number, figure in numbers(graph.positions[at], player).items():
                        chosen[place, player - 1, number - 1] = figure
            side = (fights >= self.states.second).astype(np.int64)
            found[fights, self.encoding.first_number :] = chosen[battles, side]
        found.flags.writeable = False  # it is kept
        return found

    def _from_actions(self, chances: NDArray[np.floating]) -> PolicyTable:
        """A table from the chance of each action in each state; illegal ones are left out."""
        states, graph, numbers = self.states, self.graph, self.encoding.numbers
        if chances.shape != states.next.shape:
            raise ValueError(
                f"A policy has a row for each of {states.next.shape[0]:,} states and a column for "
                f"each of {states.next.shape[1]} actions, not the shape {chances.shape}."
            )
        allowed = np.where(states.next != NO_STATE, chances, 0.0).astype(np.float64)
        check_chances(allowed)
        allowed /= allowed.sum(axis=1, keepdims=True)
        moves = np.zeros(len(graph.after))
        at, action, choices, fights, battle = choices_of_states(states, graph)
        moves[choices] = allowed[at, action]
        mixtures = np.zeros((len(Side), len(graph.battles), numbers))
        chosen = states.number[fights]
        first = self.encoding.first_number
        # Player 2 does not see player 1's number, so its mixture is that of the mean number.
        mixtures[0, battle[chosen == 0]] = allowed[fights[chosen == 0], first : first + numbers]
        for number in range(1, numbers + 1):
            picked = chosen == number
            mixtures[1, battle[picked]] += allowed[fights[picked], first : first + numbers]
        if numbers:
            mixtures[1] /= graph.in_hand[0].sum(axis=1, keepdims=True)
        return PolicyTable(moves, mixtures)

    def measure(self, policy: AnyPolicy, levels: Sequence[int] = ()) -> Strength:
        """How strong a policy is, also against some of the levels 1 to 8."""
        _require_levels(levels)
        table = self.table(policy)
        worst = tuple(
            float(best_response(self.graph, table, side.other)[0]) * (1 if side is Side.ONE else -1)
            for side in Side
        )
        value = float(self.values[0])
        return Strength(
            worst_case=(worst[0], worst[1]),
            exploitability=max(0.0, ((value - worst[0]) + (-value - worst[1])) / 2),
            against={level: self._against(table, level) for level in levels},
            regret=self._mean_regret(table),
            mistakes=self._mistakes(table),
        )

    def _against(self, table: PolicyTable, level: int) -> tuple[float, float]:
        if level not in self._levels:
            self._levels[level] = table_of_level(level, self.graph)
        other = self._levels[level]
        first = result_of(self.graph, table, other).value
        return first, -result_of(self.graph, other, table).value

    def regrets(self, policy: AnyPolicy) -> Values:
        """For each position, the value that a policy gives away there; 0 where the game is over.

        In a battle it is the larger of what the two sides' mixtures give away, each against the
        best reply to it.
        """
        table, graph = self.table(policy), self.graph
        after = self.values[graph.after]
        lost = np.bincount(graph.origin, table.moves * self._move_regrets, len(graph))
        for number, at in enumerate(graph.battles.tolist()):
            size = graph.numbers
            matrix = after[graph.first[at] : graph.first[at + 1]].reshape(size, size)
            one, two = table.numbers[0, number], table.numbers[1, number]
            short1 = self.values[at] - (one @ matrix).min()
            short2 = (matrix @ two).max() - self.values[at]
            lost[at] = max(short1, short2)
        return np.maximum(lost, 0.0)

    def _mean_regret(self, table: PolicyTable) -> float:
        graph = self.graph
        chances = joint_chances(graph, table, table)
        visits = absorb(graph.first, graph.after, graph.winner, chances).visits
        visits = np.where(graph.winner == 0, visits, 0.0)
        return float(visits @ self.regrets(table) / visits.sum()) if visits.any() else 0.0

    def _mistakes(self, table: PolicyTable) -> dict[int, float]:
        """How likely forced wins are let go, by their length."""
        graph = self.graph
        winner, plies = (np.asarray(one) for one in graph.forced_wins)
        winning = (winner == graph.mover) & (graph.winner == 0) & (graph.mover != BATTLE)
        kept = winner[graph.after] == winner[graph.origin]
        keeps = np.bincount(graph.origin, table.moves * kept, len(graph))
        found: dict[int, float] = {}
        for length in np.unique(plies[winning]).tolist():
            chosen = winning & (plies == length)
            found[length] = max(0.0, float(1 - keeps[chosen].mean()))
        return found


def record_regrets(solution: Solution, record: Record) -> list[MoveRegret]:
    """What each move and number of a game that was played has given away, in order.

    The solution may be of any kind, tables included. A battle has two entries, player 1's first.
    """
    found: list[MoveRegret] = []
    for ply, (position, move) in enumerate(zip(record.positions(), record.moves, strict=False)):
        before = solution.value(position)
        for side, regret in move_regrets(solution, position, move).items():
            plies = before.plies if before.winner is side else None
            found.append(MoveRegret(ply, side, move, regret, plies))
    return found


def move_regrets(solution: Solution, position: Position, move: Move) -> dict[Side, float]:
    """What a move is proved to give away, for the side that makes it; 0 unless it is a mistake.

    A battle's pair of numbers has a regret for each side, against the other's optimal mixture.
    """
    solution.game.play(position, move)  # refuses an illegal one
    if isinstance(move, Numbers):
        return {
            side: float(given_away_by_number(solution, position, side)[number])
            for side, number in zip(Side, move, strict=True)
        }
    side = position.side
    lost = given_away(solution.value(position), solution.outlook(position), side)
    return {side: float(lost[solution.game.moves(position).index(move)])}


def _viewed(values: Values, signs: Values) -> Values:
    """Player 1's values as the side that chooses sees them; 0 stays 0, without a minus sign."""
    seen: Values = signs * values + 0.0
    return seen


def _require_levels(levels: Sequence[int]) -> None:
    """Each of them has to be a level there is."""
    for level in levels:
        require_one_of("level", level, LEVELS)


def feedback_on_actions(rulebook: Rulebook, first: Side | None) -> ExactFeedback:
    """The exact feedback; `TooLarge` says that regret has to be left out for this rulebook."""
    try:
        return ExactFeedback(rulebook, first=first)
    except TooLarge as error:
        limit, *_ = str(error).splitlines()
        why = f"regret=True solves the whole rulebook. {limit}\nLeave regret out for this one."
        raise TooLarge(error.positions, error.most, why) from None


class CurveCallback:
    """Measures a policy during training, every `every` steps, and adds the result to a file.

    `lineduel curve FILE` shows it.
    """

    def __init__(
        self, feedback: ExactFeedback, path: Path, *, every: int = 1, levels: Sequence[int] = ()
    ) -> None:
        _require_levels(levels)
        self._feedback, self._path, self._every = feedback, path, every
        self._levels = tuple(levels)
        self._began = time.monotonic()

    def __call__(self, step: int, policy: AnyPolicy) -> Strength | None:
        """Measure if it is time to; returns the strength if it was."""
        if step % self._every:
            return None
        strength = self._feedback.measure(policy, self._levels)
        point = CurvePointDocument.of(
            strength,
            step=step,
            seconds=round(time.monotonic() - self._began, 3),
            against={f"level:{level}": pair for level, pair in strength.against.items()},
        )
        append_point(self._path, self._feedback.game.rulebook.id, point)
        return strength
