"""The smallest changes of a rulebook that make its claims true, and keep what it is about."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice

from lineduel.arena.pool import Pool
from lineduel.errors import TooLarge
from lineduel.lab.changes import STRUCTURE, Change, alternatives, changed
from lineduel.lab.claims import Ruling, Verdict, claims_of, rule
from lineduel.lab.figures import Figures
from lineduel.lab.glance import glance, is_endless
from lineduel.lab.identity import Key, identity
from lineduel.lab.study import Study
from lineduel.lab.usage import Usage, words_of
from lineduel.rules import Claim, Property, Rulebook

SHOWN = 10
LARGEST, LARGEST_WITH_BATTLES = 20_000, 300
"""Positions up to which a candidate is looked at."""
MOST_TRIED = 60_000
Report = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rulebook some changes away."""

    rulebook: Rulebook
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A candidate with its figures, and what each claim came to; None if it is too large."""

    candidate: Candidate
    figures: Figures | None
    rulings: Mapping[Property, Ruling]
    """What was decided: a claim that could not help any more is left out."""
    keeps: bool = False
    """Whether it still is about the same thing."""
    is_too_large: bool = False

    def could_prove(self, wanted: Iterable[Property]) -> frozenset[Property]:
        """The claims that it proves or, where it was not looked at, might prove."""
        return frozenset(
            one
            for one in wanted
            if one not in self.rulings or self.rulings[one].verdict is Verdict.PROVED
        )

    def mends(self, wanted: Iterable[Property]) -> bool:
        """Whether every claim is proved and the game is still itself."""
        decided = self.rulings.keys() >= set(wanted)
        return decided and self.keeps and self.could_prove(wanted) == frozenset(wanted)

    def nearly_mends(self, wanted: Iterable[Property]) -> bool:
        """Whether no claim is refuted and the game is still itself."""
        decided = self.rulings.keys() >= set(wanted)
        refuted = any(one.verdict is Verdict.REFUTED for one in self.rulings.values())
        return decided and self.keeps and not refuted


@dataclass(slots=True)
class Search:
    """What a search for repairs came to."""

    rulebook: Rulebook
    claims: tuple[Claim, ...]
    repairs: list[Weighed] = field(default_factory=list)
    """The best, fewest changes first."""
    nearest: list[Weighed] = field(default_factory=list)
    """Where no claim is refuted, but some hold only in part."""
    tried: int = 0
    too_large: int = 0
    twice: int = 0
    """Candidates that are the same game as another."""
    sizes: int = 0
    """How many changes at once were gone through completely."""
    together: dict[frozenset[Property], int] = field(default_factory=dict)
    """How many candidates, still themselves, prove or might prove each set of claims."""

    def excluded(self) -> tuple[frozenset[Property], ...]:
        """The smallest sets of claims that no candidate proves together."""
        wanted = [claim.property for claim in self.claims]
        found: list[frozenset[Property]] = []
        for size in range(1, len(wanted) + 1):
            for some in map(frozenset, combinations(dict.fromkeys(wanted), size)):
                proved = any(some <= one for one in self.together)
                if not proved and not any(known <= some for known in found):
                    found.append(some)
        return tuple(found)


def repair(
    rulebook: Rulebook,
    *,
    also: Sequence[Property] = (),
    most: int = 3,
    wanted: int = SHOWN,
    most_tried: int = MOST_TRIED,
    pool: Pool | None = None,
    report: Report | None = None,
) -> Search:
    """Look for repairs of one change, then two, up to `most`, until there are enough.

    A number of changes that was begun is gone through, unless there are more than `most_tried`.
    """
    claims = (
        *claims_of(rulebook.rules, rulebook.claims),
        *(Claim(str(one), one) for one in also),
    )
    search = Search(rulebook, claims)
    seen: set[Key] = {identity(rulebook.rules).key}
    jobs = Pool() if pool is None else pool
    try:
        for size in range(1, most + 1):
            fresh = list(islice(_fresh(search, size, seen), most_tried - search.tried))
            _weigh_all(search, fresh, jobs, report)
            if search.tried >= most_tried:
                break
            search.sizes = size
            if len(search.repairs) >= wanted:
                break
        search.repairs = _confirmed(search, search.repairs, wanted, jobs)
        if not search.repairs:
            search.nearest = _confirmed(search, search.nearest, wanted, jobs)
    finally:
        if pool is None:
            jobs.close()
    return search


def _confirmed(search: Search, found: list[Weighed], most: int, pool: Pool) -> list[Weighed]:
    """The best of them that stand on the whole ladder, too."""
    wanted = tuple(claim.property for claim in search.claims)
    best = sorted(found, key=_rank)[: most + most // 2]
    nearly = found is search.nearest
    sure = [
        one
        for audited in pool.run(confirm, [(one, wanted) for one in best])
        for one in audited
        if one.mends(wanted) or (nearly and one.nearly_mends(wanted))
    ]
    return sorted(sure, key=_rank)[:most]


def confirm(items: Iterable[tuple[Weighed, tuple[Property, ...]]]) -> list[Weighed]:
    """Decide the claims of some candidates once more, against all levels and the perfect player."""
    return [_confirmed_one(one, wanted) for one, wanted in items]


def _confirmed_one(one: Weighed, wanted: tuple[Property, ...]) -> Weighed:
    whole = Study(one.candidate.rulebook)
    rulings = {about: rule(about, whole.figures, lambda: whole.words) for about in wanted}
    return replace(one, figures=whole.figures, rulings=rulings)


def _fresh(search: Search, size: int, seen: set[Key]) -> Iterator[Candidate]:
    """The candidates of so many changes, each game once."""
    for candidate in candidates(search.rulebook, size):
        key = identity(candidate.rulebook.rules).key
        if key in seen:
            search.twice += 1
        else:
            seen.add(key)
            yield candidate


def candidates(rulebook: Rulebook, size: int) -> Iterator[Candidate]:
    """Every rulebook that is so many changes away; changes of one word exclude each other."""
    known = alternatives(rulebook.rules)
    for abouts in combinations(known, size):
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


def _weigh_all(
    search: Search, fresh: Sequence[Candidate], pool: Pool, report: Report | None
) -> None:
    wanted = tuple(claim.property for claim in search.claims)
    items = [(one, search.rulebook, wanted) for one in fresh]
    done = 0
    for weighed in pool.run(weigh, items, kind=_kind):
        for one in weighed:
            done += 1
            search.tried += 1
            search.too_large += one.is_too_large
            if one.keeps:
                proved = one.could_prove(wanted)
                search.together[proved] = search.together.get(proved, 0) + 1
            if one.mends(wanted):
                search.repairs.append(one)
            elif one.nearly_mends(wanted):
                search.nearest.append(one)
        if report:
            report(done / max(len(fresh), 1))


Item = tuple[Candidate, Rulebook, tuple[Property, ...]]


def _kind(item: Item) -> bool:
    """Battles take longer."""
    return item[0].rulebook.rules.battle is None


def weigh(items: Iterable[Item]) -> list[Weighed]:
    """Look at some candidates."""
    return [_weighed(*item) for item in items]


def _weighed(candidate: Candidate, origin: Rulebook, wanted: tuple[Property, ...]) -> Weighed:
    """Decide a candidate's claims, the cheap ones first, as long as it might be a repair."""
    rulebook = candidate.rulebook
    keeps = rulebook.rules.meet.enemy is origin.rules.meet.enemy
    try:
        if not keeps:
            return Weighed(candidate, None, {})
        if _is_hopeless(rulebook, wanted):
            never = Ruling(Verdict.REFUTED, "With best play it never ends.")
            return Weighed(candidate, None, {one: never for one in _ENDING if one in wanted}, True)
        figures = glance(rulebook, LARGEST_WITH_BATTLES if rulebook.rules.battle else LARGEST)
    except TooLarge:
        return Weighed(candidate, None, {}, is_too_large=True)
    words: list[Sequence[Usage]] = []

    def used() -> Sequence[Usage]:
        if not words:
            words.append(Study(rulebook).words)
        return words[0]

    rulings: dict[Property, Ruling] = {}
    for one in sorted(wanted, key=lambda one: one is Property.WORDS_USED):
        if one is Property.WORDS_USED and any(map(_is_refuted, rulings.values())):
            continue  # the use of words is looked up move by move, so only where the rest holds
        rulings[one] = rule(one, figures, used)
    hopeful = rulings.keys() >= set(wanted) and not any(map(_is_refuted, rulings.values()))
    keeps = _has_battles_that_matter(figures) and (not hopeful or _meets(rulebook, used))
    return Weighed(candidate, figures, rulings, keeps)


_ENDING = (Property.ALWAYS_ENDS, Property.NO_DRAW)


def _is_hopeless(rulebook: Rulebook, wanted: tuple[Property, ...]) -> bool:
    """Whether best play never ends, though it should."""
    if rulebook.rules.battle is not None or not set(_ENDING) & set(wanted):
        return False
    return is_endless(rulebook.rules, LARGEST)


def _is_refuted(ruling: Ruling) -> bool:
    return ruling.verdict is Verdict.REFUTED


def _is_proved(ruling: Ruling) -> bool:
    return ruling.verdict is Verdict.PROVED


def _has_battles_that_matter(figures: Figures) -> bool:
    battles = figures.battles
    return battles is None or (battles.always_best is None and battles.mixed > 0)


def _meets(rulebook: Rulebook, words: Callable[[], Sequence[Usage]]) -> bool:
    """Whether enemies do meet, in best play too."""
    meeting = words_of(rulebook.rules)[0]
    return any(one.word is meeting and one.in_best_play for one in words())


def _rank(one: Weighed) -> tuple[object, ...]:
    """Fewest changes, then the most even seats, then how much skill counts, then drama."""
    figures = one.figures
    assert figures is not None
    value = abs(float(figures.value.low + figures.value.high)) / 2
    uneven = max(abs(each.seat) for each in figures.equals)
    part = sum(ruling.verdict is not Verdict.PROVED for ruling in one.rulings.values())
    return (
        part,
        len(one.candidate.changes),
        round(value + uneven, 3),
        -round(figures.skill.worse, 3),
        -round(figures.decisions + figures.drama, 3),
    )


def is_sound(rulebook: Rulebook, wanted: Sequence[Property]) -> bool:
    """Whether a rulebook proves its claims as it is."""
    figures, whole = glance(rulebook), Study(rulebook)
    return all(_is_proved(rule(one, figures, lambda: whole.words)) for one in wanted)
