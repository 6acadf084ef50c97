"""The JSON of `tournament`."""

from typing import TYPE_CHECKING

from lineduel.arena import SprtVerdict
from lineduel.documents.document import Document

if TYPE_CHECKING:
    from lineduel.arena import Decision, Score, Standings


class StandingDocument(Document, frozen=True, kw_only=True):
    """A player's row in the table."""

    player: str
    elo: float
    margin: float | None
    """Half the width of the 95 % interval; null before any game."""
    points: float
    games: int
    won: int
    lost: int
    unfinished: int


class DecisionDocument(Document, frozen=True, kw_only=True):
    """The result of the sequential test of a pairing."""

    verdict: SprtVerdict
    """The hypothesis that was accepted, `elo0` or `elo1`; `open` while undecided."""
    games: int
    """How many games it took."""
    ratio: float
    """The log-likelihood ratio after them."""


class PairingDocument(Document, frozen=True, kw_only=True):
    """The results of two players against each other, from the first player's point of view."""

    player: str
    opponent: str
    won: int
    lost: int
    unfinished: int
    seat1: float | None
    """The score as player 1; null before any game."""
    seat2: float | None
    """The score as player 2; null before any game."""
    decision: DecisionDocument | None
    """Only if a sequential test was asked for."""
    points: float
    games: int


class FaultDocument(Document, frozen=True, kw_only=True):
    """What an engine did wrong, and how many games it lost because of that."""

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
    """The position in which games, or their random openings, begin."""
    players: list[str]
    games: int
    """Number of games for each pairing, over both seats."""
    seed: int
    plies: int
    """A game is stopped after this many plies."""
    opening: int
    """Number of random plies before the players begin."""
    gauntlet: bool
    """Whether only the first player plays against all others."""
    sprt: tuple[float, float] | None
    """elo0 and elo1 of the sequential test; null if there is none."""
    movetime: int
    """Milliseconds an engine may think about a move."""
    playouts: int
    """Simulated games per move of a search player."""
    counted: int
    """How many games count; games after a decision do not."""
    table: list[StandingDocument]
    """The strongest player first."""
    pairings: list[PairingDocument]
    faults: list[FaultDocument]


def tournament_document(standings: "Standings") -> TournamentDocument:
    """A tournament with the games played so far."""
    settings = standings.settings
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
        counted=standings.counted,
        table=[StandingDocument(**row._asdict()) for row in standings.table()],
        pairings=[_pairing(score) for score in standings.scores()],
        faults=[
            FaultDocument(player=player, why=why, games=times)
            for player, why, times in standings.fault_counts()
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
