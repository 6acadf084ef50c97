"""The states of many games at once: numbers of a table or, where that is too large, cells."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import (
    NO_BATTLE,
    CellRow,
    rule_numbers,
)
from lineduel.engine import Game, Position
from lineduel.envs.arguments import require_one_of
from lineduel.envs.batch_kernels import (
    CellStates,
    EncodingShape,
    Kinds,
    PlyArray,
    SeedArray,
    StepResults,
    choose_from_cells,
    choose_from_table,
    fill_choices,
    fill_followers,
    mask_from_cells,
    observe,
    step_in_cells,
    step_in_table,
    step_randomly_in_table,
    unpack_views,
)
from lineduel.envs.encoding import Encoding
from lineduel.envs.state_table import (
    MOST_STATES,
    NO_STATE,
    STATE_FORMS,
    StateForm,
    StateTable,
    full_row,
    state_table,
)
from lineduel.envs.views import packed_views, words_for
from lineduel.errors import TooLarge


class BatchViews:
    """What is seen of each game, and what may be done: a row of words for each game.

    A word has eight items of a byte, because they are written eight at a time. The mask follows
    the observation, and each begins with a word of its own.
    """

    def __init__(self, encoding: Encoding, size: int) -> None:
        self.split = words_for(encoding.size)
        """How many words the observation has."""
        self.words = np.zeros((size, self.split + words_for(encoding.actions)), np.uint64)
        items = self.words.view(np.uint8)
        self.seen = items.view(np.int8)[:, : encoding.size]
        self.masks = items[:, 8 * self.split :][:, : encoding.actions]


class BatchStates(Protocol):
    """The states of all games, in some form, and room for the states after a step.

    `other` asks for what is in that room: the states that a step has just written, or, once
    `advance` has made these the current ones, the states before it.
    """

    def reset(self) -> None: ...
    def choosers(self) -> NDArray[np.int8]: ...
    def row(self, game: int) -> tuple[CellRow, int]: ...
    def advance(self) -> None: ...
    def mask(self, low: int, high: int, other: bool, views: BatchViews) -> None: ...
    def observe(self, low: int, high: int, other: bool, looker: int, views: BatchViews) -> None: ...
    def mask_and_observe(self, low: int, high: int, other: bool, views: BatchViews) -> None: ...
    def choose(
        self,
        low: int,
        high: int,
        other: bool,
        seeds: SeedArray,
        draw: np.uint64,
        actions: NDArray[np.integer],
    ) -> None: ...

    def step(
        self,
        low: int,
        high: int,
        seeds: SeedArray,
        draw: np.uint64,
        actions: NDArray[np.integer],
        plies: PlyArray,
        limit: int,
        new_plies: PlyArray,
        ended: StepResults,
    ) -> int: ...


class _TableStates:
    """States as numbers of a table."""

    def __init__(self, table: StateTable, encoding: Encoding, size: int) -> None:
        self._table = table
        self._kinds = Kinds(table.second, table.over, table.lost, table.start)
        most = int((table.next != NO_STATE).sum(axis=1).max())
        self._followers = np.zeros((len(table.next), most + 1), np.int32)
        fill_followers(table.next, self._followers)
        self._choices = np.zeros((len(table.next), table.next.shape[1] + 1), np.uint8)
        fill_choices(table.next, self._choices)
        self._choosers = np.where(np.arange(len(table.rows)) < table.second, 1, 2).astype(np.int8)
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

    def mask(self, low: int, high: int, other: bool, views: BatchViews) -> None:
        self._unpack(low, high, other, 0, views.split, views.words.shape[1], views.words)

    def observe(self, low: int, high: int, other: bool, looker: int, views: BatchViews) -> None:
        self._unpack(low, high, other, looker, 0, views.split, views.words)

    def mask_and_observe(self, low: int, high: int, other: bool, views: BatchViews) -> None:
        self._unpack(low, high, other, 0, 0, views.words.shape[1], views.words)

    def _unpack(
        self,
        low: int,
        high: int,
        other: bool,
        looker: int,
        begin: int,
        end: int,
        words: SeedArray,
    ) -> None:
        """Write the words from `begin` up to `end`."""
        states = self._new if other else self._now
        unpack_views(low, high, self._packed, self._kinds.second, states, looker, begin, end, words)

    def choose(
        self,
        low: int,
        high: int,
        other: bool,
        seeds: SeedArray,
        draw: np.uint64,
        actions: NDArray[np.integer],
    ) -> None:
        states = self._new if other else self._now
        choose_from_table(low, high, self._choices, states, seeds, draw, actions)

    def step(
        self,
        low: int,
        high: int,
        seeds: SeedArray,
        draw: np.uint64,
        actions: NDArray[np.integer],
        plies: PlyArray,
        limit: int,
        new_plies: PlyArray,
        ended: StepResults,
    ) -> int:
        if draw:
            return step_randomly_in_table(
                low,
                high,
                self._followers,
                self._kinds,
                seeds,
                draw,
                self._now,
                plies,
                limit,
                self._new,
                new_plies,
                ended,
            )
        return step_in_table(
            low,
            high,
            self._table.next,
            self._kinds,
            actions,
            self._now,
            plies,
            limit,
            self._new,
            new_plies,
            ended,
        )


class _CellStates:
    """States as the cells of their pieces, for games of any size."""

    def __init__(self, game: Game, start: Position, shape: EncodingShape, size: int) -> None:
        self._ruling, self._shape = rule_numbers(game.rules, told_apart=True), shape
        self._start = full_row(game.rules, start)
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

    def mask(self, low: int, high: int, other: bool, views: BatchViews) -> None:
        states = self._new if other else self._now
        mask_from_cells(low, high, self._ruling, self._shape, states, views.masks)

    def observe(self, low: int, high: int, other: bool, looker: int, views: BatchViews) -> None:
        states = self._new if other else self._now
        if looker == 0:
            self._choosers[low:high] = self._choosing(low, high, states)
        observe(low, high, self._shape, states, self._choosers, self._places, looker, views.seen)

    def mask_and_observe(self, low: int, high: int, other: bool, views: BatchViews) -> None:
        self.mask(low, high, other, views)
        self.observe(low, high, other, 0, views)

    def choose(
        self,
        low: int,
        high: int,
        other: bool,
        seeds: SeedArray,
        draw: np.uint64,
        actions: NDArray[np.integer],
    ) -> None:
        states = self._new if other else self._now
        choose_from_cells(low, high, self._ruling, self._shape, states, seeds, draw, actions)

    def step(
        self,
        low: int,
        high: int,
        seeds: SeedArray,
        draw: np.uint64,
        actions: NDArray[np.integer],
        plies: PlyArray,
        limit: int,
        new_plies: PlyArray,
        ended: StepResults,
    ) -> int:
        if draw:
            self.choose(low, high, False, seeds, draw, actions)
        return step_in_cells(
            low,
            high,
            self._ruling,
            self._shape,
            self._start,
            self._first,
            actions,
            self._now,
            plies,
            limit,
            self._new,
            new_plies,
            ended,
        )


def states_of_games(game: Game, start: Position, size: int, form: StateForm | None) -> BatchStates:
    """All games at that position, in the form that is asked for or the faster one that fits."""
    require_one_of("form", form, STATE_FORMS)
    encoding = Encoding(game.rules)
    shape = EncodingShape(
        pieces=encoding.pieces,
        pieces1=len(game.rules.player1.pieces),
        cells=encoding.cells,
        steps=encoding.steps,
        numbers=encoding.numbers,
        pass_action=encoding.pass_action,
    )
    if form == "cells":
        return _CellStates(game, start, shape, size)
    try:
        return _TableStates(state_table(game, start, MOST_STATES), encoding, size)
    except TooLarge:
        if form == "table":
            raise
        return _CellStates(game, start, shape, size)
