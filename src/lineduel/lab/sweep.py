"""Many rulebooks measured: one row of figures each, kept as they come, each game solved once."""

import json
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from lineduel.arena.ledger import Header, Ledger
from lineduel.arena.pool import Pool
from lineduel.errors import LedgerError, LineduelError, RulebookError, TooLarge
from lineduel.lab.figures import Figures
from lineduel.lab.glance import glance
from lineduel.lab.identity import Key, identity
from lineduel.lab.space import Point, Space, make_space
from lineduel.rules import Rulebook, rulebook_data, rulebook_from_data

KIND = "sweep"
DONE, NO_RULEBOOK, TOO_LARGE, TOO_SLOW = "done", "no rulebook", "too large", "too slow"
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a candidate may take."""

    positions: int = 100_000
    seconds: float = 60.0


def header(space: Space, limits: Limits) -> Header:
    """What the first line of the file says: all that is needed to go on."""
    return {
        "lineduel": KIND,
        "game": space.rulebook.id,
        "rulebook": rulebook_data(space.rulebook),
        "vary": [[axis.key, list(axis.values)] for axis in space.axes],
        "positions": limits.positions,
        "seconds": limits.seconds,
    }


def from_header(kept: Header) -> tuple[Space, Limits]:
    """The inverse of `header`."""
    rulebook = rulebook_from_data(kept["rulebook"], kept["game"])
    space = make_space(rulebook, [f"{key}={'|'.join(values)}" for key, values in kept["vary"]])
    return space, Limits(int(kept["positions"]), float(kept["seconds"]))


@dataclass(slots=True)
class Sweep:
    """A sweep under way, or done."""

    space: Space
    limits: Limits
    rows: dict[int, Row] = field(default_factory=dict)
    """By the number of the combination."""
    solved: int = 0
    """How many rulebooks were worked out; the others are the same games."""

    @property
    def done(self) -> float:
        return len(self.rows) / len(self.space)

    def table(self) -> list[Row]:
        """All rows, in the order of the combinations."""
        return [self.rows[number] for number in sorted(self.rows)]

    def take(self, lines: Iterable[Row]) -> None:
        """What a file held."""
        keys = [axis.key for axis in self.space.axes]
        for line in lines:
            number = int(line["number"])
            if number not in range(len(self.space)) or any(key not in line for key in keys):
                raise LedgerError("The file holds rows of another sweep.")
            self.rows[number] = line


def sweep_on(sweep: Sweep, ledger: Ledger, pool: Pool) -> Iterator[None]:
    """Work out what is missing, and write each row down; yields after each step."""
    waiting: dict[Key, list[tuple[Point, bool]]] = {}
    first: list[tuple[Key, Rulebook, Limits]] = []
    refused: list[Row] = []
    for point in sweep.space.points():
        if point.number in sweep.rows:
            continue
        try:
            rulebook = sweep.space.rulebook_at(point.keys)
        except RulebookError as error:
            refused.append(_row(point, f"{NO_RULEBOOK}: {error}", None))
            continue
        key, mirrored = identity(rulebook.rules)
        if key not in waiting:
            first.append((key, rulebook, sweep.limits))
        waiting.setdefault(key, []).append((point, mirrored))
    _write(sweep, ledger, refused)
    yield
    straight = {key: waiting[key][0][1] for key, _, _ in first}
    for measured in pool.run(measure, first, kind=_kind):
        rows = []
        for key, found in measured:
            sweep.solved += 1
            for point, mirrored in waiting[key]:
                turned = mirrored is not straight[key]
                rows.append(_row(point, *_told(found, turned)))
        _write(sweep, ledger, rows)
        yield


def _kind(item: tuple[Key, Rulebook, Limits]) -> bool:
    return item[1].rules.battle is None


def measure(items: Iterable[tuple[Key, Rulebook, Limits]]) -> list[tuple[Key, Figures | str]]:
    """The figures of some rulebooks, or what kept them from being had."""
    return [(key, _measured(rulebook, limits)) for key, rulebook, limits in items]


def _measured(rulebook: Rulebook, limits: Limits) -> Figures | str:
    try:
        with _within(limits.seconds):
            return glance(rulebook, limits.positions)
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
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _told(found: Figures | str, turned: bool) -> tuple[str, Figures | None]:
    if isinstance(found, str):
        return found, None
    return DONE, found.turned() if turned else found


def _row(point: Point, status: str, figures: Figures | None) -> Row:
    row: Row = {"number": point.number, **point.keys, "status": status}
    if figures is not None:
        row |= columns(figures)
    return row


_SINGLE = (
    "positions",
    "branching",
    "value",
    "plies",
    "longest",
    "longest_game",
    "decisions",
    "only_moves",
    "turning_points",
    "lead_changes",
    "drama",
)


def columns(figures: Figures) -> Mapping[str, Any]:
    """The figures as one flat row."""
    value = figures.value
    whole = figures.plain()
    row: Row = {name: whole[name] for name in _SINGLE}
    row |= {
        "value": float(value.low + value.high) / 2,
        "winner": 0 if value.winner is None else int(value.winner),
        "skill1": figures.skill.as_player1,
        "skill2": figures.skill.as_player2,
    }
    for one in figures.equals:
        name = one.player.replace(":", "")
        row |= {
            f"seat_{name}": one.seat,
            f"endless_{name}": one.endless,
            f"plies_{name}": one.plies,
        }
    return row


def _write(sweep: Sweep, ledger: Ledger, rows: list[Row]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    ledger.append(text.encode())
    sweep.take(rows)
