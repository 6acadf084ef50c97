"""How large a table would be, before it is made."""

from dataclasses import dataclass

from lineduel.engine import Position
from lineduel.kernel.formations import (
    Drill,
    TooMany,
    formations,
    most_formations,
    nothing_follows,
)
from lineduel.rules import Edge, Meeting, Rules, Side

MOST_WORK = 1 << 20
"""Looks at what follows a formation before a bound has to do: some tenths of a second."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What solving a rulebook in one table takes; a bound on it where it is not `exact`."""

    positions: int
    """Entries of the table: pairs of formations that cannot meet are among them."""
    bytes: int
    """The most memory that it takes, beside what Python and its libraries take."""
    pairs: int
    """Pairs of formations, with those for the end: the numbers in a file, for either side."""
    lists: int
    """The part of the memory that formations and moves take."""
    exact: bool
    """Whether the formations have been counted."""


def estimate(rules: Rules, start: Position, most_work: float = MOST_WORK) -> Estimate:
    """How many positions a table of all that can follow `start` has, and its memory."""
    if rules.meet.enemy is Meeting.BATTLE:
        raise ValueError("Battles are no part of these tables.")
    (size1, exact1), (size2, exact2) = (
        _count(Drill(rules, side), start, most_work) for side in (Side.ONE, Side.TWO)
    )
    if not (size1 and size2) or nothing_follows(rules, start):  # it is over
        return Estimate(positions=0, bytes=0, pairs=1, lists=0, exact=True)
    onward = rules.meet.enemy is not Meeting.SENT_HOME and rules.movement.edge is Edge.ILLEGAL
    steps = rules.movement.steps
    swept = onward and (all(step > 0 for step in steps) or all(step < 0 for step in steps))
    pairs = (size1 + 1) * (size2 + 1)
    lists = size1 * _bytes_each(rules, Side.ONE) + size2 * _bytes_each(rules, Side.TWO)
    # Two bytes for either side to move; going backward, four more for a side's positions of one
    # value, which may be all of them.
    return Estimate(
        positions=2 * size1 * size2,
        bytes=pairs * (4 if swept else 8) + lists,
        pairs=pairs,
        lists=lists,
        exact=exact1 and exact2,
    )


def _count(drill: Drill, start: Position, most_work: float) -> tuple[int, bool]:
    cells = start.cells(drill.side)
    try:
        return len(formations(drill, cells, most_work)), True
    except TooMany:
        return most_formations(drill, cells), False


def _bytes_each(rules: Rules, side: Side) -> int:
    """The memory of a formation's own numbers, its moves and its losses, forward and backward."""
    moves = len(rules.team(side).pieces) * len(rules.movement.steps) + 1
    return 200 + 64 * moves + 24 * (len(rules.track) + 1)
