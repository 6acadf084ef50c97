"""Compiled loops over the games of a batch, from a table of states or from the cells.

Each works on the games from `low` up to `high` and touches no others, so that any number of
threads gives the same games.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import (
    ILLEGAL,
    NO_BATTLE,
    CellRow,
    RuleNumbers,
    compiled,
    hand_of,
    inner,
    landing,
    settle_battle,
    side_after,
    spend,
    step_to,
    winner_of,
)
from lineduel.envs.state_table import (
    NO_STATE,
    ByteArray,
    CellStates,
    EncodingShape,
    StateArray,
    StateTable,
    list_legal,
)

SeedArray = NDArray[np.uint64]
PlyArray = NDArray[np.int32]

ALL_LEGAL = -1
"""What a step returns if every action was legal; else it is the first game with an illegal one."""
_AT_ONCE = 1024
"""How many games a block has."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_ONES = np.uint64(0x0101010101010101)
"""The lowest bit of each byte of a word."""
_DIAGONAL = np.uint64(0x8040201008040201)
"""The first bit of the first byte, the second bit of the second, and so on."""
_LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_7 = np.uint64(7)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


class StepResults(NamedTuple):
    """How the games of a batch went on: arrays with an item for each game."""

    rewards: NDArray[np.int8]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class StepArrays(NamedTuple):
    """What a step reads and writes besides the states; with a limit of 0, plies have none."""

    plies: PlyArray
    limit: int
    new_plies: PlyArray
    ended: StepResults


@inner
def mixed(seed: np.uint64, draw: np.uint64) -> np.uint64:
    """A random number that depends on both: the generator splitmix64 of Steele and others."""
    z = seed + draw * _GOLDEN
    z = (z ^ (z >> _30)) * _MIX1
    z = (z ^ (z >> _27)) * _MIX2
    return z ^ (z >> _31)


@inner
def below(seed: np.uint64, draw: np.uint64, count: int) -> int:
    """A random number from 0 up to `count`, which is at most a few hundred."""
    return int(((mixed(seed, draw) >> _32) * np.uint64(count)) >> _32)


@inner
def signed(action: np.integer) -> int:
    """An action of any type as a signed number, which is negative for the largest unsigned ones.

    Numba computes with a mixture of signed and unsigned numbers as floats.
    """
    return int(np.int64(action))


@compiled
def game_seeds(seed: np.uint64, seeds: SeedArray) -> None:
    """Give each game a seed that depends on the batch's seed and the game's number alone."""
    for game in range(len(seeds)):
        seeds[game] = mixed(mixed(seed, np.uint64(1)), np.uint64(game))


@compiled
def fill_choices(after: StateArray, choices: ByteArray, followers: StateArray) -> None:
    """For each state the number of its legal actions, followed by these actions.

    `followers` has the same with the states that they lead to.
    """
    for state in range(len(after)):
        count = 0
        for action in range(after.shape[1]):
            if after[state, action] != NO_STATE:
                count += 1
                choices[state, count] = action
                followers[state, count] = after[state, action]
        choices[state, 0] = followers[state, 0] = count


@compiled
def choose_from_table(
    low: int,
    high: int,
    choices: ByteArray,
    state: StateArray,
    seeds: SeedArray,
    draw: np.uint64,
    actions: NDArray[np.integer],
) -> None:
    """A random legal action for each game."""
    for game in range(low, high):
        at = state[game]
        actions[game] = choices[at, 1 + below(seeds[game], draw, choices[at, 0])]


@compiled
def step_in_table(
    low: int,
    high: int,
    table: StateTable,
    actions: NDArray[np.integer],
    state: StateArray,
    new_state: StateArray,
    arrays: StepArrays,
) -> int:
    """Play an action in each game; in place of one that ends, a new one begins.

    Returns the first game with an illegal action, or ALL_LEGAL.
    """
    # Plain arrays and no calls: handing arrays to another function counts their references, which
    # takes longer than a step.
    plies, limit, new_plies, ended = arrays
    rewards, terminated, truncated = ended
    over, lost, start = np.int32(table.over), np.int32(table.lost), np.int32(table.start)
    after = table.next
    size = after.shape[1]
    for game in range(low, high):
        action = signed(actions[game])
        if action < 0 or action >= size:
            return game
        # Unsigned indices need no check for those that count from the end.
        reached = after[np.uint32(state[game]), np.uint32(action)]
        if reached == NO_STATE:
            return game
        ends, cut = reached >= over, False
        if limit:
            played = plies[game] + 1
            cut = played >= limit and not ends
            new_plies[game] = 0 if ends or cut else played
        new_state[game] = start if ends or cut else reached
        rewards[game] = np.int8(ends) - np.int8(2) * np.int8(reached >= lost)
        terminated[game] = ends
        truncated[game] = cut
    return ALL_LEGAL


@compiled
def step_randomly_in_table(
    low: int,
    high: int,
    followers: StateArray,
    table: StateTable,
    seeds: SeedArray,
    draw: np.uint64,
    state: StateArray,
    new_state: StateArray,
    arrays: StepArrays,
) -> int:
    """Like `step_in_table` with the actions of `choose_from_table`, which are not written down.

    It works in short loops over a block of games, because the loops that do not look into the
    table can then use vector instructions.
    """
    plies, limit, new_plies, ended = arrays
    rewards, terminated, truncated = ended
    over, lost, start = np.int32(table.over), np.int32(table.lost), np.int32(table.start)
    drawn, reached = np.empty(_AT_ONCE, np.uint64), np.empty(_AT_ONCE, np.int32)
    for begin in range(low, high, _AT_ONCE):
        count = min(_AT_ONCE, high - begin)
        for one in range(count):
            drawn[one] = mixed(seeds[begin + one], draw) >> _32
        for one in range(count):
            at = np.uint32(state[begin + one])
            chosen = (drawn[one] * np.uint64(followers[at, np.uint32(0)])) >> _32
            reached[one] = followers[at, np.uint32(1) + np.uint32(chosen)]
        for one in range(count):
            ends = reached[one] >= over
            new_state[begin + one] = start if ends else reached[one]
            rewards[begin + one] = np.int8(ends) - np.int8(2) * np.int8(reached[one] >= lost)
            terminated[begin + one] = ends
    if limit:
        for game in range(low, high):
            played = plies[game] + 1
            cut = played >= limit and not terminated[game]
            new_plies[game] = 0 if terminated[game] or cut else played
            truncated[game] = cut
            if cut:
                new_state[game] = start
    return ALL_LEGAL


@compiled
def step_against(
    table: StateTable,
    limits: SeedArray,
    seats: NDArray[np.int8],
    starts: StateArray,
    seeds: SeedArray,
    draw: np.uint64,
    actions: NDArray[np.integer],
    sides: NDArray[np.int8],
    state: StateArray,
    views: StateArray,
    plies: PlyArray,
    limit: int,
    rewards: NDArray[np.float64],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
) -> None:
    """Play an action in each game, and then the opponent's until the player chooses again.

    `sides` says which side the player has in each game. In place of a game that was over a new
    one begins, at its state in `starts`, and the action is ignored; one of `seats` is drawn for it.
    If the opponent ends such a game before the player's first move, the next step says so. An
    illegal action loses. `limits` has the opponent's cumulative chances, as whole numbers up to 2
    to the power of 32. `views` gets the row of `packed_views` with what the player sees.
    """
    after, second, over, lost = table.next, table.second, table.over, table.lost
    size = after.shape[1]
    for game in range(len(state)):
        at, played = int(state[game]), int(plies[game])
        drawn_here = mixed(seeds[game], draw)
        rewards[game] = 0.0
        begins = terminated[game] or truncated[game]
        if begins:
            terminated[game] = truncated[game] = False
            at, played = int(starts[game]), 0
            sides[game] = seats[below(drawn_here, np.uint64(0), len(seats))]
        elif at < over and (limit == 0 or played < limit):
            action = signed(actions[game])
            reached = NO_STATE
            if 0 <= action < size:
                reached = int(after[at, action])
            if reached == NO_STATE:
                terminated[game], rewards[game] = True, -1.0
                continue
            at, played = reached, played + 1
        side = int(sides[game])
        turn = np.uint64(0)
        while at < over and (at >= second) != (side == 2) and (limit == 0 or played < limit):
            turn += np.uint64(1)
            drawn = mixed(drawn_here, turn) >> _32
            reply = 0
            while drawn >= limits[at, reply]:
                reply += 1
            at, played = int(after[at, reply]), played + 1
        state[game], plies[game] = at, played
        views[game] = at + (side - 1) * len(table.rows)
        if begins:
            continue
        if at >= over:
            terminated[game] = True
            rewards[game] = 1.0 if (at >= lost) == (side == 2) else -1.0
        elif limit and played >= limit:
            truncated[game] = True


@compiled
def unpack_views(
    low: int,
    high: int,
    packed: ByteArray,
    second: int,
    state: StateArray,
    looker: int,
    begin: int,
    end: int,
    words: SeedArray,
) -> None:
    """Write the words from `begin` up to `end` of what `looker` sees and may do in each game.

    `packed` has a bit for each item of the words: for player 1 in all states, then for player 2.
    From the state `second` on, player 2 chooses.
    """
    states = np.uint64(len(packed) // 2)
    first, last = np.uint64(begin), np.uint64(end)
    for game in range(np.uint64(low), np.uint64(high)):
        at = np.uint32(state[game])
        other = np.uint64(at >= np.uint32(second)) if looker == 0 else np.uint64(looker - 1)
        row = np.uint64(at) + other * states
        for place in range(first, last):
            # Each byte of a word gets one of the eight bits, which is then moved to its lowest.
            bits = (np.uint64(packed[row, place]) * _ONES) & _DIAGONAL
            words[game, place] = ((bits + _LOW_BITS) >> _7) & _ONES


@compiled
def choose_from_cells(
    low: int,
    high: int,
    ruling: RuleNumbers,
    shape: EncodingShape,
    states: CellStates,
    seeds: SeedArray,
    draw: np.uint64,
    actions: NDArray[np.integer],
) -> None:
    """A random legal action for each game."""
    found = np.empty(shape.pass_action + 1 + shape.numbers, np.uint8)
    for game in range(low, high):
        row, number = states.rows[game], states.number[game]
        count = list_legal(ruling, shape, row, states.turn[game], number, found)
        actions[game] = found[below(seeds[game], draw, count)]


@compiled
def mask_from_cells(
    low: int,
    high: int,
    ruling: RuleNumbers,
    shape: EncodingShape,
    states: CellStates,
    masks: ByteArray,
) -> None:
    """The legal actions of each game."""
    found = np.empty(shape.pass_action + 1 + shape.numbers, np.uint8)
    for game in range(low, high):
        masks[game, :] = 0
        row, number = states.rows[game], states.number[game]
        count = list_legal(ruling, shape, row, states.turn[game], number, found)
        for at in range(count):
            masks[game, found[at]] = 1


@compiled
def step_in_cells(
    low: int,
    high: int,
    ruling: RuleNumbers,
    shape: EncodingShape,
    start: CellRow,
    first: int,
    actions: NDArray[np.integer],
    states: CellStates,
    new_states: CellStates,
    arrays: StepArrays,
) -> int:
    """Like `step_in_table`, by the rules."""
    plies, limit, new_plies, ended = arrays
    found = np.empty(shape.pass_action + 1 + shape.numbers, np.uint8)
    for game in range(low, high):
        row, after = states.rows[game], new_states.rows[game]
        turn, number = int(states.turn[game]), int(states.number[game])
        action = signed(actions[game])
        if action < 0 or action >= len(found):
            return game
        to_move = _play(ruling, shape, row, turn, number, action, found, after)
        if to_move == ILLEGAL:
            return game
        chosen = action - shape.pass_action if row[-1] != NO_BATTLE and number == 0 else 0
        new_states.turn[game], new_states.number[game] = to_move, chosen
        stands = after[: len(ruling.homes)]
        winner = 0 if after[-1] != NO_BATTLE else winner_of(ruling, stands, to_move)
        played = plies[game] + 1
        cut = winner == 0 and limit > 0 and played >= limit
        new_plies[game] = played
        if winner != 0 or cut:
            after[:] = start
            new_states.turn[game], new_states.number[game], new_plies[game] = first, 0, 0
        ended.rewards[game] = 0 if winner == 0 else 3 - 2 * winner
        ended.terminated[game] = winner != 0
        ended.truncated[game] = cut
    return ALL_LEGAL


@inner
def _play(
    ruling: RuleNumbers,
    shape: EncodingShape,
    row: CellRow,
    turn: int,
    number: int,
    action: int,
    found: ByteArray,
    after: CellRow,
) -> int:
    """Write the row after one of the encoding's actions to `after`.

    Returns the side to move, or ILLEGAL.
    """
    pieces, choice = len(ruling.homes), action - shape.pass_action
    cells, stands = row[:pieces], after[:pieces]
    after[:] = row
    if row[-1] != NO_BATTLE:
        if choice < 1 or choice > shape.numbers:
            return ILLEGAL
        if not hand_of(ruling, row, 1 if number == 0 else 2) >> (choice - 1) & 1:
            return ILLEGAL
        if number != 0:
            settle_battle(ruling, cells, turn, int(row[-1]), number, choice, stands)
            spend(ruling, row, 1, number, after)
            spend(ruling, row, 2, choice, after)
            after[-1] = NO_BATTLE
        return turn
    if choice == 0:
        list_legal(ruling, shape, row, turn, number, found)
        if found[0] != action:
            return ILLEGAL
        return 3 - turn
    piece = action // shape.steps + (0 if turn == 1 else shape.pieces1)
    last = shape.pieces1 if turn == 1 else len(cells)
    if piece >= last:
        return ILLEGAL
    target = landing(ruling, cells, turn, piece, ruling.steps[action % shape.steps])
    if target == ILLEGAL:
        return ILLEGAL
    after[-1] = step_to(ruling, cells, turn, piece, target, stands)
    return side_after(ruling, cells, turn, stands)
