"""Rulebooks a few changes away: what is hoped of them, what they prove, which is better."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

import msgspec

from lineduel.errors import TooLarge
from lineduel.facts import Fact
from lineduel.jobs import Progress, ProgressReport
from lineduel.lab.analysis import Analysis
from lineduel.lab.changes import Candidate, Change, Name, alternatives, changed
from lineduel.lab.claims import Ruling, Verdict, rule
from lineduel.lab.figures import Figures, Measure, Skill
from lineduel.lab.usage import words_of
from lineduel.quantities import counted
from lineduel.rules import Property, Rulebook, Rules
from lineduel.solve import Cache, Value

LARGEST, LARGEST_WITH_BATTLES = 20_000, 300
"""Positions up to which a candidate is looked at."""
ENDING = frozenset({Property.ALWAYS_ENDS, Property.NO_DRAW})
_SAME = Fraction(1, 10**6)
"""Values that are proved to be closer than this count as the same."""


class Weighed(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A candidate that was measured quickly, as the file of a search has it."""

    tried: Name
    possible: tuple[Property, ...]
    """The claims that it might prove, as far as quick figures can tell."""
    merit: tuple[float, ...]
    """By which the hopeful are audited, the smallest first."""
    too_large: bool


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
        return frozenset(self._with(Verdict.PROVED) if self.keeps else ())

    @property
    def in_part(self) -> tuple[Property, ...]:
        return self._with(Verdict.IN_PART)

    def _with(self, verdict: Verdict) -> tuple[Property, ...]:
        return tuple(one for one, ruling in self.rulings.items() if ruling.verdict is verdict)

    @property
    def mends(self) -> bool:
        return self.proved == self.rulings.keys()

    @property
    def nearly_mends(self) -> bool:
        """Whether no claim is refuted, though some hold only in part."""
        return self.keeps and len(self.proved) + len(self.in_part) == len(self.rulings)


# What the quick figures say of each


_Item = tuple[Candidate, tuple[Property, ...]]


def has_battles(item: _Item) -> bool:
    """Whether a candidate takes longer."""
    return item[0].rulebook.rules.battle is not None


def largest_candidate(rules: Rules) -> int:
    """Positions up to which a rulebook with these rules is looked at."""
    return LARGEST_WITH_BATTLES if rules.battle else LARGEST


def weigh(items: Iterable[_Item]) -> list[Weighed]:
    """Measure some candidates quickly."""
    return [_weighed(*item) for item in items]


def _weighed(candidate: Candidate, wanted: tuple[Property, ...]) -> Weighed:
    """The claims that a candidate might prove: only what is sure to fail is taken out."""

    def found(
        possible: Iterable[Property] = (), merit: tuple[float, ...] = (), too_large: bool = False
    ) -> Weighed:
        return Weighed(
            tried=candidate.name,
            possible=tuple(sorted(possible)),
            merit=merit,
            too_large=too_large,
        )

    rules, everything = candidate.rulebook.rules, frozenset(wanted)
    analysis = Analysis(candidate.rulebook, most=largest_candidate(rules))
    try:
        if rules.battle is None and everything & ENDING and analysis.value.winner is None:
            return found(everything - ENDING)
        figures = analysis.quick_figures
    except TooLarge:
        return found(too_large=True)
    if not _has_battles_that_matter(figures):
        return found()
    # Only what an audit will find as well: the levels as they are, and of the best the most.
    levels = figures.equals[:-1]
    endless = max(one.endless for one in levels)
    hopes = replace(figures, equals=levels, pairs_endless=endless, skill=Skill(1.0, 1.0))
    possible = (
        one
        for one in wanted
        # The use of words is looked up move by move, so only in an audit.
        if one is Property.RULES_MATTER or rule(one, hopes, tuple).verdict is Verdict.PROVED
    )
    return found(possible, _merit(candidate, figures))


def _has_battles_that_matter(figures: Figures) -> bool:
    battles = figures.battles
    return battles is None or (battles.always_best is None and battles.mixed > 0)


# What holds on the whole ladder


def audit_all(items: Iterable[_Item], cache: Cache | None = None) -> list[Repair]:
    """Decide the claims of some candidates against all levels and the perfect player."""
    return [_audited(*item, cache) for item in items]


def _audited(candidate: Candidate, wanted: tuple[Property, ...], cache: Cache | None) -> Repair:
    analysis = Analysis(candidate.rulebook, cache=cache)
    rulings = {about: analysis.ruling(about) for about in wanted}
    meeting = words_of(candidate.rulebook.rules)[0]
    met = any(one.word is meeting and one.in_best_play for one in analysis.words)
    keeps = met and _has_battles_that_matter(analysis.figures)
    is_fair = analysis.ruling(Property.FAIR_SEATS).verdict is Verdict.PROVED
    return Repair(candidate, analysis.figures, rulings, keeps, is_fair)


def is_sound(rulebook: Rulebook, wanted: Sequence[Property], cache: Cache | None = None) -> bool:
    """Whether a rulebook proves these claims as it is."""
    analysis = Analysis(rulebook, cache=cache)
    return all(analysis.ruling(one).verdict is Verdict.PROVED for one in wanted)


# Which is better


def rank(one: Repair) -> tuple[object, ...]:
    """Equals are ordered by name, since workers do not finish in the same order every time."""
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


def trade_off(repairs: Sequence[Repair]) -> dict[Measure, tuple[int, ...]]:
    """The three best by each measure, as places in the list; deep is a wide range of Elo."""
    keys: dict[Measure, Callable[[int], tuple[float, ...]]] = {
        Measure.FEWEST: lambda at: (len(repairs[at].candidate.changes), at),
        Measure.FAIREST: lambda at: (round(repairs[at].seat_worth, 3), at),
        Measure.DEEPEST: lambda at: (-round(repairs[at].figures.elo_range or 0.0), at),
    }
    places = range(len(repairs))
    return {measure: tuple(sorted(places, key=key)[:3]) for measure, key in keys.items()}


MEASURED: Mapping[Measure, Callable[[Repair], str]] = {
    Measure.FEWEST: lambda one: counted(len(one.candidate.changes), "change"),
    Measure.FAIREST: lambda one: f"seat worth {one.seat_worth:.2f}",
    Measure.DEEPEST: lambda one: f"Elo range {one.figures.elo_range or 0:,.0f}",
}
"""How good a repair is by each measure, in words."""


# What a single change does


class ChangeEffect(StrEnum):
    """What a change does to best play."""

    VALUE = "value"
    """Another value: who can expect what."""
    LENGTH = "length"
    """The same value, but another number of turns, or another answer to whether play ends."""
    NONE = "none"
    """The same value and the same length."""
    UNKNOWN = "unknown"
    """The bounds on the values overlap, so they may be the same or not."""


def effect_of(was: Value, now: Value) -> ChangeEffect:
    """What the change from one value to another amounts to."""
    if now.low > was.high or was.low > now.high:
        return ChangeEffect.VALUE
    if max(was.high, now.high) - min(was.low, now.low) > _SAME:
        return ChangeEffect.UNKNOWN
    same_length = (was.plies, was.endless) == (now.plies, now.endless)
    return ChangeEffect.NONE if same_length else ChangeEffect.LENGTH


@dataclass(frozen=True, slots=True)
class SingleChange(Fact):
    """A change, the rulebook with it, and what that is worth."""

    change: Change
    rulebook: Rulebook
    value: Value


@dataclass(slots=True)
class SingleChanges:
    """The rulebooks that are one change away."""

    rulebook: Rulebook
    found: list[SingleChange] = field(default_factory=list)
    too_large: int = 0
    """How many were not solved because they are too large."""
    cut_short: bool = False
    """Whether the time was over before all were tried."""


def single_changes(
    rulebook: Rulebook, report: ProgressReport, is_over: Callable[[], bool]
) -> SingleChanges:
    """Solve every rulebook that a single change of those that repairs try leads to."""
    changes = [change for some in alternatives(rulebook.rules).values() for change in some]
    tried = SingleChanges(rulebook)
    for number, change in enumerate(changes):
        report(Progress("trying single changes", number, len(changes)))
        if is_over():
            tried.cut_short = True
            break
        made = changed(rulebook, change)
        if made is None:
            continue
        analysis = Analysis(made, most=largest_candidate(made.rules))
        try:
            len(analysis.graph)  # refuses what is too large before it is solved
            tried.found.append(SingleChange(change, made, analysis.value))
        except TooLarge:
            tried.too_large += 1
    return tried
