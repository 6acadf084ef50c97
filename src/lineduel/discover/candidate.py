"""A candidate of a search: a design, measured in floats."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

import msgspec

from lineduel.discover.design import Design, rulebook_of_design
from lineduel.discover.qualities import Goal, all_figures
from lineduel.errors import RulebookError, TooLarge
from lineduel.lab import ApproximateAnalysis


class CandidateSize(NamedTuple):
    """How many positions a candidate may have."""

    positions: int = 3000
    battle_positions: int = 200
    """The same for designs with battles, whose proof takes longer."""


USUAL_SIZE = CandidateSize()


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
    size: CandidateSize


class LeftOut(StrEnum):
    """Why a design was not measured."""

    NO_RULEBOOK = "its rules contradict each other"
    TOO_LARGE = "it has too many positions"


def measure_designs(tasks: Iterable[Task]) -> list[DesignCandidate | LeftOut]:
    """The candidates, or why there is none."""
    return [_measured(task) for task in tasks]


def _measured(task: Task) -> DesignCandidate | LeftOut:
    design, size = task.design, task.size
    try:
        rulebook = rulebook_of_design(design)
    except RulebookError:
        return LeftOut.NO_RULEBOOK
    most = size.battle_positions if design.numbers else size.positions
    try:
        figures = ApproximateAnalysis(rulebook, most=most).quick_figures
    except TooLarge:
        return LeftOut.TOO_LARGE
    return DesignCandidate(
        number=task.number,
        design=design,
        figures=all_figures(figures, design.words),
        missed=sum(goal.missed_by(figures, design.words) for goal in task.goals),
    )
