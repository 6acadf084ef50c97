"""Titles and summaries for duels that nobody has named: from their rules."""

from collections.abc import Iterator, Set
from itertools import count
from typing import assert_never

from lineduel.discover.design import Design
from lineduel.rules import BattleRule, Loser, Meeting, Tie, listed

_SIDES = {1: "One piece", 2: "Two pieces", 3: "Three pieces", 4: "Four pieces"}


def title_of_design(design: Design, taken: Set[str]) -> str:
    """A title that fits the rules and is not taken."""
    return next(title for title in _titles(design) if title not in taken)


def _titles(design: Design) -> Iterator[str]:
    adjective = _adjective(design)
    nouns = _nouns(design.enemy)
    yield from (f"{adjective} {noun}" for noun in nouns)
    for number in count(2):
        yield from (f"{adjective} {noun} {number}" for noun in nouns)


def _nouns(enemy: Meeting) -> tuple[str, ...]:
    """Words for what happens when enemies meet."""
    match enemy:
        case Meeting.BLOCKED:
            return "Standstill", "Barrier", "Narrow Bridge"
        case Meeting.SHARED:
            return "Passage", "Crossing", "Open Road"
        case Meeting.CAPTURED:
            return "Hunt", "Raid", "Ambush"
        case Meeting.SENT_HOME:
            return "Setback", "Pushback", "Long Way Home"
        case Meeting.BATTLE:
            return "Clash", "Skirmish", "Encounter"
        case Meeting.WINS:
            return "Tag", "Pursuit", "Chase"
        case _:
            assert_never(enemy)


def _adjective(design: Design) -> str:
    """The word for what is most unusual about a design."""
    kinds = (
        (design.wins is BattleRule.CYCLIC, "Circular"),
        (design.wins is BattleRule.UNDERCUT, "Sly"),
        (design.loser is Loser.CAPTURED, "Deadly"),
        (design.again.after_displacing, "Rapid"),
        (design.tie is not Tie.BOTH, "Stubborn"),
        (min(design.steps) < 0, "Wavering"),
        (0 in design.steps, "Patient"),
        (not design.jump, "Narrow"),
        (max(design.steps) > 2, "Swift"),
        (design.edge.keeps_cell, "Walled"),
    )
    return next((word for holds, word in kinds if holds), "Plain")


def summary_of(design: Design) -> str:
    """The duel in two sentences: the pieces and how they step, then how to win."""
    count = len(design.homes)
    side = _SIDES.get(count, f"{count} pieces")
    end = "the far end" if len(design.goal) == 1 else f"the last {len(design.goal)} cells"
    steps = listed([_step(step) for step in sorted(design.steps, key=_forward_first)], "or")
    return (
        f"{side} a side on {design.cells} cells; step {steps}. Reach {end} to win; "
        f"{_meeting(design.enemy)}."
    )


def _forward_first(step: int) -> tuple[bool, int]:
    return step < 1, abs(step)


def _step(step: int) -> str:
    if step == 0:
        return "stay"
    return str(step) if step > 0 else f"{-step} back"


def _meeting(enemy: Meeting) -> str:
    """What landing on an enemy means."""
    match enemy:
        case Meeting.BLOCKED:
            return "enemies block the way"
        case Meeting.SHARED:
            return "enemies may share a cell"
        case Meeting.CAPTURED:
            return "landing on an enemy takes it"
        case Meeting.SENT_HOME:
            return "landing on an enemy sends it home"
        case Meeting.BATTLE:
            return "landing on an enemy opens a battle"
        case Meeting.WINS:
            return "so does landing on an enemy"
        case _:
            assert_never(enemy)
