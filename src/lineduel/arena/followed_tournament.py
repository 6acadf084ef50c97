"""A tournament that may still be played by another program: its table so far, its newest games."""

from collections import deque
from contextlib import closing
from pathlib import Path

from lineduel.arena.results import WINNERS, GameReader, ReadGame, batch_of
from lineduel.arena.settings import TOURNAMENT, settings_of
from lineduel.arena.tournament import Standings
from lineduel.engine import Game
from lineduel.errors import NotationError, NotNow
from lineduel.jobs import FollowedLedger
from lineduel.record import Record, parse_move, read_position

MOST_NEWEST = 200
"""Games that are remembered to be replayed."""


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
        """How many games there are to be, unless a pairing is decided before."""
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
