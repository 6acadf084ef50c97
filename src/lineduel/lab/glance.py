"""The figures of a rulebook from three players only: for thousands of rulebooks, not for one."""

from functools import cache
from typing import TYPE_CHECKING

from lineduel.batch import MOST, Meeting, chart, meet, study, values
from lineduel.engine import Position
from lineduel.lab.figures import Battles, Equals, Figures, Skill
from lineduel.lab.measure import (
    Plan,
    Shape,
    Standing,
    course,
    longest_game,
    shape_by_winner,
    shortest_game,
    standing_by_winner,
)
from lineduel.lab.study import MIDDLING, Study
from lineduel.players.skills import SKILLS
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Rules, Side
from lineduel.solve.value import NEVER_ENDS, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FAR = 1 << 20
"""A sight that misses nothing."""
PLAYERS = ("level:1", f"level:{MIDDLING}", "best")
"""Random, middling, and one who sees everything but sets no traps."""
SIGHTS = (
    *((skill.sight, skill.haste) for skill in (SKILLS[1], SKILLS[MIDDLING])),
    (FAR, 0.0),
)
Pairings = tuple[tuple[Meeting, ...], ...]


def glance(rulebook: Rulebook, most: int = MOST) -> Figures:
    """A rulebook's figures; more than `most` positions are refused."""
    if rulebook.rules.battle is None:
        return glance_at(rulebook.rules, most)
    return _with_battles(rulebook, most)


@cache
def compile_glance() -> None:
    """Compile, or load, what `glance` runs: seconds that are no candidate's own."""
    glance_at(find_rulebook("ctf-tokens").rules)


def is_endless(rules: Rules, most: int = MOST) -> bool:
    """Whether nobody can force a win from the start, in rules without battles."""
    known = values(chart(rules, _start(rules), most))
    return bool(known.winner[0] == 0)


def _start(rules: Rules) -> Position:
    return Position(rules.player1.homes, rules.player2.homes, rules.first or Side.ONE)


def glance_at(rules: Rules, most: int = MOST) -> Figures:
    """The same for rules without battles, by compiled code."""
    found = study(rules, _start(rules), SIGHTS, most)
    winner, plies = found.values
    value = NEVER_ENDS if winner[0] == 0 else Value.won(Side(int(winner[0])), int(plies[0]))
    longest = int(plies.max()) if plies.max() > 0 else None
    meetings = tuple(
        tuple(found.pairings.meeting(one, two) for two in range(len(PLAYERS)))
        for one in range(len(PLAYERS))
    )
    return _figures(
        found.chart,
        shape_by_winner(found.chart, winner),
        standing_by_winner(winner),
        value,
        longest,
        meetings,
        found.sheets[1],
        best_can_end=value.winner is not None,
    )


def _with_battles(rulebook: Rulebook, most: int) -> Figures:
    """By the general solver."""
    from lineduel.arena.atlas import survey, together, write_out
    from lineduel.players import Level
    from lineduel.players.perfect import Perfect

    whole = Study(rulebook)
    survey(whole.game, None, most)
    solution, atlas = whole.solution, whole.atlas
    policies = (Level(1, solution), Level(MIDDLING, solution), Perfect(solution))
    sheets = [write_out(policy, atlas) for policy in policies]
    meetings = tuple(
        tuple(
            meet(atlas.first, atlas.after, atlas.winner, together(atlas, one, two))
            for two in sheets
        )
        for one in sheets
    )
    value = solution.value(solution.start)
    return _figures(
        atlas,
        whole.shape,
        whole.standing,
        value,
        whole.longest,
        meetings,
        together(atlas, sheets[1], sheets[1]),
        best_can_end=whole.best_can_end,
        battles=whole.battles,
    )


def _figures(
    plan: Plan,
    shaped: Shape,
    stands: Standing,
    value: Value,
    longest: int | None,
    meetings: Pairings,
    chances: "NDArray[np.float64]",
    *,
    best_can_end: bool,
    battles: Battles | None = None,
) -> Figures:
    middling = meetings[1][1]
    went = course(plan, stands, shaped.matters, chances, middling.visits, middling.wins)
    return Figures(
        positions=len(plan.winner),
        branching=shaped.branching,
        value=value,
        longest=longest,
        longest_game=longest_game(plan),
        shortest_game=shortest_game(plan),
        best_can_end=best_can_end,
        decisions=shaped.decisions,
        only_moves=shaped.only_moves,
        turning_points=went.turning_points,
        lead_changes=went.lead_changes,
        drama=went.drama,
        equals=tuple(
            Equals(name, own.win1 - own.win2, own.endless, own.plies)
            for name, own in zip(PLAYERS, (row[at] for at, row in enumerate(meetings)), strict=True)
        ),
        pairs_endless=max(one.endless for row in meetings for one in row),
        skill=Skill(_points(meetings[-1][0]), 1 - _points(meetings[0][-1])),
        battles=battles,
    )


def _points(meeting: Meeting) -> float:
    return (1 + meeting.win1 - meeting.win2) / 2
