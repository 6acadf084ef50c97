"""The player that never gives anything away, and sets traps while it does so."""

from collections.abc import Iterator
from fractions import Fraction

from lineduel.engine import Game, Move, Numbers, Position
from lineduel.players.levels import Level
from lineduel.players.policy import Chances, Policy
from lineduel.rules import Side
from lineduel.solve import PlainSolution, Solution
from lineduel.solve.reachability import leading_to
from lineduel.solve.recursive.chain import Chain, Law
from lineduel.solve.recursive.work import WorkLimit
from lineduel.solve.value import Endless

CARELESS = 0.1
HURRY = 0.98
"""What a win is worth beside one a ply sooner: a trap that waits for ever is none."""
CONVERGED = 1e-12
MOST_ROUNDS = 20_000
LEAST_CHANCE = 1e-150
"""What a smaller chance is taken for: even two of them multiplied are no 0 in floats."""


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
    """Guarantees its proved bound against everyone, and sets traps where that leaves a choice.

    Forced wins are won the shortest way and lost the longest. Elsewhere it keeps to the safe moves
    of the solution, and among them takes those with the best prospects against a fallible
    opponent; in a battle it plays the solution's mixture.
    """

    name = "perfect"
    description = "Plays the exact solution, and sets traps where nobody can force a win."

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._prospects: dict[Side, dict[Position, float]] = {}

    def chances(self, position: Position, side: Side) -> Chances:
        return tuple(map(without_underflow, self.exact_chances(position, side)))

    def exact_chances(self, position: Position, side: Side) -> tuple[Fraction, ...]:
        """The same chances as fractions: those of a battle can be too small for a float."""
        solution = self._solution
        if position.battle is not None:
            return tuple(solution.mixture(position, side).values())
        chosen = self.moves(position)
        share = Fraction(1, len(chosen))
        return tuple(
            share if move in chosen else Fraction(0) for move in solution.game.moves(position)
        )

    def moves(self, position: Position) -> tuple[Move, ...]:
        """The moves it chooses among where it is to move, all equally likely."""
        safe = self._solution.safe_moves(position)
        hopes = self.hopes(position) if len(safe) > 1 else {}
        if not hopes:
            return safe
        top = max(hopes[move] for move in safe) - CONVERGED * 10
        return tuple(move for move in safe if hopes[move] >= top)

    def hopes(self, position: Position) -> dict[Move, float]:
        """What each move is worth to the mover against a fallible opponent, if safe moves follow.

        Empty where a win is forced, which needs no traps, and where positions are too many to
        compute it: in a table.
        """
        solution, side = self._solution, position.side
        if not isinstance(solution, PlainSolution) or solution.value(position).winner is not None:
            return {}
        if side not in self._prospects:
            self._prospects[side] = prospects(solution, side, Fallible(solution))
        known, standing = self._prospects[side], solution.likeness.standing_for
        game = solution.game
        return {move: known[standing(game.play(position, move))] for move in game.moves(position)}


def without_underflow(chance: Fraction) -> float:
    """A chance as a float that is 0 only if the chance is: what is possible stays possible."""
    return max(float(chance), LEAST_CHANCE) if chance else 0.0


def endless_chance(solution: Solution, position: Position) -> float:
    """How likely play is to go on for ever from a position between two perfect players.

    Exactly 0 where it cannot, which is decided on the graph of what they may play.
    """
    value = solution.value(position)
    if value.endless is not Endless.POSSIBLE:
        return float(value.endless is Endless.ALWAYS)
    game, standing = solution.game, solution.likeness.standing_for
    perfect = Perfect(solution)
    numbers = {standing(position): 0}
    reached = list(numbers)
    laws: list[Law[float]] = []
    for one in reached:
        law: dict[int, float] = {}
        for move, chance in _both(perfect, game, one):
            after = standing(game.play(one, move))
            if numbers.setdefault(after, len(reached)) == len(reached):
                reached.append(after)
            law[numbers[after]] = law.get(numbers[after], 0.0) + chance
        laws.append(list(law.items()))
    known: list[float | None] = [None] * len(reached)
    ended = [at for at, one in enumerate(reached) if game.outcome(one) is not None]
    ending = leading_to([[to for to, _ in law] for law in laws], ended)
    for at in ended:
        known[at] = 0.0
    for at in set(range(len(reached))) - ending:
        known[at] = 1.0
    if 1.0 not in known:
        return 0.0
    return min(Chain([*laws], known, 0.0, 0.0).values(WorkLimit(len(reached)))[0], 1.0)


def _both(perfect: Perfect, game: Game, position: Position) -> Iterator[tuple[Move, float]]:
    """What two perfect players do in a position, and how likely each of it is."""
    moves = game.moves(position)
    if position.battle is None:
        chances = perfect.chances(position, position.side) if moves else ()
    else:
        ones, twos = (perfect.chances(position, side) for side in Side)
        chances = tuple(one * two for one in ones for two in twos)
    return ((move, chance) for move, chance in zip(moves, chances, strict=True) if chance)


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
    choices = [[number_of(game.play(p, move)) for move in solution.safe_moves(p)] for p in mine]
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
    mixture = [without_underflow(one) for one in solution.mixture(position, side).values()]
    reply = opponent.chances(position, side.other)
    for own, chance in enumerate(mixture, start=1):
        for other, weight in enumerate(reply, start=1):
            pair = Numbers(own, other) if side is Side.ONE else Numbers(other, own)
            after = game.play(position, pair)
            likely[after] = likely.get(after, 0.0) + chance * weight
    return likely
