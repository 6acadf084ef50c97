"""The settings of a tournament: everything that its games and its table depend on."""

from dataclasses import asdict, dataclass, fields
from itertools import combinations
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from lineduel.arena.elo import LARGEST_ELO, Question
from lineduel.engine import Game, Position, valid_position
from lineduel.errors import LineduelError, NotationError, UnknownPlayer, shown
from lineduel.jobs import LEDGER_KIND, ReadableLedger
from lineduel.players import HUMAN, LEVELS_LISTED, check_player_name
from lineduel.record import parse_position, read_position
from lineduel.rules import Rulebook, Words, parse_rules

TOURNAMENT = "tournament"
_VERSION = 1
_MOST = 10_000_000
"""Of games in a pairing, of plies, milliseconds and playouts."""
MOST_PLAYERS = 100
_MOST_GAMES = 100_000_000
"""Over all pairings: how many results fit into memory."""
Text = Annotated[str, Meta(max_length=20_000)]
_Number = Annotated[int, Meta(ge=1, le=_MOST)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The rules, the players, and how they meet."""

    game: Text
    title: Text
    rules: Text
    """As assignments in one line."""
    start: Text
    """The position that play, or the random opening, begins with."""
    players: Annotated[tuple[Text, ...], Meta(max_length=MOST_PLAYERS)]
    games: _Number = 100
    """For each pairing, both seats together.

    A game is known by its number, counted from 0: that of its pairing times these games, and its
    own. Two games in a row are a round: the same random numbers and opening, the seats swapped.
    """
    seed: int = 1
    plies: _Number = 300
    """A game is unfinished after this many."""
    opening: Annotated[int, Meta(ge=0, le=_MOST)] = 0
    """Plies at random before the players begin."""
    gauntlet: bool = False
    """The first player against each other one, rather than all against all."""
    sprt: tuple[float, float] | None = None
    """elo0 and elo1: a pairing stops when it is decided which its first player is better by."""
    movetime: _Number = 1000
    """Milliseconds that an engine has for a move."""
    playouts: _Number = 1000
    """Simulated games that a search has for a choice."""

    @property
    def rulebook(self) -> Rulebook:
        rules = parse_rules(self.rules)
        return Rulebook(id=self.game, title=self.title, summary="", rules=rules, words=Words())

    @property
    def position(self) -> Position:
        return valid_position(parse_rules(self.rules), parse_position(self.start))

    @property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        """The pairings."""
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

    def check(self) -> None:
        """Refuse what cannot be a tournament, although each setting alone could."""
        for player in self.players:
            if check_player_name(player) != player or player == HUMAN:
                known = f"{LEVELS_LISTED}, perfect, search, or engine:COMMAND here"
                raise UnknownPlayer(player, known)
            if self.players.count(player) > 1:
                raise NotationError(f"{shown(player)} is named twice; a player cannot meet itself.")
        if len(self.players) < 2:
            raise NotationError("A tournament needs at least two players.")
        if len(self.players) > MOST_PLAYERS:
            raise NotationError(f"A tournament takes at most {MOST_PLAYERS} players.")
        if self.games % 2:
            raise NotationError("'games' has to be even: each seat is played equally often.")
        if self.games * len(self.pairings) > _MOST_GAMES:
            raise NotationError(
                f"A tournament takes at most {_MOST_GAMES:,} games over all pairings."
            )
        if self.sprt is not None and not -LARGEST_ELO <= self.sprt[0] < self.sprt[1] <= LARGEST_ELO:
            raise NotationError(
                f"'sprt' takes two strengths from {-LARGEST_ELO} to {LARGEST_ELO}, smaller first."
            )
        read_position(Game(self.rulebook), self.start)

    def header(self) -> dict[str, Any]:
        """The first line of the ledger."""
        return {LEDGER_KIND: TOURNAMENT, "version": _VERSION, **asdict(self)}


def settings_of(ledger: ReadableLedger) -> Settings:
    """What the first line of a ledger says; whatever does not fit is refused."""
    header = ledger.header
    names = [one.name for one in fields(Settings)]
    expected = (LEDGER_KIND, "version", *names)
    if header.get("version") != _VERSION:
        raise ledger.refusal(1, "this tournament was written by another version of lineduel")
    for name in (*expected, *header):
        if name not in header or name not in expected:
            what = "is missing" if name in expected else "is not a setting"
            raise ledger.refusal(1, f"'{shown(name)}' {what}")
    try:
        settings = msgspec.convert({name: header[name] for name in names}, Settings)
        settings.check()
    except msgspec.ValidationError as error:
        raise ledger.refusal(1, validation_message(error)) from None
    except LineduelError as error:
        raise ledger.refusal(1, str(error)) from None
    return settings


def validation_message(error: msgspec.ValidationError) -> str:
    """The error message of msgspec without its markup."""
    expected, _, where = str(error).replace("`", "").partition(" - at $")
    key = where.removeprefix(".")
    return f"'{shown(key)}': {expected[:1].lower()}{expected[1:]}" if key else expected
