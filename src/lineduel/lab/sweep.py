"""Many rulebooks measured: one row of figures each, kept as they come, each game solved once."""

import json
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from lineduel.errors import (
    AddressSpaceLimit,
    LineduelError,
    RulebookError,
    TooLarge,
    original_errors,
)
from lineduel.jobs import Header, Keep, Ledger, Pool, Progress
from lineduel.lab.figures import Figures
from lineduel.lab.grid import Point, Space
from lineduel.lab.same_game import Key, identity
from lineduel.lab.sweep_file import (
    DONE,
    NO_RULEBOOK,
    TOO_LARGE,
    TOO_SLOW,
    CandidateLimits,
    RowData,
    header,
    read_head,
    read_rows,
    row,
)
from lineduel.rules import Rulebook


@dataclass(slots=True)
class Sweep:
    """A sweep under way, or done."""

    space: Space
    limits: CandidateLimits
    rows: dict[int, RowData] = field(default_factory=dict)
    """By the number of the combination."""
    solved: int = 0
    """How many rulebooks were worked out; the others are the same games."""
    repeated: list[int] = field(default_factory=list)
    """Lines of the file whose rows stand in it already."""

    @property
    def header(self) -> Header:
        return header(self.space, self.limits)

    @property
    def kept(self) -> str:
        return f"{len(self.rows):,} of {len(self.space):,} rows are kept"

    @property
    def _progress(self) -> Progress:
        return Progress("measuring combinations", len(self.rows), len(self.space))

    def table(self) -> list[RowData]:
        """All rows, in the order of the combinations."""
        return [self.rows[number] for number in sorted(self.rows)]

    def steps(self, pool: Pool, keep: Keep) -> Iterator[Progress]:
        """Work out what is missing, each game once; rules that make no rulebook come first."""
        waiting: dict[Key, list[tuple[Point, bool]]] = {}
        first: list[tuple[Key, Rulebook, CandidateLimits]] = []
        refused: list[RowData] = []
        for point in self.space.points():
            if point.number in self.rows:
                continue
            try:
                rulebook = self.space.rulebook_at(point.keys)
            except RulebookError as error:
                refused.append(row(point, f"{NO_RULEBOOK}: {error}", None))
                continue
            key, mirrored = identity(rulebook.rules)
            if key not in waiting:
                first.append((key, rulebook, self.limits))
            waiting.setdefault(key, []).append((point, mirrored))
        self._take(refused, keep)
        yield self._progress
        straight = {key: waiting[key][0][1] for key, _, _ in first}
        for measured in pool.run(measure, first, kind=_kind):
            rows = []
            for key, found in measured:
                self.solved += 1
                for point, mirrored in waiting[key]:
                    turned = mirrored is not straight[key]
                    rows.append(row(point, *_told(found, turned)))
            self._take(rows, keep)
            yield self._progress

    def _take(self, rows: list[RowData], keep: Keep) -> None:
        """Write rows down, and count them."""
        keep("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows).encode())
        self.rows |= {one["number"]: one for one in rows}


def resume(ledger: Ledger) -> Sweep:
    """The sweep that a file holds; of rows that stand there twice the first counts."""
    sweep = Sweep(*read_head(ledger))
    for line, kept in read_rows(ledger, sweep.space):
        if sweep.rows.setdefault(kept["number"], kept) is not kept:
            sweep.repeated.append(line)
    return sweep


def _kind(item: tuple[Key, Rulebook, CandidateLimits]) -> bool:
    return item[1].rules.battle is None


def measure(
    items: Iterable[tuple[Key, Rulebook, CandidateLimits]],
) -> list[tuple[Key, Figures | str]]:
    """The figures of some rulebooks, or what kept them from being had."""
    return [(key, _measured(rulebook, limits)) for key, rulebook, limits in items]


def _measured(rulebook: Rulebook, limits: CandidateLimits) -> Figures | str:
    # Only workers need Numba; the process that hands out their work does not wait for it.
    from lineduel.lab.analysis import compile_quick_figures, quick_figures

    compile_quick_figures(with_battles=rulebook.rules.battle is not None)
    try:
        with _within(limits.seconds):
            return quick_figures(rulebook, limits.positions)
    except AddressSpaceLimit:
        raise  # it is nothing about the rulebook
    except TooLarge as error:
        return f"{TOO_LARGE}: {' '.join(str(error).split())}"
    except _TimeIsUp:
        return f"{TOO_SLOW}: more than {limits.seconds:g} seconds"
    except LineduelError as error:
        return f"{NO_RULEBOOK}: {error}"


class _TimeIsUp(Exception):
    """A candidate took too long."""


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Stop what takes longer; only a main thread can set the alarm, so a cluster's may not."""
    alarmed = hasattr(signal, "setitimer") and (
        threading.current_thread() is threading.main_thread()
    )
    if not alarmed:
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with original_errors():
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _told(found: Figures | str, turned: bool) -> tuple[str, Figures | None]:
    if isinstance(found, str):
        return found, None
    return DONE, found.turned() if turned else found
