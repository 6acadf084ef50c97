"""Where a game is kept, whether that is a file or the database of a server."""

from collections.abc import Callable, Sequence
from typing import Protocol

from lineduel.errors import LineduelError
from lineduel.play.live_events import LiveEvent

AfterKeeping = Callable[[LineduelError | None], None]
"""Called with None once something is kept, else with why it is not."""


class GameStore(Protocol):
    """Keeps one game, whose session already is as it is after what happened."""

    def keep(self, events: Sequence[LiveEvent], then: AfterKeeping) -> None:
        """Keep what happened, all of it or nothing, and call `then` once that is settled.

        A number that is still secret is kept with it, but not where others can read it.
        """
