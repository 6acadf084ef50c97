"""The smallest changes of a rulebook that make its claims true, and keep what it is about."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, product

from lineduel.arena.pool import Pool
from lineduel.errors import TooLarge
from lineduel.lab.changes import Change, alternatives, changed
from lineduel.lab.claims import Ruling, Verdict, claims_of, rule
from lineduel.lab.figures import Figures
from lineduel.lab.glance import glance
from lineduel.lab.identity import Key, identity
from lineduel.lab.study import Study
from lineduel.lab.usage import Usage, words_of
from lineduel.rules import Claim, Property, Rulebook

SHOWN = 10
LARGEST = 20_000
"""Positions up to which a candidate is looked at, unless the rulebook itself has more."""
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
    rulings: tuple[Ruling, ...] = ()
    keeps: bool = False
    """Whether it still is about the same thing."""

    @property
    def mends(self) -> bool:
        """Whether every claim is proved and the game is still itself."""
        proved = all(one.verdict is Verdict.PROVED for one in self.rulings)
        return self.figures is not None and self.keeps and proved

    @property
    def refuted(self) -> int:
        return sum(one.verdict is Verdict.REFUTED for one in self.rulings)


@dataclass(slots=True)
class Search:
    """What a search for repairs came to."""

    rulebook: Rulebook
    claims: tuple[Claim, ...]
    repairs: list[Weighed] = field(default_factory=list)
    """The best, fewest changes first."""
    tried: int = 0
    too_large: int = 0
    twice: int = 0
    """Candidates that are the same game as another."""
    sizes: int = 0
    """How many changes at once were gone through completely."""
    together: dict[frozenset[Property], int] = field(default_factory=dict)
    """How many candidates, still themselves, prove each set of claims."""

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
    finally:
        if pool is None:
            jobs.close()
    search.repairs.sort(key=_rank)
    del search.repairs[wanted:]
    return search


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
    """Every rulebook that is so many changes away; changes of one word exclude each other.

    What begins with another length of the track goes on with the changes that fit it.
    """
    known = alternatives(rulebook.rules)
    for abouts in combinations(known, size):
        first, *rest = abouts
        for change in known[first]:
            longer = changed(rulebook, (change,))
            if longer is None:
                continue
            fitting = alternatives(longer.rules) if first == "track.last" else known
            for others in product(*(fitting.get(about, ()) for about in rest)):
                made = changed(longer, others) if rest else longer
                if made is not None:
                    yield Candidate(made, (change, *others))


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
            if one.figures is None:
                search.too_large += 1
                continue
            if one.keeps:
                proved = frozenset(
                    about
                    for about, ruling in zip(wanted, one.rulings, strict=True)
                    if ruling.verdict is Verdict.PROVED
                )
                search.together[proved] = search.together.get(proved, 0) + 1
            if one.mends:
                search.repairs.append(one)
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
    rulebook = candidate.rulebook
    try:
        figures = glance(rulebook, LARGEST)
    except TooLarge:
        return Weighed(candidate, None)
    words: list[Sequence[Usage]] = []

    def used() -> Sequence[Usage]:
        if not words:
            words.append(Study(rulebook).words)
        return words[0]

    first = [one for one in wanted if one is not Property.WORDS_USED]
    rulings = {one: rule(one, figures, used) for one in first}
    hopeful = all(one.verdict is Verdict.PROVED for one in rulings.values())
    if Property.WORDS_USED in wanted:
        # The use of words is looked up move by move, so only where the rest holds.
        later = Ruling(Verdict.REFUTED, "not looked at")
        rulings[Property.WORDS_USED] = (
            rule(Property.WORDS_USED, figures, used) if hopeful else later
        )
        hopeful = rulings[Property.WORDS_USED].verdict is Verdict.PROVED
    keeps = _is_itself(origin, rulebook, figures) and (not hopeful or _meets(rulebook, used))
    return Weighed(candidate, figures, tuple(rulings[one] for one in wanted), keeps)


def _is_itself(origin: Rulebook, rulebook: Rulebook, figures: Figures) -> bool:
    """Whether enemies meet in the same way, and battles are worth choosing in."""
    if rulebook.rules.meet.enemy is not origin.rules.meet.enemy:
        return False
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
    return (
        len(one.candidate.changes),
        round(value + uneven, 3),
        -round(figures.skill.worse, 3),
        -round(figures.decisions + figures.drama, 3),
    )


def is_sound(search: Search) -> bool:
    """Whether nothing needs mending, which a look at the rulebook itself tells."""
    wanted = tuple(claim.property for claim in search.claims)
    found = _weighed(Candidate(search.rulebook, ()), search.rulebook, wanted)
    return all(one.verdict is Verdict.PROVED for one in found.rulings)
