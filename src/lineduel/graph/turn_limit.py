"""The chances of best play against a known policy, within a number of turns."""

from typing import NamedTuple

import numpy as np

from lineduel.graph.array_types import ChanceArray, NumberArray
from lineduel.graph.game_graph import GameGraph
from lineduel.graph.policies import PolicyTable
from lineduel.graph.sight import SAME_PROSPECTS
from lineduel.rules import Side


class LimitedChances(NamedTuple):
    """For each position of a graph, the probability that a side wins and that it loses."""

    win: ChanceArray
    lose: ChanceArray


def chances_within(
    graph: GameGraph, opponent: PolicyTable, side: Side, turns: int
) -> LimitedChances:
    """The chances of a side that plays its best against a policy, within that many turns.

    A turn is one ply. The side maximises the probability of winning minus that of losing within
    the turns, and then minimises the probability of losing: by backward induction over the turns.
    """
    own, other, battles = _Choices.of(graph, side), _Choices.of(graph, side.other), graph.battles
    reply = opponent.moves[other.numbers]
    mixture = opponent.numbers[side.other - 1]
    size = graph.numbers
    outcomes = graph.after[graph.first[battles][:, None] + np.arange(size * size)]
    pairs = outcomes.reshape(len(battles), size, size)
    if side is Side.TWO:  # the side's own numbers are the rows
        pairs = pairs.transpose(0, 2, 1)
    now = LimitedChances(
        (graph.winner == side).astype(np.float64), (graph.winner == side.other).astype(np.float64)
    )
    for _ in range(turns):
        earlier = LimitedChances(now.win.copy(), now.lose.copy())
        if len(own.positions):
            ahead = LimitedChances(now.win[own.after], now.lose[own.after])
            chosen = _best(ahead, own.starts)
            earlier.win[own.positions], earlier.lose[own.positions] = (
                chance[chosen] for chance in ahead
            )
        for chance, before in zip(now, earlier, strict=True):
            if len(other.positions):
                before[other.positions] = np.add.reduceat(reply * chance[other.after], other.starts)
        if len(battles):
            expected = LimitedChances(
                *((chance[pairs] * mixture[:, None, :]).sum(axis=2).ravel() for chance in now)
            )
            chosen = _best(expected, np.arange(len(battles)) * size)
            earlier.win[battles], earlier.lose[battles] = (chance[chosen] for chance in expected)
        now = earlier
    return now


class _Choices(NamedTuple):
    """The moves of one side, position after position."""

    positions: NumberArray
    """The positions in which the side moves."""
    starts: NumberArray
    """Where the moves of each of them begin in the next two."""
    numbers: NumberArray
    """The number of each move in the graph."""
    after: NumberArray

    @classmethod
    def of(cls, graph: GameGraph, side: Side) -> "_Choices":
        counts = np.diff(graph.first)
        positions = np.flatnonzero((graph.mover == side) & (counts > 0))
        numbers = np.flatnonzero((graph.mover == side)[graph.origin])
        starts = np.concatenate(([0], np.cumsum(counts[positions])[:-1]))
        return cls(positions, starts, numbers, graph.after[numbers])


def _best(ahead: LimitedChances, starts: NumberArray) -> NumberArray:
    """Where the best choice of each row is; rows begin at `starts`."""
    counts = np.diff(starts, append=len(ahead.win))
    lead = ahead.win - ahead.lose
    top = np.repeat(np.maximum.reduceat(lead, starts), counts)
    lose = np.where(lead >= top - SAME_PROSPECTS, ahead.lose, np.inf)
    least = np.repeat(np.minimum.reduceat(lose, starts), counts)
    chosen = np.flatnonzero(lose == least)
    _, first = np.unique(np.repeat(np.arange(len(starts)), counts)[chosen], return_index=True)
    return chosen[first]
