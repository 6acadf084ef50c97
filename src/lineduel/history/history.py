"""The games that this user has played, the latest first, and each of them in a few words."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from textwrap import fill

from lineduel.errors import LineduelError, shown
from lineduel.match import SAVED, Saves
from lineduel.play import GivenNames, Seats, names_of, seats_of
from lineduel.players import HUMAN, player_in_brackets, seat_names
from lineduel.quantities import counted
from lineduel.record import Record, read_record
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side
from lineduel.storage import can_hold, read_text

_GAP = "  "
_WIDTH = 80
_LEFTOVER = 1
"""An unfinished game of at most this many moves is not worth keeping for long."""
_NAMED_BY_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{6}-.*")


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game that was played here, finished or not."""

    path: Path
    record: Record
    played: date | None
    """When the last move was made; only the day, where no more is known."""

    @property
    def seats(self) -> Seats:
        return seats_of(self.record)

    @property
    def names(self) -> GivenNames:
        return names_of(self.record)

    @property
    def you(self) -> Side | None:
        """The side of the only person; None where two people or two programs played."""
        people = [side for side, name in zip(Side, self.seats, strict=True) if name == HUMAN]
        return people[0] if len(people) == 1 else None

    @property
    def opponent(self) -> str | None:
        """The program that the only person played against."""
        return None if self.you is None else self.seats[self.you.other - 1]

    @property
    def title(self) -> str:
        """The game's full title, with its variant."""
        return shown(self.record.rulebook.full_title, 200)

    def is_of(self, address: str) -> bool:
        """Whether it was played by the rulebook of that address, or a variant of it."""
        own = self.record.rulebook.id.lower()
        try:
            wanted = find_rulebook(address).id.lower()
        except LineduelError:
            wanted = address.lower()  # the file of an old game may be gone
        return wanted in (own, own.partition(":")[0])

    def in_words(self, now: datetime) -> str:
        """What, when, how it ended, and who played."""
        return ", ".join((self.title, *self._cells(now)))

    def _cells(self, now: datetime) -> tuple[str, str, str]:
        turns = counted(len(self.record.moves), "turn")
        players = f"{self.players_in_words()}, {turns}"
        return when_in_words(self.played, now), self.result_in_words(), players

    def players_in_words(self) -> str:
        """`against the computer (level 3, easy)`, `two people`, `Ann against Bob`."""
        if self.you is not None:
            there = self.you.other - 1
            called = self.names[there] or "the computer"
            return f"against {called} {player_in_brackets(self.seats[there])}"
        one, two = self._called()
        if self.seats == (HUMAN, HUMAN):
            return f"{one} against {two}" if any(self.names) else "two people"
        seats = map(player_in_brackets, self.seats)
        return " against ".join(
            f"{name} {seat}" for name, seat in zip((one, two), seats, strict=True)
        )

    def result_in_words(self) -> str:
        """`won` or `lost` for the only person; else who won, as `Player 1 won`; or `unfinished`."""
        winner = self.record.winner
        if winner is None:
            return "unfinished"
        if self.you is not None:
            return "won" if winner is self.you else "lost"
        return f"{self._called()[winner - 1]} won"

    def _called(self) -> tuple[str, str]:
        words = self.record.rulebook.words
        return seat_names(self.seats, (words.player1, words.player2), self.names)


@dataclass(frozen=True, slots=True)
class DamagedGame:
    """A file among the saved games that cannot be read."""

    path: Path
    why: str

    def told(self) -> str:
        """Which file it is, and what is wrong with it."""
        path, why = shown(self.path, 300), shown(self.why, 600)
        return why if why.startswith(path) else f"{path}: {why}"


@dataclass(frozen=True, slots=True)
class History:
    """The games that were played, the latest first."""

    games: tuple[SavedGame, ...]
    damaged: tuple[DamagedGame, ...]

    @property
    def latest_unfinished(self) -> SavedGame | None:
        """The game that `continue` goes on with."""
        return next((game for game in self.games if not game.record.is_over), None)


def read_history(saves: Saves, most: int | None = None) -> History:
    """The games played last, up to a number of them, and the damaged files among them.

    Unfinished games of a single move are removed on the way, all but the latest unfinished one.
    """
    games: list[SavedGame] = []
    damaged: list[DamagedGame] = []
    has_unfinished = False
    for one in _read(saves):
        if len(games) == most:
            break
        if isinstance(one, DamagedGame):
            damaged.append(one)
        elif not (has_unfinished and _is_leftover(one) and _prune(saves, one)):
            games.append(one)
            has_unfinished = has_unfinished or not one.record.is_over
    return History(tuple(games), tuple(damaged))


def _read(saves: Saves) -> Iterator[SavedGame | DamagedGame]:
    for written, path in saves.latest_first():
        try:
            yield SavedGame(path, read_record(read_text(path)), _moment(written))
        except LineduelError as error:
            yield DamagedGame(path, str(error))


def _is_leftover(game: SavedGame) -> bool:
    """Whether it was begun, saved by itself, and left at once."""
    record = game.record
    is_short = not record.is_over and len(record.moves) <= _LEFTOVER
    by_itself = _NAMED_BY_TIME.fullmatch(game.path.name) and SAVED in dict(record.tags)
    return is_short and bool(by_itself)


def _prune(saves: Saves, game: SavedGame) -> bool:
    """Remove a game, unless it may be open; returns whether it is gone."""
    if not can_hold():
        return False
    try:
        saves.delete(game.path)
    except LineduelError:
        return False
    return True


def _moment(written: str) -> date | None:
    try:
        return datetime.fromisoformat(written) if "T" in written else date.fromisoformat(written)
    except ValueError:
        return None


def history_lines(
    found: Sequence[tuple[int, SavedGame]],
    now: datetime,
    wide: int | None,
    bold: Callable[[str], str],
) -> Iterator[str]:
    """A line for each numbered game, or two where one would be wider than the screen."""
    rows = [(str(number), game.title, *game._cells(now)) for number, game in found]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    fits = wide is None or sum(widths) + len(_GAP) * (len(widths) - 1) <= wide
    for number, title, when, result, players in rows:
        head = f"{number:>{widths[0]}}{_GAP}{when:<{widths[2]}}{_GAP}"
        if fits:
            yield f"{head}{title:<{widths[1]}}{_GAP}{result:<{widths[3]}}{_GAP}{players}"
        else:
            yield f"{head}{bold(title)}"
            indent, room = " " * (widths[0] + len(_GAP)), min(wide or _WIDTH, _WIDTH)
            told = f"{result}, {players}"
            yield fill(told, room, initial_indent=indent, subsequent_indent=indent)


def when_in_words(played: date | None, now: datetime) -> str:
    """`today 14:05`, `yesterday 09:12`, or a date."""
    if played is None:
        return "some time ago"
    day = played.date() if isinstance(played, datetime) else played
    known = {now.date(): "today", now.date() - timedelta(days=1): "yesterday"}
    if day not in known:
        return f"{day:%Y-%m-%d}"
    return f"{known[day]} {played:%H:%M}" if isinstance(played, datetime) else known[day]
