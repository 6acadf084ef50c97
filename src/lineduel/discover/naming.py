"""Titles and summaries for duels that nobody has named: from their rules."""

from collections.abc import Iterator, Set
from itertools import count

from lineduel.discover.design import Design
from lineduel.rules import Again, BattleRule, Edge, Loser, Meeting, Tie

_NOUNS = {
    Meeting.BLOCKED: ("Standstill", "Barrier", "Narrow Bridge"),
    Meeting.SHARED: ("Passage", "Crossing", "Open Road"),
    Meeting.CAPTURED: ("Hunt", "Raid", "Ambush"),
    Meeting.SENT_HOME: ("Setback", "Pushback", "Long Way Home"),
    Meeting.BATTLE: ("Clash", "Skirmish", "Encounter"),
    Meeting.WINS: ("Tag", "Pursuit", "Chase"),
}
_SIDES = {1: "One piece", 2: "Two pieces", 3: "Three pieces", 4: "Four pieces"}


def title_of_design(design: Design, taken: Set[str]) -> str:
    """A title that fits the rules and is not taken."""
    return next(title for title in _titles(design) if title not in taken)


def _titles(design: Design) -> Iterator[str]:
    adjective = _adjective(design)
    nouns = _NOUNS[design.enemy]
    yield from (f"{adjective} {noun}" for noun in nouns)
    for number in count(2):
        yield from (f"{adjective} {noun} {number}" for noun in nouns)


def _adjective(design: Design) -> str:
    """The word for what is most unusual about a design."""
    kinds = (
        (design.wins is BattleRule.CYCLIC, "Circular"),
        (design.wins is BattleRule.UNDERCUT, "Sly"),
        (design.loser is Loser.CAPTURED, "Deadly"),
        (design.again is not Again.NEVER, "Rapid"),
        (design.tie is not Tie.BOTH, "Stubborn"),
        (min(design.steps) < 0, "Wavering"),
        (0 in design.steps, "Patient"),
        (not design.jump, "Narrow"),
        (max(design.steps) > 2, "Swift"),
        (design.edge is Edge.STAY, "Walled"),
    )
    return next((word for holds, word in kinds if holds), "Plain")


def summary_of(design: Design) -> str:
    """The duel in a sentence."""
    side = _SIDES.get(len(design.homes), f"{len(design.homes)} pieces")
    end = "the far end" if len(design.goal) == 1 else f"the {len(design.goal)} cells at the far end"
    return f"{side} a side on {design.cells} cells; reach {end} to win."
