"""A search as long work: generation after generation, and then the proofs of what it found."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lineduel.discover.design_search import GENERATION, DesignSearch, generation
from lineduel.discover.found import FoundDuel, Proved, kept_duels, proved_designs
from lineduel.discover.gallery import figure_text
from lineduel.discover.search_file import generation_line, search_header
from lineduel.jobs import Header, Keep, Pool, Progress


@dataclass(slots=True)
class Discovery:
    """A search for as many candidates as are wanted, or for as long; its best are proved."""

    search: DesignSearch
    candidates: int
    """How many to try, unless every design is tried."""
    wanted: int
    """How many duels to keep."""
    seconds: float | None = None
    """How long to search instead, whatever the number of candidates."""
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
    def found(self) -> list[FoundDuel]:
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
