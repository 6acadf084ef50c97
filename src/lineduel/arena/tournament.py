"""A tournament: its games in some order, each counted once, and the table they make."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lineduel.arena.elo import Points, rate
from lineduel.arena.game_runner import LOSS, UNFINISHED, WIN, Batch, play_numbers, runner_of
from lineduel.arena.results import read_games
from lineduel.arena.settings import Settings, settings_of
from lineduel.arena.sprt import Decision, SprtVerdict
from lineduel.errors import original_errors
from lineduel.jobs import LARGEST, Header, Keep, Ledger, Pool, Progress, uninterrupted
from lineduel.solve import Cache, Report

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOT_YET = -1
UNTIL_DECIDED = 64
"""Games that go out together while a decision may end it all."""


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

    def add(self, batch: Batch) -> None:
        """Count some games that have not been counted, and see what they decide."""
        points = self._points.reshape(-1)
        fresh = points[batch.numbers] == NOT_YET
        numbers = batch.numbers[fresh]
        points[numbers] = batch.points[fresh]
        new = set(numbers.tolist()) if batch.faults else set()
        for fixture, why in batch.faults:
            if fixture.pairing * self.settings.games + fixture.game in new:
                meeting = self.settings.meetings[fixture.pairing]
                self._faults[meeting[int(self._points[fixture] == WIN)], why] += 1
        question = self.settings.question
        touched = set((numbers // self.settings.games).tolist()) if question else set()
        for pairing in touched - self._decided.keys():
            decision = self._decide(pairing)
            if decision is not None and decision.verdict is not SprtVerdict.OPEN:
                self._decided[pairing] = decision

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
            yield Progress("playing", self.standings.done)


def count_games(standings: Standings, ledger: Ledger) -> None:
    """Count the games that a ledger holds; of a game that it holds twice, the first."""
    for batch in read_games(standings.settings, ledger):
        standings.add(batch)


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
