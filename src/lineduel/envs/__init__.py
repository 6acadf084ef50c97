"""Environments for learning programs, all with one encoding: see `docs/environments.md`.

`Encoding` and `state_table` are the parts that all share; `random_rulebooks` makes new games. The
rest is in modules of its own, so that each peer is imported only by whoever asks for it: `batch`,
`pettingzoo`, `gymnasium`, `openspiel`, `jax` and `regret`.
"""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.envs.curve import curve_document, curve_lines, draw_curve, read_curve
    from lineduel.envs.encoding import Encoding
    from lineduel.envs.random_rulebooks import random_rulebooks, split_of
    from lineduel.envs.state_table import StateTable, state_table

__all__ = [
    "Encoding",
    "StateTable",
    "curve_document",
    "curve_lines",
    "draw_curve",
    "random_rulebooks",
    "read_curve",
    "split_of",
    "state_table",
]

offer(
    __name__,
    {
        "curve": ("curve_document", "curve_lines", "draw_curve", "read_curve"),
        "encoding": ("Encoding",),
        "random_rulebooks": ("random_rulebooks", "split_of"),
        "state_table": ("StateTable", "state_table"),
    },
)
