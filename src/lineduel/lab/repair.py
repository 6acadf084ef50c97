"""The smallest changes of a rulebook that make its claims true, and keep what it is about."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import Enum, auto
from functools import partial
from itertools import combinations, islice

import msgspec

from lineduel.errors import TooLarge
from lineduel.jobs import Header, Keep, Ledger, Pool, Progress
from lineduel.lab.analysis import Analysis
from lineduel.lab.changes import STRUCTURE, Change, alternatives, changed
from lineduel.lab.claims import Ruling, Verdict, claims_of, rule
from lineduel.lab.figures import Figures, Measure, Skill
from lineduel.lab.repair_file import AuditedRow, Name, WeighedRow, repair_header, repair_rows
from lineduel.lab.same_game import Key, identity
from lineduel.lab.usage import Word, words_of
from lineduel.quantities import counted
from lineduel.rules import Claim, Property, Rulebook, Rules
from lineduel.solve import Cache

_SHOWN = 10
LARGEST, LARGEST_WITH_BATTLES = 20_000, 300
"""Positions up to which a candidate is looked at."""
MOST_TRIED = 60_000
_AT_ONCE = 8
"""Candidates that are audited before it is seen whether there are enough."""
WHAT_IT_IS_ABOUT = "meet.enemy"
"""The word that no repair changes."""
_ENDING = frozenset({Property.ALWAYS_ENDS, Property.NO_DRAW})


class SearchStage(Enum):
    """What a search for repairs is at."""

    WEIGHING = auto()
    """Measuring many candidates quickly."""
    AUDITING = auto()
    """Auditing those that look best."""


IsOver = Callable[[SearchStage], bool]
"""Asked during a stage whether its time is over."""
_NUMBERS = {1: "one change", 2: "two changes", 3: "three changes"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rulebook some changes away."""

    rulebook: Rulebook
    changes: tuple[Change, ...]

    @property
    def name(self) -> tuple[str, ...]:
        """The changes as assignments, which tell it from all others."""
        return tuple(map(str, self.changes))


@dataclass(frozen=True, slots=True)
class Weighed:
    """A candidate by its quick figures: the claims that it might prove, as far as they can tell."""

    candidate: Candidate
    possible: frozenset[Property]
    merit: tuple[float, ...] = ()
    """By which the hopeful are audited, the smallest first."""
    is_too_large: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """A candidate that was audited: every claim decided on the whole ladder."""

    candidate: Candidate
    figures: Figures
    rulings: Mapping[Property, Ruling]
    keeps: bool
    """Whether enemies do meet in best play, and battles are worth choosing in."""
    is_fair: bool = False
    """Whether it is proved that neither seat is favoured."""

    @property
    def is_decided(self) -> bool:
        """Whether one seat wins from the start, with best play."""
        return self.figures.value.winner is not None

    @property
    def seat_worth(self) -> float:
        """What a seat is worth at most: with best play, or among equals."""
        return max(_value_of_seat(self.figures), _value_among_equals(self.figures))

    @property
    def proved(self) -> frozenset[Property]:
        """The claims that hold, where it still is about the same thing."""
        if not self.keeps:
            return frozenset()
        return frozenset(
            one for one, ruling in self.rulings.items() if ruling.verdict is Verdict.PROVED
        )

    @property
    def in_part(self) -> tuple[Property, ...]:
        return tuple(
            one for one, ruling in self.rulings.items() if ruling.verdict is Verdict.IN_PART
        )

    @property
    def mends(self) -> bool:
        return self.proved == self.rulings.keys()

    @property
    def nearly_mends(self) -> bool:
        """Whether no claim is refuted, though some hold only in part."""
        return self.keeps and len(self.proved) + len(self.in_part) == len(self.rulings)


@dataclass(slots=True)
class RepairSearch:
    """What a search for repairs came to."""

    rulebook: Rulebook
    claims: tuple[Claim, ...]
    repairs: list[Repair] = field(default_factory=list)
    """The best, fewest changes first."""
    nearest: list[Repair] = field(default_factory=list)
    """Where no claim is refuted, but some hold only in part."""
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
        return self.rulebook.rules.battle is not None or not _ENDING & set(self.wanted)

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


def _lacks_fair(search: RepairSearch) -> bool:
    """Whether one with even seats is still looked for."""
    return search.fair_first and not any(one.is_fair for one in search.repairs)


# Which rulebooks there are


def _fresh(search: RepairSearch, size: int, seen: set[Key]) -> Iterator[Candidate]:
    """The candidates with this many changes, each game once."""
    for candidate in candidates(search.rulebook, size):
        key = identity(candidate.rulebook.rules).key
        if key in seen:
            search.twice += 1
        elif not _drops_a_word(search, candidate):
            seen.add(key)
            yield candidate


def _drops_a_word(search: RepairSearch, candidate: Candidate) -> bool:
    """Whether a turn can no longer be passed at all, where every word is to be used."""
    if Property.RULES_MATTER not in search.wanted:
        return False
    before, after = words_of(search.rulebook.rules), words_of(candidate.rulebook.rules)
    return Word.PASS in before and Word.PASS not in after


def candidates(rulebook: Rulebook, size: int) -> Iterator[Candidate]:
    """Every rulebook that is this many changes away; changes of one word exclude each other."""
    known = alternatives(rulebook.rules)
    for abouts in combinations((one for one in known if one != WHAT_IT_IS_ABOUT), size):
        for made, changes in _grown(rulebook, abouts, known):
            yield Candidate(made, changes)


def _grown(
    rulebook: Rulebook, abouts: tuple[str, ...], known: Mapping[str, tuple[Change, ...]]
) -> Iterator[tuple[Rulebook, tuple[Change, ...]]]:
    """The rulebook with a change of each word, one after the other."""
    if not abouts:
        yield rulebook, ()
        return
    for change in known.get(abouts[0], ()):
        made = changed(rulebook, change)
        if made is None:
            continue
        # On another track, or with other pieces, other changes fit.
        fitting = alternatives(made.rules) if change.about in STRUCTURE else known
        for last, others in _grown(made, abouts[1:], fitting):
            yield last, (change, *others)


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
    most_tried: int = MOST_TRIED
    cache: Cache | None = None
    is_over: IsOver = lambda stage: False
    search: RepairSearch = field(init=False)
    weighed: dict[Name, WeighedRow] = field(default_factory=dict)
    """What is known of candidates, from a file or worked out: it is not worked out again."""
    audited: dict[Name, AuditedRow] = field(default_factory=dict)

    def __post_init__(self) -> None:
        claims = claims_of(self.rulebook.rules, self.rulebook.claims)
        also = (Claim(str(one), one) for one in self.also)
        self.search = RepairSearch(self.rulebook, (*claims, *also))

    @property
    def header(self) -> Header:
        return repair_header(self.rulebook, self.also, self.most, self.prefer_fair)

    @property
    def kept(self) -> str:
        count = len(self.weighed)
        return f"what is known of {counted(count, 'rulebook')} is kept"

    def resumed(self, ledger: Ledger) -> "RepairWork":
        """This search with all that its file holds; the file of another one is refused."""
        for row in repair_rows(ledger, self.header):
            self._know(row)
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
            hopeful = yield from self._weigh(fresh[:left], changes, pool, keep)
            yield from self._audit(hopeful, changes, pool, keep)
            if self.prefer_fair and search.can_be_fair and search.repairs:
                search.fair_first |= min(search.repairs, key=_rank).is_decided
            if search.cut_short:
                break
            search.sizes = size
            if len(search.repairs) >= self.wanted and not _lacks_fair(search):
                break
        for found in (search.repairs, search.nearest):
            found.sort(key=lambda one: (search.fair_first and not one.is_fair, *_rank(one)))
            del found[self.wanted :]

    def _weigh(
        self, fresh: Sequence[Candidate], changes: str, pool: Pool, keep: Keep
    ) -> Generator[Progress, None, list[Weighed]]:
        """Measure all quickly; those that might prove every claim."""
        known = [
            _weighed_again(one, self.weighed[one.name]) for one in fresh if one.name in self.weighed
        ]
        items = [one for one in fresh if one.name not in self.weighed]
        hopeful = self._count(known)
        done, doing = len(known), f"trying {changes}"
        yield Progress(doing, done, len(fresh))
        tested = tuple(dict.fromkeys((*self.search.wanted, Property.FAIR_SEATS)))
        for weighed in pool.run(weigh, [(one, tested) for one in items], kind=_kind):
            hopeful += self._count(weighed)
            self._keep(map(_weighed_row, weighed), keep)
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
            if one.is_too_large:
                search.too_large += 1
                continue
            search.tried += 1
            if wanted <= one.possible:
                hopeful.append(one)
            else:
                search.together.add(one.possible & wanted)
        return hopeful

    def _audit(
        self, hopeful: list[Weighed], changes: str, pool: Pool, keep: Keep
    ) -> Iterator[Progress]:
        """Audit the hopeful, the best first, until there are enough repairs."""
        search, waiting = self.search, sorted(hopeful, key=self._promise)
        while waiting and (len(search.repairs) < self.wanted or self._may_be_fair(waiting[0])):
            done = len(hopeful) - len(waiting)
            yield Progress(f"auditing the best with {changes}", done, len(hopeful))
            batch = waiting[:_AT_ONCE]
            failed = [one for one in batch if _fails(self.audited.get(one.candidate.name))]
            search.together |= {self.audited[one.candidate.name].proved_set for one in failed}
            items = [(one.candidate, search.wanted) for one in batch if one not in failed]
            done = 0
            for audited in pool.run(partial(audit_all, cache=self.cache), items):
                self._count_audited(audited)
                self._keep(map(_audited_row, audited), keep)
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
        wanted = frozenset(search.wanted)
        search.together |= {one.possible & wanted for one in waiting}

    def _count_audited(self, audited: Sequence[Repair]) -> None:
        """Add some candidates to what was found."""
        search = self.search
        for one in audited:
            search.together.add(one.proved)
            if one.mends:
                search.repairs.append(one)
            elif one.nearly_mends:
                search.nearest.append(one)

    def _keep(self, rows: Iterable[WeighedRow | AuditedRow], keep: Keep) -> None:
        """Write rows down, and know them."""
        lines = b""
        for row in rows:
            lines += msgspec.json.encode(row) + b"\n"
            self._know(row)
        keep(lines)

    def _know(self, row: WeighedRow | AuditedRow) -> None:
        if isinstance(row, WeighedRow):
            self.weighed[row.tried] = row
        else:
            self.audited[row.audited] = row

    def _may_be_fair(self, one: Weighed) -> bool:
        """Whether a candidate may be the one with even seats that is still looked for."""
        return _lacks_fair(self.search) and Property.FAIR_SEATS in one.possible

    def _promise(self, one: Weighed) -> tuple[object, ...]:
        """Those that may have even seats first, where that is wanted; equals by name."""
        unfair = self.search.fair_first and Property.FAIR_SEATS not in one.possible
        return unfair, *one.merit, one.candidate.name


def _weighed_row(one: Weighed) -> WeighedRow:
    return WeighedRow(
        tried=one.candidate.name,
        possible=sorted(one.possible),
        merit=one.merit,
        too_large=one.is_too_large,
    )


def _weighed_again(candidate: Candidate, row: WeighedRow) -> Weighed:
    """The inverse of `_weighed_row`."""
    return Weighed(candidate, frozenset(row.possible), row.merit, row.too_large)


def _audited_row(one: Repair) -> AuditedRow:
    return AuditedRow(
        audited=one.candidate.name,
        proved=sorted(one.proved),
        worth=one.mends or one.nearly_mends,
    )


def _fails(row: AuditedRow | None) -> bool:
    """Whether an earlier audit found it to be no repair; others are audited again, for figures."""
    return row is not None and not row.worth


# What the quick figures say of each


_Item = tuple[Candidate, tuple[Property, ...]]


def _kind(item: _Item) -> bool:
    """Battles take longer."""
    return item[0].rulebook.rules.battle is None


def largest_candidate(rules: Rules) -> int:
    """Positions up to which a rulebook with these rules is looked at."""
    return LARGEST_WITH_BATTLES if rules.battle else LARGEST


def weigh(items: Iterable[_Item]) -> list[Weighed]:
    """Measure some candidates quickly."""
    return [_weighed(*item) for item in items]


def _weighed(candidate: Candidate, wanted: tuple[Property, ...]) -> Weighed:
    """The claims that a candidate might prove: only what is sure to fail is taken out."""
    rules = candidate.rulebook.rules
    everything = frozenset(wanted)
    analysis = Analysis(candidate.rulebook, most=largest_candidate(rules))
    try:
        if rules.battle is None and everything & _ENDING and analysis.value.winner is None:
            return Weighed(candidate, everything - _ENDING)
        figures = analysis.quick_figures
    except TooLarge:
        return Weighed(candidate, frozenset(), is_too_large=True)
    if not _has_battles_that_matter(figures):
        return Weighed(candidate, frozenset())
    hopes = _at_best(figures)
    possible = frozenset(
        one
        for one in wanted
        # The use of words is looked up move by move, so only in an audit.
        if one is Property.RULES_MATTER or rule(one, hopes, tuple).verdict is Verdict.PROVED
    )
    return Weighed(candidate, possible, _merit(candidate, figures))


def _at_best(figures: Figures) -> Figures:
    """Only what an audit will find as well: the levels as they are, and of the best the most."""
    levels = figures.equals[:-1]
    endless = max(one.endless for one in levels)
    return replace(figures, equals=levels, pairs_endless=endless, skill=Skill(1.0, 1.0))


def _has_battles_that_matter(figures: Figures) -> bool:
    battles = figures.battles
    return battles is None or (battles.always_best is None and battles.mixed > 0)


# What holds on the whole ladder


def audit_all(items: Iterable[_Item], cache: Cache | None = None) -> list[Repair]:
    """Decide the claims of some candidates against all levels and the perfect player."""
    return [_audited(*item, cache) for item in items]


def _audited(candidate: Candidate, wanted: tuple[Property, ...], cache: Cache | None) -> Repair:
    analysis = Analysis(candidate.rulebook, cache=cache)
    rulings = {about: rule(about, analysis.figures, lambda: analysis.words) for about in wanted}
    meeting = words_of(candidate.rulebook.rules)[0]
    met = any(one.word is meeting and one.in_best_play for one in analysis.words)
    keeps = met and _has_battles_that_matter(analysis.figures)
    seats = rule(Property.FAIR_SEATS, analysis.figures, tuple)
    is_fair = seats.verdict is Verdict.PROVED
    return Repair(candidate, analysis.figures, rulings, keeps, is_fair)


def is_sound(rulebook: Rulebook, wanted: Sequence[Property], cache: Cache | None = None) -> bool:
    """Whether a rulebook proves these claims as it is."""
    analysis = Analysis(rulebook, cache=cache)
    return all(
        rule(one, analysis.figures, lambda: analysis.words).verdict is Verdict.PROVED
        for one in wanted
    )


# Which is better


def _rank(one: Repair) -> tuple[object, ...]:
    """Equals are told apart by name, since workers do not finish in the same order every time."""
    return len(one.in_part), *_merit(one.candidate, one.figures), one.candidate.name


def _merit(candidate: Candidate, figures: Figures) -> tuple[float, ...]:
    """Fewest changes, then the most even seats, then how much skill counts, then drama."""
    return (
        len(candidate.changes),
        round(_value_of_seat(figures) + _value_among_equals(figures), 3),
        -round(figures.skill.worse, 3),
        -round(figures.decisions + figures.drama, 3),
    )


def _value_of_seat(figures: Figures) -> float:
    return abs(float(figures.value.low + figures.value.high)) / 2


def _value_among_equals(figures: Figures) -> float:
    return max(abs(each.seat) for each in figures.equals)


def trade_off(repairs: Sequence[Repair], most: int = 3) -> dict[Measure, tuple[int, ...]]:
    """The best by each measure, as places in the list; deep is a wide range of Elo."""
    keys: dict[Measure, Callable[[int], tuple[float, ...]]] = {
        Measure.FEWEST: lambda at: (len(repairs[at].candidate.changes), at),
        Measure.FAIREST: lambda at: (round(repairs[at].seat_worth, 3), at),
        Measure.DEEPEST: lambda at: (-round(repairs[at].figures.elo_range or 0.0), at),
    }
    places = range(len(repairs))
    return {measure: tuple(sorted(places, key=key)[:most]) for measure, key in keys.items()}
