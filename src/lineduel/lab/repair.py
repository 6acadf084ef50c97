"""The smallest changes of a rulebook that make its claims true, and keep what it is about."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, islice

from lineduel.errors import TooLarge
from lineduel.jobs import Pool
from lineduel.lab.analysis import Analysis
from lineduel.lab.changes import STRUCTURE, Change, alternatives, changed
from lineduel.lab.claims import Ruling, Verdict, claims_of, rule
from lineduel.lab.figures import Figures, Skill
from lineduel.lab.same_game import Key, identity
from lineduel.lab.usage import Word, words_of
from lineduel.rules import Claim, Property, Rulebook
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
_Report = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rulebook some changes away."""

    rulebook: Rulebook
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A candidate by its quick figures: the claims that it might prove, as far as they can tell."""

    candidate: Candidate
    possible: frozenset[Property]
    figures: Figures | None = None
    """None where it was settled without them, or is too large."""
    is_too_large: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """A candidate that was audited: every claim decided on the whole ladder."""

    candidate: Candidate
    figures: Figures
    rulings: Mapping[Property, Ruling]
    keeps: bool
    """Whether enemies do meet in best play, and battles are worth choosing in."""

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
    """How many changes at once were gone through completely."""
    cut_short: bool = False
    """Whether there were more candidates than could be tried."""
    together: set[frozenset[Property]] = field(default_factory=set)
    """The sets of claims that some candidate proves, or might prove."""

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


def repair(
    rulebook: Rulebook,
    *,
    also: Sequence[Property] = (),
    most: int = 3,
    wanted: int = _SHOWN,
    most_tried: int = MOST_TRIED,
    pool: Pool | None = None,
    report: _Report | None = None,
    cache: Cache | None = None,
) -> RepairSearch:
    """Look for repairs of one change, then two, up to `most`, until there are enough.

    A number of changes that was begun is gone through, unless there are more than `most_tried`.
    """
    claims = claims_of(rulebook.rules, rulebook.claims)
    search = RepairSearch(rulebook, (*claims, *(Claim(str(one), one) for one in also)))
    seen: set[Key] = {identity(rulebook.rules).key}
    jobs = Pool() if pool is None else pool
    try:
        for size in range(1, most + 1):
            fresh = list(islice(_fresh(search, size, seen), most_tried - search.tried + 1))
            search.cut_short = len(fresh) > most_tried - search.tried
            hopeful = _weigh_all(search, fresh[: most_tried - search.tried], jobs, report)
            _audit_best(search, hopeful, wanted, jobs, cache)
            if search.cut_short:
                break
            search.sizes = size
            if len(search.repairs) >= wanted:
                break
    finally:
        if pool is None:
            jobs.close()
    for found in (search.repairs, search.nearest):
        found.sort(key=_rank)
        del found[wanted:]
    return search


# Which rulebooks there are


def _fresh(search: RepairSearch, size: int, seen: set[Key]) -> Iterator[Candidate]:
    """The candidates of so many changes, each game once."""
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
    """Every rulebook that is so many changes away; changes of one word exclude each other."""
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


# What the quick figures say of each


def _weigh_all(
    search: RepairSearch, fresh: Sequence[Candidate], pool: Pool, report: _Report | None
) -> list[Weighed]:
    """Measure all quickly; those that might prove every claim."""
    hopeful: list[Weighed] = []
    done = 0
    for weighed in pool.run(weigh, [(one, search.wanted) for one in fresh], kind=_kind):
        for one in weighed:
            done += 1
            if one.is_too_large:
                search.too_large += 1
                continue
            search.tried += 1
            if one.possible == frozenset(search.wanted):
                hopeful.append(one)
            else:
                search.together.add(one.possible)
        if report:
            report(done / max(len(fresh), 1))
    return hopeful


_Item = tuple[Candidate, tuple[Property, ...]]


def _kind(item: _Item) -> bool:
    """Battles take longer."""
    return item[0].rulebook.rules.battle is None


def weigh(items: Iterable[_Item]) -> list[Weighed]:
    """Measure some candidates quickly."""
    return [_weighed(*item) for item in items]


def _weighed(candidate: Candidate, wanted: tuple[Property, ...]) -> Weighed:
    """The claims that a candidate might prove: only what is sure to fail is taken out."""
    rules = candidate.rulebook.rules
    everything = frozenset(wanted)
    most = LARGEST_WITH_BATTLES if rules.battle else LARGEST
    analysis = Analysis(candidate.rulebook, most=most)
    try:
        if rules.battle is None and everything & _ENDING and analysis.value.winner is None:
            return Weighed(candidate, everything - _ENDING)
        figures = analysis.quick_figures
    except TooLarge:
        return Weighed(candidate, frozenset(), is_too_large=True)
    if not _has_battles_that_matter(figures):
        return Weighed(candidate, frozenset(), figures)
    hopes = _at_best(figures)
    possible = frozenset(
        one
        for one in wanted
        # The use of words is looked up move by move, so only in an audit.
        if one is Property.RULES_MATTER or rule(one, hopes, tuple).verdict is Verdict.PROVED
    )
    return Weighed(candidate, possible, figures)


def _at_best(figures: Figures) -> Figures:
    """Only what an audit will find as well: the levels as they are, and of the best the most."""
    levels = figures.equals[:-1]
    endless = max(one.endless for one in levels)
    return replace(figures, equals=levels, pairs_endless=endless, skill=Skill(1.0, 1.0))


def _has_battles_that_matter(figures: Figures) -> bool:
    battles = figures.battles
    return battles is None or (battles.always_best is None and battles.mixed > 0)


# What holds on the whole ladder


def _audit_best(
    search: RepairSearch, hopeful: list[Weighed], most: int, pool: Pool, cache: Cache | None
) -> None:
    """Audit the hopeful, the best first, until there are enough repairs."""
    waiting = sorted(hopeful, key=_promise)
    while waiting and len(search.repairs) < most:
        batch, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
        items = [(one.candidate, search.wanted) for one in batch]
        for audited in pool.run(partial(audit_all, cache=cache), items):
            for one in audited:
                search.together.add(one.proved)
                if one.mends:
                    search.repairs.append(one)
                elif one.nearly_mends:
                    search.nearest.append(one)
    # Who was not audited might prove everything.
    search.together |= {one.possible for one in waiting}


def audit_all(items: Iterable[_Item], cache: Cache | None = None) -> list[Repair]:
    """Decide the claims of some candidates against all levels and the perfect player."""
    return [_audited(*item, cache) for item in items]


def _audited(candidate: Candidate, wanted: tuple[Property, ...], cache: Cache | None) -> Repair:
    analysis = Analysis(candidate.rulebook, cache=cache)
    rulings = {about: rule(about, analysis.figures, lambda: analysis.words) for about in wanted}
    meeting = words_of(candidate.rulebook.rules)[0]
    met = any(one.word is meeting and one.in_best_play for one in analysis.words)
    keeps = met and _has_battles_that_matter(analysis.figures)
    return Repair(candidate, analysis.figures, rulings, keeps)


def is_sound(rulebook: Rulebook, wanted: Sequence[Property], cache: Cache | None = None) -> bool:
    """Whether a rulebook proves these claims as it is."""
    analysis = Analysis(rulebook, cache=cache)
    return all(
        rule(one, analysis.figures, lambda: analysis.words).verdict is Verdict.PROVED
        for one in wanted
    )


# Which is better


def _promise(one: Weighed) -> tuple[object, ...]:
    assert one.figures is not None
    return _merit(one.candidate, one.figures)


def _rank(one: Repair) -> tuple[object, ...]:
    return len(one.in_part), *_merit(one.candidate, one.figures)


def _merit(candidate: Candidate, figures: Figures) -> tuple[object, ...]:
    """Fewest changes, then the most even seats, then how much skill counts, then drama."""
    value = abs(float(figures.value.low + figures.value.high)) / 2
    uneven = max(abs(each.seat) for each in figures.equals)
    return (
        len(candidate.changes),
        round(value + uneven, 3),
        -round(figures.skill.worse, 3),
        -round(figures.decisions + figures.drama, 3),
    )
