"""Environments for learning programs, all with one encoding: see `docs/environments.md`.

`Encoding` and `state_table` are the parts that all share. The rest is in modules of its own, so
that each peer is imported only by whoever asks for it: `batch`, `pettingzoo`, `gymnasium`,
`openspiel`, `jax` and `regret`.
"""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.envs.encoding import Encoding
    from lineduel.envs.state_table import StateTable, state_table

__all__ = ["Encoding", "StateTable", "state_table"]

offer(
    __name__,
    {
        "encoding": ("Encoding",),
        "state_table": ("StateTable", "state_table"),
    },
)
