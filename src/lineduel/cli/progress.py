"""A progress bar on standard error: the current stage, how much is done, and the time left."""

import sys
import threading
import time
from collections.abc import Callable, Iterable
from shutil import get_terminal_size
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineduel.jobs import Progress

_WIDTH = 24
_PATIENCE = 0.7
"""Seconds before the bar appears; shorter work needs none."""
_EVERY = 0.2
_LINE_EVERY = 30.0
"""Seconds between two lines where standard error is not a terminal."""
_TABLE_EVERY = 0.5
"""Seconds after which the table above the bar is made again."""


def show_compiling() -> None:
    """Show at a terminal that functions are compiled, in place of a bar; workers call it, too."""
    if sys.stderr.isatty():
        from lineduel.compiled import tell_compiling_by

        tell_compiling_by(lambda text: print(f"\r{text}\x1b[K", file=sys.stderr, flush=True))


class Bar:
    """A progress bar, removed at the end; not at a terminal, a line from time to time."""

    def __init__(self, label: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._label, self._detail, self._clock = label, "", clock
        self._began = self._stage_began = self._clock()
        self._done, self._total, self._stage_done = 0.0, 0, 0.0
        self._shown = False
        self._table: Callable[[], Iterable[str]] | None = None
        self._above: list[str] = []
        self._above_made, self._above_shown = 0.0, 0
        self._is_over = threading.Event()
        self._writing = threading.Lock()
        self._ticker: threading.Thread | None = None
        self._last_line = self._began

    def __enter__(self) -> "Bar":
        show_compiling()
        if sys.stderr.isatty():
            self._ticker = threading.Thread(target=self._tick, daemon=True)
            self._ticker.start()
        return self

    def __call__(self, done: float) -> None:
        """Set the share of the work that is done."""
        self._done = done

    def show(self, progress: "Progress") -> None:
        """Set how far long work is."""
        self.stage(*progress)

    def stage(self, doing: str, done: float = 0, total: int = 0, detail: str = "") -> None:
        """Set the current stage and how much of it is done, as `Progress` has it.

        What `detail` says is shown behind the bar.
        """
        share = done / total if total else float(done)
        if self._table and self._ticker and self._clock() - self._above_made > _TABLE_EVERY:
            self._above, self._above_made = list(self._table()), self._clock()
        with self._writing:
            begins = not self._done
            if doing != self._label:
                self._label, self._stage_began, self._stage_done = doing, self._clock(), share
                begins = True
            self._detail, self._done, self._total = detail, share, total
            if begins and self._table and self._ticker:
                self._draw()  # a table is shown at once, however short the work is
        if self._ticker is None and self._clock() - self._last_line > _LINE_EVERY:
            self._last_line = self._clock()
            print(self._line(0).strip(), file=sys.stderr, flush=True)

    def add_table(self, lines: Callable[[], Iterable[str]]) -> None:
        """Show a table above the bar that changes with each stage."""
        self._table = lines

    def note(self, text: str) -> None:
        """Print a line above the bar."""
        with self._writing:
            self._clear()
            print(text, file=sys.stderr, flush=True)

    def __exit__(self, *how: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the bar; may be called more than once."""
        self._is_over.set()
        if self._ticker is not None:
            self._ticker.join()
        self._clear()

    def _tick(self) -> None:
        """Redraw the bar regularly, because the clock in it changes."""
        if self._is_over.wait(_PATIENCE):
            return
        while True:
            with self._writing:
                self._draw()
            if self._is_over.wait(_EVERY):
                return

    def _draw(self) -> None:
        size = get_terminal_size()
        columns = size.columns - 1  # a wrapped line could not be erased
        lines = (self._line(width) for width in (_WIDTH, 0))
        wide, narrow = (f"{line}  {self._detail}" if self._detail else line for line in lines)
        line = wide if len(wide) <= columns or not self._detail else narrow
        above = self._above[: max(size.lines - 2, 0)]
        rows = "\n".join(f"{row[:columns]}\x1b[K" for row in (*above, line))
        print(f"{self._to_top()}{rows}", end="", file=sys.stderr, flush=True)
        self._shown, self._above_shown = True, len(above)

    def _to_top(self) -> str:
        """Moves the cursor to the beginning of what is shown."""
        return f"\x1b[{self._above_shown}F" if self._above_shown else "\r"

    def _line(self, width: int) -> str:
        """Everything but the detail, with a bar of some width."""
        seconds = self._clock() - self._stage_began
        if self._total:
            label = f"{self._label}: {round(self._done * self._total):,} of {self._total:,}"
            return _bar(label, self._done, seconds, self._done - self._stage_done, width)
        if self._done:
            return _bar(self._label, self._done, seconds, self._done - self._stage_done, width)
        return f"{self._label} ({_clock(seconds)})"

    def _clear(self) -> None:
        if self._shown:
            erase = "\x1b[J" if self._above_shown else "\x1b[K"
            print(f"{self._to_top()}{erase}", end="", file=sys.stderr, flush=True)
            self._shown, self._above_shown = False, 0


def _bar(label: str, done: float, seconds: float, share: float, width: int) -> str:
    """The text of a bar: the share done, and the time left if `share` of it took `seconds`."""
    done = min(max(done, 0.0), 1.0)
    filled = "#" * round(done * width)
    drawn = f" [{filled:<{width}}]" if width else ""
    left = f"{_clock(seconds * (1 - done) / share)} left" if share > 0.01 else ""
    return f"{label}{drawn} {done:4.0%} {left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
