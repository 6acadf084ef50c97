"""The exact strength of each policy: every pairing is computed, none is sampled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import log10

from lineduel.arena.elo import PRIOR, Points, rate
from lineduel.compiled import Threads
from lineduel.engine import Game, Position
from lineduel.graph import Result, result_of
from lineduel.players import LEVELS, Fallible, Level, Perfect, Policy, policy_table
from lineduel.solve import Solution

CLEARLY = 0.6
"""The score that counts as being clearly better."""
AS_GAMES = 1000
"""A computed score counts as this many games when it is put on the Elo scale."""


def elo_of_score(score: float) -> float:
    """The lead in rating of a player with this computed score against one opponent."""
    won, games = score * AS_GAMES + PRIOR / 2, AS_GAMES + PRIOR
    return 400 * log10(won / (games - won))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The results of all pairings of some players, each in either seat, and against itself."""

    game: Game
    start: Position
    players: tuple[str, ...]
    results: tuple[tuple[Result, ...], ...]
    """Row: who is player 1; column: who is player 2."""
    elo: tuple[float, ...]
    """Bradley-Terry over all pairings; the first player is 0."""
    chain: tuple[str, ...]
    """The longest line of players, best first, in which each is clearly better than the next."""

    def score(self, player: int, opponent: int) -> float:
        """What a player scores over both seats: win 1, loss 0, endless a half."""
        seats = self.results[player][opponent].score, 1 - self.results[opponent][player].score
        return sum(seats) / len(seats)

    @property
    def range(self) -> float:
        """Elo from the first player to the last."""
        return self.elo[-1] - self.elo[0]


def everyone(solution: Solution) -> tuple[Policy, ...]:
    """Ten players from random to perfect: the levels, the fallible one, and the perfect one."""
    levels = [Level(number, solution) for number in LEVELS]
    return (*levels[:2], Fallible(solution), *levels[2:], Perfect(solution))


def climb(
    solution: Solution,
    players: Sequence[Policy] | None = None,
    report: Callable[[float], None] | None = None,
) -> Ladder:
    """The ladder of some policies from the solution's start; `report` gets the share done.

    Without `players` it is `everyone`.
    """
    players = everyone(solution) if players is None else players
    graph = solution.explored(compiled=True)
    tables = [policy_table(player, graph) for player in players]
    with Threads(report or (lambda done: None)) as threads:
        pairs = list(product(tables, tables))
        found = threads.map(lambda pair: result_of(graph, *pair), pairs)
    size = len(players)
    results = tuple(tuple(found[at * size : (at + 1) * size]) for at in range(size))
    return _assembled(solution, tuple(player.name for player in players), results)


def _assembled(
    solution: Solution, players: tuple[str, ...], results: tuple[tuple[Result, ...], ...]
) -> Ladder:
    def score(one: int, other: int) -> float:
        return (1 + results[one][other].score - results[other][one].score) / 2

    size = len(players)
    pairs = [(one, other) for one in range(size) for other in range(one)]
    points = [Points(a, b, score(a, b) * AS_GAMES, score(b, a) * AS_GAMES) for a, b in pairs]
    elo = [rating.elo for rating in rate(size, points)]
    beats = [[a != b and score(a, b) >= CLEARLY for b in range(size)] for a in range(size)]
    return Ladder(
        game=solution.game,
        start=solution.start,
        players=players,
        results=results,
        elo=tuple(one - elo[0] for one in elo),
        chain=tuple(players[at] for at in longest_chain(beats)),
    )


def longest_chain(beats: Sequence[Sequence[bool]]) -> tuple[int, ...]:
    """The longest line without repeats in which each beats the next; of equals the last players.

    Beating need not be transitive, so sets of players are gone through.
    """
    size = len(beats)
    # For each set of players and each of them as the one at the top: a full line through the set.
    lines: dict[tuple[int, int], tuple[int, ...]] = {(1 << one, one): (one,) for one in range(size)}
    best = max(lines.values(), key=len, default=())
    fresh = lines
    while fresh:
        longer: dict[tuple[int, int], tuple[int, ...]] = {}
        for (members, top), line in fresh.items():
            for one in range(size):
                if not members >> one & 1 and beats[one][top]:
                    longer.setdefault((members | 1 << one, one), (one, *line))
        if longer:
            best = max(longer.values())
        fresh = longer
    return best
