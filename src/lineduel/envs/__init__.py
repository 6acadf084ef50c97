"""Environments for learning programs, all with one encoding: see `docs/environments.md`.

`Encoding` and `state_table` are the parts that all share; `random_rulebooks` makes new games. The
rest is in modules of its own, so that no other library is imported before it is needed: `batch`,
`pettingzoo`, `gymnasium`, `openspiel`, `jax` and `regret`.
"""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.envs.curve import (
        curve_lines as curve_lines,
        draw_curve as draw_curve,
        read_curve as read_curve,
    )
    from lineduel.envs.encoding import Encoding as Encoding
    from lineduel.envs.random_rulebooks import (
        random_rulebooks as random_rulebooks,
        split_of as split_of,
    )
    from lineduel.envs.regret import ExactFeedback as ExactFeedback
    from lineduel.envs.state_table import StateTable as StateTable, state_table as state_table

offer(__name__)
