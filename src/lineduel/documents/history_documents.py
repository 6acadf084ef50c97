"""The JSON of `history`."""

from collections.abc import Iterable

from lineduel import history
from lineduel.documents.document import Document
from lineduel.documents.record_documents import RESULT_TEXTS, ResultText
from lineduel.rules import Side


class PlayedGame(Document, frozen=True, kw_only=True):
    """A game that was played here."""

    number: int
    """What `lineduel history review` and its neighbours take; 1 is the game played last."""
    file: str
    game: str
    """The id of the rulebook."""
    title: str
    played: str | None
    """When the last move was made, as ISO 8601 has it, in local time; null where nobody knows."""
    players: tuple[str, str]
    """Who played player 1 and player 2, as `play --p1` and `--p2` take it."""
    names: tuple[str | None, str | None]
    """The names they were given."""
    you: Side | None
    """The side of the only person; null where two people or two programs played."""
    moves: int
    result: ResultText
    """Who won; `*` for a game that is not finished."""


class UnreadableGame(Document, frozen=True, kw_only=True):
    """A file among the saved games that cannot be read."""

    file: str
    why: str


class HistoryDocument(Document, frozen=True, kw_only=True):
    """The games that were played here, the latest first."""

    games: list[PlayedGame]
    total: int
    """How many there are, listed or not."""
    damaged: list[UnreadableGame]


def history_document(
    games: Iterable[tuple[int, "history.SavedGame"]],
    total: int,
    damaged: Iterable["history.DamagedGame"],
) -> HistoryDocument:
    """Some of the games with their numbers, and the files that cannot be read."""
    return HistoryDocument(
        games=[_played(number, game) for number, game in games],
        total=total,
        damaged=[UnreadableGame(file=str(one.path), why=one.why) for one in damaged],
    )


def _played(number: int, game: "history.SavedGame") -> PlayedGame:
    return PlayedGame.of(
        game,
        number=number,
        file=str(game.path),
        game=game.record.rulebook.id,
        title=game.record.rulebook.title,
        played=None if game.played is None else game.played.isoformat(),
        players=game.seats,
        moves=len(game.record.moves),
        result=RESULT_TEXTS[game.record.winner],
    )
