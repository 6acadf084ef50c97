"""Many rulebooks measured: one row of figures each, kept as they come, each game solved once.

The file of a sweep has a head that says what varies, then one row a combination. A row counts only
if it belongs to the sweep; any other is refused with its line.
"""

import json
import re
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from types import FrameType
from typing import Annotated, Any, Literal

import msgspec

from lineduel import jobs
from lineduel.errors import (
    AddressSpaceLimit,
    LedgerLine,
    LedgerVersion,
    LineduelError,
    RulebookError,
    TooLarge,
    original_errors,
    shown,
)
from lineduel.jobs import Header, Keep, Ledger, Progress
from lineduel.lab.changes import Key, identity
from lineduel.lab.figures import Figures
from lineduel.lab.grid import Space, space_of
from lineduel.rules import LENGTH, Rulebook, rulebook_data, rulebook_from_data

SWEEP = "sweep"
_VERSION = 2
"""Files without a version are older: `track.last` then moved what lies in the right half."""
MOST_POSITIONS, MOST_SECONDS = 1_000_000, 86_400
DONE, NO_RULEBOOK, TOO_LARGE, TOO_SLOW = "done", "no rulebook", "too large", "too slow"
RowData = dict[str, Any]
_REASONS = tuple(f"{why}: " for why in (NO_RULEBOOK, TOO_LARGE, TOO_SLOW))
_LONGEST = 2000
"""Characters of a status."""
_LAST = "track.last"
_TYPES = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}


@dataclass(frozen=True, slots=True)
class CandidateLimits:
    """How much a candidate may take."""

    positions: int = 100_000
    seconds: float = 60.0


_MOST = 10**9
Whole = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
Count = Annotated[float, msgspec.Meta(ge=0)]
# Chances are sums of floats, so they may lie a little outside.
Share = Annotated[float, msgspec.Meta(ge=-1e-6, le=1 + 1e-6)]
Worth = Annotated[float, msgspec.Meta(ge=-1 - 1e-6, le=1 + 1e-6)]


class Head(msgspec.Struct, forbid_unknown_fields=True):
    """The first line: all that is needed to go on."""

    lineduel: str
    version: int
    game: Annotated[str, msgspec.Meta(max_length=1000)]
    rulebook: dict[str, Any]
    vary: list[tuple[str, list[str]]]
    positions: Annotated[int, msgspec.Meta(ge=1, le=MOST_POSITIONS)]
    seconds: Annotated[float, msgspec.Meta(gt=0, le=MOST_SECONDS)]


class RowFigures(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The figures of a row whose status is `done`."""

    positions: Annotated[int, msgspec.Meta(ge=1, le=_MOST)]
    branching: Count
    value: Worth
    plies: Whole | None
    longest: Whole | None
    longest_game: Whole | None
    decisions: Share
    only_moves: Share
    turning_points: Count
    lead_changes: Count
    drama: Share
    winner: Literal[0, 1, 2]
    skill1: Share
    skill2: Share
    seat_level1: Worth
    endless_level1: Share
    plies_level1: Count | None
    seat_level4: Worth
    endless_level4: Share
    plies_level4: Count | None
    seat_best: Worth
    endless_best: Share
    plies_best: Count | None


def _row(number: int, keys: Mapping[str, str], found: Figures | str) -> RowData:
    """A combination and its figures, or why it has none."""
    row: RowData = {"number": number, **keys}
    if isinstance(found, str):
        return row | {"status": found}
    return row | {"status": DONE, **columns(found)}


def columns(figures: Figures) -> RowData:
    """The figures as `RowFigures` has them."""
    value = figures.value
    whole = {one.name: getattr(figures, one.name) for one in fields(figures)}
    whole["plies"] = value.plies
    flat: RowData = {name: whole[name] for name in RowFigures.__struct_fields__ if name in whole}
    flat |= {
        "value": float(value.low + value.high) / 2,
        "winner": 0 if value.winner is None else int(value.winner),
        "skill1": figures.skill.as_player1,
        "skill2": figures.skill.as_player2,
    }
    for one in figures.equals:
        name = "best" if one is figures.best else one.player.replace(":", "")
        flat |= {
            f"seat_{name}": one.seat,
            f"endless_{name}": one.endless,
            f"plies_{name}": one.plies,
        }
    return flat


def read_head(ledger: Ledger) -> tuple[Space, CandidateLimits]:
    """What the first line says."""
    _check_version(ledger)
    try:
        head = msgspec.convert(ledger.header, Head)
        rulebook = rulebook_from_data(head.rulebook, head.game)
        space = space_of(rulebook, head.vary)
    except (msgspec.ValidationError, LineduelError) as error:
        raise _refusal(ledger, 1, _plain(error)) from None
    return space, CandidateLimits(head.positions, head.seconds)


def read_rows(ledger: Ledger, space: Space) -> Iterator[tuple[int, RowData]]:
    """Each row of the file with its line; LedgerError for one that is not of this sweep."""
    for line, kept in ledger.objects():
        if why := _misfit(kept, space):
            raise _refusal(ledger, line, why)
        yield line, kept


def _misfit(kept: RowData, space: Space) -> str | None:
    """Why a row does not belong to a sweep."""
    rest = dict(kept)
    number, status = rest.pop("number", None), rest.pop("status", None)
    if type(number) is not int or not 0 <= number < len(space):
        return f"its number is not one from 0 to {len(space) - 1:,}"
    for key, value in space.keys_at(number).items():
        if rest.pop(key, None) != value:
            return f"number {number:,} of this sweep has {key}={value}"
    if status != DONE:
        known = isinstance(status, str) and len(status) <= _LONGEST and status.startswith(_REASONS)
        if not known:
            return "its status is not one that a sweep writes"
        return "it has figures, but its status is not done" if rest else None
    try:
        figures = msgspec.convert(rest, RowFigures)
    except msgspec.ValidationError as error:
        return _plain(error)
    worth = {0: figures.value, 1: 1, 2: -1}[figures.winner]
    if (figures.winner == 0) != (figures.plies is None) or figures.value != worth:
        return "its winner, value and plies contradict each other"
    return None


def _check_version(ledger: Ledger) -> None:
    version, path = ledger.header.get("version"), shown(ledger.path, 200)
    if version == _VERSION:
        return
    if version is not None:
        raise LedgerVersion(
            f"{path} is a sweep of version {shown(version)}; this program reads {_VERSION}."
        )
    axes = ledger.header.get("vary")
    if isinstance(axes, list) and any(isinstance(one, list) and _LAST in one for one in axes):
        raise LedgerVersion(
            f"{path} was written by an earlier version, where {_LAST} also moved what lies "
            "in the right half.",
            LENGTH,
        )
    raise LedgerVersion(
        f"{path} is a sweep of an earlier version, whose figures may mean something else."
    )


def _refusal(ledger: Ledger, line: int, why: str) -> LedgerLine:
    return ledger.refusal(line, shown(why.removesuffix("."), 300))


def _plain(error: Exception) -> str:
    """A validation error in plain words: `drama: expected a number >= 0`, `drama is missing`."""
    said = re.sub(
        r"`([^`]*)`",
        lambda name: " or ".join(_TYPES.get(one, one) for one in name[1].split(" | ")),
        str(error),
    )
    said = re.sub(r"^Object missing required field (.*)", r"\1 is missing", said)
    said = re.sub(r"^Object contains unknown field (.*)", r"\1 is unknown", said)
    what, at, where = said.partition(" - at $.")
    return f"{where}: {what[0].lower()}{what[1:]}" if at else what


# The work


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
        space, limits = self.space, self.limits
        return {
            "lineduel": SWEEP,
            "version": _VERSION,
            "game": space.rulebook.id,
            "rulebook": rulebook_data(space.rulebook),
            "vary": [[key, list(values)] for key, values in space.axes.items()],
            "positions": limits.positions,
            "seconds": limits.seconds,
        }

    @property
    def kept(self) -> str:
        return f"{len(self.rows):,} of {len(self.space):,} rows are kept"

    @property
    def _progress(self) -> Progress:
        return Progress("measuring combinations", len(self.rows), len(self.space))

    def table(self) -> list[RowData]:
        """All rows, in the order of the combinations."""
        return [self.rows[number] for number in sorted(self.rows)]

    def steps(self, pool: "jobs.Pool", keep: Keep) -> Iterator[Progress]:
        """Work out what is missing, each game once; rules that make no rulebook come first."""
        waiting: dict[Key, list[tuple[int, bool]]] = {}
        first: list[tuple[Key, Rulebook, CandidateLimits]] = []
        refused: list[RowData] = []
        for number in range(len(self.space)):
            if number in self.rows:
                continue
            keys = self.space.keys_at(number)
            try:
                rulebook = self.space.rulebook_at(keys)
            except RulebookError as error:
                refused.append(_row(number, keys, f"{NO_RULEBOOK}: {error}"))
                continue
            key, mirrored = identity(rulebook.rules)
            if key not in waiting:
                first.append((key, rulebook, self.limits))
            waiting.setdefault(key, []).append((number, mirrored))
        self._take(refused, keep)
        yield self._progress
        for measured in pool.run(measure, first, kind=lambda item: item[1].rules.battle is None):
            rows = []
            for key, found in measured:
                self.solved += 1
                straight = waiting[key][0][1]
                for number, mirrored in waiting[key]:
                    as_seen = found
                    if mirrored is not straight and isinstance(found, Figures):
                        as_seen = found.turned()
                    rows.append(_row(number, self.space.keys_at(number), as_seen))
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
