"""The exact result of two policies: an absorbing chain, solved as a linear system."""

from collections.abc import Iterable

import numpy as np
from scipy.sparse import csc_matrix, identity
from scipy.sparse.linalg import spsolve

from lineduel.engine import Move, Numbers, Position
from lineduel.players import Policy
from lineduel.rules import Side
from lineduel.solve import Solution

_LEAK = 1e-13
"""A chance to stop at every step, so that endless parts leave the system solvable."""


def score(solution: Solution, player: Policy, opponent: Policy) -> float:
    """What a player scores over both seats: 1 for a win, 1/2 for play without end."""
    win1, loss1 = result(solution, player, opponent)
    loss2, win2 = result(solution, opponent, player)
    return (1 + win1 - loss1) / 4 + (1 + win2 - loss2) / 4


def result(solution: Solution, player1: Policy, player2: Policy) -> tuple[float, float]:
    """The chances that player 1 wins and that player 2 wins, from the start."""
    game, standing = solution.game, solution.likeness.standing_for
    found = {solution.start: 0}
    waiting = [solution.start]
    at, to, weights = [], [], []
    ends: list[list[float]] = []
    for position in waiting:
        ends.append([0.0, 0.0])
        for reached, chance in _next(solution, position, player1, player2).items():
            winner = game.outcome(reached)
            if winner is not None:
                ends[-1][winner - 1] += chance
                continue
            number = found.setdefault(standing(reached), len(waiting))
            if number == len(waiting):
                waiting.append(standing(reached))
            at.append(found[position])
            to.append(number)
            weights.append(chance * (1 - _LEAK))
    size = len(waiting)
    step = csc_matrix((weights, (at, to)), shape=(size, size))
    chances = np.asarray(spsolve(identity(size, format="csc") - step, np.array(ends)))
    return float(chances.reshape(size, 2)[0, 0]), float(chances.reshape(size, 2)[0, 1])


def _next(
    solution: Solution, position: Position, player1: Policy, player2: Policy
) -> dict[Position, float]:
    game = solution.game
    likely: dict[Position, float] = {}
    pairs: Iterable[tuple[Move, float]]
    if position.battle is None:
        mover = player1 if position.side is Side.ONE else player2
        pairs = zip(game.moves(position), mover.chances(position, position.side), strict=True)
    else:
        numbers = enumerate(player1.chances(position, Side.ONE), start=1)
        replies = list(enumerate(player2.chances(position, Side.TWO), start=1))
        pairs = (
            (Numbers(one, two), chance * other) for one, chance in numbers for two, other in replies
        )
    for move, chance in pairs:
        if chance:
            reached = game.play(position, move)
            likely[reached] = likely.get(reached, 0.0) + chance
    return likely
