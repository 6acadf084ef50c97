"""The search for the smallest changes of a rulebook that make its claims true."""

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import Enum, auto
from functools import partial
from hashlib import sha256
from heapq import nsmallest
from itertools import combinations, islice
from pathlib import Path

import msgspec

from lineduel import __version__
from lineduel.errors import LedgerError, LedgerVersion, shown
from lineduel.jobs import Header, Keep, Ledger, Pool, Progress
from lineduel.lab.changes import Candidate, Key, Name, candidates, identity
from lineduel.lab.claims import claims_of
from lineduel.lab.repair import ENDING, Repair, Weighed, audit_all, has_battles, rank, weigh
from lineduel.lab.usage import Word, words_of
from lineduel.quantities import counted
from lineduel.rules import Claim, Property, Rulebook, rulebook_data, write_rulebook
from lineduel.solve import Cache
from lineduel.storage import cache_folder, safe_name

REPAIR = "repair"
_SHOWN = 10
MOST_TRIED = 60_000
_AT_ONCE = 8
"""Candidates that are audited before it is seen whether there are enough."""
_NUMBERS = {1: "one change", 2: "two changes", 3: "three changes"}
MENDED_HEAD = "# Mended by lineduel repair."
"""The first line of a repaired rulebook's file."""
_MENDED = " (mended)"


class SearchStage(Enum):
    """What a search for repairs is at."""

    WEIGHING = auto()
    """Measuring many candidates quickly."""
    AUDITING = auto()
    """Auditing those that look best."""


class Audited(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A candidate that was audited, as the file of a search has it."""

    audited: Name
    proved: tuple[Property, ...]
    worth: bool
    """Whether it mends the rulebook, wholly or in part."""


@dataclass(slots=True)
class RepairSearch:
    """What a search for repairs came to."""

    rulebook: Rulebook
    claims: tuple[Claim, ...]
    repairs: list[Repair] = field(default_factory=list)
    """The best, fewest changes first."""
    nearest: list[Repair] = field(default_factory=list)
    """Where no claim is refuted, but some hold only in part."""
    misses: list[Repair] = field(default_factory=list)
    """Where there is neither: the closest, each with a claim that is refuted."""
    tried: int = 0
    too_large: int = 0
    twice: int = 0
    """Candidates that are the same game as another."""
    sizes: int = 0
    """Up to how many simultaneous changes the search is complete."""
    cut_short: bool = False
    """Whether there were more candidates than could be tried."""
    together: set[frozenset[Property]] = field(default_factory=set)
    """The sets of claims that some candidate proves, or might prove."""
    fair_first: bool = False
    """Whether repairs with even seats come first, since the best one is won by one seat."""

    @property
    def can_be_fair(self) -> bool:
        """Whether even seats are possible: without battles, who cannot draw wins or loses."""
        return self.rulebook.rules.battle is not None or not ENDING & set(self.wanted)

    @property
    def lacks_fair(self) -> bool:
        """Whether one with even seats is still looked for."""
        return self.fair_first and not any(one.is_fair for one in self.repairs)

    @property
    def wanted(self) -> tuple[Property, ...]:
        """The properties to keep, each once."""
        return tuple(dict.fromkeys(claim.property for claim in self.claims))

    def excluded(self) -> tuple[frozenset[Property], ...]:
        """The smallest sets of claims that no candidate proves together, the too large left out."""
        found: list[frozenset[Property]] = []
        for size in range(1, len(self.wanted) + 1):
            for some in map(frozenset, combinations(self.wanted, size)):
                proved = any(some <= one for one in self.together)
                if not proved and not any(known <= some for known in found):
                    found.append(some)
        return tuple(found)


# The work, on many processes and with a file


@dataclass(slots=True)
class RepairWork:
    """Looks for repairs of one change, then two, up to `most`, until there are enough.

    A number of changes that was begun is gone through, unless there are more than `most_tried`.
    With `prefer_fair`, where the best repair is won by one seat from the start, the search goes on
    until there is one in which neither seat is favoured, and such repairs come first. Where
    `is_over` says that the time of a stage is over, it ends with what was found until then.
    """

    rulebook: Rulebook
    also: tuple[Property, ...] = ()
    _: KW_ONLY
    prefer_fair: bool = False
    most: int = 3
    wanted: int = _SHOWN
    misses: int = 0
    """How many near misses are audited if nothing mends the rulebook."""
    most_tried: int = MOST_TRIED
    cache: Cache | None = None
    is_over: Callable[[SearchStage], bool] = lambda stage: False
    search: RepairSearch = field(init=False)
    weighed: dict[Name, Weighed] = field(default_factory=dict)
    """What is known of candidates, from a file or worked out: it is not worked out again."""
    audited: dict[Name, Audited] = field(default_factory=dict)
    _closest: list[tuple[Weighed, Candidate]] = field(default_factory=list)
    """Those that might prove the most claims, the best first."""

    def __post_init__(self) -> None:
        claims = claims_of(self.rulebook.rules, self.rulebook.claims)
        also = (Claim(str(one), one) for one in self.also)
        self.search = RepairSearch(self.rulebook, (*claims, *also))

    @property
    def header(self) -> Header:
        """What a search depends on."""
        return {
            "lineduel": REPAIR,
            "version": __version__,
            "game": self.rulebook.id,
            "rulebook": rulebook_data(self.rulebook),
            "also": [str(one) for one in self.also],
            "most": self.most,
            "prefer_fair": self.prefer_fair,
        }

    @property
    def kept(self) -> str:
        return f"what is known of {counted(len(self.weighed), 'rulebook')} is kept"

    def resumed(self, ledger: Ledger) -> "RepairWork":
        """This search with all that its file holds; the file of another one is refused."""
        path, header = shown(ledger.path, 200), self.header
        if ledger.header.get("version") != header["version"]:
            raise LedgerVersion(
                f"{path} was written by another version of lineduel, whose figures may differ."
            )
        if dict(ledger.header) != json.loads(json.dumps(dict(header))):
            raise LedgerError(
                f"{path} belongs to another search.\n"
                "Give the same game and options as before, or another file."
            )
        for line, found in ledger.objects():
            kind: type[Weighed | Audited] = Weighed if "tried" in found else Audited
            try:
                self._know(msgspec.convert(found, kind))
            except msgspec.ValidationError as error:
                raise ledger.refusal(line, shown(error, 200)) from None
        return self

    def steps(self, pool: Pool, keep: Keep) -> Iterator[Progress]:
        """Measure all candidates with one more change quickly, and audit the best of them."""
        search = self.search
        seen: set[Key] = {identity(self.rulebook.rules).key}
        for size in range(1, self.most + 1):
            changes = _NUMBERS[size]
            yield Progress(f"listing what is {changes} away")
            left = self.most_tried - search.tried
            fresh = list(islice(_fresh(search, size, seen), left + 1))
            search.cut_short = len(fresh) > left
            tried = {one.name: one for one in fresh[:left]}
            hopeful = yield from self._weigh(tried, changes, pool, keep)
            yield from self._audit(hopeful, tried, changes, pool, keep)
            if self.prefer_fair and search.can_be_fair and search.repairs:
                search.fair_first |= min(search.repairs, key=rank).is_decided
            if search.cut_short:
                break
            search.sizes = size
            if len(search.repairs) >= self.wanted and not search.lacks_fair:
                break
        for found in (search.repairs, search.nearest):
            found.sort(key=lambda one: (search.fair_first and not one.is_fair, *rank(one)))
            del found[self.wanted :]
        if not search.repairs and not search.nearest and not search.cut_short:
            yield from self._audit_misses(pool)

    def _audit_misses(self, pool: Pool) -> Iterator[Progress]:
        """Audit the closest, to say which claims stood in the way."""
        search = self.search
        items = [(candidate, search.wanted) for _, candidate in self._closest]
        yield Progress("auditing the closest", 0, len(items))
        for audited in pool.run(partial(audit_all, cache=self.cache), items):
            search.misses += audited
            yield Progress("auditing the closest", len(search.misses), len(items))
        search.misses.sort(key=lambda one: (len(search.wanted) - len(one.proved), *rank(one)))

    def _note_closest(self, weighed: Iterable[Weighed], fresh: Mapping[Name, Candidate]) -> None:
        """Remember those of some candidates that might prove the most claims."""
        found = [(one, fresh[one.tried]) for one in weighed if not one.too_large and one.possible]
        self._closest = nsmallest(self.misses, [*self._closest, *found], key=self._distance)

    def _distance(self, item: tuple[Weighed, Candidate]) -> tuple[object, ...]:
        """How far a candidate is from a repair; fewer changes count more, equals go by name."""
        weighed, candidate = item
        missing = len(set(self.search.wanted).difference(weighed.possible))
        return missing, len(candidate.changes), not weighed.merit, weighed.merit, candidate.name

    def _weigh(
        self, fresh: Mapping[Name, Candidate], changes: str, pool: Pool, keep: Keep
    ) -> Generator[Progress, None, list[Weighed]]:
        """Measure all quickly; those that might prove every claim."""
        known = [self.weighed[name] for name in fresh if name in self.weighed]
        hopeful = self._count(known)
        self._note_closest(known, fresh)
        done, doing = len(known), f"trying {changes}"
        yield Progress(doing, done, len(fresh))
        tested = tuple(dict.fromkeys((*self.search.wanted, Property.FAIR_SEATS)))
        items = [(one, tested) for name, one in fresh.items() if name not in self.weighed]
        for weighed in pool.run(weigh, items, kind=has_battles):
            hopeful += self._count(weighed)
            self._note_closest(weighed, fresh)
            self._keep(weighed, keep)
            done += len(weighed)
            yield Progress(doing, done, len(fresh))
            if done < len(fresh) and self.is_over(SearchStage.WEIGHING):
                self.search.cut_short = True
                break
        return hopeful

    def _count(self, weighed: Iterable[Weighed]) -> list[Weighed]:
        """Count some candidates; those that might prove every claim."""
        search, hopeful = self.search, []
        wanted = frozenset(search.wanted)
        for one in weighed:
            if one.too_large:
                search.too_large += 1
                continue
            search.tried += 1
            if wanted.issubset(one.possible):
                hopeful.append(one)
            else:
                search.together.add(wanted.intersection(one.possible))
        return hopeful

    def _audit(
        self,
        hopeful: list[Weighed],
        fresh: Mapping[Name, Candidate],
        changes: str,
        pool: Pool,
        keep: Keep,
    ) -> Iterator[Progress]:
        """Audit the hopeful, the best first, until there are enough repairs."""
        search, waiting = self.search, sorted(hopeful, key=self._promise)
        while waiting and (
            len(search.repairs) < self.wanted
            or (search.lacks_fair and Property.FAIR_SEATS in waiting[0].possible)
        ):
            done = len(hopeful) - len(waiting)
            yield Progress(f"auditing the best with {changes}", done, len(hopeful))
            batch = [one.tried for one in waiting[:_AT_ONCE]]
            # Of what was audited before, only repairs are audited again: for their figures.
            known = (self.audited.get(name) for name in batch)
            failed = {one.audited: one for one in known if one and not one.worth}
            search.together |= {frozenset(one.proved) for one in failed.values()}
            items = [(fresh[name], search.wanted) for name in batch if name not in failed]
            done = 0
            for audited in pool.run(partial(audit_all, cache=self.cache), items):
                self._count_audited(audited, keep)
                done += len(audited)
                more = len(waiting) > len(batch) or done < len(items)
                if more and self.is_over(SearchStage.AUDITING):
                    search.cut_short = True
                    break
            else:
                waiting = waiting[_AT_ONCE:]
                continue
            break
        # Who was not audited might prove everything.
        search.together |= {frozenset(search.wanted).intersection(one.possible) for one in waiting}

    def _count_audited(self, audited: Sequence[Repair], keep: Keep) -> None:
        """Add some candidates to what was found, and write them down."""
        search, rows = self.search, []
        for one in audited:
            search.together.add(one.proved)
            if one.mends:
                search.repairs.append(one)
            elif one.nearly_mends:
                search.nearest.append(one)
            worth, proved = one.mends or one.nearly_mends, tuple(sorted(one.proved))
            rows.append(Audited(audited=one.candidate.name, proved=proved, worth=worth))
        self._keep(rows, keep)

    def _keep(self, rows: Sequence[Weighed | Audited], keep: Keep) -> None:
        """Write rows down, and know them."""
        keep(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
        for row in rows:
            self._know(row)

    def _know(self, row: Weighed | Audited) -> None:
        if isinstance(row, Weighed):
            self.weighed[row.tried] = row
        else:
            self.audited[row.audited] = row

    def _promise(self, one: Weighed) -> tuple[object, ...]:
        """Those that may have even seats first, where that is wanted; equals by name."""
        unfair = self.search.fair_first and Property.FAIR_SEATS not in one.possible
        return unfair, *one.merit, one.tried


def _fresh(search: RepairSearch, size: int, seen: set[Key]) -> Iterator[Candidate]:
    """The candidates with this many changes, each game once.

    Where every word is to be used, a rulebook by which a turn can no longer be passed is left out.
    """
    passes = Word.PASS in words_of(search.rulebook.rules)
    keeps_pass = passes and Property.RULES_MATTER in search.wanted
    for candidate in candidates(search.rulebook, size):
        rules = candidate.rulebook.rules
        key = identity(rules).key
        if key in seen:
            search.twice += 1
        elif not keeps_pass or Word.PASS in words_of(rules):
            seen.add(key)
            yield candidate


def default_repair_file(header: Header) -> Path:
    """Where a search is kept while it is under way, unless a file is named."""
    seal = sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()[:16]
    return cache_folder() / "repairs" / f"{safe_name(str(header['game']))}-{seal}.jsonl"


def mended_text(rulebook: Rulebook) -> str:
    """A repaired rulebook as a file, without errata and without variants that no longer fit."""
    title = f"{rulebook.title.removesuffix(_MENDED)}{_MENDED}"
    mended = replace(rulebook, title=title, variants=(), errata=())
    return write_rulebook(mended, (MENDED_HEAD, ""))
