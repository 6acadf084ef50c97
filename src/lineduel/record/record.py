"""A game as text, similar to PGN: tag pairs, an empty line, numbered moves, the result."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple

from lineduel.engine import Game, Move, Numbers, Position
from lineduel.errors import (
    IllegalMove,
    LineduelError,
    NotationError,
    RecordError,
    UnknownGame,
    shown,
)
from lineduel.record.notation import parse_move, read_position
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import (
    Rulebook,
    Side,
    format_rules,
    is_printable,
    parse_rules,
    words_data,
    words_from_data,
)

_TAG_NAME = r"[A-Za-z][A-Za-z0-9]*"
_TAG = r'\[(?P<name>[A-Za-z][A-Za-z0-9]*) "(?P<value>(?:[^"\\]|\\.)*)"\]'
_NUMBER = r"[0-9]+\.(\.\.)?"
_OWN_TAGS = ("Game", "Title", "Rules", "Words", "Position", "Result", "Termination")
_TERMINATIONS = {"resignation": "resigned", "forfeit": "forfeited"}
"""The ways a game ends without a winning move: the tag's value, and the record's field."""
_UNFINISHED = "*"
_AGREEMENT = "agreement"
"""The tag's value where both agreed to stop."""
_WIDTH = 78
"""Characters in a line of moves."""
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_UNESCAPES = {written: letter for letter, written in _ESCAPES.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A played game: its rulebook, where it began, its moves and how it ended."""

    rulebook: Rulebook
    start: Position
    moves: tuple[Move, ...]
    resigned: Side | None = None
    """The side that resigned."""
    forfeited: Side | None = None
    """The side whose program broke the protocol or the rules."""
    agreed: bool = False
    """Whether both agreed to stop, so that nobody won."""
    tags: tuple[tuple[str, str], ...] = ()
    """Additional tags, such as the players and the date."""
    _played: "_Played | None" = field(default=None, init=False, compare=False, repr=False)
    """The result of playing the moves. It is not part of the value."""

    @classmethod
    def of_game(
        cls,
        game: Game,
        positions: tuple[Position, ...],
        moves: tuple[Move, ...],
        *,
        resigned: Side | None = None,
        forfeited: Side | None = None,
        agreed: bool = False,
        tags: tuple[tuple[str, str], ...] = (),
    ) -> "Record":
        """The record of moves that were played in a game, so that they need not be played again.

        `positions` are those that the moves led to, the start included.
        """
        record = cls(
            rulebook=game.rulebook,
            start=positions[0],
            moves=moves,
            resigned=resigned,
            forfeited=forfeited,
            agreed=agreed,
            tags=tags,
        )
        record._remember(_Played(positions, game.outcome(positions[-1])))
        return record

    def positions(self) -> tuple[Position, ...]:
        """Every position of the game, the start included."""
        return self._all_played().positions

    @property
    def winner(self) -> Side | None:
        """Who won, or None for a game that is not finished."""
        if loser := self.resigned or self.forfeited:
            return loser.other
        return self._all_played().winner

    @property
    def is_over(self) -> bool:
        """Whether somebody won, or both agreed to stop."""
        return self.agreed or self.winner is not None

    def _all_played(self) -> "_Played":
        if self._played is not None:
            return self._played
        game = Game(self.rulebook)
        positions = [self.start]
        for move in self.moves:
            positions.append(game.play(positions[-1], move))
        return self._remember(_Played(tuple(positions), game.outcome(positions[-1])))

    def _remember(self, played: "_Played") -> "_Played":
        object.__setattr__(self, "_played", played)
        return played


class _Played(NamedTuple):
    """Where a record's moves lead, and who has won there."""

    positions: tuple[Position, ...]
    winner: Side | None


def write_record(record: Record) -> str:
    """The record's text; tags that could not be read back are refused."""
    names = [name for name, _ in record.tags]
    for name in names:
        if name in _OWN_TAGS or names.count(name) > 1 or not re.fullmatch(_TAG_NAME, name):
            raise RecordError(f"A record cannot have another tag called '{shown(name)}'.")
    rulebook = record.rulebook
    result = str(record.winner or _UNFINISHED)
    tags = [
        ("Game", rulebook.id),
        ("Title", rulebook.title),
        ("Rules", format_rules(rulebook.rules)),
    ]
    if not _is_shipped(rulebook):
        import json

        words = json.dumps(words_data(rulebook.words), ensure_ascii=False, separators=(",", ":"))
        tags.append(("Words", words))
    tags += [*record.tags, ("Position", str(record.start)), ("Result", result)]
    for ending, name in _TERMINATIONS.items():
        if getattr(record, name) is not None:
            tags.append(("Termination", ending))
    if record.agreed:
        tags.append(("Termination", _AGREEMENT))
    tokens = [*_numbered(record.moves, record.positions()), result]
    return "\n".join(_tag(name, value) for name, value in tags) + f"\n\n{_folded(tokens)}\n"


def read_record(text: str) -> Record:
    """The inverse of `write_record`; an incomplete or invalid record is refused."""
    tags, tokens = _split(text)
    rulebook = _rulebook(tags)
    game = Game(rulebook)
    try:
        start = read_position(game, _needed(tags, "Position"))
    except LineduelError as error:
        raise RecordError(f"The record's position is wrong. {error}") from None
    if not tokens or tokens[-1] not in ("1", "2", _UNFINISHED):
        raise RecordError("The record does not end with a result (1, 2 or *): it may be cut short.")
    moves, positions = _replayed(game, start, tokens[:-1])
    for given, right in zip_longest(tokens[:-1], _numbered(moves, positions)):
        if right is None:
            raise RecordError(f"The record has '{shown(given)}' where nothing belongs.")
        if given != right:
            raise RecordError(f"The record has '{shown(given)}' where '{right}' belongs.")
    return Record.of_game(
        game,
        positions,
        moves,
        **_ending(tags, tokens[-1], game.outcome(positions[-1])),
        tags=tuple((name, value) for name, value in tags.items() if name not in _OWN_TAGS),
    )


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    """The tags and the tokens of the moves."""
    tags: dict[str, str] = {}
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    at = 0
    for at, line in enumerate(lines):
        if not line.strip():
            break
        found = re.fullmatch(_TAG, line.strip())
        if not found:
            raise RecordError(f'Line {at + 1} is not a tag of a record, as [Game "cross-over"].')
        if found["name"] in tags:
            raise RecordError(f"Line {at + 1} gives the tag {shown(found['name'])} a second time.")
        tags[found["name"]] = _unescaped(found["value"])
    return tags, " ".join(lines[at + 1 :]).split()


def _rulebook(tags: dict[str, str]) -> Rulebook:
    """The shipped rulebook if its rules are still the recorded ones, else one made of the tags."""
    name = _needed(tags, "Game")
    try:
        rules = parse_rules(_needed(tags, "Rules"))
        shipped = _shipped(name)
        if "Words" not in tags and shipped and shipped.rules == rules:
            return shipped
        import json

        words = words_from_data(json.loads(tags.get("Words", "{}")))
    except RecordError:
        raise
    except (ValueError, RecursionError):
        raise RecordError("The record's tag Words is not JSON.") from None
    except LineduelError as error:
        raise RecordError(f"The record's rules are wrong. {error}") from None
    title = tags.get("Title", name)
    if not (is_printable(title) and is_printable(name)):
        raise RecordError("The record's title or game is not plain text.")
    return Rulebook(id=name, title=title, summary="", rules=rules, words=words)


def _is_shipped(rulebook: Rulebook) -> bool:
    shipped = _shipped(rulebook.id)
    return shipped is not None and (shipped.rules, shipped.words) == (
        rulebook.rules,
        rulebook.words,
    )


def _shipped(name: str) -> Rulebook | None:
    if name.partition(":")[0] not in SHIPPED:
        return None
    try:
        return find_rulebook(name)
    except UnknownGame:
        return None


def _replayed(
    game: Game, start: Position, tokens: list[str]
) -> tuple[tuple[Move, ...], tuple[Position, ...]]:
    moves: list[Move] = []
    positions = [start]
    for token in tokens:
        if re.fullmatch(_NUMBER, token):
            continue
        try:
            move = parse_move(token)
            positions.append(game.play(positions[-1], move))
        except (NotationError, IllegalMove) as error:
            raise RecordError(f"Move {len(moves) + 1} of the record is wrong. {error}") from None
        moves.append(move)
    return tuple(moves), tuple(positions)


def _ending(tags: dict[str, str], result: str, winner: Side | None) -> dict[str, Any]:
    """Who resigned or forfeited, or that both agreed to stop, if the result fits the moves."""
    if _needed(tags, "Result") != result:
        raise RecordError(
            f"The record's tag Result is '{shown(tags['Result'])}', its end is '{result}'."
        )
    ending = tags.get("Termination")
    if ending not in (None, _AGREEMENT, *_TERMINATIONS):
        known = " or ".join(f"'{one}'" for one in (*_TERMINATIONS, _AGREEMENT))
        raise RecordError(f"The record's tag Termination is '{shown(ending)}', not {known}.")
    if ending == _AGREEMENT and winner is None and result == _UNFINISHED:
        return {"agreed": True}
    if ending in _TERMINATIONS and winner is None and result != _UNFINISHED:
        return {_TERMINATIONS[ending]: Side(int(result)).other}
    if ending or result != str(winner or _UNFINISHED):
        played = f"won by player {winner}" if winner else "not finished"
        raise RecordError(
            f"The record's result is {result}, but by its moves the game is {played}."
        )
    return {}


def _numbered(moves: tuple[Move, ...], positions: tuple[Position, ...]) -> Iterator[str]:
    """The moves with a number before each turn of player 1.

    A battle follows the move it is due to, and so does a move of a side that moves again.
    """
    number, last = 1, None
    for move, position in zip(moves, positions, strict=False):
        if not isinstance(move, Numbers):
            if position.side is Side.ONE and last is not Side.ONE:
                number += last is Side.TWO
                yield f"{number}."
            elif last is None:
                yield "1..."
            last = position.side
        yield str(move)


def _folded(tokens: list[str]) -> str:
    """The tokens in lines, each as full as it can be."""
    lines: list[list[str]] = [[]]
    room = _WIDTH
    for token in tokens:
        if lines[-1] and len(token) > room:
            lines.append([])
            room = _WIDTH
        lines[-1].append(token)
        room -= len(token) + 1
    return "\n".join(map(" ".join, lines))


def _needed(tags: dict[str, str], name: str) -> str:
    if name not in tags:
        raise RecordError(f"This is not a record, or a damaged one: it has no tag {name}.")
    return tags[name]


def _tag(name: str, value: str) -> str:
    escaped = "".join(_ESCAPES.get(letter, letter) for letter in value)
    return f'[{name} "{escaped}"]'


def _unescaped(value: str) -> str:
    return re.sub(r"\\.", lambda found: _UNESCAPES.get(found[0], found[0][1]), value)
