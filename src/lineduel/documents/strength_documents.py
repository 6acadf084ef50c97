"""How strong players are: the JSON of `ladder`, `tournament` and `curve`."""

from lineduel import arena
from lineduel.documents.document import Document
from lineduel.engine import Position


class PairDocument(Document, frozen=True, kw_only=True):
    """The result of a game between two players; the three chances add up to 1."""

    player1: str
    player2: str
    win1: float
    """The chance that player 1 wins."""
    win2: float
    """The chance that player 2 wins."""
    endless: float
    """The chance that play never ends."""
    plies: float | None
    """The expected length of the games that end; null if none does."""


class LadderDocument(Document, frozen=True, kw_only=True):
    """How strong the players are, computed exactly for every pairing."""

    game: str
    position: str
    """Where each game begins."""
    players: list[str]
    """From the weakest to the best."""
    results: list[PairDocument]
    """Every player against every other and against itself, in either seat."""
    scores: list[list[float]]
    """The score of the row's player against the column's, over both seats: 0 to 1."""
    elo: dict[str, float]
    """By Bradley-Terry over all pairings; the first player is 0."""
    range: float
    """The Elo difference between the first and the last player."""
    chain: list[str]
    """The longest line of players in which each scores 0.6 or more against the next."""
    seat: dict[str, float]
    """What player 1 can expect if a player plays itself: win 1, loss -1, endless 0."""


def ladder_document(ladder: "arena.Ladder", start: Position) -> LadderDocument:
    """A ladder from the given start."""
    names = ladder.players
    return LadderDocument.of(
        ladder,
        game=ladder.game.rulebook.id,
        position=str(start),
        players=list(names),
        results=pair_documents(ladder),
        scores=[
            [ladder.score(row, column) for column in range(len(names))] for row in range(len(names))
        ],
        elo=dict(zip(names, ladder.elo, strict=True)),
        chain=list(ladder.chain),
        seat={name: ladder.results[at][at].value for at, name in enumerate(names)},
    )


def pair_documents(ladder: "arena.Ladder") -> list[PairDocument]:
    """Every pairing of a ladder."""
    return [
        PairDocument.of(ladder.results[row][column], player1=one, player2=two)
        for row, one in enumerate(ladder.players)
        for column, two in enumerate(ladder.players)
    ]


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

    verdict: arena.SprtVerdict
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


def tournament_document(standings: "arena.Standings") -> TournamentDocument:
    """A tournament with the games played so far."""
    return TournamentDocument.of(
        standings.settings,
        counted=standings.counted,
        table=[StandingDocument.of(row) for row in standings.table()],
        pairings=[
            PairingDocument.of(
                score, decision=score.decision and DecisionDocument.of(score.decision)
            )
            for score in standings.scores()
        ],
        faults=[
            FaultDocument(player=player, why=why, games=times)
            for player, why, times in standings.fault_counts()
        ],
    )


class CurvePointDocument(Document, frozen=True, kw_only=True):
    """One measurement during training."""

    step: int
    seconds: float
    """Since the training began."""
    exploitability: float
    """What best responses win of it, on average over the seats; 0 exactly for optimal play."""
    regret: float
    """The value that a move gives away, on average over the moves of its games against itself."""
    worst_case: tuple[float, float]
    """What it can expect against the best response, as player 1 and as player 2."""
    against: dict[str, tuple[float, float]]
    """What it can expect against each level, as player 1 and as player 2."""


class CurveDocument(Document, frozen=True, kw_only=True):
    """The measurements of a training, the earliest first."""

    game: str
    points: list[CurvePointDocument]
