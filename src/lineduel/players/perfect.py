"""The player that never gives anything away, and sets traps while it does so."""

from lineduel.engine import Move, Numbers, Position
from lineduel.players.levels import Level
from lineduel.players.policy import Chances, Policy, evenly
from lineduel.rules import Side
from lineduel.solve import PlainSolution, Solution

CARELESS = 0.1
HURRY = 0.98
"""What a win is worth beside one a ply sooner: a trap that waits for ever is none."""
CONVERGED = 1e-12
MOST_ROUNDS = 20_000


class Fallible:
    """The opponent that traps are set for: level 3, with a careless moment now and then."""

    name = "fallible"
    description = "Level 3, but one move in ten is made without looking."

    def __init__(self, solution: Solution) -> None:
        self._looking, self._careless = Level(3, solution), Level(1, solution)

    def chances(self, position: Position, side: Side) -> Chances:
        looking = self._looking.chances(position, side)
        careless = self._careless.chances(position, side)
        return tuple(
            (1 - CARELESS) * one + CARELESS * other
            for one, other in zip(looking, careless, strict=True)
        )


class Perfect:
    """Wins the shortest way, loses the longest; where nobody can force a win, it is tricky.

    Among the moves that keep the value it then takes those with the best prospects against a
    fallible opponent: the best response to that opponent inside the safe moves.
    """

    name = "perfect"
    description = "Plays the exact solution, and sets traps where nobody can force a win."

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._prospects: dict[Side, dict[Position, float]] = {}

    def chances(self, position: Position, side: Side) -> Chances:
        solution = self._solution
        if position.battle is not None:
            return tuple(float(one) for one in solution.mixture(position, side).values())
        moves = solution.game.moves(position)
        best = solution.best(position)
        if len(best) > 1 and solution.value(position).winner is None:
            best = self._trickiest(position, best)
        return evenly([moves.index(move) for move in best], len(moves))

    def _trickiest(self, position: Position, safe: tuple[Move, ...]) -> tuple[Move, ...]:
        if not isinstance(self._solution, PlainSolution):
            return safe
        side, game = position.side, self._solution.game
        if side not in self._prospects:
            self._prospects[side] = prospects(self._solution, side, Fallible(self._solution))
        known = self._prospects[side]
        standing = self._solution.likeness.standing_for
        hopes = [known[standing(game.play(position, move))] for move in safe]
        top = max(hopes) - CONVERGED * 10
        return tuple(move for move, hope in zip(safe, hopes, strict=True) if hope >= top)


def prospects(solution: PlainSolution, side: Side, opponent: Policy) -> dict[Position, float]:
    """What a side can expect of each position by safe moves against that opponent.

    Value iteration over the positions that nobody wins by force, to twelve digits; what comes a
    ply later counts a little less.
    """
    import numpy as np

    undecided = [position for position, value in solution.items() if value.winner is None]
    numbers = {position: number for number, position in enumerate(undecided)}
    won, lost = len(undecided), len(undecided) + 1

    def number_of(position: Position) -> int:
        standing = solution.likeness.standing_for(position)
        winner = solution.value(standing).winner
        if winner is None:
            return numbers[standing]
        return won if winner is side else lost

    game = solution.game
    mine = [p for p in undecided if p.battle is None and p.side is side]
    theirs = [p for p in undecided if p.battle is not None or p.side is not side]
    choices = [[number_of(game.play(p, move)) for move in solution.best(p)] for p in mine]
    width = max(map(len, choices), default=1)
    padded = np.array([row + row[:1] * (width - len(row)) for row in choices], np.int64)
    replies = [_replies(solution, p, side, opponent) for p in theirs]
    starts = np.cumsum([0, *map(len, replies)])[:-1]
    reached = np.array([number_of(after) for row in replies for after in row], np.int64)
    weights = np.array([weight for row in replies for weight in row.values()])
    at_mine = np.array([numbers[p] for p in mine], np.int64)
    at_theirs = np.array([numbers[p] for p in theirs], np.int64)
    worth = np.zeros(len(undecided) + 2)
    worth[won], worth[lost] = 1.0, -1.0
    for _ in range(MOST_ROUNDS):
        before = worth.copy()
        if len(at_mine):
            worth[at_mine] = HURRY * worth[padded].max(axis=1)
        if len(at_theirs):
            worth[at_theirs] = HURRY * np.add.reduceat(weights * worth[reached], starts)
        if np.abs(worth - before).max() < CONVERGED:
            break
    known = dict(zip(undecided, worth.tolist(), strict=False))
    for position, value in solution.items():
        if value.winner is not None:
            known[position] = 1.0 if value.winner is side else -1.0
    return known


def _replies(
    solution: PlainSolution, position: Position, side: Side, opponent: Policy
) -> dict[Position, float]:
    """Where the opponent's move, or a battle with him, leads, and how likely."""
    game = solution.game
    likely: dict[Position, float] = {}
    if position.battle is None:
        chances = opponent.chances(position, position.side)
        for move, chance in zip(game.moves(position), chances, strict=True):
            after = game.play(position, move)
            likely[after] = likely.get(after, 0.0) + chance
        return likely
    mixture = [float(one) for one in solution.mixture(position, side).values()]
    reply = opponent.chances(position, side.other)
    for own, chance in enumerate(mixture, start=1):
        for other, weight in enumerate(reply, start=1):
            pair = Numbers(own, other) if side is Side.ONE else Numbers(other, own)
            after = game.play(position, pair)
            likely[after] = likely.get(after, 0.0) + chance * weight
    return likely
