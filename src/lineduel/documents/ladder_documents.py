"""The JSON of `ladder`, and of pairings in other documents."""

from typing import TYPE_CHECKING

from lineduel.documents.document import Document

if TYPE_CHECKING:
    from lineduel.arena import Ladder
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


def ladder_document(ladder: "Ladder", start: "Position") -> LadderDocument:
    """A ladder from the given start."""
    names = ladder.players
    return LadderDocument(
        game=ladder.game.rulebook.id,
        position=str(start),
        players=list(names),
        results=pair_documents(ladder),
        scores=[
            [ladder.score(row, column) for column in range(len(names))] for row in range(len(names))
        ],
        elo=dict(zip(names, ladder.elo, strict=True)),
        range=ladder.range,
        chain=list(ladder.chain),
        seat={name: ladder.results[at][at].value for at, name in enumerate(names)},
    )


def pair_documents(ladder: "Ladder") -> list[PairDocument]:
    """Every pairing of a ladder."""
    return [
        PairDocument(player1=one, player2=two, **ladder.results[row][column]._asdict())
        for row, one in enumerate(ladder.players)
        for column, two in enumerate(ladder.players)
    ]
