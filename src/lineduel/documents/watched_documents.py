"""The JSON of a tournament that is watched while it is played, and of its games."""

from itertools import islice

from lineduel import arena
from lineduel.documents.document import Document
from lineduel.documents.live_documents import (
    BoardDocument,
    EventDocument,
    SideId,
    board_document,
    event_documents,
    log_lines,
)
from lineduel.documents.record_documents import ResultText
from lineduel.documents.strength_documents import TournamentDocument, tournament_document
from lineduel.narration import MoveLog, Narrator, capitalized, names_for, result_sentence
from lineduel.play import NO_SIDES, GivenNames, Session
from lineduel.record import Record
from lineduel.rules import Side

MOST_LISTED_GAMES = 12
"""Games that are listed while a tournament is watched."""


class ShownTournament(Document, frozen=True, kw_only=True):
    """A tournament in a list."""

    name: str
    """By which it can be asked for."""
    game: str
    title: str
    players: list[str]
    """In words."""


class TournamentGame(Document, frozen=True, kw_only=True):
    """A game of a tournament."""

    line: int
    """Its line in the file, by which it can be asked for."""
    player1: str
    player2: str
    result: ResultText
    """Who won; `*` for a game that was stopped."""
    plies: int
    why: str | None
    """What the loser did wrong, if it lost by that."""


class WatchedTournament(Document, frozen=True, kw_only=True):
    """A tournament that may still be under way, as far as it has been played."""

    name: str
    changed: float
    """When the file was last written to, in seconds since 1970."""
    played: int
    total: int
    """How many games there are to be, unless a pairing is decided before."""
    done: float
    """The share of the games that need not be played any more: 1 when it is over."""
    names: dict[str, str]
    """Each player in words."""
    tournament: TournamentDocument
    newest: list[TournamentGame]
    """The newest game first."""


class ReplayedTurn(Document, frozen=True, kw_only=True):
    """A turn of a game that is replayed."""

    n: int
    side: SideId | None
    """Who moved; null for a battle, in which both chose."""
    move: str
    text: str
    board: BoardDocument
    """After the turn."""
    events: list[EventDocument]


class ReplayedGame(Document, frozen=True, kw_only=True):
    """A game, turn by turn."""

    line: int | None = None
    """Where it stands in the file of its tournament, if it belongs to one."""
    title: str
    player1: str
    """In words."""
    player2: str
    sentence: str
    """How it ended."""
    start: BoardDocument
    turns: list[ReplayedTurn]


def watched_tournament(name: str, followed: "arena.FollowedTournament") -> WatchedTournament:
    """A tournament with the games read so far."""
    return WatchedTournament.of(
        followed,
        name=name,
        played=followed.standings.games,
        done=followed.standings.done,
        names={player: followed.standings.name(player) for player in followed.settings.players},
        tournament=tournament_document(followed.standings),
        newest=[
            TournamentGame.of(game.written, line=game.line, plies=len(game.written.moves.split()))
            for game in islice(reversed(followed.newest), MOST_LISTED_GAMES)
        ],
    )


def replayed_game(followed: "arena.FollowedTournament", line: int) -> ReplayedGame:
    """One of the newest games of a tournament."""
    read = followed.newest_game(line)
    session = Session.from_record(followed.record(read))
    name = followed.standings.name
    players = name(read.written.player1), name(read.written.player2)
    return _replayed(session, players, line=line, why=read.written.why)


def replayed_record(record: Record, names: GivenNames) -> ReplayedGame:
    """A game that people played, with their names."""
    session = Session.from_record(record)
    called = names_for(Narrator(session.game), NO_SIDES, session.people, names)
    one, two = (capitalized(called[side].removeprefix("the ")) for side in Side)
    return _replayed(session, (one, two), names)


def _replayed(
    session: Session,
    players: tuple[str, str],
    given: GivenNames = (None, None),
    *,
    line: int | None = None,
    why: str | None = None,
) -> ReplayedGame:
    game, narrator = session.game, Narrator(session.game)
    names = names_for(narrator, NO_SIDES, session.people, given)
    ending = (
        f"Stopped after {session.plies} turns."
        if session.winner is None
        else result_sentence(session, names, narrator)
    )
    return ReplayedGame(
        line=line,
        title=session.rulebook.title,
        player1=players[0],
        player2=players[1],
        sentence=" ".join(filter(None, (ending, why))),
        start=board_document(game, narrator, session.start),
        turns=replayed_turns(session),
    )


def replayed_turns(session: Session) -> list[ReplayedTurn]:
    """Every turn of a game, with the board after it."""
    game, narrator = session.game, Narrator(session.game)
    lines = log_lines(MoveLog(narrator).entries(session))
    return [
        ReplayedTurn.of(
            logged,
            board=board_document(game, narrator, turn.after),
            events=event_documents(turn.events),
        )
        for logged, turn in zip(lines, session.turns, strict=True)
    ]
