"""Figures of a solved game whose graph is given as arrays."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lineduel.compiled import compiled
from lineduel.engine import Position
from lineduel.graph import Absorption, GameGraph, Shape, absorb, play_by_values
from lineduel.rules import Side
from lineduel.solve import Solution, Value, keeping_moves, keeping_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Standing(NamedTuple):
    """Who leads and who has lost in each position, as far as that is proved."""

    leader: "NDArray[np.int8]"
    """The side whose value excludes 0, or 0."""
    lost: "NDArray[np.int8]"
    """The side whose value is -1, or 0."""


def standing(values: Iterable[Value]) -> Standing:
    """The standing that values prove."""
    known = list(values)
    lost = [next((side for side in Side if one.is_lost(side)), 0) for one in known]
    return Standing(
        np.array([one.leader() or 0 for one in known], np.int8), np.array(lost, np.int8)
    )


def standing_by_winner(winner: "NDArray[np.int8]") -> Standing:
    """The same without battles, where the leader wins by force."""
    return Standing(winner, np.where(winner > 0, 3 - winner, 0).astype(np.int8))


def decision_counts(solution: Solution, positions: Iterable[Position]) -> Shape:
    """Count the decisions by what the solution proves."""
    game, alike = solution.game, solution.likeness.standing_for
    moves = movers = decisions = only = 0
    matters = []
    for position in positions:
        here = 0
        legal = game.moves(position)
        if position.battle is not None:
            for side in Side:
                kept = len(keeping_numbers(solution, position, side))
                here += kept < len(solution.mixture(position, side))
                only += kept == 1
                decisions += 1
        elif legal:
            moves, movers = moves + len(legal), movers + 1
            reached = {alike(game.play(position, move)) for move in legal}
            if len(reached) > 1:
                keeping = keeping_moves(solution, position)
                kept = len({alike(game.play(position, move)) for move in keeping})
                here = int(kept < len(reached))
                only += kept == 1
                decisions += 1
        matters.append(here)
    share = 1 / max(decisions, 1)
    return Shape(
        moves / max(movers, 1), sum(matters) * share, only * share, np.array(matters, np.int8)
    )


def shape_by_winner(graph: GameGraph, winner: "NDArray[np.int8]") -> Shape:
    """The same without battles, by who wins each position by force."""
    worth = np.array((0.0, 1.0, -1.0))
    return play_by_values(graph, worth[winner]).shape


def longest_game(graph: GameGraph) -> int | None:
    """The most plies from the start that any play takes, or None where a position can come back."""
    plies = int(_longest(graph.first, graph.after))
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


def shortest_game(graph: GameGraph) -> int | None:
    """The fewest plies from the start to an end if both help; None where no end can be reached."""
    ended = graph.winner.nonzero()[0]
    return len(graph.way_to(int(ended[0]))) - 1 if len(ended) else None


class Course(NamedTuple):
    """How a game between two players goes, on average over the games that end."""

    turning_points: float
    lead_changes: float
    drama: float


def course(
    graph: GameGraph,
    stands: Standing,
    matters: "NDArray[np.int8]",
    chances: "NDArray[np.float64]",
    play: Absorption,
) -> Course:
    """What happens on average in the games that end, if each choice has its chance."""
    visits, wins = play.visits, play.wins
    ends = wins[0] + wins[1]
    if ends[0] == 0.0:
        return Course(0.0, 0.0, 0.0)
    running = np.diff(graph.first) > 0
    met = np.where(running, visits, 0.0)
    plies = float((met * ends).sum())
    behind = wins[0] * (stands.lost == Side.ONE) + wins[1] * (stands.lost == Side.TWO)
    return Course(
        float((met * ends * matters).sum() / ends[0]),
        _lead_changes(graph, stands.leader, chances, visits, ends),
        float((met * behind).sum()) / plies if plies > 0 else 0.0,
    )


def _lead_changes(
    graph: GameGraph,
    leader: "NDArray[np.int8]",
    chances: "NDArray[np.float64]",
    visits: "NDArray[np.float64]",
    ends: "NDArray[np.float64]",
) -> float:
    """How often the leader differs from the last one; an even position keeps the last leader."""
    origin, after = graph.origin, graph.after
    flow = visits[origin] * chances * ends[after]
    if ((leader == 0) & (visits > 0)).any():
        led, next_leads = leader[origin], _next_leads(graph, leader, chances, ends)
        changes = flow * np.choose(led, (0.0, next_leads[1][after], next_leads[0][after]))
    else:
        changes = flow * (leader[origin] != leader[after])
    return float(changes.sum() / ends[0])


def _next_leads(
    graph: GameGraph,
    leader: "NDArray[np.int8]",
    chances: "NDArray[np.float64]",
    ends: "NDArray[np.float64]",
) -> "NDArray[np.float64]":
    """Two rows: the chance that player 1, that player 2 is the next to lead in a game that ends.

    A chain that stops at the first position with a leader. Where play may go on for ever, each
    choice has its chance among the games that end.
    """
    origin, after = graph.origin, graph.after
    even = (leader[origin] == 0) & (ends[origin] > 0)
    weights = np.where(even, chances * ends[after], 0.0)
    given_end = np.divide(weights, ends[origin], out=weights, where=even)
    # Only the wins are asked for, so the start is a position where the chain has stopped.
    stopped = int(np.argmax(leader != 0))
    return absorb(graph.first, after, leader, given_end, stopped, everywhere=True).wins
