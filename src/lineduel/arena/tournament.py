"""A tournament: its games in some order, each counted once, and the table they make."""

from collections import Counter, deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lineduel.arena.elo import Decision, Points, SprtVerdict, rate
from lineduel.arena.game_runner import LOSS, UNFINISHED, WIN, Batch, play_numbers, runner_of
from lineduel.arena.results import WINNERS, GameReader, ReadGame, batch_of
from lineduel.arena.settings import TOURNAMENT, Settings, settings_of
from lineduel.engine import Game
from lineduel.errors import EngineError, NotationError, NotNow, original_errors, shown
from lineduel.jobs import (
    LARGEST,
    FollowedLedger,
    Header,
    Keep,
    Ledger,
    Pool,
    Progress,
    uninterrupted,
)
from lineduel.narration import capitalized
from lineduel.players import (
    BUILT_IN,
    ENGINE_PREFIX,
    EngineProgram,
    engine_commands,
    player_in_words,
)
from lineduel.quantities import counted, percent
from lineduel.record import Record, parse_move, read_position
from lineduel.solve import Cache, Report

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOT_YET = -1
UNTIL_DECIDED = 64
"""Games that go out together while a decision may end it all."""
MOST_NEWEST = 200
"""Games that are remembered to be replayed."""
_AT_ONCE = 1 << 13
"""Games that are read before they are counted."""
_WIDTH = 60
_LONGEST_NAME = 40
"""The columns that a player has in a table."""
"""Columns of the report."""


class Score(NamedTuple):
    """The results of two players against each other, from the view of the first one."""

    player: str
    opponent: str
    won: int
    lost: int
    unfinished: int
    seat1: float | None
    """What was scored as player 1, and as player 2; None before any game."""
    seat2: float | None
    decision: Decision | None

    @property
    def games(self) -> int:
        return self.won + self.lost + self.unfinished

    @property
    def points(self) -> float:
        return self.won + self.unfinished / 2


class TableRow(NamedTuple):
    """A player's line of the table."""

    player: str
    elo: float
    margin: float | None
    """Of the 95 % interval, to either side; None before any game."""
    points: float
    games: int
    won: int
    lost: int
    unfinished: int


class Standings:
    """The games counted so far. Each counts once, and their order does not matter."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        shape = len(settings.pairings), settings.games
        self._points: NDArray[np.int8] = np.full(shape, NOT_YET, np.int8)
        self._decided: dict[int, Decision] = {}
        self._faults: Counter[tuple[str, str]] = Counter()
        """Which players broke the protocol or the rules, how, and how often."""
        self._names: dict[str, str] = {}
        """What engines call themselves, by player."""

    def add(self, batch: Batch) -> None:
        """Count some games that have not been counted, and see what they decide."""
        points = self._points.reshape(-1)
        fresh = points[batch.numbers] == NOT_YET
        numbers = batch.numbers[fresh]
        points[numbers] = batch.points[fresh]
        self._names |= batch.names
        new = set(numbers.tolist()) if batch.faults else set()
        for number, why in batch.faults.items():
            if number in new:
                meeting = self.settings.meetings[number // self.settings.games]
                self._faults[meeting[int(points[number] == WIN)], why] += 1
        question = self.settings.question
        touched = set((numbers // self.settings.games).tolist()) if question else set()
        for pairing in touched - self._decided.keys():
            decision = self._decide(pairing)
            if decision is not None and decision.verdict is not SprtVerdict.OPEN:
                self._decided[pairing] = decision

    def name(self, player: str) -> str:
        """What a report calls a player: `level 3 (easy)`, or an engine by its own name.

        An engine whose name another player has, too, has its command behind it.
        """
        own = self._names.get(player)
        if own is None:
            return player_in_words(player)
        others = (*self._names.values(), *BUILT_IN)
        if others.count(own) > 1:
            own = f"{own} ({player.removeprefix(ENGINE_PREFIX)})"
        return shown(own, 200)

    def missing(self, pairing: int) -> list[int]:
        """The numbers of the games that have not been counted."""
        found: list[int] = np.flatnonzero(self._points[pairing] == NOT_YET).tolist()
        return found

    def decided(self, pairing: int) -> bool:
        """Whether the pairing's question is answered, so that no more games are needed."""
        return pairing in self._decided

    @property
    def done(self) -> float:
        """The share of the games that need not be played any more."""
        played = (self._points != NOT_YET).mean(axis=1)
        for pairing in self._decided:
            played[pairing] = 1.0
        return float(played.mean())

    @property
    def games(self) -> int:
        """How many games were played."""
        return int((self._points != NOT_YET).sum())

    @property
    def counted(self) -> int:
        """How many of them count: those after a decision do not."""
        return sum(score.games for score in self.scores())

    def scores(self) -> tuple[Score, ...]:
        """Every pairing; games after a decision are not counted."""
        return tuple(self._score(pairing) for pairing in range(len(self.settings.pairings)))

    def table(self) -> tuple[TableRow, ...]:
        """The players with their strength, the strongest first."""
        settings, scores = self.settings, self.scores()
        met = [
            Points(one, other, score.points, score.games - score.points)
            for (one, other), score in zip(settings.pairings, scores, strict=True)
            if score.games
        ]
        ratings = rate(len(settings.players), met)
        rows = []
        for player, rating in zip(settings.players, ratings, strict=True):
            mine = [one for one in scores if one.player == player]
            theirs = [one for one in scores if one.opponent == player]
            won = sum(one.won for one in mine) + sum(one.lost for one in theirs)
            lost = sum(one.lost for one in mine) + sum(one.won for one in theirs)
            unfinished = sum(one.unfinished for one in (*mine, *theirs))
            points, games = won + unfinished / 2, won + lost + unfinished
            margin = rating.margin if games else None
            rows.append(TableRow(player, rating.elo, margin, points, games, won, lost, unfinished))
        return tuple(sorted(rows, key=lambda row: -row.elo))

    def fault_counts(self) -> tuple[tuple[str, str, int], ...]:
        """Which players forfeited games, why, and how many."""
        return tuple((*fault, times) for fault, times in self._faults.items())

    def _decide(self, pairing: int) -> Decision | None:
        """What the games from the first to the last before one that is missing come to."""
        question = self.settings.question
        if question is None:
            return None
        missing = self.missing(pairing)
        known = self._points[pairing, : missing[0] if missing else None]
        return question.decide(known / WIN)

    def _score(self, pairing: int) -> Score:
        decision = self._decided.get(pairing) or self._decide(pairing)
        last = decision.games if decision and self.decided(pairing) else None
        points = self._points[pairing, :last]
        won, lost, unfinished = (int((points == one).sum()) for one in (WIN, LOSS, UNFINISHED))
        player, opponent = self.settings.meetings[pairing]
        return Score(
            player=player,
            opponent=opponent,
            won=won,
            lost=lost,
            unfinished=unfinished,
            seat1=_mean(points[::2]),
            seat2=_mean(points[1::2]),
            decision=decision,
        )


@dataclass(frozen=True, slots=True)
class Tournament:
    """The games of a tournament, played and kept in a file as long work."""

    standings: Standings
    engine_log: Path | None = None
    cache: Cache | None = None
    problems: list[str] = field(default_factory=list)
    """What went wrong beside the games, as sentences."""

    @classmethod
    def resumed(
        cls, ledger: Ledger, engine_log: Path | None = None, cache: Cache | None = None
    ) -> "Tournament":
        """The tournament that a ledger holds."""
        standings = Standings(settings_of(ledger))
        count_games(standings, ledger)
        return cls(standings, engine_log, cache)

    @property
    def header(self) -> Header:
        return self.standings.settings.header()

    @property
    def kept(self) -> str:
        return f"{self.standings.games:,} games are kept"

    def prepare(self, report: Report) -> None:
        """Solve what the players need to know, unless all games are played."""
        if self.standings.done < 1:
            with original_errors():
                settings = self.standings.settings
                runner_of(settings, self.engine_log, self.cache).prepare(report)

    def try_engines(self) -> None:
        """Start each engine once; raises if one of them cannot play this game."""
        settings = self.standings.settings
        game = Game(settings.rulebook)
        for command in engine_commands(settings.players if self.standings.done < 1 else ()):
            engine = EngineProgram(command, game, settings.position)
            try:
                engine.start()
            except EngineError as error:
                name = player_in_words(f"{ENGINE_PREFIX}{command}")
                why = str(error).removeprefix("The engine ")
                raise EngineError(f"{capitalized(name)} cannot play: it {why}") from None
            finally:
                engine.close()

    def steps(self, pool: Pool, keep: Keep) -> Iterator[Progress]:
        """Play what is not played yet."""
        settings = self.standings.settings
        yield Progress("playing", self.standings.done)
        for batch in pool.run(
            partial(play_numbers, settings, engine_log=self.engine_log, cache=self.cache),
            _missing(self.standings),
            kind=lambda number: number // settings.games,
            largest=LARGEST if settings.question is None else UNTIL_DECIDED,
        ):
            with uninterrupted():
                keep(batch.lines)
                self.standings.add(batch)
            if batch.log_problem and batch.log_problem not in self.problems:
                self.problems.append(batch.log_problem)
            yield Progress("playing", self.standings.done)


def count_games(standings: Standings, ledger: Ledger) -> None:
    """Count the games that a ledger holds; of a game that it holds twice, the first."""
    games = GameReader(standings.settings).read(ledger)
    while some := list(islice(games, _AT_ONCE)):
        standings.add(batch_of(some))


def _missing(standings: Standings) -> Iterator[int]:
    """The numbers of the games that are still to be played, until their pairing is decided."""
    games = standings.settings.games
    for pairing in range(len(standings.settings.pairings)):
        for game in standings.missing(pairing):
            if standings.decided(pairing):
                break
            yield pairing * games + game


def _mean(points: "NDArray[np.int8]") -> float | None:
    played = points[points != NOT_YET]
    return float(played.mean()) / WIN if len(played) else None


# While another program may still play it


class FollowedTournament:
    """What a tournament's file holds so far; it is read as strictly as when it is resumed."""

    def __init__(self, path: Path) -> None:
        self._ledger = FollowedLedger(path, TOURNAMENT)
        self.settings = settings_of(self._ledger)
        self.standings = Standings(self.settings)
        self.newest: deque[ReadGame] = deque(maxlen=MOST_NEWEST)
        """The games that were read last, the newest at the end."""
        self._reader = GameReader(self.settings)

    @property
    def changed(self) -> float:
        """When the file was last written to, in seconds since 1970."""
        return self._ledger.changed

    @property
    def total(self) -> int:
        """How many games are played, unless a pairing is decided before."""
        return self.settings.games * len(self.settings.pairings)

    def read_on(self) -> bool:
        """Count games that were not read before, a few at a time; whether there were any."""
        games = list(self._reader.read(self._ledger))
        if games:
            self.standings.add(batch_of(games))
            self.newest.extend(games)
        return bool(games)

    def newest_game(self, line: int) -> ReadGame:
        """One of the newest games, by the number of its line."""
        for game in self.newest:
            if game.line == line:
                return game
        raise NotNow(f"That game is not among the newest {MOST_NEWEST}.")

    def record(self, read: ReadGame) -> Record:
        """A game to be replayed."""
        written, rulebook = read.written, self.settings.rulebook
        winner = WINNERS[written.result]
        return Record(
            rulebook=rulebook,
            start=read_position(Game(rulebook), written.opening),
            moves=tuple(map(parse_move, written.moves.split())),
            forfeited=winner.other if written.why and winner else None,
            tags=(("Player1", written.player1), ("Player2", written.player2)),
        )

    def game_on(self, line: int) -> ReadGame:
        """The game on that line of a file of which nothing has been read yet."""
        last = 1
        while games := list(self._reader.read(self._ledger)):
            last = games[-1].line
            for game in games:
                if game.line == line:
                    return game
        told = f"The games are on lines 2 to {last}." if last > 1 else "It has no games yet."
        raise NotationError(f"There is no game on line {line} of the file. {told}")

    def close(self) -> None:
        """Read no more."""
        self._ledger.close()


def record_on_line(path: Path, line: int) -> Record:
    """The game on that line of a tournament's file."""
    with closing(FollowedTournament(path)) as followed:
        return followed.record(followed.game_on(line))


# In words


def tournament_lines(standings: Standings) -> Iterator[str]:
    """The table, the score of every pairing, and what went wrong in games."""
    settings = standings.settings
    yield f"{shown(settings.title, 200)} ({shown(settings.game, 200)}), {settings.start}"
    yield f"{standings.counted:,} games, seed {settings.seed}."
    for player, why, times in standings.fault_counts():
        games = counted(times, "game")
        told = f"{standings.name(player)} forfeited {games}: {shown(why, 300)}"
        yield f"\n{fill(told, _WIDTH)}"
    yield ""
    yield from table_lines(standings)
    yield ""
    for score in standings.scores():
        yield (
            f"{standings.name(score.player)} - {standings.name(score.opponent)}: "
            f"{score.points:g} of {score.games:,} "
            f"({_seat(score.seat1)} as player 1, {_seat(score.seat2)} as player 2)"
        )
        if score.decision is not None and settings.sprt is not None:
            yield f"  {_decision_sentence(score.decision, *settings.sprt)}"
    if standings.games > standings.counted:
        left = standings.games - standings.counted
        yield f"\n{left:,} games under way at a decision do not count."
    unfinished = sum(score.unfinished for score in standings.scores())
    if unfinished:
        games = counted(unfinished, "game was", "games were")
        yield f"\n{games} unfinished after {settings.plies} turns: half a point for each player."


def table_lines(standings: Standings) -> Iterator[str]:
    """The players with their strength, the strongest first."""
    rows = standings.table()
    names = [standings.name(row.player) for row in rows]
    wide = min(max(map(len, names)), _LONGEST_NAME)
    yield f"{'':<{wide}}    Elo   +/-    points   games     won    lost  unfinished"
    for row, name in zip(rows, names, strict=True):
        margin = "-" if row.margin is None else f"{row.margin:.0f}"
        yield (
            f"{_within(name, wide):<{wide}}  {round(row.elo):>+5d}  {margin:>4}  "
            f"{row.points:>8.1f} {row.games:>7} {row.won:>7} {row.lost:>7}  {row.unfinished:>10}"
        )
    yield "+/- is the margin of the Elo difference at 95% confidence."


def _within(name: str, wide: int) -> str:
    """A name cut to the width of its column: the end is kept, which tells commands apart."""
    if len(name) <= wide:
        return name
    return f"{name[: wide // 3]}…{name[wide // 3 + 1 - wide :]}"


def _seat(score: float | None) -> str:
    return "-" if score is None else percent(score)


def _decision_sentence(decision: Decision, elo0: float, elo1: float) -> str:
    verdict, games, ratio = decision
    if verdict is SprtVerdict.OPEN:
        return f"Not decided between {elo0:g} and {elo1:g} Elo (log-likelihood ratio {ratio:+.2f})."
    better, other = (elo1, elo0) if verdict is SprtVerdict.STRONGER else (elo0, elo1)
    return f"Decided after {games:,} games: better by {better:g} Elo rather than {other:g}."
