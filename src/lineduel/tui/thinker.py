"""Slow work beside the screen: one thread that does it in order, and the screen never waits."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from lineduel.errors import LineduelError

if TYPE_CHECKING:
    from textual.app import App

Result = TypeVar("Result")


class Thinker:
    """Does what it is asked, one thing after the other, and brings back what came of it."""

    def __init__(self, app: "App[int]") -> None:
        self._app = app
        self._work: SimpleQueue[Callable[[], Callable[[], None]]] = SimpleQueue()
        self._thread: Thread | None = None

    def ask(
        self,
        work: Callable[[], Result],
        then: Callable[[Result], None],
        failed: Callable[[LineduelError], None],
    ) -> None:
        """Do some work elsewhere; what follows from it happens on the screen's own thread."""

        def done() -> Callable[[], None]:
            try:
                result = work()
            except LineduelError as error:
                complaint = error
                return lambda: failed(complaint)
            return lambda: then(result)

        self._work.put(done)
        if self._thread is None:
            # A daemon: whoever quits does not wait for a thought to end.
            self._thread = Thread(target=self._think, daemon=True, name="thinker")
            self._thread.start()

    def _think(self) -> None:
        while True:
            follow = self._work.get()()
            try:
                self._app.call_from_thread(self._app.call_later, follow)
            except RuntimeError:
                return  # the screen is closed
