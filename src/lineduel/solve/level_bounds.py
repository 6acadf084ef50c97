"""One pass of bounds over a game in which nothing can repeat, from the highest level down.

What a choice leads to is read from a graph, or worked out again by the rules if there are too many
positions for a graph. The positions of a level do not depend on each other. Battles between exact
values that no earlier level had are settled one after the other, so that the result does not
depend on threads.
"""

from collections.abc import Callable
from concurrent.futures import Future
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import NO_BATTLE, RuleNumbers, Threads, borrowing, compiled
from lineduel.graph import (
    BATTLE,
    MOST_CHOICES,
    NOT_FORCED,
    ChanceArray,
    FoundPositions,
    GameGraph,
    Levels,
    NumberArray,
    OrderArray,
    SideArray,
    choices_of,
)
from lineduel.solve.battle_guarantees import mixtures_for, scratch_for
from lineduel.solve.graph_bounds import BoundColumns, GraphBounds, settle_missed, settle_position
from lineduel.solve.known_battles import (
    CLAIMED,
    KnownBattles,
    no_battles,
    proofs_of_battles,
    settle_claims,
)
from lineduel.solve.solution import Mixture
from lineduel.solve.stochastic.matrix import Solved

_UNITS = 256
"""The work that a position is, in units of `Threads`."""

_Proofs = Future[dict[int, Solved[Fraction] | None]]


class _Source(NamedTuple):
    """How to settle positions: the compiled functions, and what tells them where choices lead."""

    numbers: int
    settle: Callable[..., None]
    settle_missed: Callable[..., None]
    arguments: tuple[object, ...]


def bounds_of_graph(graph: GameGraph, levels: Levels, threads: Threads) -> GraphBounds:
    """The bounds of a graph without cycles."""
    source = _Source(graph.numbers, _settle, _settle_missed, graph.arrays)
    return _bounds(source, levels, threads)


def bounds_of_rows(
    ruling: RuleNumbers, found: FoundPositions, levels: Levels, threads: Threads
) -> GraphBounds:
    """The bounds of a game that is not stored as a graph."""
    source = _Source(ruling.numbers, _settle_rows, _settle_missed_rows, (ruling, found))
    return _bounds(source, levels, threads)


def _bounds(source: _Source, levels: Levels, threads: Threads) -> GraphBounds:
    """The bounds of a pass in which no claim turned out to be wrong.

    Values that look like fractions are taken for them, and the battles that say so are solved in
    fractions in the meantime. If one of them is something else, the pass is repeated without it.
    """
    known, size = no_battles(source.numbers), len(levels.rank)
    exact: dict[int, tuple[Mixture, Mixture]] = {}
    bounds = BoundColumns(
        np.empty(size),
        np.empty(size),
        np.empty(size, levels.rank.dtype),
        np.empty(size, levels.rank.dtype),
    )
    while True:
        bounds.plies.fill(NOT_FORCED)
        bounds.form.fill(0)
        proofs: dict[int, Solved[Fraction] | None] = {}
        for some in _pass(source, levels, bounds, known, threads):
            proofs.update(some.result())
        if settle_claims(known, proofs, exact):
            return GraphBounds(*bounds, levels.rank, exact, 0)


def _pass(
    source: _Source, levels: Levels, bounds: BoundColumns, known: KnownBattles, threads: Threads
) -> list[_Proofs]:
    """Fill in the bounds of all positions; returns the proofs of the battles that are claimed."""
    order, cuts, _ = levels
    proofs: list[_Proofs] = []
    claimed: list[int] = []
    remembered = 1
    for level in range(len(cuts) - 2, -1, -1):
        begin, end = int(cuts[level]), int(cuts[level + 1])
        here, missed = order[begin:end], np.zeros(end - begin, np.bool_)
        given = here, *source.arguments, bounds, known, missed
        share = len(here) / len(order)
        threads.work(source.settle, 0, len(here), *given, units=_UNITS * len(here), share=share)
        source.settle_missed(0, len(here), *given)
        found = np.flatnonzero(known.state[remembered : known.used[0]] == CLAIMED) + remembered
        claimed += found.tolist()
        remembered = int(known.used[0])
        # One piece of work at a time: two threads cannot compute fractions at once.
        if claimed and (level == 0 or not proofs or proofs[-1].done()):
            proofs.append(threads.start(proofs_of_battles, known, claimed, source.numbers))
            claimed = []
    return proofs


@compiled
def _settle(
    begin: int,
    end: int,
    order: OrderArray,
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    winner: SideArray,
    bounds: BoundColumns,
    known: KnownBattles,
    missed: NDArray[np.bool_],
) -> None:
    """Settle positions whose successors are settled; battles that are not known are `missed`."""
    numbers = _numbers(known)
    scratch = scratch_for(numbers)
    for place in range(begin, end):
        at = order[place]
        reached = after[first[at] : first[at + 1]]
        missed[place] = not settle_position(
            at, reached, mover[at], winner[at], numbers, bounds, known, scratch
        )


@compiled
def _settle_missed(
    begin: int,
    end: int,
    order: OrderArray,
    first: NumberArray,
    after: NumberArray,
    mover: SideArray,
    winner: SideArray,
    bounds: BoundColumns,
    known: KnownBattles,
    missed: NDArray[np.bool_],
) -> None:
    """Settle missed battles one by one, and remember each."""
    scratch = scratch_for(_numbers(known))
    for place in range(begin, end):
        if missed[place]:
            at = order[place]
            settle_missed(at, after[first[at] : first[at + 1]], bounds, known, scratch)


@compiled
def _settle_rows(
    begin: int,
    end: int,
    order: OrderArray,
    ruling: RuleNumbers,
    found: FoundPositions,
    bounds: BoundColumns,
    known: KnownBattles,
    missed: NDArray[np.bool_],
) -> None:
    """The same, by the rules."""
    width = _width(found)
    scratch, after = scratch_for(ruling.numbers), np.empty(MOST_CHOICES, np.int64)
    row = np.empty(width, np.int8)
    for place in range(begin, end):
        at = order[place]
        winner, choices = choices_of(ruling, found, at, row, after, 0)
        fights = found.rows[(at + 1) * width - 1] != NO_BATTLE
        mover = BATTLE if fights else 1 if found.sides[at] == 1 else 2
        missed[place] = not settle_position(
            at, after[:choices], mover, winner, ruling.numbers, bounds, known, scratch
        )


@compiled
def _settle_missed_rows(
    begin: int,
    end: int,
    order: OrderArray,
    ruling: RuleNumbers,
    found: FoundPositions,
    bounds: BoundColumns,
    known: KnownBattles,
    missed: NDArray[np.bool_],
) -> None:
    """The same, by the rules."""
    scratch, after = scratch_for(ruling.numbers), np.empty(MOST_CHOICES, np.int64)
    row = np.empty(_width(found), np.int8)
    for place in range(begin, end):
        if missed[place]:
            at = order[place]
            _, choices = choices_of(ruling, found, at, row, after, 0)
            settle_missed(at, after[:choices], bounds, known, scratch)


@borrowing
def _numbers(known: KnownBattles) -> int:
    """How many numbers a side has to choose from."""
    return int(np.sqrt(known.keys.shape[1]))


@borrowing
def _width(found: FoundPositions) -> int:
    """The length of a row."""
    return len(found.rows) // len(found.sides)


@compiled
def fill_mixtures_of(
    battles: NumberArray,
    ruling: RuleNumbers,
    found: FoundPositions,
    low: ChanceArray,
    high: ChanceArray,
    mixtures: ChanceArray,
) -> None:
    """Fill in the mixtures of both sides that are sure of the bounds of some battles."""
    scratch, after = scratch_for(ruling.numbers), np.empty(MOST_CHOICES, np.int64)
    row = np.empty(_width(found), np.int8)
    for place in range(len(battles)):
        at = battles[place]
        _, choices = choices_of(ruling, found, at, row, after, 0)
        one, two = mixtures[place, 0], mixtures[place, 1]
        mixtures_for(at, after[:choices], low, high, scratch, one, two)
