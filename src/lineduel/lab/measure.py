"""Figures of a game that is laid out in arrays, and whose values are known."""

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from lineduel.kernel.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLOSE = 1e-9
"""Values that differ by less are taken for the same."""


class Plan(Protocol):
    """A game in arrays: the choices of position p are `first[p]` to `first[p + 1]`."""

    @property
    def first(self) -> "NDArray[np.int64]": ...
    @property
    def after(self) -> "NDArray[np.int64]": ...
    @property
    def mover(self) -> "NDArray[np.int8]":
        """1 or 2; 0 in an open battle."""
        ...

    @property
    def winner(self) -> "NDArray[np.int8]": ...


class Shape(NamedTuple):
    """How much there is to choose."""

    branching: float
    decisions: float
    only_moves: float
    matters: "NDArray[np.bool_]"
    """The positions in which the choice changes the value."""


def shape(plan: Plan, low: "NDArray[np.float64]", high: "NDArray[np.float64]") -> Shape:
    """Count the choices and those that matter; bounds are what player 1 can expect."""
    matters = np.zeros(len(plan.winner), np.bool_)
    moves, open_, chosen, decided, only = _choices(
        plan.first, plan.after, plan.mover, low, high, matters
    )
    share = 1 / max(chosen, 1)
    return Shape(moves / max(open_, 1), decided * share, only * share, matters)


@compiled
def _choices(
    first: "NDArray[np.int64]",
    after: "NDArray[np.int64]",
    mover: "NDArray[np.int8]",
    low: "NDArray[np.float64]",
    high: "NDArray[np.float64]",
    matters: "NDArray[np.bool_]",
) -> tuple[int, int, int, int, int]:
    """Moves, positions with a mover, with a choice, with one that matters, with an only move."""
    moves = open_ = chosen = decided = only = 0
    for at in range(len(mover)):
        begin, end = first[at], first[at + 1]
        if begin == end or mover[at] == 0:
            continue
        moves += end - begin
        open_ += 1
        sign = 1.0 if mover[at] == 1 else -1.0
        choice = False
        best_sure, worst_hope = -2.0, 2.0
        for one in range(begin, end):
            reached = after[one]
            choice = choice or reached != after[begin]
            sure = low[reached] if sign > 0 else -high[reached]
            hope = high[reached] if sign > 0 else -low[reached]
            best_sure = max(best_sure, sure)
            worst_hope = min(worst_hope, hope)
        if not choice:
            continue
        chosen += 1
        if best_sure - worst_hope <= CLOSE:
            continue
        matters[at] = True
        decided += 1
        good = -1
        several = False
        for one in range(begin, end):
            reached = after[one]
            hope = high[reached] if sign > 0 else -low[reached]
            if hope >= best_sure - CLOSE:
                several = several or (good >= 0 and good != reached)
                good = reached
        if not several:
            only += 1
    return moves, open_, chosen, decided, only


def longest_game(plan: Plan) -> int | None:
    """The most plies from the start that any play takes, or None where a position can come back."""
    plies = int(_longest(plan.first, plan.after))
    return None if plies < 0 else plies


@compiled
def _longest(first: "NDArray[np.int64]", after: "NDArray[np.int64]") -> int:
    """Every position is settled after all that lead to it; what is never settled comes back."""
    size = len(first) - 1
    coming = np.zeros(size, np.int64)
    for one in range(len(after)):
        coming[after[one]] += 1
    plies = np.zeros(size, np.int64)
    waiting = np.empty(size, np.int64)
    done = 0
    ready = 0
    for at in range(size):
        if coming[at] == 0:
            waiting[ready] = at
            ready += 1
    most = 0
    while done < ready:
        at = waiting[done]
        done += 1
        most = max(most, plies[at])
        for one in range(first[at], first[at + 1]):
            reached = after[one]
            plies[reached] = max(plies[reached], plies[at] + 1)
            coming[reached] -= 1
            if coming[reached] == 0:
                waiting[ready] = reached
                ready += 1
    return most if done == size else -1


class Course(NamedTuple):
    """How a game goes between two players."""

    turning_points: float
    lead_changes: float
    drama: float


def course(
    plan: Plan,
    middle: "NDArray[np.float64]",
    matters: "NDArray[np.bool_]",
    chances: "NDArray[np.float64]",
    visits: "NDArray[np.float64]",
    wins: "NDArray[np.float64]",
) -> Course:
    """What happens on average in the games that end.

    `middle` is what player 1 can expect; `visits` how often each position comes up, `wins` the
    chances that player 1 and player 2 win from it.
    """
    return Course(*_course(plan.first, plan.after, middle, matters, chances, visits, wins))


@compiled
def _course(
    first: "NDArray[np.int64]",
    after: "NDArray[np.int64]",
    middle: "NDArray[np.float64]",
    matters: "NDArray[np.bool_]",
    chances: "NDArray[np.float64]",
    visits: "NDArray[np.float64]",
    wins: "NDArray[np.float64]",
) -> tuple[float, float, float]:
    turning = changes = behind = plies = 0.0
    for at in range(len(visits)):
        often = visits[at]
        if often == 0.0 or first[at] == first[at + 1]:
            continue
        if matters[at]:
            turning += often
        plies += often * (wins[0, at] + wins[1, at])
        if middle[at] < -CLOSE:
            behind += often * wins[0, at]
        elif middle[at] > CLOSE:
            behind += often * wins[1, at]
        for one in range(first[at], first[at + 1]):
            if middle[at] * middle[after[one]] < -CLOSE:
                changes += often * chances[one]
    return turning, changes, behind / plies if plies > 0 else 0.0
