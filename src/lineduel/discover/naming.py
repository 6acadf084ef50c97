"""Titles and summaries for duels that nobody has named: from their rules."""

from collections.abc import Iterator, Set
from itertools import count
from typing import assert_never

from lineduel.discover.design import Design
from lineduel.rules import BattleRule, Loser, Meeting, Tie

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
    """The duel in a sentence."""
    side = _SIDES.get(len(design.homes), f"{len(design.homes)} pieces")
    end = "the far end" if len(design.goal) == 1 else f"the {len(design.goal)} cells at the far end"
    return f"{side} a side on {design.cells} cells; reach {end} to win."
