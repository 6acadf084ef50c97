"""What a tournament is: all that its games, and so its table, depend on."""

from dataclasses import asdict, dataclass, fields
from itertools import combinations
from typing import Any, NamedTuple

from lineduel.arena.sprt import Question
from lineduel.engine import Position
from lineduel.errors import LedgerError, LineduelError
from lineduel.record import parse_position
from lineduel.rules import Rulebook
from lineduel.rules.assignments import parse_rules
from lineduel.rules.words import Words

KIND = "tournament"
VERSION = 1


class Fixture(NamedTuple):
    """A game that is to be played: the pairing, and its number there from 0 on.

    Two games in a row are a round: the same lots and opening, the seats swapped.
    """

    pairing: int
    game: int

    @property
    def round(self) -> int:
        return self.game // 2

    @property
    def swapped(self) -> bool:
        """Whether the player that is named first is player 2."""
        return self.game % 2 == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The rules, the players, and how they meet."""

    game: str
    title: str
    rules: str
    """As `--set` would write them."""
    start: str
    """The position that play, or the random opening, begins with."""
    players: tuple[str, ...]
    games: int = 100
    """For each pairing, both seats together."""
    seed: int = 1
    plies: int = 300
    """After so many a game is unfinished."""
    opening: int = 0
    """Plies at random before the players begin."""
    gauntlet: bool = False
    """The first player against each other one, rather than all against all."""
    sprt: tuple[float, float] | None = None
    """elo0 and elo1: a pairing stops when it is decided which its first player is better by."""
    movetime: int = 1000
    """Milliseconds that an engine has for a move."""
    playouts: int = 1000
    """Games in the head that a search has for a choice."""

    @property
    def rulebook(self) -> Rulebook:
        rules = parse_rules(self.rules)
        return Rulebook(id=self.game, title=self.title, summary="", rules=rules, words=Words())

    @property
    def position(self) -> Position:
        return parse_position(self.start)

    @property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        """Who meets whom."""
        size = len(self.players)
        if self.gauntlet:
            return tuple((0, other) for other in range(1, size))
        return tuple(combinations(range(size), 2))

    @property
    def question(self) -> Question | None:
        return None if self.sprt is None else Question(*self.sprt)

    @property
    def meetings(self) -> tuple[tuple[str, str], ...]:
        """The same by their names."""
        return tuple((self.players[one], self.players[other]) for one, other in self.pairings)

    def header(self) -> dict[str, Any]:
        """The first line of the ledger."""
        return {"lineduel": KIND, "version": VERSION, **asdict(self)}


def from_header(header: dict[str, Any]) -> Settings:
    """The inverse of `header`; what was written otherwise is refused."""
    if header.get("version") != VERSION:
        raise LedgerError("The tournament's file is of another version of lineduel.")
    try:
        given = {one.name: header[one.name] for one in fields(Settings)}
        given["players"] = tuple(given["players"])
        given["sprt"] = given["sprt"] and tuple(given["sprt"])
        settings = Settings(**given)
        if settings.header() != header | {"players": settings.players, "sprt": settings.sprt}:
            raise LedgerError("The first line of the tournament's file is damaged.")
        parse_rules(settings.rules)
    except (KeyError, TypeError, ValueError, LineduelError):
        raise LedgerError("The first line of the tournament's file is damaged.") from None
    return settings
