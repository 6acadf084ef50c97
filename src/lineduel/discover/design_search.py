"""The search for duels: a small space completely, a large one by the best of each kind.

The same seed gives the same archive whatever the number of workers: candidates are drawn a
generation at a time, and each has a random stream of its own.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from math import inf
from random import Random
from typing import NamedTuple

import msgspec

from lineduel.discover.design import Design, rough_size, rulebook_of_design
from lineduel.discover.design_space import DesignSpace
from lineduel.discover.glances import glances
from lineduel.discover.qualities import DroppedGoal, Goal, all_figures, check_goals, score
from lineduel.errors import DiscoverError, RulebookError, TooLarge
from lineduel.jobs import Pool
from lineduel.lab import ApproximateAnalysis
from lineduel.rules import Meeting, Property

GENERATION = 500
_FIRST = 4
"""Generations that are drawn before others are made from the archive."""
_FRESH, _CROSSED = 0.1, 0.3
"""The shares of later generations that are drawn afresh, and that are crossed."""
_TRIES = 12
"""How often a design that was tried before, or is likely to be too large, is drawn again."""
_TOO_LARGE = 1.5
"""How many times the largest number of positions a design may have by a rough count."""
_FEW = 20
"""With fewer kinds in the archive, every candidate is measured to the end."""
_ROUNDING = 1e-9
LENGTHS = (4.0, 6.0, 8.0, 10.0, 13.0, 16.0, 20.0, 25.0, 30.0, 40.0, 60.0)
"""The limits between kinds by average length in turns."""
DEPTHS = (0.0, 100.0, 200.0, 300.0, 450.0, 600.0, 800.0, 1000.0, 1300.0)
"""The limits between kinds by Elo range."""
DesignKind = tuple[int, int, Meeting]


# What is searched for


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuestion:
    """What is searched for, and where."""

    space: DesignSpace
    goals: tuple[Goal, ...]
    dropped: tuple[DroppedGoal, ...] = ()
    preferred: tuple[str, ...]
    seed: int
    positions: int = 3000
    """The most that a candidate may have."""
    battle_positions: int = 200
    """The same for designs with battles, whose proof takes longer."""
    near: Design | None = None
    """The design of a game that the search begins at."""
    complete: bool = False
    """Whether every design of the space is tried."""

    def most(self, design: Design) -> int:
        """The most positions that a design may have."""
        return self.battle_positions if design.numbers else self.positions


def make_question(
    space: DesignSpace,
    goals: Sequence[Goal],
    *,
    may_drop: bool,
    preferred: tuple[str, ...],
    seed: int,
    near: Design | None,
    most: int,
) -> tuple[SearchQuestion, str | None]:
    """A question about the part of a space that can meet the goals, and why the rest cannot.

    Goals that no design can meet are dropped if they may be. A space of up to `most` designs is
    searched completely.
    """
    check_goals(goals)
    kept, dropped = possible_goals(space, goals) if may_drop else (tuple(goals), ())
    part, why = possible_part(space, kept)
    question = SearchQuestion(
        space=part,
        goals=kept,
        dropped=dropped,
        preferred=preferred,
        seed=seed,
        near=near,
        complete=near is None and len(part) <= most,
    )
    return question, why


def possible_part(space: DesignSpace, goals: Sequence[Goal]) -> tuple[DesignSpace, str | None]:
    """A space without the meetings with which no design can meet the goals, and why not.

    DiscoverError if none is left.
    """
    parts = {one: replace(space, meetings=(one,)) for one in space.meetings}
    why = {one: impossible_goals(part, goals) for one, part in parts.items()}
    left = tuple(one for one in space.meetings if why[one] is None)
    said = next(filter(None, why.values()), None)
    if not left:
        raise DiscoverError(said or "")
    return replace(space, meetings=left), said


def possible_goals(
    space: DesignSpace, goals: Sequence[Goal]
) -> tuple[tuple[Goal, ...], tuple[DroppedGoal, ...]]:
    """The goals without those that no design of a space can meet beside the ones before them."""
    kept: list[Goal] = []
    dropped: list[DroppedGoal] = []
    for goal in goals:
        why = impossible_goals(space, [*kept, goal])
        if why is None:
            kept.append(goal)
        else:
            dropped.append(DroppedGoal(goal.text, why))
    return tuple(kept), tuple(dropped)


def impossible_goals(space: DesignSpace, goals: Sequence[Goal]) -> str | None:
    """Why no design of a space can meet the goals, where that is proved; otherwise None."""
    if space.has_battles:
        return None
    about = [goal for goal in goals if goal.property is not None]
    ends = [goal for goal in about if goal.property in (Property.NO_DRAW, Property.ALWAYS_ENDS)]
    even = [
        goal
        for goal in goals
        if goal.property is Property.FAIR_SEATS
        or (goal.figure in ("value", "advantage") and goal.most < 1)
    ]
    if any(goal.property is Property.NO_BEST_NUMBER for goal in about):
        return "Without battles there are no numbers to choose, so no number can be best or not."
    if ends and even:
        return (
            f"No game can meet both '{ends[0].text}' and '{even[0].text}' without battles: "
            "where there is neither chance nor secrets and play ends, one side wins by force."
        )
    return None


# Candidates


class DesignCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out about a design."""

    number: int
    design: Design
    figures: dict[str, float]
    missed: float
    """By how much the goals are missed together; 0 if all are met as far as floats can tell."""


class Task(NamedTuple):
    """A design to measure."""

    number: int
    design: Design
    goals: tuple[Goal, ...]
    most: int
    """The most positions that it may have."""
    bar: float
    """By how much it may miss the goals."""


class LeftOut(StrEnum):
    """Why a design was not measured."""

    NO_RULEBOOK = "its rules contradict each other"
    TOO_LARGE = "it has too many positions"
    HOPELESS = "it is sure to miss the goals by too much"


def measure_designs(tasks: Iterable[Task]) -> list[DesignCandidate | LeftOut]:
    """Each design as a candidate, or why it was left out."""
    return [_measured(task) for task in tasks]


def _measured(task: Task) -> DesignCandidate | LeftOut:
    design = task.design
    try:
        analysis = ApproximateAnalysis(rulebook_of_design(design), most=task.most)
        for bounds in glances(analysis, design.words):
            if sum(goal.surely_missed_by(bounds) for goal in task.goals) > task.bar + _ROUNDING:
                return LeftOut.HOPELESS
        figures = analysis.quick_figures
    except RulebookError:
        return LeftOut.NO_RULEBOOK
    except TooLarge:
        return LeftOut.TOO_LARGE
    asked = all_figures(figures, design.words)
    missed = sum(goal.missed_by(figures, asked) for goal in task.goals)
    return DesignCandidate(number=task.number, design=design, figures=asked, missed=missed)


class Archive:
    """One candidate of each kind: the one that misses the goals least, then the preferred one.

    A kind is a combination of length, depth and meeting. This is a quality-diversity archive
    (Mouret and Clune, Illuminating search spaces by mapping elites, 2015). A library for it would
    compare by one number; here goals come first and preferences second.
    """

    def __init__(self, preferred: Sequence[str]) -> None:
        self._preferred = tuple(preferred)
        self._best: dict[DesignKind, tuple[tuple[float, float, int], DesignCandidate]] = {}
        """By kind, in the order in which the kinds were first found."""

    def __len__(self) -> int:
        return len(self._best)

    def __iter__(self) -> Iterator[DesignCandidate]:
        return (candidate for _, candidate in self._best.values())

    def __getitem__(self, number: int) -> DesignCandidate:
        return next(islice(self, number, None))

    @staticmethod
    def kinds(meetings: Sequence[Meeting]) -> int:
        """How many kinds there are, with these ways to meet an enemy."""
        return (len(LENGTHS) + 1) * (len(DEPTHS) + 1) * len(meetings)

    def add(self, candidate: DesignCandidate) -> bool:
        """Keep a candidate if it is the best of its kind; whether it was kept."""
        kind, rank = kind_of(candidate), self.rank(candidate)
        if kind in self._best and self._best[kind][0] >= rank:
            return False
        self._best[kind] = rank, candidate
        return True

    def rank(self, candidate: DesignCandidate) -> tuple[float, float, int]:
        """Sort key of a candidate, larger is better; of equals the earlier one is kept."""
        worth = score(candidate.figures, self._preferred)
        return -candidate.missed, worth, -candidate.number

    def best_first(self) -> list[DesignCandidate]:
        """All candidates, those that meet the goals first."""
        return sorted(self, key=self.rank, reverse=True)


def kind_of(candidate: DesignCandidate) -> DesignKind:
    """The kind that a candidate belongs to."""
    figures = candidate.figures
    return (
        bisect_right(LENGTHS, figures["turns"]),
        bisect_right(DEPTHS, figures["elo_range"]),
        candidate.design.enemy,
    )


# The search


@dataclass(slots=True)
class DesignSearch:
    """A search under way, or done."""

    question: SearchQuestion
    archive: Archive = field(init=False)
    tried: int = 0
    """Candidates so far."""
    measured: int = 0
    """Those that are rulebooks of a size that can be proved."""
    too_large: int = 0
    """Rulebooks with too many positions, which were left out."""
    with_battles: int = 0
    """Candidates that have battles."""
    met: list[DesignCandidate] = field(default_factory=list)
    """In a complete search: every candidate that meets the goals."""
    _seen: set[Design] = field(default_factory=set)
    _left: Iterator[Design] | None = None

    def __post_init__(self) -> None:
        self.archive = Archive(self.question.preferred)
        if self.question.complete:
            self._left = iter(self.question.space)

    def next_generation(self, most: int = GENERATION) -> list[Design]:
        """The next designs to try, in order; none when a complete search is done."""
        if self._left is not None:
            return list(islice(self._left, most))
        numbers = range(self.tried, self.tried + most)
        return [self._bred(Random(f"{self.question.seed}:{number}")) for number in numbers]

    def take(
        self, designs: Sequence[Design], found: Sequence[DesignCandidate]
    ) -> list[DesignCandidate]:
        """Count a generation, and give back what came into the archive."""
        self.tried += len(designs)
        self.with_battles += sum(design.numbers > 0 for design in designs)
        self.measured += len(found)
        ordered = sorted(found, key=lambda one: one.number)
        meets = [one for one in ordered if one.missed == 0] if self._left is not None else []
        self.met += meets
        return [one for one in ordered if self.archive.add(one) or one in meets]

    def best_first(self) -> list[DesignCandidate]:
        """The candidates that meet the goals as far as floats can tell, the best first."""
        if self._left is not None:
            return sorted(self.met, key=self.archive.rank, reverse=True)
        return [one for one in self.archive.best_first() if one.missed == 0]

    def tasks(self, designs: Sequence[Design]) -> Iterator[Task]:
        question, bar = self.question, self.bar
        for number, design in enumerate(designs, start=self.tried):
            yield Task(number, design, question.goals, question.most(design), bar)

    @property
    def bar(self) -> float:
        """By how much a candidate may miss the goals: at most as much as the best quarter kept.

        A complete search wants only what meets them.
        """
        if self._left is not None:
            return 0.0
        missed = sorted(one.missed for one in self.archive)
        return missed[len(missed) // 4] if len(missed) >= _FEW else inf

    def _bred(self, chance: Random) -> Design:
        """A design that was not tried before and is not too large, if one is found soon."""
        for _ in range(_TRIES):
            design = self._drawn(chance)
            is_small = rough_size(design) <= _TOO_LARGE * self.question.most(design)
            if is_small and design not in self._seen:
                break
        self._seen.add(design)
        return design

    def _drawn(self, chance: Random) -> Design:
        space, near, archive = self.question.space, self.question.near, self.archive
        is_early = self.tried < _FIRST * GENERATION or not len(archive)
        if is_early or (way := chance.random()) < _FRESH:
            return space.draw(chance) if near is None else space.change(chance, near)
        one = archive[chance.randrange(len(archive))].design
        if way < _FRESH + _CROSSED:
            return space.cross(chance, one, archive[chance.randrange(len(archive))].design)
        return space.change(chance, one)


def generation(
    search: DesignSearch, pool: Pool, most: int = GENERATION
) -> list[DesignCandidate] | None:
    """Try one more generation; what came into the archive, or None if nothing is left to try."""
    designs = search.next_generation(most)
    if not designs:
        return None
    # A chunk holds one kind. Large designs come first: the last ones are soon done, on all cores.
    tasks = sorted(
        search.tasks(designs), key=lambda task: (not _kind(task), -rough_size(task.design))
    )
    runs = pool.run(measure_designs, tasks, kind=_kind, seconds=0.05)
    measured = [one for done in runs for one in done]
    search.too_large += measured.count(LeftOut.TOO_LARGE)
    search.measured += measured.count(LeftOut.HOPELESS)
    return search.take(designs, [one for one in measured if isinstance(one, DesignCandidate)])


def _kind(task: Task) -> bool:
    return bool(task.design.numbers)
