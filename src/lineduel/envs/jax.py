"""Any rulebook as an environment of pgx: for JAX, on the CPU, a GPU or a TPU.

>>> import jax
>>> from lineduel import find_rulebook
>>> from lineduel.envs.jax import make_jax_env
>>> env = make_jax_env(find_rulebook("cross-over"))
>>> state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 4))
>>> state.legal_action_mask.shape, state.observation.shape
((4, 7), (4, 68))

The environment follows from the rulebook: from its whole graph, or from the cells if that would be
too large. What was written for pgx runs on it. In a battle player 1 chooses first and player 2
next, without seeing the number. `init` draws which player is player 1.
"""

from dataclasses import dataclass

import numpy as np

from lineduel.compiled import GOES_HOME, LEAVES, LOW_NUMBERS, NO_BATTLE, OUT, row_of, rule_numbers
from lineduel.engine import Game, Position
from lineduel.envs.arguments import (
    AnyRulebook,
    require_limit,
    require_rulebook,
    require_start,
)
from lineduel.envs.encoding import Bits, Encoding
from lineduel.envs.jax_table import (
    MAX_GAME_STEPS,
    Description,
    DuelPgxEnv,
    TableArrays,
    TableEnv,
)
from lineduel.envs.state_table import (
    StateForm,
    StateTable,
    packed_observations,
    table_if_it_fits,
)
from lineduel.errors import NotInstalled
from lineduel.lab import draw_position
from lineduel.rules import Rulebook, Side

try:
    import jax
    import jax.numpy as jnp
except ModuleNotFoundError:
    raise NotInstalled("JAX", "jax") from None

_Array = jax.Array


def make_jax_env(
    rulebook: AnyRulebook,
    *,
    first: Side | None = None,
    position: Position | str | None = None,
    max_steps: int | None = MAX_GAME_STEPS,
    form: StateForm | None = None,
) -> DuelPgxEnv:
    """The environment of a rulebook; a game longer than `max_steps` ends with reward 0.

    Games begin at `position`, a Position or its text form, or else at the rulebook's start.
    Actions have to be from 0 up to the number of actions: `step` ends the game after an illegal
    one of these, but code in JAX cannot refuse what is no action at all.
    """
    rulebook = require_rulebook(rulebook)
    require_limit("max_steps", max_steps)
    game = Game(rulebook)
    start = require_start(game, first, position)
    about = Description(f"lineduel-{rulebook.id}", BoardDrawing(rulebook))
    table = table_if_it_fits(game, start, form)
    if table is None:
        return CellEnv(about, game, start, max_steps)
    return TableEnv(about, table_arrays(game, table), max_steps)


@dataclass(frozen=True)
class BoardDrawing:
    """Draws what a side sees of a game; it can be pickled, and equal rulebooks draw alike."""

    rulebook: Rulebook

    def __call__(self, seen: Bits) -> str:
        """The board as SVG."""
        game = Game(self.rulebook)
        return draw_position(game, Encoding(game.rules).position(seen))


def table_arrays(game: Game, table: StateTable) -> TableArrays:
    """The arrays that `TableEnv` works on, and that can be kept in a file."""
    encoding = Encoding(game.rules)
    return TableArrays(
        table.next,
        np.array([table.second, table.over, table.lost, table.start], np.int32),
        packed_observations(encoding, table),
        encoding.size,
    )


class CellEnv(DuelPgxEnv):
    """A game by the cells of its pieces, for games too large for a table.

    The rules here are those of `compiled.row_rules` on whole arrays; the tests compare both with
    the engine. A state is a row of `compiled.row_of`: the cells of the pieces, hands if numbers are
    spent, the cell of the battle; then the side to move (or to move after the battle), and the
    number that player 1 has chosen, or 0.
    """

    def __init__(
        self, about: Description, game: Game, start: Position, max_steps: int | None
    ) -> None:
        encoding = self._encoding = Encoding(game.rules)
        super().__init__(about, encoding.actions, max_steps)
        self._rules = rule_numbers(game.rules, told_apart=True)
        row = row_of(game.rules, start)
        self._first_row = jnp.asarray(np.append(row, [int(start.side), 0]), jnp.int8)
        self._pieces = len(self._rules.homes)
        self._homes = jnp.asarray(self._rules.homes, jnp.int8)
        self._goals = jnp.asarray(self._rules.goals)
        owner = np.arange(self._pieces) >= self._rules.pieces1
        self._second_owns = jnp.asarray(owner)
        # For each side the numbers of its pieces, with the number of no piece for those missing.
        own = np.full((2, encoding.pieces), self._pieces, np.int32)
        for side in range(2):
            mine = np.flatnonzero(owner == side)
            own[side, : len(mine)] = mine
        self._own = jnp.asarray(own)
        # For each piece, also the number of no piece, and each step, whether it is one of its own.
        may = self._rules.may_step[:, self._rules.steps]
        self._may_step = jnp.asarray(np.vstack((may, np.zeros_like(may[:1]))))
        self._step_of = jnp.asarray(np.tile(self._rules.steps, encoding.pieces), jnp.int32)
        self._step_number = jnp.asarray(np.tile(np.arange(encoding.steps), encoding.pieces))
        self._piece_of = jnp.asarray(np.repeat(np.arange(encoding.pieces), encoding.steps))

    def _start(self) -> _Array:
        return self._first_row

    def _chooser_is_second(self, state: _Array) -> _Array:
        return jnp.where(state[-3] == NO_BATTLE, state[-2] == 2, state[-1] > 0)

    def _hands(self, state: _Array) -> _Array:
        """For each side and number, whether it is in hand."""
        items = state[self._pieces : -3].astype(jnp.int32)
        bits = items[::2] | items[1::2] << LOW_NUMBERS
        return bits[:, None] >> jnp.arange(self._encoding.numbers) & 1 > 0

    def _targets(self, cells: _Array, second: _Array) -> tuple[_Array, _Array, _Array]:
        """For each step action of a side: the piece, the cell it leads to, whether it is legal."""
        rules = self._rules
        piece = self._own[second.astype(jnp.int32)][self._piece_of]
        cell = jnp.append(cells, jnp.int8(OUT))[piece].astype(jnp.int32)
        step = self._step_of
        target = jnp.where(second, cell - step, cell + step)
        off = (target < 0) | (target >= rules.cells)
        others = cells.astype(jnp.int32)
        there = others == target[:, None]
        own = self._second_owns == second
        low, high = jnp.minimum(cell, target), jnp.maximum(cell, target)
        between = (others > low[:, None]) & (others < high[:, None])
        blocked = jnp.zeros_like(off)
        if rules.own_blocks:
            blocked |= (there & own).any(axis=1)
        if rules.enemy_blocks:
            blocked |= (there & ~own).any(axis=1)
        if not rules.jumps:
            blocked |= between.any(axis=1)
        legal = jnp.where(off, rules.stays_at_edge, (step == 0) | ~blocked) & (cell != OUT)
        legal &= self._may_step[piece, self._step_number]
        return piece, jnp.where(off, cell, target), legal

    def _mask(self, state: _Array) -> _Array:
        *_, legal = self._targets(state[: self._pieces], state[-2] == 2)
        battle = state[-3] != NO_BATTLE
        parts = [legal & ~battle, (~legal.any() & ~battle)[None]]
        if self._rules.spends:
            hands = self._hands(state)
            parts.append(jnp.where(state[-1] == 0, hands[0], hands[1]) & battle)
        elif self._encoding.numbers:
            parts.append(jnp.full(self._encoding.numbers, battle))
        mask = jnp.concatenate(parts)
        return jnp.where(self._winner(state) != 0, True, mask)

    def _winner(self, state: _Array) -> _Array:
        """1 or 2 if the game is over, otherwise 0."""
        winner, turn = self._winner_by_cells(state), state[-2]
        if self._rules.stuck_loses:
            *_, legal = self._targets(state[: self._pieces], turn == 2)
            stuck = ~legal.any() & (state[-3] == NO_BATTLE)
            winner = jnp.where((winner == 0) & stuck, 3 - turn, winner)
        return winner

    def _winner_by_cells(self, state: _Array) -> _Array:
        """The same, whether or not the side to move can move."""
        cells, turn, second = state[: self._pieces], state[-2], self._second_owns
        needs1, needs2 = self._rules.goal_needs.tolist()
        goal1 = (self._goals[0][cells] & ~second).sum() >= needs1
        goal2 = (self._goals[1][cells] & second).sum() >= needs2
        left1 = ((cells != OUT) & ~second).any()
        left2 = ((cells != OUT) & second).any()
        met = jnp.bool_(False)
        if self._rules.wins:
            same = (cells[:, None] == cells[None, :]) & ~second[:, None] & second[None, :]
            met = same.any()
        winner = jnp.where(met, 3 - turn, 0)
        winner = jnp.where(~left1, 2, winner)
        winner = jnp.where(~left2, 1, winner)
        winner = jnp.where(~left1 & ~left2, turn, winner)
        winner = jnp.where(goal2, 2, winner)
        winner = jnp.where(goal1, 1, winner)
        return jnp.where(state[-3] == NO_BATTLE, winner, 0)

    def _after(self, state: _Array, action: _Array) -> tuple[_Array, _Array]:
        moved = self._moved(state, action)
        if self._encoding.numbers:
            moved = jnp.where(state[-3] == NO_BATTLE, moved, self._fought(state, action))
        moved = jnp.where(self._mask(state)[action], moved, state)
        winner = self._winner(moved)
        return moved, jnp.where(winner == 0, 0, 3 - 2 * winner)

    def _moved(self, state: _Array, action: _Array) -> _Array:
        """The state after a step or a pass."""
        rules, cells, turn = self._rules, state[: self._pieces], state[-2]
        second = turn == 2
        pieces, targets, _ = self._targets(cells, second)
        at = jnp.minimum(action, len(targets) - 1)
        piece, target = pieces[at], targets[at].astype(jnp.int8)
        stays = (action == self._encoding.pass_action) | (target == cells[piece])
        meets = (cells == target) & (self._second_owns != second) & ~stays
        after = jnp.where((jnp.arange(self._pieces) == piece) & ~stays, target, cells)
        after = jnp.where(meets, self._displaced(cells, rules.landed_on), after)
        battle = jnp.int8(NO_BATTLE)
        if rules.opens_battle:
            battle = jnp.where(meets.any(), target, battle)
        to_move = 3 - turn
        if rules.moves_again:
            ended = self._winner_by_cells(_state(state, after, jnp.int8(NO_BATTLE), to_move)) != 0
            *_, legal = self._targets(after, second)
            displaced = ((after != cells) & (self._second_owns != second)).any()
            to_move = jnp.where(displaced & ~ended & legal.any(), turn, to_move)
        return _state(state, after, battle, to_move)

    def _fought(self, state: _Array, action: _Array) -> _Array:
        """The state after a number in a battle: it is hidden, or both are shown."""
        rules, cells, battle, turn = self._rules, state[: self._pieces], state[-3], state[-2]
        number = (action - self._encoding.first_number).astype(jnp.int32)
        hidden = state.at[-1].set((number + 1).astype(jnp.int8))
        pair = (state[-1].astype(jnp.int32) - 1) * rules.numbers + number
        winner = jnp.asarray(rules.battle_winner)[pair]
        owner = jnp.where(self._second_owns, 2, 1)
        tied = jnp.where(owner == turn, rules.tied_defender_goes, rules.tied_attacker_goes)
        goes = jnp.where(winner == 0, tied, owner != winner) & (cells == battle)
        after = jnp.where(goes, self._displaced(cells, rules.lost_battle), cells)
        fought = _state(state, after, jnp.int8(NO_BATTLE), turn)
        if rules.spends:
            chosen = jnp.stack([state[-1].astype(jnp.int32) - 1, number])
            left = self._hands(state) & (jnp.arange(rules.numbers) != chosen[:, None])
            left = left | ~left.any(axis=1, keepdims=True)
            bits = (left.astype(jnp.int32) << jnp.arange(rules.numbers)).sum(axis=1)
            low, high = bits & (1 << LOW_NUMBERS) - 1, bits >> LOW_NUMBERS
            hands = jnp.stack([low, high], axis=1).reshape(-1).astype(jnp.int8)
            fought = fought.at[self._pieces : -3].set(hands)
        return jnp.where(state[-1] == 0, hidden, fought)

    def _displaced(self, cells: _Array, how: int) -> _Array:
        """Where each piece goes if that happens to it."""
        if how == LEAVES:
            return jnp.full_like(cells, OUT)
        return self._homes if how == GOES_HOME else cells

    def _view(self, state: _Array, second: _Array) -> _Array:
        length = self._encoding.cells
        cells = jnp.append(state[: self._pieces], jnp.int8(OUT))
        side = second.astype(jnp.int32)
        rows = jnp.concatenate([cells[self._own[side]], cells[self._own[1 - side]]])
        if self._encoding.numbers:
            rows = jnp.append(rows, state[-3])
        gone = (rows == OUT) | (rows == NO_BATTLE)
        seen = jnp.where(second, length - 1 - rows, rows)
        planes = (seen[:, None] == jnp.arange(length, dtype=jnp.int8)) & ~gone[:, None]
        flags = jnp.stack([second, state[-2] == side + 1])
        parts = [planes.reshape(-1), flags]
        if self._rules.spends:
            hands = self._hands(state)
            parts.insert(1, jnp.where(second, hands[::-1], hands).reshape(-1))
        return jnp.concatenate(parts)


def _state(before: _Array, cells: _Array, battle: _Array, turn: _Array) -> _Array:
    """A state without a hidden number, with the hands of the one before it."""
    rest = [battle.astype(jnp.int8), turn.astype(jnp.int8), jnp.int8(0)]
    hands = before[len(cells) : -3]
    return jnp.concatenate([cells.astype(jnp.int8), hands, jnp.stack(rest)])
