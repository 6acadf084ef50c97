"""How a player of limited sight plays in every position of a chart, in compiled code."""

import numpy as np
from numpy.typing import NDArray

from lineduel.batch.chart import Chart, Numbers, Sides
from lineduel.batch.values import Plies, Values
from lineduel.compiled import compiled, inner

Chances = NDArray[np.float64]

_SOON = 100_000
"""Plies are worth so little: a sooner win is only ever preferred to a later one."""


def sheet(
    chart: Chart, values: Values, sight: int, haste: float, into: Chances | None = None
) -> Chances:
    """The chance of each choice for a player who sees so many plies ahead, and in haste half.

    It holds for whichever side is to move; it is written `into` an array, if there is one.
    """
    chances = np.empty(len(chart.after)) if into is None else into
    write_sheet(
        chart.first,
        chart.after,
        chart.mover,
        values.winner,
        values.plies,
        sight,
        float(haste),
        chances,
    )
    return chances


@compiled
def write_sheet(
    first: Numbers,
    after: Numbers,
    mover: Sides,
    winner: Sides,
    plies: Plies,
    sight: int,
    haste: float,
    chances: Chances,
) -> None:
    """Fill in the chances of all choices."""
    for choice in range(len(chances)):
        chances[choice] = 0.0
    add_look(first, after, mover, winner, plies, sight, 1.0 - haste, chances)
    if haste > 0:
        add_look(first, after, mover, winner, plies, sight // 2, haste, chances)


@inner
def add_look(
    first: Numbers,
    after: Numbers,
    mover: Sides,
    winner: Sides,
    plies: Plies,
    sight: int,
    share: float,
    chances: Chances,
) -> None:
    """Share a part of the chances among the choices that look best at that sight."""
    for at in range(len(mover)):
        best, equals = -2.0, 0
        for choice in range(first[at], first[at + 1]):
            worth = seen(winner[after[choice]], plies[after[choice]], mover[at], sight - 1)
            if worth > best:
                best, equals = worth, 1
            elif worth == best:
                equals += 1
        for choice in range(first[at], first[at + 1]):
            worth = seen(winner[after[choice]], plies[after[choice]], mover[at], sight - 1)
            if worth == best:
                chances[choice] += share / equals


@inner
def seen(winner: int, plies: int, side: int, sight: int) -> float:
    """What a value looks like to a side that sees so many plies ahead."""
    if winner == 0 or plies > sight:
        return 0.0
    soon = 1.0 - plies / _SOON
    return soon if winner == side else -soon
