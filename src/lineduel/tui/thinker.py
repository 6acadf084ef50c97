"""Slow work beside the screen: one thread that does it in order, and the screen never waits."""

from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from lineduel.errors import LineduelError

if TYPE_CHECKING:
    from lineduel.tui.app import LineduelApp

_Result = TypeVar("_Result")


class WorkAbandoned(Exception):
    """Nobody waits for this work any more."""


class Thinker:
    """Does what it is asked, one thing after the other, and brings back what came of it."""

    def __init__(self, app: "LineduelApp") -> None:
        self._app = app
        self._work: SimpleQueue[Callable[[], Callable[[], None]] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._stopped = False

    def ask(
        self,
        work: Callable[[], _Result],
        then: Callable[[_Result], None],
        failed: Callable[[LineduelError], None],
    ) -> None:
        """Do some work elsewhere; what follows from it happens on the screen's own thread."""

        def done() -> Callable[[], None]:
            try:
                result = work()
            except LineduelError as error:
                complaint = error
                return lambda: failed(complaint)
            except WorkAbandoned:
                return lambda: None
            except Exception as error:
                return _raising(error)  # a defect is seen, not waited for
            return lambda: then(result)

        self._work.put(done)
        if self._thread is None and not self._stopped:
            # A daemon: whoever quits does not wait for a thought to end.
            self._thread = Thread(target=self._think, daemon=True, name="thinker")
            self._thread.start()

    def tell(self, news: Callable[[], None]) -> None:
        """Let work that goes on show something on the screen, unless nobody waits for it."""
        self.check()
        with suppress(RuntimeError):  # the program has ended
            self._app.call_later(self._bring, news)

    def stop(self) -> None:
        """Begin nothing more, and bring nothing back: nobody is there to see it."""
        self._stopped = True
        self._work.put(None)

    def check(self) -> None:
        """Raise WorkAbandoned if nobody waits for the result; long work calls this now and then."""
        if self._stopped:
            raise WorkAbandoned

    def _think(self) -> None:
        while (work := self._work.get()) is not None and not self._stopped:
            follow = work()
            try:
                self._app.call_later(self._bring, follow)
            except RuntimeError:
                return  # the program has ended

    def _bring(self, follow: Callable[[], None]) -> None:
        if not self._stopped and not self._app.is_leaving:
            follow()


def _raising(error: Exception) -> Callable[[], None]:
    def follow() -> None:
        raise error

    return follow
