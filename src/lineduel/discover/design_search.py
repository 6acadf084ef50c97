"""The search for duels: a small space completely, a large one by the best of each kind.

The same seed gives the same archive whatever the number of workers: candidates are drawn a
generation at a time, and each has a random stream of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from lineduel.discover.archive import Archive
from lineduel.discover.candidate import (
    USUAL_SIZE,
    CandidateSize,
    DesignCandidate,
    LeftOut,
    Task,
    measure_designs,
)
from lineduel.discover.design import Design
from lineduel.discover.design_space import DesignSpace
from lineduel.discover.qualities import Goal, check_goals
from lineduel.errors import DiscoverError
from lineduel.facts import Fact
from lineduel.jobs import Pool
from lineduel.rules import Property

GENERATION = 500
_FIRST = 4
"""Generations that are drawn before others are made from the archive."""
_FRESH, _CROSSED = 0.1, 0.3
"""The shares of later generations that are drawn anew, and that are crossed."""
_TRIES = 12
"""How often a design that was tried before is drawn again."""


@dataclass(frozen=True, slots=True)
class DroppedGoal(Fact):
    """A default goal that is not searched for, because no design of the space can meet it."""

    goal: str
    why: str

    def __str__(self) -> str:
        return f"The default goal '{self.goal}' was dropped. {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuestion:
    """What is searched for, and where."""

    space: DesignSpace
    goals: tuple[Goal, ...]
    dropped: tuple[DroppedGoal, ...] = ()
    preferred: tuple[str, ...]
    seed: int
    size: CandidateSize = USUAL_SIZE
    near: Design | None = None
    """The design of a game that the search begins at."""
    complete: bool = False
    """Whether every design of the space is tried."""


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
            return [design for _, design in zip(range(most), self._left, strict=False)]
        designs = []
        for number in range(self.tried, self.tried + most):
            design = self._bred(Random(f"{self.question.seed}:{number}"))
            self._seen.add(design)
            designs.append(design)
        return designs

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
        question = self.question
        for number, design in enumerate(designs, start=self.tried):
            yield Task(number, design, question.goals, question.size)

    def _bred(self, chance: Random) -> Design:
        """A design that was not tried before, if one is found soon."""
        for _ in range(_TRIES):
            design = self._drawn(chance)
            if design not in self._seen:
                break
        return design

    def _drawn(self, chance: Random) -> Design:
        space, near, archive = self.question.space, self.question.near, self.archive
        if self.tried < _FIRST * GENERATION or not len(archive):
            return space.draw(chance) if near is None else space.change(chance, near)
        way = chance.random()
        if way < _FRESH:
            return space.draw(chance) if near is None else space.change(chance, near)
        one = archive[chance.randrange(len(archive))].design
        if way < _FRESH + _CROSSED:
            return space.cross(chance, one, archive[chance.randrange(len(archive))].design)
        return space.change(chance, one)


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


def generation(
    search: DesignSearch, pool: Pool, most: int = GENERATION
) -> list[DesignCandidate] | None:
    """Try one more generation; what came into the archive, or None if nothing is left to try."""
    designs = search.next_generation(most)
    if not designs:
        return None
    tasks = sorted(search.tasks(designs), key=_kind)  # a chunk holds one kind
    runs = pool.run(measure_designs, tasks, kind=_kind, seconds=0.05)
    measured = [one for done in runs for one in done]
    search.too_large += measured.count(LeftOut.TOO_LARGE)
    return search.take(designs, [one for one in measured if isinstance(one, DesignCandidate)])


def _kind(task: Task) -> bool:
    return task.design.numbers > 0
