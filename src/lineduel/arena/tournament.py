"""A tournament: its games in some order, each counted once, and the table they make."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lineduel.arena.elo import Points, rate
from lineduel.arena.hall import LOSS, UNFINISHED, WIN, Batch, Fault, play_numbers, points_of
from lineduel.arena.ledger import Ledger
from lineduel.arena.pool import LARGEST, Pool, uninterrupted
from lineduel.arena.settings import Fixture, Settings
from lineduel.arena.sprt import Decision, Verdict
from lineduel.errors import LedgerError
from lineduel.rules import Side

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOT_YET = -1
UNTIL_DECIDED = 64
"""Games that go out together while a decision may end it all."""


class Score(NamedTuple):
    """How two players have fared against each other, told of the one named first."""

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


class Row(NamedTuple):
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


class Tally:
    """The games counted so far. Each counts once, and their order does not matter."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        shape = len(settings.pairings), settings.games
        self._points: NDArray[np.int8] = np.full(shape, NOT_YET, np.int8)
        self._decided: dict[int, Decision] = {}
        self.faults: dict[Fixture, tuple[str, str]] = {}
        """Who did not play as it should, and what it did."""

    def add(self, batch: Batch) -> None:
        """Count some games that have not been counted, and see what they decide."""
        points = self._points.reshape(-1)
        fresh = points[batch.numbers] == NOT_YET
        numbers = batch.numbers[fresh]
        points[numbers] = batch.points[fresh]
        for fixture, why in batch.faults:
            if fixture not in self.faults:
                meeting = self.settings.meetings[fixture.pairing]
                self.faults[fixture] = meeting[int(self._points[fixture] == WIN)], why
        question = self.settings.question
        touched = set((numbers // self.settings.games).tolist()) if question else set()
        for pairing in touched - self._decided.keys():
            decision = self._decide(pairing)
            if decision is not None and decision.verdict is not Verdict.OPEN:
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

    def table(self) -> tuple[Row, ...]:
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
            rows.append(Row(player, rating.elo, margin, points, games, won, lost, unfinished))
        return tuple(sorted(rows, key=lambda row: -row.elo))

    def fault_counts(self) -> tuple[tuple[str, str, int], ...]:
        """Who lost games by its own fault, by which, and how many."""
        return tuple((*fault, times) for fault, times in Counter(self.faults.values()).items())

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


def play_on(
    tally: Tally, ledger: Ledger, pool: Pool, engine_log: Path | None = None
) -> Iterator[None]:
    """Play what is not played yet; each time some games are on the disk and counted, yield."""
    settings = tally.settings
    for batch in pool.run(
        partial(play_numbers, settings, engine_log=engine_log),
        _missing(tally),
        kind=lambda number: number // settings.games,
        largest=LARGEST if settings.question is None else UNTIL_DECIDED,
    ):
        with uninterrupted():
            ledger.append(batch.lines)
            tally.add(batch)
        yield


def count_lines(tally: Tally, lines: Iterable[dict[str, Any]]) -> None:
    """Count the games that a ledger holds; of a game that it holds twice, the first."""
    settings = tally.settings
    seats = {meeting: at for at, meeting in enumerate(settings.meetings)}
    played: dict[Fixture, int] = {}
    faults: list[Fault] = []
    for number, line in enumerate(lines, start=2):
        try:
            names = str(line["player1"]), str(line["player2"])
            swapped = names not in seats
            fixture = Fixture(seats[names[::-1] if swapped else names], int(line["game"]) - 1)
            winner = {"1": Side.ONE, "2": Side.TWO, "*": None}[line["result"]]
            if not 0 <= fixture.game < settings.games or fixture.swapped != swapped:
                raise ValueError(fixture)
        except (KeyError, TypeError, ValueError):
            raise LedgerError(f"Line {number} is no game of this tournament.") from None
        played.setdefault(fixture, points_of(winner, swapped))
        if line.get("why"):
            faults.append(Fault(fixture, str(line["why"])))
    numbers = np.array([one.pairing * settings.games + one.game for one in played], np.int64)
    points = np.array([*played.values()], np.int8)
    tally.add(Batch(b"", numbers, points, tuple(faults)))


def _missing(tally: Tally) -> Iterator[int]:
    """The numbers of the games that are still to be played, until their pairing is decided."""
    games = tally.settings.games
    for pairing in range(len(tally.settings.pairings)):
        for game in tally.missing(pairing):
            if tally.decided(pairing):
                break
            yield pairing * games + game


def _mean(points: "NDArray[np.int8]") -> float | None:
    played = points[points != NOT_YET]
    return float(played.mean()) / WIN if len(played) else None
