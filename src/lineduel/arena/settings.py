"""What a tournament is: all that its games, and so its table, depend on."""

from dataclasses import asdict, dataclass, fields
from itertools import combinations
from typing import Any, NamedTuple

from lineduel.arena.sprt import Question
from lineduel.engine import Game, Position
from lineduel.errors import LedgerError, LineduelError
from lineduel.players import check_player
from lineduel.record import parse_position, read_position
from lineduel.rules import Rulebook
from lineduel.rules.assignments import parse_rules
from lineduel.rules.words import Words

KIND = "tournament"
VERSION = 1


class Fixture(NamedTuple):
    """A game by its pairing and its number there, both from 0 on.

    Two games in a row are a round: the same lots and opening, the seats swapped.
    """

    pairing: int
    game: int

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


_LEAST = {"games": 2, "plies": 1, "opening": 0, "movetime": 1, "playouts": 1}


def _is_sound(settings: Settings) -> bool:
    """Whether these can be the settings of a tournament."""
    texts = settings.game, settings.title, settings.rules, settings.start, *settings.players
    numbers = {name: getattr(settings, name) for name in (*_LEAST, "seed")}
    return (
        all(isinstance(one, str) for one in texts)
        and all(type(one) is int for one in numbers.values())
        and all(numbers[name] >= least for name, least in _LEAST.items())
        and settings.games % 2 == 0
        and isinstance(settings.gauntlet, bool)
        and len(set(settings.players)) == len(settings.players) > 1
        and (settings.sprt is None or len(settings.sprt) == 2)
    )


def from_header(header: dict[str, Any]) -> Settings:
    """The inverse of `header`; what was written otherwise is refused."""
    if header.get("version") != VERSION:
        raise LedgerError("The tournament's file is of another version of lineduel.")
    given: dict[str, Any] = {one.name: header.get(one.name) for one in fields(Settings)}
    try:
        given["players"] = tuple(given["players"])
        given["sprt"] = None if given["sprt"] is None else tuple(map(float, given["sprt"]))
        settings = Settings(**given)
        if _is_sound(settings) and len(header) == len(settings.header()):
            read_position(Game(settings.rulebook), settings.start)
            if all(check_player(name) == name for name in settings.players):
                return settings
    except (TypeError, ValueError, LineduelError):
        pass
    raise LedgerError("The first line of the tournament's file is damaged.")
