"""A search as long work, and its file: what was asked, then one line for each generation.

The file holds only what came into the archive. Candidates are drawn again when a search is
resumed, which takes no time beside measuring them. Other lines say that more or less was asked
for when it was resumed, and which files were written beside it.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any

import msgspec

from lineduel.discover.design import Design
from lineduel.discover.design_search import (
    GENERATION,
    DesignCandidate,
    DesignSearch,
    SearchQuestion,
    generation,
)
from lineduel.discover.design_space import DesignSpace
from lineduel.discover.found import Proved, figure_text, kept_duels, proved_designs
from lineduel.discover.qualities import QUALITIES, DroppedGoal, read_goal, read_preferences
from lineduel.errors import DiscoverError
from lineduel.jobs import Header, Keep, Ledger, Pool, Progress
from lineduel.rules import Meeting

DISCOVER = "discover"
_VERSION = 1
_BOUNDS = ("pieces", "cells", "steps", "numbers")
"""The ranges of a space; the file has their first and last numbers."""
_Range = tuple[int, int]


class SearchAmounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How much is tried, and how much of it is kept: what may change when a search is resumed."""

    candidates: Annotated[int, msgspec.Meta(ge=1, le=10**12)] = 20_000
    """How many to try, unless every design is tried."""
    keep: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 12
    """How many duels to keep."""
    seconds: Annotated[float, msgspec.Meta(gt=0, le=10**12)] | None = None
    """How long to search, in all, instead of trying that number of candidates."""


class _Head(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    lineduel: str
    version: int
    pieces: _Range
    cells: _Range
    steps: _Range
    numbers: _Range
    meetings: tuple[Meeting, ...]
    words: int | None
    goals: list[str]
    dropped: tuple[DroppedGoal, ...] = ()  # absent in older files
    preferred: list[str]
    seed: int
    positions: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    battle_positions: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    near: Design | None
    complete: bool
    amounts: SearchAmounts = SearchAmounts()  # absent in older files


class _Generation(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A line for a generation."""

    tried: Annotated[int, msgspec.Meta(ge=1, le=10**12)]
    """Candidates up to its end."""
    measured: Annotated[int, msgspec.Meta(ge=0, le=10**12)]
    too_large: Annotated[int, msgspec.Meta(ge=0, le=10**12)]
    kept: list[DesignCandidate]
    spent: Annotated[float, msgspec.Meta(ge=0)] | None = None
    """Seconds up to its end; only in a search by time, as another has the same lines each time."""


class _Asked(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A line for what was asked for when the search was resumed."""

    amounts: SearchAmounts


class _Wrote(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A line for files that are about to be written, each with its SHA-256."""

    wrote: dict[str, str]


_LINES: Mapping[str, type[_Generation | _Asked | _Wrote]] = {
    "tried": _Generation,
    "amounts": _Asked,
    "wrote": _Wrote,
}
"""The kinds of lines, by a key that only they have."""


def search_header(question: SearchQuestion, amounts: SearchAmounts) -> Header:
    """What the first line says."""
    asked = {one.name: getattr(question, one.name) for one in fields(question)}
    space = asked.pop("space")
    asked["goals"] = [goal.text for goal in question.goals]
    bounds = {one.name: getattr(space, one.name) for one in fields(space)}
    header: dict[str, Any] = msgspec.to_builtins(
        {"lineduel": DISCOVER, "version": _VERSION, **bounds, **asked, "amounts": amounts},
        enc_hook=lambda given: (given[0], given[-1]),  # of a range
    )
    return header


def asked_of(ledger: Ledger) -> tuple[SearchQuestion, SearchAmounts]:
    """The question that a file says it is about, and how much was asked for at first."""
    try:
        asked = msgspec.structs.asdict(msgspec.convert(dict(ledger.header), _Head))
        del asked["lineduel"]
        if (version := asked.pop("version")) != _VERSION:
            raise DiscoverError(f"it is of version {version}; this program reads {_VERSION}")
        bounds = {one.name: asked.pop(one.name) for one in fields(DesignSpace)}
        bounds |= {name: range(bounds[name][0], bounds[name][1] + 1) for name in _BOUNDS}
        goals, preferred = asked.pop("goals"), asked.pop("preferred")
        amounts: SearchAmounts = asked.pop("amounts")
        question = SearchQuestion(
            space=DesignSpace(**bounds),
            goals=tuple(map(read_goal, goals)),
            preferred=read_preferences(",".join(preferred)),
            **asked,
        )
    except (msgspec.ValidationError, DiscoverError) as error:
        raise ledger.refusal(1, str(error)) from None
    return question, amounts


def resumed(ledger: Ledger, clock: Callable[[], float] = time.monotonic) -> "Discovery":
    """The search that a file holds, as it was after its last whole line."""
    question, amounts = asked_of(ledger)
    discovery = Discovery(DesignSearch(question), amounts, clock)
    for number, found in ledger.objects():
        kind = next((_LINES[key] for key in found if key in _LINES), _Generation)
        try:
            line = msgspec.convert(found, kind)
        except msgspec.ValidationError as error:
            raise ledger.refusal(number, str(error)) from None
        match line:
            case _Generation():
                if not _repeated(discovery.search, line):
                    raise ledger.refusal(number, "it is not a generation of this search")
                discovery.spent = line.spent or discovery.spent
            case _Asked():
                discovery.amounts = discovery.kept_amounts = line.amounts
            case _Wrote():
                for name, seal in line.wrote.items():
                    discovery.written.setdefault(name, set()).add(seal)
    return discovery


def _repeated(search: DesignSearch, line: _Generation) -> bool:
    """Whether a line is the next generation of a search, which then has it."""
    designs = search.next_generation(min(line.tried - search.tried, GENERATION))
    numbered = dict(enumerate(designs, start=search.tried))
    if search.tried + len(designs) != line.tried or any(
        numbered.get(one.number) != one.design for one in line.kept
    ):
        return False
    search.take(designs, line.kept)
    search.measured, search.too_large = line.measured, line.too_large
    return True


def generation_line(
    search: DesignSearch, kept: list[DesignCandidate], spent: float | None = None
) -> bytes:
    """The line of the generation that a search has just taken."""
    line = _Generation(
        tried=search.tried,
        measured=search.measured,
        too_large=search.too_large,
        kept=kept,
        spent=spent,
    )
    return msgspec.json.encode(line) + b"\n"


# The work


@dataclass(slots=True)
class Discovery:
    """A search for as many candidates as are asked for, or for as long; its best are proved."""

    search: DesignSearch
    amounts: SearchAmounts
    """May be changed before it runs, and is then written down."""
    clock: Callable[[], float] = time.monotonic
    proved: list[Proved] = field(default_factory=list)
    spent: float = 0.0
    """Seconds that the search took, without the proofs."""
    written: dict[str, set[str]] = field(default_factory=dict)
    """By their names, the SHA-256 of all that was ever written to the files beside its own."""
    kept_amounts: SearchAmounts = field(init=False)
    """What its file says."""

    def __post_init__(self) -> None:
        self.kept_amounts = self.amounts

    @property
    def header(self) -> Header:
        return search_header(self.search.question, self.amounts)

    @property
    def kept(self) -> str:
        return f"{self.search.tried:,} candidates are kept"

    @property
    def found(self) -> list[Proved]:
        """The best duels that are proved to meet the goals."""
        return kept_duels(self.proved, self.search.question.preferred)[: self.amounts.keep]

    def steps(self, pool: Pool, keep: Keep) -> Iterator[Progress]:
        """Try one generation after the other, then prove the best."""
        if self.amounts != self.kept_amounts:
            keep(msgspec.json.encode(_Asked(amounts=self.amounts)) + b"\n")
            self.kept_amounts = self.amounts
        search, first, before = self.search, self.search.tried, self.spent
        began = self.clock()
        while most := self._next():
            new = generation(search, pool, most)
            if new is None:
                break
            took = self.clock() - began
            self.spent = before + took
            by_time = self.amounts.seconds is not None
            keep(generation_line(search, new, self.spent if by_time else None))
            yield self._progress((search.tried - first) / max(took, 1e-9))
        hopeful = search.best_first()
        for one in proved_designs(hopeful, search.question.goals, self.amounts.keep, pool):
            self.proved.append(one)
            yield Progress("proving", len(self.proved), len(hopeful))

    def will_write(self, seals: Mapping[str, str], keep: Keep) -> None:
        """Write down which files are about to be written, by their names, each with its SHA-256."""
        keep(msgspec.json.encode(_Wrote(wrote=dict(seals))) + b"\n")
        for name, seal in seals.items():
            self.written.setdefault(name, set()).add(seal)

    def _next(self) -> int:
        """How many candidates the next generation has at most; 0 if the search is over."""
        if self.amounts.seconds is not None:
            return GENERATION if self.spent < self.amounts.seconds else 0
        if self.search.question.complete:
            return GENERATION
        return max(0, min(GENERATION, self.amounts.candidates - self.search.tried))

    def _progress(self, rate: float) -> Progress:
        search, amounts = self.search, self.amounts
        if amounts.seconds is not None:
            done, total = round(self.spent), round(amounts.seconds)
            return Progress("seconds of searching", done, total, _standing(search, rate))
        total = len(search.question.space) if search.question.complete else amounts.candidates
        return Progress("searching", search.tried, total, _standing(search, rate))


def _standing(search: DesignSearch, rate: float) -> str:
    """How a search stands: its speed, how many kinds of duels it has, and the best so far."""
    kinds = search.archive.kinds(search.question.space.meetings)
    told = f"{rate:,.0f}/s, {len(search.archive)} of {kinds} kinds"
    meeting = search.best_first()
    if not meeting:
        return f"{told}, none good yet"
    first = search.question.preferred[0]
    best = figure_text(first, meeting[0].figures[first])
    return f"{told}, {len(meeting)} good, {QUALITIES[first].title} {best}"
