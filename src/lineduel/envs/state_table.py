"""A whole game as a table of states: where each action leads, for code without any rules.

A state is a position, with every piece told apart; during a battle there are further states in
which player 1 has chosen a number and player 2 has not. So one side chooses in every state.

States are numbered by what they are: those in which player 1 chooses come first, then those in
which player 2 chooses, then games won by player 1, then games won by player 2. The kind of a state
follows from its number by comparison alone.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import (
    ILLEGAL,
    NO_BATTLE,
    CellRow,
    RuleNumbers,
    compiled,
    landing,
    row_of,
    rule_numbers,
)
from lineduel.engine import Game, Position
from lineduel.envs.encoding import Encoding
from lineduel.errors import TooLarge
from lineduel.graph import BATTLE, GameGraph, PolicyTable, PositionRows, rows_told_apart
from lineduel.rules import Rules

MOST_STATES = 1 << 20
"""Games with more positions are computed from the cells."""
NO_STATE = -1
"""Where an illegal action leads."""

StateArray = NDArray[np.int32]
StateForm = Literal["table", "cells"]
"""How many games at once are computed: from a table of states, or from the cells."""
STATE_FORMS: tuple[StateForm | None, ...] = ("table", "cells", None)
"""What can be asked for; None takes the table if it is not too large."""


class StateTable(NamedTuple):
    """All states of a game; everything but the rulebook's names."""

    next: StateArray
    """Where each action leads, or NO_STATE; a row for each state that is not over."""
    second: int
    """The first state in which player 2 chooses."""
    over: int
    """The first state that is over, won by player 1."""
    lost: int
    """The first state that is won by player 2."""
    start: int
    rows: CellRow
    """The cells of the pieces, then the cell of the battle, as in `PositionRows`."""
    turn: NDArray[np.int8]
    """The side to move, or to move after the battle."""
    number: NDArray[np.int8]
    """The number that player 1 has chosen in the battle, else 0."""
    position: NDArray[np.int64]
    """The number of the position in the rows that the table was made from."""


def state_table(game: Game, start: Position | None = None, most: int = MOST_STATES) -> StateTable:
    """The table of a game from a position; `TooLarge` for more than `most` positions."""
    instead = 'With form="cells", batches and JAX take rulebooks of any size.'
    found = rows_up_to(most, game, start or game.start(), "a table of states", instead)
    return table_of_rows(game, found)


def rows_up_to(most: int, game: Game, start: Position, purpose: str, instead: str) -> PositionRows:
    """All positions with every piece told apart.

    With more than `most` the error says what they are too many for, and what to use `instead`.
    """
    try:
        return rows_told_apart(game.rules, start, most)
    except TooLarge as error:
        why = f"There are more than {most:,} positions, too many for {purpose}.\n{instead}"
        raise TooLarge(error.positions, most, why) from None


def table_of_rows(game: Game, found: PositionRows) -> StateTable:
    """The table of all positions that were found, the first of which is the start."""
    encoding = Encoding(game.rules)
    battles = np.flatnonzero(found.rows[:, -1] != NO_BATTLE)
    chosen = np.repeat(battles, encoding.numbers)
    origin = np.concatenate([np.arange(len(found.side)), chosen])
    number = np.zeros(len(origin), np.int8)
    number[len(found.side) :] = np.tile(np.arange(1, encoding.numbers + 1), len(battles))
    after = np.full((len(origin), encoding.actions), NO_STATE, np.int32)
    fill_actions(rule_numbers(game.rules), found, encoding.pass_action, after)
    in_battle = found.rows[origin, -1] != NO_BATTLE
    chooser = np.where(in_battle, np.where(number > 0, 2, 1), found.side[origin])
    winner = np.where(number > 0, 0, found.winner[origin])
    kind = np.where(winner > 0, 2 + winner, chooser)
    order = np.argsort(kind, kind="stable")
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    second, over, lost = np.searchsorted(kind[order], [2, 3, 4]).tolist()
    moved = after[order[:over]]
    return StateTable(
        next=np.where(moved == NO_STATE, NO_STATE, place[moved]).astype(np.int32),
        second=second,
        over=over,
        lost=lost,
        start=int(place[0]),
        rows=found.rows[origin[order]],
        turn=found.side[origin[order]],
        number=number[order],
        position=origin[order],
    )


class StateIndex:
    """Finds positions in a table of states."""

    def __init__(self, rules: Rules, table: StateTable) -> None:
        self._rules = rules
        known = np.flatnonzero(table.number == 0)
        keys = _keys(table.rows[known], table.turn[known])
        order = np.argsort(keys)
        self._states, self._keys = known[order].astype(np.int32), keys[order]

    def find(self, positions: Sequence[Position]) -> StateArray:
        """The state of each position, or NO_STATE."""
        rows = np.array([full_row(self._rules, one) for one in positions])
        keys = _keys(rows, np.array([one.side for one in positions], np.int8))
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found = np.where(self._keys[place] == keys, self._states[place], NO_STATE)
        return found.astype(np.int32)


def full_row(rules: Rules, position: Position) -> CellRow:
    """A row of `StateTable.rows`: the cells of the pieces, then that of the battle."""
    battle = NO_BATTLE if position.battle is None else position.battle - rules.track.first
    return np.append(row_of(rules, position), np.int8(battle))


def _keys(rows: CellRow, turn: NDArray[np.int8]) -> NDArray[np.bytes_]:
    """Each state in bytes; the last is never 0, so that NumPy cuts none off."""
    whole = np.ascontiguousarray(np.column_stack([rows, turn]))
    return whole.view(f"S{whole.shape[1]}").ravel()


def action_chances(
    table: StateTable, graph: GameGraph, policy: PolicyTable, first_number: int
) -> NDArray[np.float64]:
    """The chance of each action in each state that is not over, when a policy plays.

    The graph is that of the rows that the table was made from. `first_number` is the action of the
    number 1.
    """
    legal = table.next != NO_STATE
    chances = np.zeros(legal.shape)
    position, number = table.position[: table.over], table.number[: table.over]
    in_battle = graph.mover[position] == BATTLE
    states, actions = np.nonzero(legal & ~in_battle[:, None])
    within = np.arange(len(states)) - np.searchsorted(states, states)
    chances[states, actions] = policy.moves[graph.first[position[states]] + within]
    fights = np.flatnonzero(in_battle)
    battle = np.searchsorted(graph.battles, position[fights])
    side = (number[fights] > 0).astype(np.int64)
    last = first_number + graph.numbers
    chances[fights, first_number:last] = policy.numbers[side, battle]
    return chances


@compiled
def fill_actions(
    ruling: RuleNumbers, found: PositionRows, pass_action: int, after: StateArray
) -> None:
    """Fill in where the actions of each position lead.

    The choices of a position are in the order of its actions. Behind the positions, `after` has a
    row for each battle and each number of player 1, in that order.
    """
    steps, numbers, pieces = len(ruling.steps), ruling.numbers, found.rows.shape[1] - 1
    chosen = len(found.side)
    for at in range(len(found.side)):
        choice, cells = found.first[at], found.rows[at, :-1]
        if found.rows[at, -1] != NO_BATTLE:
            for number in range(numbers):
                after[at, pass_action + 1 + number] = chosen
                for other in range(numbers):
                    after[chosen, pass_action + 1 + other] = found.after[choice]
                    choice += 1
                chosen += 1
        elif found.winner[at] == 0:
            side = int(found.side[at])
            low, high = (0, ruling.pieces1) if side == 1 else (ruling.pieces1, pieces)
            for piece in range(low, high):
                for step in range(steps):
                    if landing(ruling, cells, side, piece, ruling.steps[step]) != ILLEGAL:
                        after[at, (piece - low) * steps + step] = found.after[choice]
                        choice += 1
            if choice == found.first[at]:
                after[at, pass_action] = found.after[choice]
