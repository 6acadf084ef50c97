"""Rulebooks that live games are played by, each with what its positions look like as JSON."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import NamedTuple

from lineduel.documents import (
    BoardDocument,
    LastTurn,
    PossibleMove,
    SampleTurn,
    board_document,
    encoded,
    last_turn,
    possible_moves,
    sample_turn,
)
from lineduel.engine import Game, Move, Position
from lineduel.errors import RulebookError, UnknownGame
from lineduel.narration import MoveLog, Narrator, turn_sentence
from lineduel.play import Session, Turn
from lineduel.rulebooks import SHIPPED, rulebook_file
from lineduel.rules import Rulebook, Side, apply_variant, not_toml, rulebook_from_data
from lineduel.safe_toml import parse_toml
from lineduel.solve import Cache

LARGEST_OWN_RULEBOOK = 1 << 15
"""Bytes of the largest rulebook that is accepted from a stranger."""
_MOST_RULEBOOKS = 64
"""How many rulebooks are kept ready."""
_MOST_POSITIONS = 4096
"""How many positions of each rulebook are kept as JSON."""
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


class PlayedRulebook:
    """A rulebook ready for any number of live games, which share what was worked out."""

    def __init__(self, text: RulebookText) -> None:
        self.text = text
        """As it is stored; games that share it share the text."""
        self.rulebook = rulebook_of(text)
        self.game = Game(self.rulebook)
        self.narrator = Narrator(self.game)
        self.log = MoveLog(self.narrator)
        remember = lru_cache(_MOST_POSITIONS)
        self.board: Callable[[Position], BoardDocument] = remember(self._board)
        self.moves: Callable[[Position], list[PossibleMove]] = remember(self._moves)
        self.notations: Callable[[Position], dict[str, Move]] = remember(self._notations)
        self._last: Callable[[Position, Move, str, str], LastTurn] = remember(self._tell)

    def last(self, turn: Turn, names: Mapping[Side, str]) -> LastTurn:
        """The turn that was played last, as everybody sees it."""
        return self._last(turn.before, turn.move, names[Side.ONE], names[Side.TWO])

    def _board(self, position: Position) -> BoardDocument:
        return encoded(board_document(self.game, self.narrator, position))

    def _moves(self, position: Position) -> list[PossibleMove]:
        return encoded(possible_moves(self.game, position))

    def _tell(self, before: Position, move: Move, name1: str, name2: str) -> LastTurn:
        game = self.game
        turn = Turn(before, move, game.play(before, move), game.events(before, move))
        names = {Side.ONE: name1, Side.TWO: name2}
        return encoded(last_turn(turn, turn_sentence(turn, names, self.narrator.label)))

    def _notations(self, position: Position) -> dict[str, Move]:
        return {str(move): move for move in self.game.moves(position)}


@lru_cache(_MOST_RULEBOOKS)
def ready_rulebook(text: RulebookText) -> PlayedRulebook:
    """A rulebook ready for play; the latest ones are kept so."""
    return PlayedRulebook(text)


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
    if len(text.toml.encode()) > LARGEST_OWN_RULEBOOK:
        raise RulebookError("rulebook", "too long", f"at most {LARGEST_OWN_RULEBOOK:,} bytes")
    try:
        data = parse_toml(text.toml)
    except ValueError as error:
        raise not_toml(error) from None
    rulebook = rulebook_from_data(data, text.id)
    return apply_variant(rulebook, text.variant) if text.variant else rulebook


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
