"""The games that a tournament's ledger holds, read strictly.

A line counts only if it is a game of this tournament: its players and seats, its seed and opening
are those of its number, its moves are legal, and its result is where they lead.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta

from lineduel.arena.game_runner import LOSS, UNFINISHED, WIN, Batch, GameRunner
from lineduel.arena.many_games import key_of, word
from lineduel.arena.settings import Settings, validation_message
from lineduel.engine import Move
from lineduel.errors import LineduelError, NotationError, shown
from lineduel.players import ENGINE_PREFIX
from lineduel.record import parse_move
from lineduel.rules import Side

if TYPE_CHECKING:
    from lineduel.jobs import ReadableLedger

MOST_KNOWN = 1 << 12
"""Texts whose moves are cached."""
LONGEST_FAULT = 10_000
_OwnName = Annotated[str, Meta(min_length=1, max_length=200)]

WINNERS = {"1": Side.ONE, "2": Side.TWO, "*": None}


class Line(msgspec.Struct, forbid_unknown_fields=True):
    """A game as the ledger writes it."""

    game: Annotated[int, Meta(ge=1)]
    """Within its pairing, counted from 1."""
    player1: str
    player2: str
    seed: str
    opening: str
    moves: str
    result: Literal["1", "2", "*"]
    why: Annotated[str, Meta(min_length=1, max_length=LONGEST_FAULT)] | None = None
    """What the loser did wrong, if it lost by that."""
    name1: _OwnName | None = None
    """What an engine calls itself, if it has said so."""
    name2: _OwnName | None = None

    def named(self) -> tuple[tuple[str, str | None], ...]:
        """Both players with what they call themselves."""
        return (self.player1, self.name1), (self.player2, self.name2)


class ReadGame(NamedTuple):
    """A game that was read, and where it stood."""

    line: int
    """The number of its line in the file."""
    number: int
    """Its number in the tournament."""
    written: Line

    @property
    def points(self) -> int:
        """Half points of the player that the pairing names first; in odd games that is player 2."""
        winner = WINNERS[self.written.result]
        if winner is None:
            return UNFINISHED
        return WIN if (winner is Side.ONE) == (self.number % 2 == 0) else LOSS


def batch_of(games: Iterable[ReadGame]) -> Batch:
    """Games that were read, to be counted; of a game that is there twice the first."""
    first: dict[int, ReadGame] = {}
    for game in games:
        first.setdefault(game.number, game)
    points = [game.points for game in first.values()]
    faults = {number: game.written.why for number, game in first.items() if game.written.why}
    names = {
        player: name for game in first.values() for player, name in game.written.named() if name
    }
    return Batch(b"", np.array([*first], np.int64), np.array(points, np.int8), faults, names)


class GameReader:
    """Reads the games of one tournament; any other line is refused."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._decoder = msgspec.json.Decoder(Line)
        self._runner = GameRunner(settings)
        self._pairings = {meeting: at for at, meeting in enumerate(settings.meetings)}
        self._keys = [key_of(settings.seed, *meeting) for meeting in settings.meetings]

    def read(self, ledger: "ReadableLedger") -> Iterator[ReadGame]:
        """The games of a ledger, line by line."""
        for number, content in ledger.contents():
            try:
                line = self._decoder.decode(content)
                yield ReadGame(number, self._checked_number(line), line)
            except msgspec.ValidationError as error:
                raise ledger.refusal(number, validation_message(error)) from None
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise ledger.refusal(number, "this is not a line of JSON") from None
            except LineduelError as error:
                raise ledger.refusal(number, f"not a game of this tournament: {error}") from None

    def _checked_number(self, line: Line) -> int:
        """The number of the game; refused if there is no such game or it was played differently."""
        settings, game = self._settings, self._runner.game
        seats, number = (line.player1, line.player2), line.game - 1
        swapped = seats not in self._pairings
        pairing = self._pairings.get(seats[::-1] if swapped else seats)
        if pairing is None or swapped != number % 2 or line.game > settings.games:
            raise NotationError(
                f"there is no game {line.game} of {shown(seats[0])} against {shown(seats[1])}"
            )
        if any(name and not player.startswith(ENGINE_PREFIX) for player, name in line.named()):
            raise NotationError("only engines have names of their own")
        key = word(self._keys[pairing], number // 2)
        if line.seed != f"{key:016x}":
            raise NotationError(f"its seed is {shown(line.seed)}, not {key:016x}")
        start = self._runner.opening(key)
        if line.opening != str(start):
            raise NotationError(f"it begins with {shown(line.opening)}, not {start}")
        position, texts = start, line.moves.split(" ") if line.moves else []
        for text in texts:
            position = game.play(position, _move_of(text))
        plies, winner = len(texts), game.outcome(position)
        if line.why is None:
            unfinished = winner is None and plies == settings.plies
            right = WINNERS[line.result] is winner and (winner is not None or unfinished)
        else:
            loser = seats[line.result == "1"]
            right = winner is None and line.result != "*" and loser.startswith(ENGINE_PREFIX)
        if not right or plies > settings.plies:
            raise NotationError(f"its moves do not lead to the result {line.result}")
        return pairing * settings.games + number


@lru_cache(MOST_KNOWN)
def _move_of(text: str) -> Move:
    """The move of a text, which has to be the one that is written for it."""
    move = parse_move(text)
    if str(move) != text:
        raise NotationError(f"'{shown(text)}' should be written {move}")
    return move
