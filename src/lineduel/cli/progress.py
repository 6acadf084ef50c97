"""A bar on standard error for what takes longer than a second, with the time that is left."""

import sys
import time
from types import TracebackType

_WIDTH = 24
_PATIENCE = 1.0
_EVERY = 0.1


class Bar:
    """Called with the fraction done; shown only on a terminal, and gone when it is over."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._began = self._drawn = time.monotonic()
        self._shown = False

    def __enter__(self) -> "Bar":
        return self

    def __call__(self, done: float) -> None:
        now = time.monotonic()
        if now - self._began < _PATIENCE or now - self._drawn < _EVERY or not sys.stderr.isatty():
            return
        self._drawn, self._shown = now, True
        line = bar(self._label, done, now - self._began)
        print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)

    def note(self, text: str) -> None:
        """A line of its own, whether or not there is a bar."""
        self._clear()
        print(text, file=sys.stderr, flush=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._clear()

    def _clear(self) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._shown = False


def bar(label: str, done: float, seconds: float, share: float | None = None) -> str:
    """A bar's line: the share done, and the time left if `share` of it took so many seconds."""
    done = min(max(done, 0.0), 1.0)
    share = done if share is None else share
    filled = "#" * round(done * _WIDTH)
    left = f"{_clock(seconds * (1 - done) / share)} left" if share > 0.01 else ""
    return f"{label} [{filled:<{_WIDTH}}] {done:4.0%} {left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
