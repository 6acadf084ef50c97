"""Thousands to millions of games at once as NumPy arrays, by compiled code.

>>> from lineduel import find_rulebook
>>> from lineduel.envs.batch import GameBatch
>>> batch = GameBatch(find_rulebook("cross-over"), 1000, seed=1)
>>> batch.masks().shape, batch.observations().shape
((1000, 7), (1000, 68))
>>> ended = batch.step(batch.random_actions())
>>> int(ended.terminated.sum())
0

In a battle player 1 chooses first and player 2 next, which are two steps. A game that ends begins
anew in the same step. Arrays that a batch returns are used again by its next call of the same
method, and by a step that observes; copy what you want to keep.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lineduel.compiled import (
    NO_BATTLE,
    cells_of,
    compiler_installed,
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
    ByteArray,
    PlyArray,
    StepResults,
    game_seeds,
)
from lineduel.envs.batch_states import BatchViews, states_of_games
from lineduel.envs.encoding import Bits, Encoding
from lineduel.envs.state_table import StateForm
from lineduel.errors import IllegalMove, NotInstalled
from lineduel.rules import Side

GAMES_PER_THREAD = 8192
"""With fewer games for each, starting threads would take longer than they save."""
CALLERS_SHARE = 1.2
"""The caller's part of the games, as a multiple of each other thread's.

It begins while these are still waking up, and if it ended first it would have to be woken itself.
"""
_LOOKERS = (*Side, None)


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
        self._states = states_of_games(self.game, start, size, form)
        self._limit = max_plies or 0
        self._plies = np.zeros(size, np.int32)
        self._new_plies = np.zeros(size, np.int32)
        self._cuts = _cuts(size, threads or usable_cores())
        self._pool = ThreadPoolExecutor(len(self._cuts) - 1) if len(self._cuts) > 1 else None
        self._actions = np.empty(size, np.uint8)
        self._unwritten = False
        """Whether the actions that were drawn last are not in `_actions`."""
        self._observed = False
        """Whether masks and observations have been written for the states as they are."""
        self._views = BatchViews(self.encoding, size)
        self._ended = StepResults(
            np.zeros(size, np.int8), np.zeros(size, np.bool_), np.zeros(size, np.bool_)
        )
        self._seeds = np.empty(size, np.uint64)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew; without a seed, random actions go on as they would have."""
        if seed is not None:
            game_seeds(np.uint64(seed % (1 << 64)), self._seeds)
            self._draws = 0
        self._plies[:] = 0
        self._observed = False
        self._states.reset()

    @property
    def choosers(self) -> NDArray[np.int8]:
        """The side that chooses next in each game, 1 or 2."""
        return self._states.choosers()

    @property
    def plies(self) -> PlyArray:
        """How many steps each game has taken since it began; kept only with `max_plies`."""
        return self._plies

    def masks(self) -> ByteArray:
        """A row for each game: 1 for each legal action."""
        if not self._observed:
            self._run(self._states.mask, False, self._views)
        return self._views.masks

    def observations(self, side: Side | None = None) -> Bits:
        """A row for each game: what a side sees, or else whoever chooses next."""
        require_one_of("side", side, _LOOKERS)
        if side is not None or not self._observed:
            self._observed = False
            self._run(self._states.observe, False, int(side or 0), self._views)
        return self._views.seen

    def random_actions(self) -> ByteArray:
        """A legal action for each game, all equally likely, drawn by the game's own seed."""
        self._draws += 1
        self._write_actions(before=False)
        return self._actions

    def _write_actions(self, *, before: bool) -> None:
        """Write down the actions of the last draw, in the states before the last step or now."""
        draw = np.uint64(self._draws)
        self._run(self._states.choose, before, self._seeds, draw, self._actions)
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
        found = self._step(0, chosen, observe)
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
        self._step(self._draws, self._actions, observe)
        self._unwritten = True
        return self._advanced(observe)

    def _step(self, draw: int, actions: NDArray[np.integer], observe: bool) -> list[int]:
        """Write the states after the actions; with a draw other than 0, after those it draws."""
        self._observed = False
        return self._run(self._step_some, np.uint64(draw), actions, observe)

    def _step_some(
        self,
        low: int,
        high: int,
        draw: np.uint64,
        actions: NDArray[np.integer],
        observe: bool,
    ) -> int:
        found = self._states.step(
            low,
            high,
            self._seeds,
            draw,
            actions,
            self._plies,
            self._limit,
            self._new_plies,
            self._ended,
        )
        if observe and found == ALL_LEGAL:
            self._states.mask_and_observe(low, high, True, self._views)
        return found

    def _advanced(self, observed: bool) -> StepResults:
        """Take over what a step has written."""
        self._states.advance()
        self._plies, self._new_plies = self._new_plies, self._plies
        self._observed = observed
        return self._ended

    def position(self, game: int) -> Position:
        """The position of one game; a number that is still hidden is not part of it."""
        row, turn = self._states.row(game)
        *cells, battle = row.tolist()
        rules = self.game.rules
        pieces1 = len(rules.player1.pieces)
        return Position(
            cells_of(rules, cells[:pieces1]),
            cells_of(rules, cells[pieces1:]),
            Side(turn),
            None if battle == NO_BATTLE else battle + rules.track.first,
        )

    def _refusal(self, game: int, action: int) -> IllegalMove:
        position = self.position(game)
        side = Side(int(self.choosers[game]))
        legal = [
            self.encoding.action_name(side, one) for one in self.encoding.legal(self.game, position)
        ]
        why = f"Action {action} is illegal in game {game}, where the position is {position}."
        return IllegalMove(action, position, legal, why)

    def _run(self, kernel: Callable[..., int | None], *arguments: object) -> list[int]:
        """Run a kernel on all games, a part of them in each thread."""
        *others, last = self._cuts
        waiting = [self._pool.submit(kernel, *cut, *arguments) for cut in others if self._pool]
        here = kernel(*last, *arguments)
        found = [*(one.result() for one in waiting), here]
        return [one for one in found if one is not None]


def _cuts(size: int, threads: int) -> list[tuple[int, int]]:
    """The games of each thread, as a lower and an upper bound; the caller's are the last."""
    parts = max(1, min(threads, size // GAMES_PER_THREAD))
    share = size / (parts - 1 + CALLERS_SHARE)
    return list(pairwise([*(round(part * share) for part in range(parts)), size]))
