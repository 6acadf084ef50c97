"""What the file of a sweep holds: a head that says what varies, then one row a combination.

Whatever does not fit is refused with its line: a row counts only if it belongs to the sweep.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal

import msgspec

from lineduel.errors import LedgerLine, LedgerVersion, LineduelError, shown
from lineduel.jobs import Header, Ledger
from lineduel.lab.figures import Figures
from lineduel.lab.grid import Point, Space, make_axis, space_of
from lineduel.rules import LENGTH, rulebook_data, rulebook_from_data

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


def header(space: Space, limits: CandidateLimits) -> Header:
    """What the first line says."""
    return {
        "lineduel": SWEEP,
        "version": _VERSION,
        "game": space.rulebook.id,
        "rulebook": rulebook_data(space.rulebook),
        "vary": [[axis.key, list(axis.values)] for axis in space.axes],
        "positions": limits.positions,
        "seconds": limits.seconds,
    }


def row(point: Point, status: str, figures: Figures | None) -> RowData:
    """A combination and what is known of it."""
    told: RowData = {"number": point.number, **point.keys, "status": status}
    return told if figures is None else told | columns(figures)


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
    """The inverse of `header`."""
    _check_version(ledger)
    try:
        head = msgspec.convert(ledger.header, Head)
        rulebook = rulebook_from_data(head.rulebook, head.game)
        space = space_of(rulebook, (make_axis(key, values) for key, values in head.vary))
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
    for key, value in space.point(number).keys.items():
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
