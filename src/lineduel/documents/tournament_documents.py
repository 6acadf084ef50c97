"""The JSON of `tournament`."""

from typing import TYPE_CHECKING

from lineduel.arena import SprtVerdict
from lineduel.documents.document import Document

if TYPE_CHECKING:
    from lineduel.arena import Decision, Score, Tally


class StandingDocument(Document, frozen=True, kw_only=True):
    """A player's line of the table."""

    player: str
    elo: float
    margin: float | None
    """Of the 95 % interval, to either side; null before any game."""
    points: float
    games: int
    won: int
    lost: int
    unfinished: int


class DecisionDocument(Document, frozen=True, kw_only=True):
    """What the sequential test of a pairing has found."""

    verdict: SprtVerdict
    """`elo0` or `elo1`: which the first player is better by; `open` while that is undecided."""
    games: int
    """How many games it took."""
    ratio: float
    """The log-likelihood ratio after them."""


class PairingDocument(Document, frozen=True, kw_only=True):
    """How two players have fared against each other, told of the one named first."""

    player: str
    opponent: str
    won: int
    lost: int
    unfinished: int
    seat1: float | None
    """What was scored as player 1; null before any game."""
    seat2: float | None
    """What was scored as player 2; null before any game."""
    decision: DecisionDocument | None
    """Only where a sequential test was asked for."""
    points: float
    games: int


class FaultDocument(Document, frozen=True, kw_only=True):
    """What an engine did wrong, and how many games it lost by that."""

    player: str
    why: str
    games: int


class TournamentDocument(Document, frozen=True, kw_only=True):
    """A tournament: its settings, its table, and every pairing."""

    game: str
    title: str
    rules: str
    """All rules, as assignments in one line."""
    start: str
    """The position that play, or the random opening, begins with."""
    players: list[str]
    games: int
    """For each pairing, both seats together."""
    seed: int
    plies: int
    """After so many a game is unfinished."""
    opening: int
    """Plies at random before the players begin."""
    gauntlet: bool
    """The first player against each other one, rather than all against all."""
    sprt: tuple[float, float] | None
    """elo0 and elo1 of the sequential test; null without one."""
    movetime: int
    """Milliseconds that an engine has for a move."""
    playouts: int
    """Simulated games that a search has for a choice."""
    counted: int
    """How many games count: those after a decision do not."""
    table: list[StandingDocument]
    """The strongest player first."""
    pairings: list[PairingDocument]
    faults: list[FaultDocument]


def tournament_document(tally: "Tally") -> TournamentDocument:
    """A tournament as far as it was played."""
    settings = tally.settings
    return TournamentDocument(
        game=settings.game,
        title=settings.title,
        rules=settings.rules,
        start=settings.start,
        players=list(settings.players),
        games=settings.games,
        seed=settings.seed,
        plies=settings.plies,
        opening=settings.opening,
        gauntlet=settings.gauntlet,
        sprt=settings.sprt,
        movetime=settings.movetime,
        playouts=settings.playouts,
        counted=tally.counted,
        table=[StandingDocument(**row._asdict()) for row in tally.table()],
        pairings=[_pairing(score) for score in tally.scores()],
        faults=[
            FaultDocument(player=player, why=why, games=times)
            for player, why, times in tally.fault_counts()
        ],
    )


def _pairing(score: "Score") -> PairingDocument:
    return PairingDocument(
        player=score.player,
        opponent=score.opponent,
        won=score.won,
        lost=score.lost,
        unfinished=score.unfinished,
        seat1=score.seat1,
        seat2=score.seat2,
        decision=score.decision and _decision(score.decision),
        points=score.points,
        games=score.games,
    )


def _decision(decision: "Decision") -> DecisionDocument:
    return DecisionDocument(**decision._asdict())
