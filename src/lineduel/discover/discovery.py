"""A search as long work, and its file: the question, then one line for each generation.

The file holds only what came into the archive. Candidates are drawn again when a search is
resumed, which takes no time beside measuring them.
"""

import time
from collections.abc import Callable, Iterator
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
from lineduel.discover.qualities import DroppedGoal, read_goal, read_preferences
from lineduel.errors import DiscoverError
from lineduel.jobs import Header, Keep, Ledger, Pool, Progress
from lineduel.rules import Meeting

DISCOVER = "discover"
_VERSION = 1
_BOUNDS = ("pieces", "cells", "steps", "numbers")
"""The ranges of a space; the file has their first and last numbers."""
_Range = tuple[int, int]


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


class _Line(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A generation."""

    tried: Annotated[int, msgspec.Meta(ge=1, le=10**12)]
    """Candidates up to its end."""
    measured: Annotated[int, msgspec.Meta(ge=0, le=10**12)]
    too_large: Annotated[int, msgspec.Meta(ge=0, le=10**12)]
    kept: list[DesignCandidate]


def search_header(question: SearchQuestion) -> Header:
    """What the first line says."""
    asked = {one.name: getattr(question, one.name) for one in fields(question)}
    space = asked.pop("space")
    asked["goals"] = [goal.text for goal in question.goals]
    bounds = {one.name: getattr(space, one.name) for one in fields(space)}
    header: dict[str, Any] = msgspec.to_builtins(
        {"lineduel": DISCOVER, "version": _VERSION, **bounds, **asked},
        enc_hook=lambda given: (given[0], given[-1]),  # of a range
    )
    return header


def question_of(ledger: Ledger) -> SearchQuestion:
    """The question that a file says it is about."""
    try:
        asked = msgspec.structs.asdict(msgspec.convert(dict(ledger.header), _Head))
        del asked["lineduel"]
        if (version := asked.pop("version")) != _VERSION:
            raise DiscoverError(f"it is of version {version}; this program reads {_VERSION}")
        bounds = {one.name: asked.pop(one.name) for one in fields(DesignSpace)}
        bounds |= {name: range(bounds[name][0], bounds[name][1] + 1) for name in _BOUNDS}
        goals, preferred = asked.pop("goals"), asked.pop("preferred")
        return SearchQuestion(
            space=DesignSpace(**bounds),
            goals=tuple(map(read_goal, goals)),
            preferred=read_preferences(",".join(preferred)),
            **asked,
        )
    except (msgspec.ValidationError, DiscoverError) as error:
        raise ledger.refusal(1, str(error)) from None


def resumed(ledger: Ledger) -> DesignSearch:
    """The search that a file holds, as it was after its last whole generation."""
    search = DesignSearch(question_of(ledger))
    for number, content in ledger.contents():
        try:
            line = msgspec.json.decode(content, type=_Line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ledger.refusal(number, str(error)) from None
        designs = search.next_generation(min(line.tried - search.tried, GENERATION))
        numbered = dict(enumerate(designs, start=search.tried))
        if search.tried + len(designs) != line.tried or any(
            numbered.get(one.number) != one.design for one in line.kept
        ):
            raise ledger.refusal(number, "it is not a generation of this search")
        search.take(designs, line.kept)
        search.measured, search.too_large = line.measured, line.too_large
    return search


def generation_line(search: DesignSearch, kept: list[DesignCandidate]) -> bytes:
    """The line of the generation that a search has just taken."""
    line = _Line(
        tried=search.tried, measured=search.measured, too_large=search.too_large, kept=kept
    )
    return msgspec.json.encode(line) + b"\n"


# The work


@dataclass(slots=True)
class Discovery:
    """A search for as many candidates as are wanted, or for as long; its best are proved."""

    search: DesignSearch
    candidates: int
    """How many to try, unless every design is tried."""
    wanted: int
    """How many duels to keep."""
    seconds: float | None = None
    """How long to search instead of trying that number of candidates."""
    clock: Callable[[], float] = time.monotonic
    proved: list[Proved] = field(default_factory=list)
    spent: float = 0.0
    """Seconds that the search took, without the proofs."""

    @property
    def header(self) -> Header:
        return search_header(self.search.question)

    @property
    def kept(self) -> str:
        return f"{self.search.tried:,} candidates are kept"

    @property
    def found(self) -> list[Proved]:
        """The best duels that are proved to meet the goals."""
        return kept_duels(self.proved, self.search.question.preferred)[: self.wanted]

    def steps(self, pool: Pool, keep: Keep) -> Iterator[Progress]:
        """Try one generation after the other, then prove the best."""
        search, began, first = self.search, self.clock(), self.search.tried
        while most := self._next():
            new = generation(search, pool, most)
            if new is None:
                break
            keep(generation_line(search, new))
            self.spent = self.clock() - began
            yield self._progress((search.tried - first) / max(self.spent, 1e-9))
        hopeful = search.best_first()
        for one in proved_designs(hopeful, search.question.goals, self.wanted, pool):
            self.proved.append(one)
            yield Progress("proving", len(self.proved), len(hopeful))

    def _next(self) -> int:
        """How many candidates the next generation has at most; 0 if the search is over."""
        if self.seconds is not None:
            return GENERATION if self.spent < self.seconds else 0
        if self.search.question.complete:
            return GENERATION
        return max(0, min(GENERATION, self.candidates - self.search.tried))

    def _progress(self, rate: float) -> Progress:
        search = self.search
        if self.seconds is not None:
            done, total = round(self.spent), round(self.seconds)
            return Progress("seconds of searching", done, total, _standing(search, rate))
        total = len(search.question.space) if search.question.complete else self.candidates
        return Progress("searching", search.tried, total, _standing(search, rate))


def _standing(search: DesignSearch, rate: float) -> str:
    """How a search stands: its speed, how many kinds of duels it has, and the best so far."""
    kinds = search.archive.kinds(search.question.space.meetings)
    told = f"{rate:,.0f}/s, {len(search.archive)} of {kinds} kinds"
    meeting = search.best_first()
    if not meeting:
        return f"{told}, none good yet"
    first = search.question.preferred[0]
    best = figure_text(meeting[0].figures[first])
    return f"{told}, {len(meeting)} good, {first} {best}"
