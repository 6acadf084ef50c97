"""What each single change of a rulebook does to its value and to the length of the game."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from lineduel.errors import TooLarge
from lineduel.facts import Fact
from lineduel.jobs import Progress, ProgressReport
from lineduel.lab.analysis import Analysis
from lineduel.lab.changes import Change, alternatives, changed
from lineduel.lab.repair import largest_candidate
from lineduel.rules import Rulebook
from lineduel.solve import Value

_SAME = Fraction(1, 10**6)
"""Values that are proved to be closer than this count as the same."""


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
