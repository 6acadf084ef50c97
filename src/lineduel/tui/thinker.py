"""A background thread for slow work, so that the screen stays responsive."""

from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from lineduel.errors import LineduelError
from lineduel.play import SlowWork

if TYPE_CHECKING:
    from lineduel.tui.app import LineduelApp

_Result = TypeVar("_Result")


class WorkAbandoned(Exception):
    """The result of this work is no longer needed."""


class Thinker(SlowWork):
    """Does one piece of work after another in a thread, and returns the results to the screen."""

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
        """Do some work in the background; the callbacks run in the screen's thread."""

        def done() -> Callable[[], None]:
            try:
                result = work()
            except LineduelError as error:
                complaint = error
                return lambda: failed(complaint)
            except WorkAbandoned:
                return lambda: None
            except Exception as error:
                return _raising(error)  # show a bug at once instead of waiting for ever
            return lambda: then(result)

        self._work.put(done)
        if self._thread is None and not self._stopped:
            # A daemon, so that quitting does not wait for it.
            self._thread = Thread(target=self._think, daemon=True, name="thinker")
            self._thread.start()

    def tell(self, news: Callable[[], None]) -> None:
        """Let work that goes on show something on the screen, unless nobody waits for it."""
        self.check()
        with suppress(RuntimeError):  # the program has ended
            self._app.call_later(self._bring, news)

    def stop(self) -> None:
        """Start no more work, and discard all results."""
        self._stopped = True
        self._work.put(None)

    def check(self) -> None:
        """Raise WorkAbandoned if the result is no longer needed; long work calls this regularly."""
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
