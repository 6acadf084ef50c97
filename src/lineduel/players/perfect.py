"""The player that never gives anything away, and sets traps."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from lineduel.engine import Game, Move, Position
from lineduel.graph import SAME_PROSPECTS
from lineduel.players.levels import Level, table_of_level
from lineduel.players.lookahead import Lookahead
from lineduel.players.policy import Chances
from lineduel.rules import Side
from lineduel.solve import (
    Chain,
    Endless,
    Law,
    Solution,
    WorkLimit,
    leading_to,
    solve_matrix,
)

if TYPE_CHECKING:
    from lineduel.graph import BattleSolver, GameGraph, PolicyTable

CARELESS = 0.1
LEAST_CHANCE = 1e-150
"""Smaller chances are rounded up to this; the product of two of them is not 0 in floats."""


class Fallible:
    """The opponent that traps are set for: level 3, with a careless moment now and then."""

    name = "fallible"
    description = "Level 3, but one move in ten is made without looking."

    def __init__(self, known: Solution | Lookahead) -> None:
        self._looking, self._careless = Level(3, known), Level(1, known)

    def chances(self, position: Position, side: Side) -> Chances:
        looking = self._looking.chances(position, side)
        careless = self._careless.chances(position, side)
        return tuple(
            (1 - CARELESS) * one + CARELESS * other
            for one, other in zip(looking, careless, strict=True)
        )

    def table(self, graph: "GameGraph") -> "PolicyTable":
        """The same over a whole graph."""
        return fallible_table(graph)


def fallible_table(
    graph: "GameGraph", solve_battle: "BattleSolver | None" = solve_matrix
) -> "PolicyTable":
    """How the fallible opponent plays in every position of a graph."""
    from lineduel.graph import mixed_table

    looking, careless = (table_of_level(level, graph, solve_battle) for level in (3, 1))
    return mixed_table(looking, careless, CARELESS)


class Perfect:
    """Guarantees its proved bound against everyone, and sets traps where that leaves a choice.

    Forced wins are won the shortest way and lost the longest. Elsewhere it keeps to the safe moves
    of the solution, and among them takes those with the best prospects against a fallible
    opponent; in a battle it plays the solution's mixture.
    """

    name = "perfect"
    description = "Plays the exact solution, and sets traps where nobody can force a win."

    def __init__(self, solution: Solution, *, traps: bool = True) -> None:
        """Without traps, it plays any safe move."""
        self._solution = solution
        self._traps = traps

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
        hopes = self.hopes(position) if self._traps and len(safe) > 1 else {}
        if not hopes:
            return safe
        top = max(hopes[move] for move in safe) - SAME_PROSPECTS
        return tuple(move for move in safe if hopes[move] >= top)

    def hopes(self, position: Position) -> dict[Move, float]:
        """What each move is worth to the mover against a fallible opponent, if safe moves follow.

        Empty where a win is forced, which needs no traps, and where positions are too many to
        compute it: in a table, or in more than 20,000 positions with battles.
        """
        solution, side = self._solution, position.side
        if not solution.is_small or solution.value(position).winner is not None:
            return {}
        known, standing = self._prospects[side], solution.likeness.standing_for
        game = solution.game
        return {move: known[standing(game.play(position, move))] for move in game.moves(position)}

    @cached_property
    def _prospects(self) -> dict[Side, dict[Position, float]]:
        """What each side can expect of every position against a fallible opponent."""
        from lineduel.graph import prospects

        solution = self._solution
        graph = solution.explored()
        winner = [solution.value(position).winner or 0 for position in graph.positions]
        safe, fallible = Perfect(solution, traps=False).table(graph), fallible_table(graph)
        found = (prospects(graph, winner, safe, fallible, side).tolist() for side in Side)
        return {
            side: dict(zip(graph.positions, one, strict=True))
            for side, one in zip(Side, found, strict=True)
        }

    def table(self, graph: "GameGraph") -> "PolicyTable":
        """The same over a whole graph."""
        from lineduel.players.policy import written_out

        if graph.game.rules.battle is not None:
            return written_out(self, graph)
        return table_of_perfect(graph, traps=self._traps and self._solution.is_small)


def table_of_perfect(graph: "GameGraph", *, traps: bool) -> "PolicyTable":
    """How the perfect player plays in every position of a graph without battles.

    It sets no traps where positions are too many to compute what they are worth.
    """
    from lineduel.graph import perfect_table

    if not traps or 0 not in graph.forced_wins.winner:
        return perfect_table(graph, None)
    return perfect_table(graph, fallible_table(graph))


def without_underflow(chance: Fraction) -> float:
    """A chance as a float that is 0 only if the chance is 0."""
    return max(float(chance), LEAST_CHANCE) if chance else 0.0


def endless_chance(solution: Solution, position: Position) -> float:
    """The probability that two perfect players never finish the game from a position.

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
    """The moves of two perfect players in a position, each with its probability."""
    moves = game.moves(position)
    if position.battle is None:
        chances = perfect.chances(position, position.side) if moves else ()
    else:
        ones, twos = (perfect.chances(position, side) for side in Side)
        chances = tuple(one * two for one in ones for two in twos)
    return ((move, chance) for move, chance in zip(moves, chances, strict=True) if chance)
