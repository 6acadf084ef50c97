"""Thousands to millions of games at once as NumPy arrays, by compiled code.

>>> from lineduel import find_rulebook
>>> from lineduel.envs.batch import GameBatch
>>> batch = GameBatch(find_rulebook("cross-over"), 1000, seed=1)
>>> batch.masks().shape, batch.observations().shape
((1000, 7), (1000, 68))
>>> ended = batch.step(batch.random_actions())
>>> int(ended.terminated.sum())
0

In a battle player 1 chooses first and player 2 next, which are two steps. When a game ends, a new
one begins in the same step. Arrays that a batch returns are used again by its next call of the same
method, and by a step that observes; copy what you want to keep.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lineduel.compiled import (
    NO_BATTLE,
    CellRow,
    compiler_installed,
    position_of,
    row_of,
    rule_numbers,
    usable_cores,
)
from lineduel.engine import Game, Position
from lineduel.envs.arguments import (
    AnyRulebook,
    action_array,
    require_at_least,
    require_limit,
    require_one_of,
    require_rulebook,
    require_start,
)
from lineduel.envs.batch_kernels import (
    ALL_LEGAL,
    PlyArray,
    SeedArray,
    StepArrays,
    StepResults,
    choose_from_cells,
    choose_from_table,
    fill_choices,
    game_seeds,
    mask_from_cells,
    step_in_cells,
    step_in_table,
    step_randomly_in_table,
    unpack_views,
)
from lineduel.envs.encoding import Bits, Encoding
from lineduel.envs.state_table import (
    NO_STATE,
    ByteArray,
    CellStates,
    EncodingShape,
    StateArray,
    StateForm,
    StateTable,
    observe,
    packed_views,
    table_if_it_fits,
    words_for,
)
from lineduel.errors import IllegalMove, NotInstalled
from lineduel.rules import Side

GAMES_PER_THREAD = 8192
"""With fewer games for each, starting threads would take longer than they save."""
CALLERS_SHARE = 1.2
"""The caller's part of the games, as a multiple of each other thread's.

It begins while these are still waking up, and if it ended first it would have to be woken itself.
"""
_LOOKERS = (*Side, None)


class RandomDraw(NamedTuple):
    """What random actions follow from: a seed for each game, and how often they were drawn."""

    seeds: SeedArray
    number: np.uint64


class GameBatch:
    """Games of one rulebook that are played side by side.

    `form` is "table", "cells", or None to take the table if there are not too many positions.
    `max_plies` ends games that are longer, with reward 0; a chosen number counts as a ply here.
    Games begin at `position`, a Position or its text form, or else at the rulebook's start.
    Game i of a batch depends on the seed, on i and on its actions alone.
    """

    def __init__(
        self,
        rulebook: AnyRulebook,
        size: int,
        *,
        seed: int = 0,
        first: Side | None = None,
        position: Position | str | None = None,
        max_plies: int | None = None,
        form: StateForm | None = None,
        threads: int | None = None,
    ) -> None:
        if not compiler_installed():
            raise NotInstalled("Numba", "full")
        require_at_least(1, "size", size)
        require_limit("max_plies", max_plies)
        require_limit("threads", threads)
        rulebook = require_rulebook(rulebook)
        self.game = Game(rulebook)
        self.encoding = Encoding(rulebook.rules)
        self.size = size
        start = require_start(self.game, first, position)
        table = table_if_it_fits(self.game, start, form)
        self._states: TableStates | RowStates
        if table is None:
            self._states = RowStates(self.game, start, self.encoding, size)
        else:
            self._states = TableStates(table, self.encoding, size)
        self._cuts = _cuts(size, threads or usable_cores())
        self._pool: ThreadPoolExecutor | None = None
        self._actions = np.empty(size, np.uint8)
        self._unwritten = False
        """Whether the actions that were drawn last are not in `_actions`."""
        self._observed = False
        """Whether masks and observations have been written for the states as they are."""
        self._views = BatchViews(self.encoding, size)
        ended = StepResults(
            np.zeros(size, np.int8), np.zeros(size, np.bool_), np.zeros(size, np.bool_)
        )
        plies, new_plies = np.zeros(size, np.int32), np.zeros(size, np.int32)
        self._arrays = StepArrays(plies, max_plies or 0, new_plies, ended)
        self._seeds = np.empty(size, np.uint64)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games again; without a seed, random actions go on as they would have."""
        if self._unwritten:
            self._write_actions(before=True)  # those drawn last stay known
        if seed is not None:
            game_seeds(np.uint64(seed % (1 << 64)), self._seeds)
            self._draws = 0
        self._arrays.plies[:] = 0
        self._observed = False
        self._states.reset()

    def __getstate__(self) -> dict[str, object]:
        """For copies, which go on where they were made, with threads of their own."""
        return self.__dict__ | {"_pool": None}

    @property
    def choosers(self) -> NDArray[np.int8]:
        """The side that chooses next in each game, 1 or 2."""
        return self._states.choosers()

    @property
    def plies(self) -> PlyArray:
        """How many steps each game has taken since it began; kept only with `max_plies`."""
        return self._arrays.plies

    def masks(self) -> ByteArray:
        """A row for each game: 1 for each legal action."""
        if not self._observed:
            self._run(self._states.view, False, None, True, self._views)
        return self._views.masks

    def observations(self, side: Side | None = None) -> Bits:
        """A row for each game: what a side sees, or else the side that chooses next."""
        require_one_of("side", side, _LOOKERS)
        if side is not None or not self._observed:
            self._observed = False
            self._run(self._states.view, False, int(side or 0), False, self._views)
        return self._views.seen

    def random_actions(self) -> ByteArray:
        """A legal action for each game, all equally likely, drawn by the game's own seed."""
        self._draws += 1
        self._write_actions(before=False)
        return self._actions

    def _write_actions(self, *, before: bool) -> None:
        """Write down the actions of the last draw, in the states before the last step or now."""
        self._run(self._states.choose, before, self._drawn, self._actions)
        self._unwritten = False

    def step(self, actions: ArrayLike, *, observe: bool = False) -> StepResults:
        """Play an action in every game: rewards of player 1, and which games ended or were cut.

        With `observe`, each thread also writes the masks and observations that follow, so that
        `masks()` and `observations()` need not go through all games again.
        If an action is illegal, IllegalMove is raised and no game has moved.
        """
        chosen = action_array(actions, self.size)
        if self._unwritten:
            self._write_actions(before=True)
        found = self._step(None, chosen, observe)
        wrong = [game for game in found if game != ALL_LEGAL]
        if wrong:
            raise self._refusal(wrong[0], int(chosen[wrong[0]]))
        return self._advanced(observe)

    @property
    def last_actions(self) -> ByteArray:
        """The actions that `random_actions` or `step_randomly` drew last."""
        if self._unwritten:
            self._write_actions(before=True)
        return self._actions

    def step_randomly(self, *, observe: bool = False) -> StepResults:
        """Like `step(random_actions())`, and the same games, but faster where there is a table."""
        self._draws += 1
        self._step(self._drawn, self._actions, observe)
        self._unwritten = True
        return self._advanced(observe)

    @property
    def _drawn(self) -> RandomDraw:
        return RandomDraw(self._seeds, np.uint64(self._draws))

    def _step(
        self, drawn: RandomDraw | None, actions: NDArray[np.integer], observe: bool
    ) -> list[int]:
        """Write the states after the actions, or after those that are drawn."""
        self._observed = False
        return self._run(self._step_some, drawn, actions, observe)

    def _step_some(
        self,
        low: int,
        high: int,
        drawn: RandomDraw | None,
        actions: NDArray[np.integer],
        observe: bool,
    ) -> int:
        found = self._states.step(low, high, drawn, actions, self._arrays)
        if observe and found == ALL_LEGAL:
            self._states.view(low, high, True, 0, True, self._views)
        return found

    def _advanced(self, observed: bool) -> StepResults:
        """Take over what a step has written."""
        self._states.advance()
        plies, limit, new_plies, ended = self._arrays
        self._arrays = StepArrays(new_plies, limit, plies, ended)
        self._observed = observed
        return ended

    def position(self, game: int) -> Position:
        """The position of one game; a number that is still hidden is not part of it."""
        return position_of(self.game.rules, *self._states.row(game))

    def _refusal(self, game: int, action: int) -> IllegalMove:
        position = self.position(game)
        side = Side(int(self.choosers[game]))
        legal = [
            self.encoding.action_name(side, one)
            for one in self.encoding.legal(self.game, position, side)
        ]
        why = f"Action {action} is illegal in game {game}, where the position is {position}."
        return IllegalMove(action, position, legal, why)

    def _run(self, kernel: Callable[..., int | None], *arguments: object) -> list[int]:
        """Run a kernel on all games, a part of them in each thread."""
        *others, last = self._cuts
        if others and self._pool is None:
            self._pool = ThreadPoolExecutor(len(others))
        waiting = [self._pool.submit(kernel, *cut, *arguments) for cut in others if self._pool]
        here = kernel(*last, *arguments)
        found = [*(one.result() for one in waiting), here]
        return [one for one in found if one is not None]


def _cuts(size: int, threads: int) -> list[tuple[int, int]]:
    """The games of each thread, as a lower and an upper bound; the caller's are the last."""
    parts = max(1, min(threads, size // GAMES_PER_THREAD))
    share = size / (parts - 1 + CALLERS_SHARE)
    return list(pairwise([*(round(part * share) for part in range(parts)), size]))


# The states of many games at once. Both forms have the same methods, and room for the states after
# a step. `other` asks for what is in that room: the states that a step has just written or, once
# `advance` has made these the current ones, the states before it. `view` writes what the `looker`
# sees (0 is the side that chooses; None for nothing), the masks, or both.


class BatchViews:
    """What is seen of each game, and what may be done: a row of words for each game.

    A word has eight items of a byte, because they are written eight at a time. The mask follows
    the observation, and each begins with a word of its own.
    """

    def __init__(self, encoding: Encoding, size: int) -> None:
        self.split = words_for(encoding.size)
        """How many words the observation has."""
        self._size, self._actions = encoding.size, encoding.actions
        self.words = np.zeros((size, self.split + words_for(encoding.actions)), np.uint64)

    @property
    def seen(self) -> Bits:
        return self.words.view(np.int8)[:, : self._size]

    @property
    def masks(self) -> ByteArray:
        return self.words.view(np.uint8)[:, 8 * self.split :][:, : self._actions]


class TableStates:
    """States as numbers of a table."""

    def __init__(self, table: StateTable, encoding: Encoding, size: int) -> None:
        self._table = table
        most = int((table.next != NO_STATE).sum(axis=1).max())
        self._followers = np.zeros((len(table.next), most + 1), np.int32)
        self._choices = np.zeros((len(table.next), table.next.shape[1] + 1), np.uint8)
        fill_choices(table.next, self._choices, self._followers)
        self._choosers = table.choosers
        self._packed = packed_views(encoding, table)
        self._now, self._new = np.empty(size, np.int32), np.empty(size, np.int32)

    def reset(self) -> None:
        self._now[:] = self._table.start

    def choosers(self) -> NDArray[np.int8]:
        return self._choosers[self._now]

    def row(self, game: int) -> tuple[CellRow, int]:
        state = self._now[game]
        return self._table.rows[state], int(self._table.turn[state])

    def advance(self) -> None:
        self._now, self._new = self._new, self._now

    def view(
        self, low: int, high: int, other: bool, looker: int | None, masks: bool, views: BatchViews
    ) -> None:
        begin = views.split if looker is None else 0
        end = views.words.shape[1] if masks else views.split
        packed, second, states = self._packed, self._table.second, self._states(other)
        unpack_views(low, high, packed, second, states, looker or 0, begin, end, views.words)

    def _states(self, other: bool) -> StateArray:
        return self._new if other else self._now

    def choose(
        self, low: int, high: int, other: bool, drawn: RandomDraw, actions: NDArray[np.integer]
    ) -> None:
        choose_from_table(low, high, self._choices, self._states(other), *drawn, actions)

    def step(
        self,
        low: int,
        high: int,
        drawn: RandomDraw | None,
        actions: NDArray[np.integer],
        arrays: StepArrays,
    ) -> int:
        table, now, new = self._table, self._now, self._new
        if drawn:
            return step_randomly_in_table(
                low, high, self._followers, table, *drawn, now, new, arrays
            )
        return step_in_table(low, high, table, actions, now, new, arrays)


class RowStates:
    """States as the cells of their pieces, for games of any size."""

    def __init__(self, game: Game, start: Position, encoding: Encoding, size: int) -> None:
        self._ruling = rule_numbers(game.rules, told_apart=True)
        self._shape = EncodingShape.of(encoding)
        self._start = row_of(game.rules, start)
        self._first = int(start.side)
        self._choosers, self._places = np.empty(size, np.int8), np.arange(size, dtype=np.int32)
        self._now, self._new = (
            CellStates(
                np.empty((size, len(self._start)), np.int8),
                np.empty(size, np.int8),
                np.empty(size, np.int8),
            )
            for _ in range(2)
        )

    def reset(self) -> None:
        self._now.rows[:], self._now.turn[:], self._now.number[:] = self._start, self._first, 0

    def choosers(self) -> NDArray[np.int8]:
        return self._choosing(0, len(self._places), self._now)

    def _choosing(self, low: int, high: int, states: CellStates) -> NDArray[np.int8]:
        """The side that chooses in some games: in a battle player 1, then player 2."""
        rows, turn, number = (column[low:high] for column in states)
        chosen = np.where(number == 0, 1, 2)
        return np.where(rows[:, -1] == NO_BATTLE, turn, chosen).astype(np.int8)

    def row(self, game: int) -> tuple[CellRow, int]:
        return self._now.rows[game], int(self._now.turn[game])

    def advance(self) -> None:
        self._now, self._new = self._new, self._now

    def view(
        self, low: int, high: int, other: bool, looker: int | None, masks: bool, views: BatchViews
    ) -> None:
        states = self._new if other else self._now
        if masks:
            mask_from_cells(low, high, self._ruling, self._shape, states, views.masks)
        if looker == 0:
            self._choosers[low:high] = self._choosing(low, high, states)
        if looker is not None:
            seen, places = views.seen, self._places
            observe(low, high, self._shape, states, self._choosers, places, looker, seen)

    def choose(
        self, low: int, high: int, other: bool, drawn: RandomDraw, actions: NDArray[np.integer]
    ) -> None:
        states = self._new if other else self._now
        choose_from_cells(low, high, self._ruling, self._shape, states, *drawn, actions)

    def step(
        self,
        low: int,
        high: int,
        drawn: RandomDraw | None,
        actions: NDArray[np.integer],
        arrays: StepArrays,
    ) -> int:
        if drawn:
            self.choose(low, high, False, drawn, actions)
        rules, start = (self._ruling, self._shape), (self._start, self._first)
        return step_in_cells(low, high, *rules, *start, actions, self._now, self._new, arrays)
