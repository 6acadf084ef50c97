"""A whole game as a table of states: where each action leads, for code without any rules.

A state is a position, with every piece told apart; during a battle there are further states in
which player 1 has chosen a number and player 2 has not. So one side chooses in every state.

States are numbered by what they are: those in which player 1 chooses come first, then those in
which player 2 chooses, then games won by player 1, then games won by player 2. The kind of a state
follows from its number by comparison alone.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import (
    ILLEGAL,
    LOW_NUMBERS,
    NO_BATTLE,
    OUT,
    CellRow,
    RuleNumbers,
    compiled,
    hand_of,
    inner,
    landing,
    row_of,
    rule_numbers,
)
from lineduel.engine import Game, Position
from lineduel.envs.arguments import require_one_of
from lineduel.envs.encoding import Bits, Encoding
from lineduel.errors import TooLarge
from lineduel.graph import (
    BATTLE,
    CellRows,
    GameGraph,
    PolicyTable,
    PositionRows,
    hands_as_bits,
    rows_told_apart,
)
from lineduel.rules import Rules, Side

MOST_STATES = 1 << 20
"""Games with more positions are computed from the cells."""
NO_STATE = -1
"""Where an illegal action leads."""
_AT_ONCE = 1 << 16
"""States whose observations are in memory at once."""

StateArray = NDArray[np.int32]
ByteArray = NDArray[np.uint8]
StateForm = Literal["table", "cells"]
"""How many games at once are computed: from a table of states, or from the cells."""


class EncodingShape(NamedTuple):
    """The numbers of an encoding."""

    pieces: int
    pieces1: int
    cells: int
    steps: int
    numbers: int
    hand: int
    """The same as `numbers` if numbers are spent, else 0."""
    pass_action: int

    @classmethod
    def of(cls, encoding: Encoding) -> "EncodingShape":
        return cls(*(getattr(encoding, name) for name in cls._fields))


class CellStates(NamedTuple):
    """States as the cells of their pieces."""

    rows: CellRow
    turn: NDArray[np.int8]
    number: NDArray[np.int8]


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
    """Rows as in `PositionRows`."""
    turn: NDArray[np.int8]
    """The side to move, or to move after the battle."""
    number: NDArray[np.int8]
    """The number that player 1 has chosen in the battle, else 0."""
    position: NDArray[np.int64]
    """The number of the position in the rows that the table was made from."""

    @property
    def cells(self) -> CellStates:
        return CellStates(self.rows, self.turn, self.number)

    @property
    def choosers(self) -> NDArray[np.int8]:
        """The side that chooses in each state; if it is over, player 2."""
        return np.where(np.arange(len(self.rows)) < self.second, 1, 2).astype(np.int8)


def state_table(game: Game, start: Position | None = None, most: int = MOST_STATES) -> StateTable:
    """The table of a game from a position; `TooLarge` for more than `most` positions."""
    instead = 'With form="cells", batches and JAX take rulebooks of any size.'
    found = rows_up_to(most, game, start or game.start(), "a table of states", instead)
    return table_of_rows(game, found)


def table_if_it_fits(game: Game, start: Position, form: StateForm | None) -> StateTable | None:
    """The table in the form "table"; None in the form "cells".

    If no form is asked for: the table, or None if there are too many positions.
    """
    require_one_of("form", form, (*get_args(StateForm), None))
    if form == "cells":
        return None
    try:
        return state_table(game, start, MOST_STATES)
    except TooLarge:
        if form == "table":
            raise
        return None


def rows_up_to(most: int, game: Game, start: Position, purpose: str, instead: str) -> PositionRows:
    """All positions with every piece told apart.

    With more than `most` the error says what they are too many for, and what to use `instead`.
    """
    try:
        return rows_told_apart(game.rules, start, most)
    except TooLarge as error:
        told = f"There are more than {most:,} positions with pieces told apart"
        why = f"{told}, too many for {purpose}.\n{instead}"
        raise TooLarge(error.positions, most, why) from None


def table_of_rows(game: Game, found: PositionRows) -> StateTable:
    """The table of all positions that were found, the first of which is the start."""
    encoding = Encoding(game.rules)
    battles = np.flatnonzero(found.rows[:, -1] != NO_BATTLE)
    in_hand = np.ones((len(battles), encoding.numbers), np.bool_)
    if encoding.hand:
        positions = CellRows(game.rules, found.rows, found.side)
        in_hand = hands_as_bits(positions, battles)[0][:, None] >> np.arange(encoding.hand) & 1 > 0
    places, numbers = np.nonzero(in_hand)
    origin = np.concatenate([np.arange(len(found.side)), battles[places]])
    number = np.zeros(len(origin), np.int8)
    number[len(found.side) :] = numbers + 1
    after = np.full((len(origin), encoding.actions), NO_STATE, np.int32)
    fill_actions(rule_numbers(game.rules), EncodingShape.of(encoding), found, after)
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
        rows = np.array([row_of(self._rules, one) for one in positions])
        keys = _keys(rows, np.array([one.side for one in positions], np.int8))
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found = np.where(self._keys[place] == keys, self._states[place], NO_STATE)
        return found.astype(np.int32)


def _keys(rows: CellRow, turn: NDArray[np.int8]) -> NDArray[np.bytes_]:
    """Each state in bytes; the last is never 0, so that NumPy cuts none off."""
    whole = np.ascontiguousarray(np.column_stack([rows, turn]))
    return whole.view(f"S{whole.shape[1]}").ravel()


class StateChoices(NamedTuple):
    """Which choices of a graph the actions of a table of states are, one for each legal action."""

    states: NDArray[np.int64]
    actions: NDArray[np.int64]
    choices: NDArray[np.int64]
    """The number of the choice in the graph that each of these actions is."""
    fights: NDArray[np.int64]
    """The states in which a number is chosen; they have no entry above."""
    battles: NDArray[np.int64]
    """The number of the battle in the graph that each of these is about."""


def choices_of_states(table: StateTable, graph: GameGraph) -> StateChoices:
    """The choices of the graph that was made from the same rows as the table."""
    position = table.position[: table.over]
    in_battle = graph.mover[position] == BATTLE
    states, actions = np.nonzero((table.next != NO_STATE) & ~in_battle[:, None])
    within = np.arange(len(states)) - np.searchsorted(states, states)
    fights = np.flatnonzero(in_battle)
    return StateChoices(
        states,
        actions,
        graph.first[position[states]] + within,
        fights,
        np.searchsorted(graph.battles, position[fights]),
    )


def action_chances(
    table: StateTable, graph: GameGraph, policy: PolicyTable, first_number: int
) -> NDArray[np.float64]:
    """The chance of each action in each state that is not over, when a policy plays.

    `first_number` is the action of the number 1.
    """
    chances = np.zeros(table.next.shape)
    states, actions, choices, fights, battles = choices_of_states(table, graph)
    chances[states, actions] = policy.moves[choices]
    side = (table.number[fights] > 0).astype(np.int64)
    last = first_number + graph.numbers
    chances[fights, first_number:last] = policy.numbers[side, battles]
    return chances


@inner
def list_legal(
    ruling: RuleNumbers,
    shape: EncodingShape,
    row: CellRow,
    turn: int,
    number: int,
    found: ByteArray,
) -> int:
    """Write the legal actions of a state to `found`; returns how many there are.

    `number` is the one that player 1 has chosen in the battle, or 0.
    """
    count = 0
    if row[-1] != NO_BATTLE:
        hand = hand_of(ruling, row, 1 if number == 0 else 2)
        for choice in range(1, shape.numbers + 1):
            if hand >> (choice - 1) & 1:
                found[count] = shape.pass_action + choice
                count += 1
        return count
    cells = row[: len(ruling.homes)]
    low, high = (0, shape.pieces1) if turn == 1 else (shape.pieces1, len(cells))
    for piece in range(low, high):
        for step in range(shape.steps):
            if landing(ruling, cells, turn, piece, ruling.steps[step]) != ILLEGAL:
                found[count] = (piece - low) * shape.steps + step
                count += 1
    if count == 0:
        found[0] = shape.pass_action
        count = 1
    return count


@compiled
def fill_actions(
    ruling: RuleNumbers, shape: EncodingShape, found: PositionRows, after: StateArray
) -> None:
    """Fill in where the actions of each position lead.

    The choices of a position are in the order of its actions; those of a battle are a square, with
    a row for every number. Behind the positions, `after` has a row for each battle and each number
    in player 1's hand, in that order.
    """
    legal, other = np.empty(after.shape[1], np.uint8), np.empty(after.shape[1], np.uint8)
    chosen = len(found.side)
    for at in range(len(found.side)):
        if found.winner[at] != 0:
            continue
        choice, row = found.first[at], found.rows[at]
        count = list_legal(ruling, shape, row, int(found.side[at]), 0, legal)
        for one in range(count):
            if row[-1] == NO_BATTLE:
                after[at, legal[one]] = found.after[choice + one]
                continue
            after[at, legal[one]] = chosen
            begin = choice + (int(legal[one]) - shape.pass_action - 1) * shape.numbers
            for two in range(list_legal(ruling, shape, row, int(found.side[at]), 1, other)):
                number = int(other[two]) - shape.pass_action
                after[chosen, other[two]] = found.after[begin + number - 1]
            chosen += 1


# What is seen in all states


@compiled
def observe(
    low: int,
    high: int,
    shape: EncodingShape,
    states: CellStates,
    choosers: NDArray[np.int8],
    state: StateArray,
    looker: int,
    seen: CellRow,
) -> None:
    """What `looker` sees of each game, as `Encoding.observation` says it.

    0 is the side that chooses in the state, by `choosers`.
    """
    rows, turns, length = states.rows, states.turn, shape.cells
    pieces1, width = shape.pieces1, seen.shape[1]
    battle = rows.shape[1] - 1
    pieces = battle - 4 if shape.hand else battle
    group = shape.pieces * length
    for game in range(low, high):
        at = state[game]
        side = int(choosers[at]) if looker == 0 else looker
        for place in range(width):
            seen[game, place] = 0
        # A cell counts from the side's own end: from the last cell for player 2. All this is done
        # without branches, which would be guessed wrongly half of the time.
        second = side - 1
        near, sign = second * (length - 1), 1 - 2 * second
        one, two = second * group, group - second * group
        for piece in range(pieces1):
            cell = int(rows[at, piece])
            on = int(cell != OUT)
            place = one + piece * length + on * (near + sign * cell)
            seen[game, np.uint64(place)] = on
        for piece in range(pieces1, pieces):
            cell = int(rows[at, piece])
            on = int(cell != OUT)
            place = two + (piece - pieces1) * length + on * (near + sign * cell)
            seen[game, np.uint64(place)] = on
        if rows[at, battle] != NO_BATTLE:
            seen[game, 2 * group + near + sign * rows[at, battle]] = 1
        for bit in range(shape.hand):
            # A hand has two items in a row, its low numbers first; its own hand is shown first.
            item, low_bit = pieces + (bit >= LOW_NUMBERS), bit % LOW_NUMBERS
            for owner in range(2):
                place = width - 2 - (2 - (owner ^ second)) * shape.hand + bit
                seen[game, place] = int(rows[at, item + 2 * owner]) >> low_bit & 1
        seen[game, width - 2] = side - 1
        seen[game, width - 1] = turns[at] == side


def state_observations(encoding: Encoding, table: StateTable) -> Bits:
    """What the side that chooses sees in each state that is not over."""
    return _seen(encoding, table, np.arange(table.over, dtype=np.int32), 0)


def packed_observations(encoding: Encoding, table: StateTable) -> NDArray[np.uint32]:
    """What each side sees in each state, as the bits of words, the lowest bit first."""
    words = -(-encoding.size // 32)
    packed = np.zeros((len(Side), len(table.rows), 4 * words), np.uint8)
    states = np.arange(len(table.rows), dtype=np.int32)
    for side in Side:
        for low in range(0, len(states), _AT_ONCE):
            seen = _seen(encoding, table, states[low : low + _AT_ONCE], side)
            found = np.packbits(seen.astype(np.bool_), axis=1, bitorder="little")
            packed[side - 1, low : low + _AT_ONCE, : found.shape[1]] = found
    return packed.view("<u4")


def _seen(encoding: Encoding, table: StateTable, states: StateArray, looker: int) -> Bits:
    """What a side sees in these states; 0 stands for the side that chooses."""
    seen = np.empty((len(states), encoding.size), np.int8)
    shape = EncodingShape.of(encoding)
    observe(0, len(states), shape, table.cells, table.choosers, states, int(looker), seen)
    return seen


def packed_views(encoding: Encoding, table: StateTable) -> NDArray[np.uint8]:
    """For player 1 in each state and then for player 2: the observation, and the legal actions.

    Each item is a bit, the lowest bit first; the legal actions begin with a byte of their own. A
    side has none while the other one chooses, or if the game is over.
    """
    seen = packed_observations(encoding, table).view(np.uint8)[:, :, : words_for(encoding.size)]
    masks = np.zeros((len(Side), len(table.rows), words_for(encoding.actions)), np.uint8)
    legal = np.packbits(table.next != NO_STATE, axis=1, bitorder="little")
    masks[0, : table.second] = legal[: table.second]
    masks[1, table.second : table.over] = legal[table.second :]
    return np.concatenate([seen, masks], axis=2).reshape(2 * len(table.rows), -1)


def words_for(items: int) -> int:
    """How many words of eight it takes for that number of items."""
    return -(-items // 8)
