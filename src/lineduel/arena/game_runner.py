"""Where a tournament's games are played: each by its number, alone or many at once.

A game depends on the settings and its number and on nothing else, so it does not matter who
plays it, when, or beside which others.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lineduel.arena.many_games import Pairing, Played, RandomStream, Script, key_of, words
from lineduel.arena.settings import Settings
from lineduel.engine import Game, Move, Numbers, Position
from lineduel.errors import EngineError, TooLarge
from lineduel.graph import GameGraph, PolicyTable, explore_by_engine
from lineduel.players import (
    ENGINE_PREFIX,
    PERFECT,
    EngineLog,
    EngineProgram,
    Limits,
    Lookahead,
    Player,
    Policy,
    SamplingPlayer,
    Search,
    make_player,
    policy_table,
    searches,
    solution_for_perfect,
)
from lineduel.rules import Side
from lineduel.solve import MOST_PLAIN, Cache, Report, Solution, solve

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOSS, UNFINISHED, WIN = 0, 1, 2
"""How a game went for the player that the pairing names first, in half points."""


class Batch(NamedTuple):
    """Games that were played: their lines for the ledger, and half points by their numbers."""

    lines: bytes
    numbers: "NDArray[np.int64]"
    points: "NDArray[np.int8]"
    faults: Mapping[int, str]
    """What went wrong in the games that were forfeited, by their numbers."""
    names: Mapping[str, str]
    """What engines call themselves, by player."""
    log_problem: str = ""
    """Why messages are missing in the engines' log, as a sentence; empty if none are."""


class GameResult(NamedTuple):
    """The moves of a game, who won (None at the limit of plies), and why without playing."""

    moves: tuple[Move, ...]
    winner: Side | None
    why: str | None = None
    """What the loser did wrong, if that is how it lost."""


def play_game(
    game: Game,
    start: Position,
    player1: Player,
    player2: Player,
    plies: int,
    note: Callable[[Move], None] = lambda move: None,
) -> GameResult:
    """Play to the end, or up to a limit of plies; a battle is one ply.

    `note` is called with each move once it is made, so never with half of a battle.
    """
    players = {Side.ONE: player1, Side.TWO: player2}
    position, moves = start, list[Move]()
    while (winner := game.outcome(position)) is None and len(moves) < plies:
        side = position.side
        try:
            if position.battle is None:
                move = players[side].choose_move(position)
            else:
                numbers = []
                for side in Side:
                    numbers.append(players[side].choose_number(position, side))
                move = Numbers(*numbers)
        except EngineError as error:
            return GameResult(tuple(moves), side.other, str(error))
        moves.append(move)
        note(move)
        position = game.play(position, move)
    return GameResult(tuple(moves), winner)


def play_numbers(
    settings: Settings,
    numbers: Sequence[int],
    engine_log: Path | None = None,
    cache: Cache | None = None,
) -> Batch:
    """Play the games with these numbers; their players are reused for later calls."""
    return runner_of(settings, engine_log, cache).play(numbers)


@lru_cache(maxsize=1)
def runner_of(settings: Settings, engine_log: Path | None, cache: Cache | None) -> "GameRunner":
    """The runner of a tournament; the last one is kept, with all that it has solved."""
    return GameRunner(settings, engine_log, cache)


class GameRunner:
    """The players of a tournament, ready to play."""

    def __init__(
        self,
        settings: Settings,
        engine_log: Path | None = None,
        solutions: Cache | None = None,
    ) -> None:
        self._settings = settings
        self._cache = solutions
        self._engine_log = engine_log
        self.game = Game(settings.rulebook)
        self.start = settings.position
        self._lookahead = Lookahead(self.game)
        self._policy = cache(self._make_policy)
        self._policy_table = cache(self._make_policy_table)
        self._pairing = cache(self._make_pairing)
        self._meetings = settings.meetings
        self._names: dict[str, str] = {}
        """What engines call themselves, as far as they were asked."""

    def prepare(self, report: Report) -> None:
        """Solve the game once for all players; refuse levels that cannot look that far."""
        levels = [name for name in self._settings.players if searches(name)]
        if self._is_for_perfect or (levels and self.is_solved):
            self.solution = self._solve(report)
        elif self.game.outcome(self.start) is None:
            for name in levels:
                self._policy(name).chances(self.start, self.start.side)

    @cached_property
    def _log(self) -> EngineLog | None:
        """Opened where engines play, which may be another process than the one that prepares."""
        return EngineLog(self._engine_log) if self._engine_log else None

    @cached_property
    def solution(self) -> Solution:
        return self._solve()

    def _solve(self, report: Report | None = None) -> Solution:
        def solved(graph: GameGraph | None = None) -> Solution:
            return solve(self.game, self.start, cache=self._cache, report=report, graph=graph)

        if self._is_for_perfect:
            return solution_for_perfect(solved, self.game, self.start)
        return solved(self._graph)

    @property
    def _is_for_perfect(self) -> bool:
        return PERFECT in self._settings.players

    @property
    def is_solved(self) -> bool:
        """Whether levels play from the solution, which is faster than search for many games.

        They play the same either way; a large rulebook is solved only for perfect.
        """
        return self._is_for_perfect or self._graph is not None

    @cached_property
    def _graph(self) -> GameGraph | None:
        """Every position, or None where there are too many.

        Which it is depends on the rulebook alone, not on what is installed.
        """
        if self._is_for_perfect:
            return self.solution.explored() if self.solution.positions <= MOST_PLAIN else None
        try:
            return explore_by_engine(self.game, self.start, MOST_PLAIN)
        except TooLarge:
            return None

    @cached_property
    def script(self) -> Script | None:
        """For playing many games at once; None where there are too many positions for it."""
        if self._graph is None:
            return None
        script = Script(self._graph)
        return script if script.fits else None

    def play(self, numbers: Sequence[int]) -> Batch:
        """Play games by their numbers; those with the same players in the same seats at once."""
        pairings, games = np.divmod(np.array(numbers, np.int64), self._settings.games)
        lines: list[str] = []
        points = np.zeros(len(numbers), np.int8)
        faults: dict[int, str] = {}
        for table in np.unique(pairings * 2 + games % 2).tolist():
            pairing, swapped = divmod(table, 2)
            at = np.flatnonzero((pairings == pairing) & (games % 2 == swapped))
            names = self._meetings[pairing]
            seats = names[::-1] if swapped else names
            rounds = (games[at] // 2).astype(np.uint64)
            keys = words(key_of(self._settings.seed, *names), rounds)
            starts = [self.opening(key) for key in keys.tolist()]
            played = self._play_all(seats, starts, keys)
            numbered = (games[at] + 1).tolist()
            lines += _lines(seats, self._names, numbered, keys.tolist(), starts, played)
            wins = played.winners == (Side.TWO if swapped else Side.ONE)
            points[at] = np.where(played.winners == 0, UNFINISHED, np.where(wins, WIN, LOSS))
            faults |= {numbers[at[one]]: why for one, why in played.faults.items()}
        problem = "" if self._log is None else self._log.problem
        content = "".join(lines).encode()
        return Batch(content, np.array(numbers), points, faults, dict(self._names), problem)

    def _play_all(
        self, seats: tuple[str, str], starts: list[Position], keys: "NDArray[np.uint64]"
    ) -> Played:
        plies = self._settings.plies
        if all(map(is_policy, seats)) and self.script is not None:
            return self._pairing(*seats).play(starts, keys, plies)
        limits = Limits(movetime=self._settings.movetime)
        engines = {
            name: EngineProgram(
                name.removeprefix(ENGINE_PREFIX), self.game, self.start, limits, self._log
            )
            for name in seats
            if name.startswith(ENGINE_PREFIX)
        }
        results: list[GameResult] = []
        try:
            for start, key in zip(starts, keys.tolist(), strict=True):
                stream = RandomStream(key)
                player1, player2 = (
                    engines.get(name) or self._seat(name, key, stream) for name in seats
                )
                results.append(play_game(self.game, start, player1, player2, plies))
        except BaseException:  # interrupted, or asked to leave
            for engine in engines.values():
                engine.close(hasty=True)
            raise
        for name, engine in engines.items():
            if engine.name:
                self._names[name] = engine.name
            engine.close()
        return Played(
            [" ".join(map(str, one.moves)) for one in results],
            np.array([one.winner or 0 for one in results], np.int8),
            {at: one.why for at, one in enumerate(results) if one.why},
        )

    def _seat(self, name: str, key: int, stream: RandomStream) -> Player:
        if is_policy(name):
            return SamplingPlayer(self._policy(name), self.game, stream)
        # Its own games in the head need many numbers, and only have to be repeatable.
        search = Search(self.game, Random(key), games=self._settings.playouts)
        return SamplingPlayer(search, self.game, stream)

    def _make_pairing(self, player1: str, player2: str) -> Pairing:
        assert self.script is not None
        return Pairing(self.script, self._policy_table(player1), self._policy_table(player2))

    def _make_policy_table(self, name: str) -> PolicyTable:
        assert self._graph is not None
        return policy_table(self._policy(name), self._graph)

    def _make_policy(self, name: str) -> Policy:
        solved = self.is_solved or not searches(name)
        return make_player(name, self.solution if solved else self._lookahead)

    def opening(self, key: int) -> Position:
        """Where a game begins: after some random plies, or fewer if the game ends before."""
        position, game = self.start, self.game
        if self._settings.opening:
            chance = Random(key)
            for _ in range(self._settings.opening):
                after = game.play(position, chance.choice(game.moves(position)))
                if game.outcome(after) is not None:
                    break
                position = after
        return position


def is_policy(name: str) -> bool:
    """Whether a player's chances are known."""
    return name == PERFECT or searches(name)


def _lines(
    seats: tuple[str, str],
    names: Mapping[str, str],
    games: list[int],
    keys: list[int],
    starts: list[Position],
    played: Played,
) -> list[str]:
    """The games as lines of JSON."""
    player1, player2 = (json.dumps(name, ensure_ascii=False) for name in seats)
    table = f'"player1":{player1},"player2":{player2},"seed":"'
    different = {id(start): start for start in starts}
    texts = {one: f'","opening":"{start}","moves":"' for one, start in different.items()}
    own = "".join(
        f',"name{side}":{json.dumps(names[name])}'
        for side, name in zip(Side, seats, strict=True)
        if name in names
    )
    results = [
        f'","result":"{won}"{own}}}\n'
        for won in map(("*", "1", "2").__getitem__, played.winners.tolist())
    ]
    for at, why in played.faults.items():
        results[at] = f'{results[at][:-2]},"why":{json.dumps(why)}}}\n'
    return [
        f'{{"game":{game},{table}{key:016x}{texts[id(start)]}{moves}{result}'
        for game, key, start, moves, result in zip(
            games, keys, starts, played.moves, results, strict=True
        )
    ]
