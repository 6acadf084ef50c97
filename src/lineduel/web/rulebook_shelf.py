"""Rulebooks that live games are played by, each with what its positions look like as JSON."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from lineduel.documents import (
    BoardDocument,
    EventDocument,
    PossibleMove,
    SampleTurn,
    board_document,
    encoded,
    event_documents,
    possible_moves,
    sample_turn,
)
from lineduel.engine import Game, Position
from lineduel.errors import RulebookError, UnknownGame
from lineduel.narration import MoveLog, Names, Narrator, names_for, turn_sentence
from lineduel.play import GivenNames, Session, Sides, Turn
from lineduel.rulebooks import SHIPPED, rulebook_file
from lineduel.rules import Rulebook, apply_variant, not_toml, rulebook_from_data
from lineduel.safe_toml import parse_toml
from lineduel.solve import Cache
from lineduel.web.bounded_cache import BoundedCache
from lineduel.web.work_queue import WorkQueue

_Document = TypeVar("_Document")

LARGEST_OWN_RULEBOOK = 1 << 15
"""Bytes of the largest rulebook that is accepted from a stranger."""
MOST_OWN_VARIANTS = 32
"""Variants that such a rulebook may have."""
READING_SECONDS = 15.0
"""How long a worker may take to read one."""
MOST_BYTES_OF_POSITIONS = 64 << 20
"""Bytes of all positions together that are kept as JSON."""
_MOST_RULEBOOKS = 64
"""How many rulebooks are kept ready besides those of games in memory."""
_MOST_NAMES = 1024
"""Pairs of names of one rulebook that are not put together twice."""
_FEWEST_TURNS, _MOST_TURNS = 5, 24
"""Turns that a sample game has."""
_SAMPLES = 40
"""Games of which the best is the sample."""


class RulebookText(NamedTuple):
    """A rulebook as it is stored: its TOML text, its id, and the variant."""

    id: str
    toml: str
    variant: str

    @property
    def key(self) -> str:
        """Tells rulebooks apart by their content."""
        return sha256("\0".join(self).encode()).hexdigest()[:32]


class ToldTurn(NamedTuple):
    """What is said about a turn to those who call the players by certain names."""

    sentence: str
    line: str
    """The same in a few words, for the log."""
    events: list[EventDocument]


_positions: BoundedCache[Any] = BoundedCache(MOST_BYTES_OF_POSITIONS)
"""What positions and turns of all rulebooks look like as JSON."""


class PlayedRulebook:
    """A rulebook ready for any number of live games, which share what was worked out."""

    def __init__(self, text: RulebookText, rulebook: Rulebook) -> None:
        """With the rulebook that was read from that text."""
        self.text = text
        """As it is stored; games that share it share the text."""
        self.rulebook = rulebook
        self.game = Game(self.rulebook)
        self.narrator = Narrator(self.game)
        self.names: Callable[[Sides, Sides, GivenNames], Names] = lru_cache(_MOST_NAMES)(
            partial(names_for, self.narrator)
        )
        """What each side is called for those who play some sides; which are people, and called."""
        self._log = MoveLog(self.narrator)
        self._key = text.key

    def board(self, position: Position) -> BoardDocument:
        """The board of a position."""
        return self._kept("board", self._board, position)

    def moves(self, position: Position) -> list[PossibleMove]:
        """The legal moves of a position."""
        return self._kept("moves", self._moves, position)

    def told(self, turn: Turn, names: Names) -> ToldTurn:
        """What is said about a turn; the same happens in many positions, and is said once."""
        key = self._key, turn.events, turn.before.side, *names.values()
        told: ToldTurn | None = _positions.get(key)
        if told is None:
            sentence = turn_sentence(turn, names, self.narrator.label)
            line = self._log.entry(0, turn, names).told
            told = ToldTurn(sentence, line, encoded(event_documents(turn.events)))
            _positions.put(key, told, len(sentence) + len(line) + _size(told.events))
        return told

    def _kept(
        self, what: str, make: Callable[[Position], _Document], position: Position
    ) -> _Document:
        key = self._key, what, position
        document: _Document | None = _positions.get(key)
        if document is None:
            document = make(position)
            _positions.put(key, document, _size(document))
        return document

    def _board(self, position: Position) -> BoardDocument:
        return encoded(board_document(self.game, self.narrator, position))

    def _moves(self, position: Position) -> list[PossibleMove]:
        return encoded(possible_moves(self.game, position))


def _size(encoded: Any) -> int:
    """Bytes of a document that is written already."""
    return len(memoryview(encoded))


class RulebookShelf:
    """The rulebooks of live games; those of strangers are read by worker processes.

    To read a text of 32 KB takes up to a tenth of a second, for which the event loop cannot wait.
    """

    def __init__(self, readers: WorkQueue) -> None:
        self._readers = readers
        self._in_use: WeakValueDictionary[RulebookText, PlayedRulebook] = WeakValueDictionary()
        self._latest: OrderedDict[RulebookText, PlayedRulebook] = OrderedDict()

    async def accept(self, text: RulebookText, address: str) -> PlayedRulebook:
        """A rulebook that somebody wants to play by; any mistake in it is refused."""
        return await self._ready(text, rulebook_of, address)

    async def ready(self, text: RulebookText) -> PlayedRulebook:
        """A rulebook of a stored game, which was accepted before."""
        return await self._ready(text, stored_rulebook, "")

    async def _ready(
        self, text: RulebookText, read: Callable[[RulebookText], Rulebook], address: str
    ) -> PlayedRulebook:
        played = self._in_use.get(text)
        if played is None:
            if text.id in SHIPPED:
                rulebook = await asyncio.to_thread(read, text)
            else:
                rulebook = await self._readers.run(
                    read,
                    text,
                    seconds=READING_SECONDS,
                    address=address,
                    is_refusable=read is rulebook_of,
                )
            # Somebody else may have been first.
            played = self._in_use.setdefault(text, PlayedRulebook(text, rulebook))
        self._latest[text] = played
        self._latest.move_to_end(text)
        if len(self._latest) > _MOST_RULEBOOKS:
            self._latest.popitem(last=False)
        return played


def shipped_text(id: str, variant: str | None) -> RulebookText:
    """A game that comes with the program."""
    toml = rulebook_file(id).read_text(encoding="utf-8")
    return RulebookText(id, toml, variant or "")


def rulebook_text(game: str | None, toml: str | None, variant: str | None) -> RulebookText:
    """The rulebook that somebody asks for: a game's id, or TOML of their own."""
    if toml is not None:
        return RulebookText("own", toml, variant or "")
    name, _, named = (game or "").partition(":")
    if name not in SHIPPED:
        raise UnknownGame(game or "", ())
    return shipped_text(name, variant or named)


def cache_for(id: str) -> Cache | None:
    """Solutions of the shipped games are kept on disk; those of strangers' rulebooks are not."""
    return Cache() if id in SHIPPED else None


def rulebook_of(text: RulebookText) -> Rulebook:
    """Read a rulebook; a variant it does not have, or any mistake, is refused."""
    data = _data(text)
    check_variants(data)
    rulebook = rulebook_from_data(data, text.id)
    return apply_variant(rulebook, text.variant) if text.variant else rulebook


def stored_rulebook(text: RulebookText) -> Rulebook:
    """Read a rulebook that was accepted before; only the variant that is played is looked at."""
    rulebook = rulebook_from_data(_data(text), text.id, check_variants=False)
    return apply_variant(rulebook, text.variant) if text.variant else rulebook


def check_variants(data: Mapping[str, object]) -> None:
    """Refuse a rulebook with more variants than a server takes."""
    variants = data.get("variants")
    number = len(variants) if isinstance(variants, Mapping) else 0
    if number > MOST_OWN_VARIANTS:
        raise RulebookError(
            "variants", f"{number} variants", f"at most {MOST_OWN_VARIANTS} on a server"
        )


def _data(text: RulebookText) -> dict[str, Any]:
    if len(text.toml.encode()) > LARGEST_OWN_RULEBOOK:
        raise RulebookError("rulebook", "too long", f"at most {LARGEST_OWN_RULEBOOK:,} bytes")
    try:
        return parse_toml(text.toml)
    except ValueError as error:
        raise not_toml(error) from None


def sample_game(played: PlayedRulebook) -> list[SampleTurn]:
    """The turns of a random game that ends soon, or the first turns of one that does not.

    Of the games tried, it is one in which the most happens.
    """
    games = [_random_game(played, Random(seed)) for seed in range(_SAMPLES)]
    ended = [one for one in games if one.winner is not None and len(one.turns) >= _FEWEST_TURNS]
    best = max(ended or games, key=lambda one: sum(len(turn.events) > 1 for turn in one.turns))
    return [sample_turn(played.game, turn) for turn in best.turns]


def _random_game(played: PlayedRulebook, rng: Random) -> Session:
    session = Session(played.game)
    while session.winner is None and len(session.turns) < _MOST_TURNS:
        session.play(rng.choice(played.game.moves(session.position)))
    return session
