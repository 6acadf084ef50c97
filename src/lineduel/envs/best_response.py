"""The best response to a policy on a graph, and what it is worth.

Against a fixed policy the other side faces a Markov decision process in which endless play pays 0.
Value iteration from 0 finds a reply; policy iteration then improves it until no single change
helps, each reply being evaluated exactly as an absorbing chain.
"""

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import compiled
from lineduel.graph import BATTLE, GameGraph, PolicyTable, absorb, joint_chances
from lineduel.rules import Side

Values = NDArray[np.float64]
_CONVERGED = 1e-12
_MOST_SWEEPS = 5000
_MOST_REPLIES = 100
_GAIN = 1e-9
"""What a change of the reply has to gain at least."""


def best_response(graph: GameGraph, policy: PolicyTable, side: Side) -> Values:
    """What player 1 can expect in each position if `side` does its best against a policy.

    A win is worth 1, a loss -1, and endless play 0.
    """
    sign = 1.0 if side is Side.ONE else -1.0
    values = np.where(graph.winner == side, 1.0, -1.0) * (graph.winner != 0)
    choice = np.full(len(graph), -1, np.int64)
    battle = np.zeros(len(graph), np.int64)
    battle[graph.battles] = np.arange(len(graph.battles))
    fixed = (policy.moves, policy.numbers[side.other - 1])
    shape = (*graph.arrays, int(side), battle, graph.numbers, *fixed)
    for _ in range(_MOST_SWEEPS):
        if improve(*shape, 0.0, True, values, choice) < _CONVERGED:
            break
    improve(*shape, -1.0, False, values, choice)
    for _ in range(_MOST_REPLIES):
        reply = _reply_table(graph, side, choice)
        pair = (reply, policy) if side is Side.ONE else (policy, reply)
        chances = joint_chances(graph, *pair)
        wins = absorb(graph.first, graph.after, graph.winner, chances, everywhere=True).wins
        values = sign * (wins[0] - wins[1])
        before = choice.copy()
        improve(*shape, _GAIN, False, values, choice)
        if (choice == before).all():
            break
    found: Values = sign * values
    return found


def _reply_table(graph: GameGraph, side: Side, choice: NDArray[np.int64]) -> PolicyTable:
    """The policy that makes these choices, for one side."""
    moves = np.zeros(len(graph.after))
    mine = np.flatnonzero((graph.mover == side) & (choice >= 0))
    moves[graph.first[mine] + choice[mine]] = 1.0
    numbers = np.zeros((len(Side), len(graph.battles), graph.numbers))
    if len(graph.battles):
        numbers[side - 1, np.arange(len(graph.battles)), choice[graph.battles]] = 1.0
    return PolicyTable(moves, numbers)


@compiled
def improve(
    first: NDArray[np.int64],
    after: NDArray[np.int64],
    mover: NDArray[np.int8],
    winner: NDArray[np.int8],
    side: int,
    battle: NDArray[np.int64],
    numbers: int,
    moves: Values,
    mixtures: Values,
    gain: float,
    updates: bool,
    values: Values,
    choice: NDArray[np.int64],
) -> float:
    """One sweep, last position first: take the best choices, and with `updates` their values.

    A choice is replaced only by one that gains more than `gain`; returns the largest change.
    """
    change = 0.0
    for at in range(len(mover) - 1, -1, -1):
        begin, end = first[at], first[at + 1]
        if winner[at] != 0 or begin == end:
            continue
        now = 0.0
        if mover[at] == side or mover[at] == BATTLE:
            options = numbers if mover[at] == BATTLE else end - begin
            best, top = -1, -2.0
            kept = -2.0
            for option in range(options):
                if mover[at] == BATTLE:
                    worth = 0.0
                    for other in range(numbers):
                        pair = option * numbers + other if side == 1 else other * numbers + option
                        worth += mixtures[battle[at], other] * values[after[begin + pair]]
                else:
                    worth = values[after[begin + option]]
                if option == choice[at]:
                    kept = worth
                if worth > top:
                    best, top = option, worth
            now = top
            if choice[at] < 0 or top > kept + gain:
                choice[at] = best
        else:
            for one in range(begin, end):
                now += moves[one] * values[after[one]]
        if updates:
            change = max(change, abs(now - values[at]))
            values[at] = now
    return change
