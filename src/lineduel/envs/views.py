"""The observations of all states of a table at once."""

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import NO_BATTLE, OUT
from lineduel.envs.encoding import Bits, Encoding
from lineduel.envs.state_table import NO_STATE, StateTable
from lineduel.rules import Side

NOT_SEEN = 127
"""The cell of a piece that was captured or does not exist."""
_AT_ONCE = 1 << 16
"""States whose observations are in memory at once."""


def cell_views(encoding: Encoding, table: StateTable) -> NDArray[np.int8]:
    """For each side and state the cells of the observation's rows, then whether it is to move."""
    pieces1, last = len(encoding.rules.player1.pieces), encoding.cells - 1
    cells = np.where(table.rows[:, :-1] == OUT, NOT_SEEN, table.rows[:, :-1])
    battle = np.where(table.rows[:, -1:] == NO_BATTLE, NOT_SEEN, table.rows[:, -1:])
    teams = [_padded(cells[:, :pieces1], encoding), _padded(cells[:, pieces1:], encoding)]
    views = []
    for side in Side:
        mine, theirs = teams if side is Side.ONE else teams[::-1]
        rows = np.hstack([mine, theirs, battle] if encoding.numbers else [mine, theirs])
        if side is Side.TWO:
            rows = np.where(rows == NOT_SEEN, NOT_SEEN, last - rows)
        views.append(np.hstack([rows, (table.turn == side)[:, None]]))
    return np.array(views, np.int8)


def state_observations(encoding: Encoding, table: StateTable) -> Bits:
    """What whoever chooses sees in each state that is not over."""
    states = np.arange(table.over)
    second = (states >= table.second).astype(np.int8)
    return _bits(encoding, cell_views(encoding, table)[second, states], second)


def packed_observations(encoding: Encoding, table: StateTable) -> NDArray[np.uint32]:
    """What each side sees in each state, as the bits of words, the lowest bit first."""
    views = cell_views(encoding, table)
    words = -(-encoding.size // 32)
    packed = np.zeros((len(Side), len(table.rows), 4 * words), np.uint8)
    for side in range(len(Side)):
        for low in range(0, len(table.rows), _AT_ONCE):
            some = views[side, low : low + _AT_ONCE]
            seen = _bits(encoding, some, np.full(len(some), side, np.int8))
            found = np.packbits(seen.astype(np.bool_), axis=1, bitorder="little")
            packed[side, low : low + _AT_ONCE, : found.shape[1]] = found
    return packed.view("<u4")


def packed_views(encoding: Encoding, table: StateTable) -> NDArray[np.uint8]:
    """For player 1 in each state and then for player 2: the observation, and the legal actions.

    Each item is a bit, the lowest bit first; the legal actions begin with a byte of their own.
    """
    seen = packed_observations(encoding, table).view(np.uint8)[:, :, : words_for(encoding.size)]
    legal = mask_words(encoding, table).view(np.bool_)
    masks = np.packbits(legal, axis=1, bitorder="little")
    return np.concatenate([np.hstack([side, masks]) for side in seen])


def mask_words(encoding: Encoding, table: StateTable) -> NDArray[np.uint64]:
    """The legal actions of each state, eight items a word; none where the game is over."""
    masks = np.zeros((len(table.rows), 8 * words_for(encoding.actions)), np.uint8)
    masks[: table.over, : encoding.actions] = table.next != NO_STATE
    return masks.view(np.uint64)


def words_for(items: int) -> int:
    """How many words of eight items hold so many."""
    return -(-items // 8)


def _bits(encoding: Encoding, view: NDArray[np.int8], second: NDArray[np.int8]) -> Bits:
    """Rows of observations from the cells of their rows."""
    rows = view[:, :-1, None] == np.arange(encoding.cells, dtype=np.int8)
    flags = [second[:, None], view[:, -1:]]
    return np.hstack([rows.reshape(len(view), -1).astype(np.int8), *flags])


def _padded(cells: NDArray[np.int8], encoding: Encoding) -> NDArray[np.int8]:
    """The cells of a side, with pieces that do not exist up to the number of the larger side."""
    missing = encoding.pieces - cells.shape[1]
    return np.pad(cells, ((0, 0), (0, missing)), constant_values=NOT_SEEN)
