"""How levels and the perfect player choose in every position of a graph, and what it is worth.

Functions named `fill_...` run on lists in Python, and on arrays when compiled.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from lineduel.compiled import compiled
from lineduel.graph.array_types import ChanceArray, NumberArray, SideArray
from lineduel.graph.game_graph import BATTLE, GameGraph
from lineduel.graph.sight import ALL_PLIES, SAME_PROSPECTS, BattleSolver, battle_mixtures
from lineduel.rules import Side

UNLIMITED = 1 << 20
"""A sight that sees every forced win."""
HURRY = 0.98
"""Discount per ply, so that the player does not wait for ever to set a trap."""
_CONVERGED = 1e-12
_MOST_ROUNDS = 20_000


class PolicyTable(NamedTuple):
    """A policy on a graph, for either side."""

    moves: ChanceArray
    """The probability of each choice when the policy is to move; 0 in battles."""
    numbers: ChanceArray
    """The probability of each number, indexed by side, open battle and number."""


class Forms(NamedTuple):
    """The functions that fill tables, either all in Python or all compiled."""

    level: Callable[..., None]
    joint: Callable[..., None]
    prospects: Callable[..., None]
    best_prospects: Callable[..., None]


def level_table(
    graph: GameGraph, sight: int, haste: float, solve_battle: BattleSolver | None
) -> PolicyTable:
    """A player who sees forced wins within `sight` plies, or half that with probability `haste`.

    Battles are solved by the given function, or by compiled code in floats if it is None.
    """
    work = _Work(graph)
    moves, seen = work.zeros(len(graph.columns.after)), work.zeros(len(graph))
    battles = len(graph.battles) if graph.numbers else 0
    numbers = np.zeros((len(Side), battles, graph.numbers))
    looks = [(sight, 1 - haste), (sight // 2, haste)] if haste else [(sight, 1.0)]
    for plies, share in looks:
        work.forms.level(*work.rows, *work.forced, plies, share, seen, moves)
        if battles:
            numbers += share * _all_mixtures(graph, plies, seen, solve_battle)
    return PolicyTable(np.asarray(moves), numbers)


def mixed_table(policy: PolicyTable, other: PolicyTable, share: float) -> PolicyTable:
    """A policy that plays like `other` with probability `share`, otherwise like `policy`."""
    return PolicyTable(
        *((1 - share) * one + share * two for one, two in zip(policy, other, strict=True))
    )


def perfect_table(graph: GameGraph, opponent: PolicyTable | None) -> PolicyTable:
    """Perfect play in games without battles: it wins as fast and loses as slowly as possible.

    If neither side can force a win, it plays the moves that do not lose. If an opponent is given,
    it plays only those with the best prospects against it.
    """
    safe = level_table(graph, UNLIMITED, 0.0, _no_battles)
    return safe if opponent is None else with_best_prospects(graph, safe, opponent)


def with_best_prospects(graph: GameGraph, safe: PolicyTable, opponent: PolicyTable) -> PolicyTable:
    """A policy restricted to the moves with the best prospects against an opponent.

    Positions with a forced win stay as they are.
    """
    work = _Work(graph)
    moves = work.held(safe.moves)
    for side in Side:
        hopes = prospects(graph, graph.forced_wins.winner, safe, opponent, side)
        work.forms.best_prospects(
            *work.rows, work.forced[0], side, work.held(hopes), SAME_PROSPECTS, moves
        )
    return PolicyTable(np.asarray(moves), safe.numbers)


def prospects(
    graph: GameGraph,
    winner: "Sequence[int] | SideArray",
    safe: PolicyTable,
    opponent: PolicyTable,
    side: Side,
) -> ChanceArray:
    """The value of each position for a side that plays safe moves against that opponent.

    Uses value iteration, to twelve digits, on the positions that neither side can force (`winner`
    is 0), with a small discount per ply. The side may choose any move with a positive probability
    in `safe`; in battles it uses the mixtures of `safe`.
    """
    work = _Work(graph)
    tables = (safe, opponent) if side is Side.ONE else (opponent, safe)
    chances = work.zeros(len(graph.columns.after))
    work.forms.joint(
        work.rows[0],
        work.rows[2],
        *(work.held(one.moves) for one in tables),
        *(work.held(one.numbers[at]) for at, one in enumerate(tables)),
        graph.numbers,
        chances,
    )
    worth = np.where(np.asarray(winner) == side, 1.0, -1.0) * (np.asarray(winner) != 0)
    held, won = work.held(worth), work.held(np.asarray(winner))
    rows, order, cuts = work.by_component(chances)
    work.forms.prospects(*rows, won, int(side), order, cuts, HURRY, _CONVERGED, held)
    return np.asarray(held)


def _all_mixtures(
    graph: GameGraph, sight: int, seen: Sequence[float], solve_battle: BattleSolver | None
) -> ChanceArray:
    """The mixtures of both sides in every battle; with sight 0, all numbers are equally likely.

    Only numbers that are in hand have a chance.
    """
    battle, size, game = graph.game.rules.battle, graph.numbers, graph.game
    found = np.zeros((len(Side), len(graph.battles), size))
    found += graph.in_hand / np.maximum(graph.in_hand.sum(axis=2, keepdims=True), 1)
    if solve_battle is None and sight:
        from lineduel.graph.matrix_game import fill_mixtures

        fill_mixtures(graph, np.asarray(seen), found)
        return graph.folded(found)
    known: dict[tuple[Any, ...], tuple[list[float], list[float]]] = {}
    for number, at in enumerate(graph.battles.tolist() if sight else ()):
        assert battle is not None
        position, after = graph.positions[at], graph.successors[at]
        attacker = position.side.other
        hands = game.hand(position, Side.ONE), game.hand(position, Side.TWO)
        looks = tuple(
            float(seen[after[(one - 1) * size + two - 1]]) for one in hands[0] for two in hands[1]
        )
        key = battle.keeper(1, 1, attacker), hands, looks
        if key not in known:
            assert solve_battle is not None
            known[key] = battle_mixtures(looks, battle, hands, attacker, solve_battle)
        for side, mixture in enumerate(known[key]):
            found[side, number, [one - 1 for one in hands[side]]] = mixture
    return found


def _no_battles(matrix: list[list[float]]) -> tuple[Any, Sequence[Any], Sequence[Any]]:
    raise ValueError("A perfect player's numbers in battles come from a solution.")


class _Work:
    """A graph in the form that the `Forms` take: lists, or arrays if they are compiled."""

    def __init__(self, graph: GameGraph) -> None:
        self._graph, self.forced = graph, graph.forced_wins
        self.rows: Sequence[Any]
        self.zeros: Callable[[int], Any]
        self.held: Callable[[Any], Any]
        if graph.compiled:
            self.forms = compiled_forms()
            self.rows = graph.arrays[:3]
            self.zeros = np.zeros
            self.held = np.copy
        else:
            self.forms = PLAIN
            self.rows = [column.tolist() for column in graph.columns[:3]]
            self.zeros = lambda size: [0.0] * size
            self.held = lambda column: column.tolist()

    def by_component(self, chances: Any) -> tuple[Sequence[Any], Any, Any]:
        """The rows with those chances of the choices, and all positions by component as in
        `components_of`; as lists, all positions together, the last one first."""
        graph = self._graph
        if not graph.compiled:
            size = len(graph)
            return (*self.rows, chances), range(size - 1, -1, -1), (0, size)
        from lineduel.graph.components import all_components, merge_chances

        first, after, place = graph.merged
        together = np.empty(len(after))
        merge_chances(place, chances, together)
        return (first, after, graph.mover, together), *all_components(first, after, together)


def fill_level(
    first: Any,
    after: Any,
    mover: Any,
    winner: Any,
    plies: Any,
    sight: int,
    share: float,
    seen: Any,
    chances: Any,
) -> None:
    """Add `share` to the probabilities of the moves that look best, divided equally among ties.

    `seen` is filled with the apparent value of each position for player 1, one ply before it.
    """
    for at in range(len(mover)):
        seen[at] = 0.0
        if winner[at] != 0 and plies[at] < sight:
            soon = 1.0 - plies[at] / ALL_PLIES
            seen[at] = soon if winner[at] == 1 else -soon
    for at in range(len(mover)):
        if mover[at] == BATTLE:
            continue
        sign = 1.0 if mover[at] == 1 else -1.0
        best, equals = -2.0, 0
        for choice in range(first[at], first[at + 1]):
            worth = sign * seen[after[choice]]
            if worth > best:
                best, equals = worth, 1
            elif worth == best:
                equals += 1
        for choice in range(first[at], first[at + 1]):
            if sign * seen[after[choice]] == best:
                chances[choice] += share * (1.0 / equals)


def fill_joint(
    first: Any,
    mover: Any,
    moves1: Any,
    moves2: Any,
    numbers1: Any,
    numbers2: Any,
    numbers: int,
    chances: Any,
) -> None:
    """Fill in the probability of each choice when two policies play.

    A move has the probability that the side to move gives it; a pair of numbers has the product of
    both sides' probabilities.
    """
    battle = 0
    for at in range(len(mover)):
        begin, end = first[at], first[at + 1]
        if mover[at] == BATTLE:
            for choice in range(begin, end):
                row, column = (choice - begin) // numbers, (choice - begin) % numbers
                chances[choice] = numbers1[battle][row] * numbers2[battle][column]
            battle += 1
        elif mover[at] == 1:
            for choice in range(begin, end):
                chances[choice] = moves1[choice]
        else:
            for choice in range(begin, end):
                chances[choice] = moves2[choice]


def fill_prospects(
    first: Any,
    after: Any,
    mover: Any,
    chances: Any,
    winner: Any,
    side: int,
    order: Any,
    cuts: Any,
    hurry: float,
    converged: float,
    worth: Any,
) -> None:
    """Improve the values of positions by value iteration, component by component, until converged.

    The side picks the best move with a positive probability; everything else is averaged over the
    probabilities.
    """
    for part in range(len(cuts) - 1):
        for _ in range(_MOST_ROUNDS):
            change = 0.0
            for place in range(cuts[part], cuts[part + 1]):
                at = order[place]
                if winner[at] != 0:
                    continue
                if mover[at] == side:
                    now = -1.0
                    for choice in range(first[at], first[at + 1]):
                        if chances[choice] > 0.0 and worth[after[choice]] > now:
                            now = worth[after[choice]]
                else:
                    now = 0.0
                    for choice in range(first[at], first[at + 1]):
                        now += chances[choice] * worth[after[choice]]
                now *= hurry
                change = max(change, abs(now - worth[at]))
                worth[at] = now
            if change < converged:
                break


def fill_best_prospects(
    first: Any,
    after: Any,
    mover: Any,
    winner: Any,
    side: int,
    hopes: Any,
    tolerance: float,
    chances: Any,
) -> None:
    """Restrict a side to the moves with the best prospects, among those it may play.

    Applies only to positions without a forced win. Prospects that differ by at most `tolerance`
    count as equal.
    """
    for at in range(len(mover)):
        if winner[at] != 0 or mover[at] != side:
            continue
        top, equals = -2.0, 0
        for choice in range(first[at], first[at + 1]):
            if chances[choice] > 0.0:
                top = max(top, hopes[after[choice]])
        for choice in range(first[at], first[at + 1]):
            if chances[choice] > 0.0 and hopes[after[choice]] >= top - tolerance:
                equals += 1
        for choice in range(first[at], first[at + 1]):
            if chances[choice] > 0.0:
                good = hopes[after[choice]] >= top - tolerance
                chances[choice] = 1.0 / equals if good else 0.0


PLAIN = Forms(fill_level, fill_joint, fill_prospects, fill_best_prospects)


@cache
def compiled_forms() -> Forms:
    """The compiled forms; the first call loads the compiler, which takes a second."""
    return Forms(*map(compiled, PLAIN))


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
