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

from lineduel.engine import Game, Position
from lineduel.envs.arguments import (
    AnyRulebook,
    require_limit,
    require_one_of,
    require_rulebook,
    require_start,
)
from lineduel.envs.board_images import board_svg
from lineduel.envs.encoding import Bits, Encoding
from lineduel.envs.jax_cells import CellEnv
from lineduel.envs.jax_table import (
    MAX_GAME_STEPS,
    Description,
    DuelPgxEnv,
    TableArrays,
    TableEnv,
)
from lineduel.envs.state_table import STATE_FORMS, StateForm, StateTable, state_table
from lineduel.envs.views import packed_observations
from lineduel.errors import TooLarge
from lineduel.rules import Rulebook, Side

MOST_TABLE_STATES = 1 << 20


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
    require_one_of("form", form, STATE_FORMS)
    require_limit("max_steps", max_steps)
    game = Game(rulebook)
    start = require_start(game, first, position)
    name = f"lineduel-{rulebook.id}" + (f":{rulebook.variant}" if rulebook.variant else "")
    about = Description(name, BoardDrawing(rulebook))
    if form != "cells":
        try:
            table = state_table(game, start, MOST_TABLE_STATES)
        except TooLarge:
            if form == "table":
                raise
        else:
            return TableEnv(about, table_arrays(game, table), max_steps)
    return CellEnv(about, game, start, max_steps)


@dataclass(frozen=True)
class BoardDrawing:
    """Draws what a side sees of a game; it can be pickled, and equal rulebooks draw alike."""

    rulebook: Rulebook

    def __call__(self, seen: Bits) -> str:
        """The board as SVG."""
        game = Game(self.rulebook)
        return board_svg(game, Encoding(game.rules).position(seen))


def table_arrays(game: Game, table: StateTable) -> TableArrays:
    """The arrays that `TableEnv` works on, and that can be kept in a file."""
    encoding = Encoding(game.rules)
    return TableArrays(
        table.next,
        np.array([table.second, table.over, table.lost, table.start], np.int32),
        packed_observations(encoding, table),
        encoding.size,
    )
