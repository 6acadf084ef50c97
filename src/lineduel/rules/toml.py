"""Convert TOML data to a rulebook, with validation, and back."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from enum import StrEnum
from typing import Any, TypeVar

from lineduel.errors import RulebookError
from lineduel.rules.rulebook import Claim, Erratum, Property, Rulebook, Variant
from lineduel.rules.side import Side
from lineduel.rules.vocabulary import (
    MAX_PIECES,
    OWN_MEETINGS,
    Again,
    Battle,
    BattleRule,
    Displacement,
    Edge,
    Loser,
    Meeting,
    Meetings,
    Movement,
    Piece,
    Rules,
    Team,
    Tie,
    Track,
    meetings_that,
    quoted,
)
from lineduel.rules.words import BoardWords, Words, check_words

Data = Mapping[str, object]
_Word = TypeVar("_Word", bound=StrEnum)

_EITHER = "either"
UNWRITTEN: dict[str, dict[str, StrEnum]] = {
    "move": {"again": Again.NEVER},
    "battle": {"loser": Loser.SENT_HOME, "tie": Tie.BOTH},
}
"""Default values that are not written, so that rulebooks written before these keys existed keep
the same form."""
RULE_TABLES = ("track", "player1", "player2", "turn", "move", "meet", "battle")
_NAME = "a letter, then letters, digits, '-' or '_' (at most 16), not ending in '-' or '_'"
_REQUIRED: Any = object()


_RENAMED = {"readings": "variants", "every word is used": "every rule matters"}
"""Old words in rulebooks, and their current names."""


class _Table:
    """A TOML table being read: values are checked when taken, and unknown keys are rejected."""

    def __init__(self, data: object, path: str = "") -> None:
        if not isinstance(data, Mapping):
            raise RulebookError(path, cited(data), "a table")
        self._rest = dict(data)
        self._path = path

    def key(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name

    def __contains__(self, name: str) -> bool:
        return name in self._rest

    def take(self, name: str, allowed: str, default: Any = _REQUIRED) -> Any:
        if name not in self._rest and default is _REQUIRED:
            raise RulebookError(self.key(name), "missing", allowed)
        return self._rest.pop(name, default)

    def text(self, name: str, default: Any = _REQUIRED) -> str:
        value = self.take(name, "text", default)
        if not isinstance(value, str):
            raise RulebookError(self.key(name), cited(value), "text")
        if not is_printable(value):
            raise RulebookError(self.key(name), cited(value), "text without control characters")
        return value

    def integer(self, name: str) -> int:
        value = self.take(name, "a whole number")
        if not _is_number(value):
            raise RulebookError(self.key(name), cited(value), "a whole number")
        return int(value)

    def flag(self, name: str, default: bool) -> bool:
        value = self.take(name, "true or false", default)
        if not isinstance(value, bool):
            raise RulebookError(self.key(name), cited(value), "true or false")
        return value

    def word(self, name: str, among: Iterable[_Word], default: Any = _REQUIRED) -> _Word:
        choices = tuple(among)
        allowed = quoted(choices)
        value = self.take(name, allowed, default)
        for choice in choices:
            if type(value) in (str, type(choice)) and value == choice.value:
                return choice
        if isinstance(value, str) and value in _RENAMED:
            raise RulebookError(self.key(name), f"an old name, {value}", f"'{_RENAMED[value]}'")
        raise RulebookError(self.key(name), cited(value), allowed)

    def integers(self, name: str) -> tuple[int, ...]:
        value = self.take(name, "a list of whole numbers")
        if not isinstance(value, list | tuple) or not all(map(_is_number, value)):
            raise RulebookError(self.key(name), cited(value), "a list of whole numbers")
        return tuple(value)

    def table(self, name: str, default: Any = _REQUIRED) -> "_Table":
        return _Table(self.take(name, "a table", default), self.key(name))

    def tables(self, name: str) -> list["_Table"]:
        value = self.take(name, "a list of tables", ())
        if not isinstance(value, list | tuple):
            raise RulebookError(self.key(name), cited(value), "a list of tables")
        return [
            _Table(one, f"{self.key(name)}[{number}]") for number, one in enumerate(value, start=1)
        ]

    def names(self) -> tuple[str, ...]:
        return tuple(self._rest)

    def rest(self) -> dict[str, object]:
        """Take all remaining keys, unchecked."""
        rest, self._rest = self._rest, {}
        return rest

    def finish(self, known: Iterable[str]) -> None:
        for name in self._rest:
            if name in _RENAMED:
                raise RulebookError(self.key(name), "an old name", f"'{_RENAMED[name]}' instead")
            raise RulebookError(self.key(name), RulebookError.UNKNOWN_KEY, ", ".join(known))


def rulebook_from_data(data: Data, id: str) -> Rulebook:
    """The rulebook described by a TOML document; every variant in it is validated too."""
    rulebook = _read(data, id)
    for variant in rulebook.variants:
        apply_variant(rulebook, variant.name)
    return rulebook


def apply_variant(rulebook: Rulebook, name: str) -> Rulebook:
    """The rulebook with that variant applied."""
    variant = rulebook.variant_named(name)
    try:
        changed = apply_changes(rulebook, variant.changes)
    except RulebookError as error:
        key = f"variants.{name}.{error.key}"
        raise RulebookError(key, error.holds, error.allowed) from None
    return _replace(changed, id=f"{rulebook.id}:{name}", variant=variant)


def apply_changes(rulebook: Rulebook, changes: Data) -> Rulebook:
    """The rulebook with some keys changed; `changes` is nested like the file."""
    data = _merged(rulebook_data(rulebook), changes)
    meet = data["meet"]
    enemy = meet.get("enemy") if isinstance(meet, Mapping) else None
    if enemy not in meetings_that(lambda one: one.opens_battle) and "battle" not in changes:
        data.pop("battle", None)
    if enemy not in meetings_that(lambda one: one.displaces is not Displacement.NONE):
        _drop_unless_changed(data, changes, "move", "again")
    changed = _read(data, rulebook.id)
    return _replace(changed, variant=rulebook.variant)


def _drop_unless_changed(data: dict[str, Any], changes: Data, table: str, key: str) -> None:
    """Remove a key that no longer applies, unless the changes set it."""
    old, new = data[table], changes.get(table)
    if isinstance(old, Mapping) and not (isinstance(new, Mapping) and key in new):
        data[table] = {name: value for name, value in old.items() if name != key}


def rulebook_data(rulebook: Rulebook) -> dict[str, Any]:
    """The TOML document of a rulebook as nested data; default words are left out."""
    data: dict[str, Any] = {"title": rulebook.title, "summary": rulebook.summary}
    data |= rules_data(rulebook.rules)
    data["words"] = words_data(rulebook.words)
    data["claims"] = [_claim_data(one) for one in rulebook.claims]
    data["errata"] = [
        {"where": one.where, "says": one.says, "ruling": one.ruling} for one in rulebook.errata
    ]
    data["variants"] = {
        one.name: {"summary": one.summary, "why": one.why, **one.changes}
        for one in rulebook.variants
    }
    return data


def rules_data(rules: Rules) -> dict[str, Any]:
    """The tables of the rules, without the `UNWRITTEN` defaults."""
    return {
        table: {
            key: value for key, value in keys.items() if value != UNWRITTEN.get(table, {}).get(key)
        }
        for table, keys in all_rules_data(rules).items()
    }


def all_rules_data(rules: Rules) -> dict[str, Any]:
    """The tables of the rules, with every key."""
    data: dict[str, Any] = {
        "track": {"first": rules.track.first, "last": rules.track.last},
        "player1": _team_data(rules.player1),
        "player2": _team_data(rules.player2),
        "turn": {"first": _EITHER if rules.first is None else f"player{rules.first}"},
        "move": {
            "steps": list(rules.movement.steps),
            "edge": str(rules.movement.edge),
            "jump": rules.movement.jump,
            "again": str(rules.movement.again),
        },
        "meet": {"own": str(rules.meet.own), "enemy": str(rules.meet.enemy)},
    }
    if rules.battle is not None:
        data["battle"] = {
            "numbers": rules.battle.numbers,
            "wins": str(rules.battle.wins),
            "loser": str(rules.battle.loser),
            "tie": str(rules.battle.tie),
        }
    return data


def rules_from_data(data: Data) -> Rules:
    """The rules described by their tables."""
    table = _Table(data)
    rules = _rules(table)
    table.finish(RULE_TABLES)
    return rules


def words_data(words: Words) -> dict[str, Any]:
    """The words that differ from the defaults."""
    data: dict[str, Any] = _differing(words)
    board = _differing(words.board)
    data.pop("board", None)
    return data | ({"board": board} if board else {})


def words_from_data(data: Data) -> Words:
    table = _Table(data, "words")
    words = _words(table)
    check_words(words)
    return words


def _read(data: Data, id: str) -> Rulebook:
    table = _Table(data)
    rulebook = Rulebook(
        id=id,
        title=table.text("title"),
        summary=table.text("summary", ""),
        rules=_rules(table),
        words=_words(table.table("words", {})),
        claims=tuple(_claim(one) for one in table.tables("claims")),
        errata=tuple(_erratum(one) for one in table.tables("errata")),
        variants=_variants(table.table("variants", {})),
    )
    table.finish(("title", "summary", *RULE_TABLES, "words", "claims", "errata", "variants"))
    check_words(rulebook.words)
    return rulebook


def _rules(table: _Table) -> Rules:
    track = table.table("track")
    turn = table.table("turn", {})
    move = table.table("move")
    meet = table.table("meet")
    _refuse_length(track)
    parts: dict[str, Any] = {
        "track": Track(first=track.integer("first"), last=track.integer("last")),
        "player1": _team(table.table("player1")),
        "player2": _team(table.table("player2")),
        "first": _first(turn),
        "movement": Movement(
            steps=move.integers("steps"),
            edge=move.word("edge", Edge, Edge.ILLEGAL),
            jump=move.flag("jump", True),
            again=move.word("again", Again, Again.NEVER),
        ),
        "meet": Meetings(
            own=meet.word("own", OWN_MEETINGS, Meeting.BLOCKED), enemy=meet.word("enemy", Meeting)
        ),
        "battle": _battle(table.table("battle")) if "battle" in table else None,
    }
    track.finish(("first", "last"))
    turn.finish(("first",))
    move.finish(("steps", "edge", "jump", "again"))
    meet.finish(("own", "enemy"))
    return Rules(**parts)


def _refuse_length(track: _Table) -> None:
    """Raise if a file sets the track's length, which is for command lines; a file sets `last`."""
    if "length" not in track:
        return
    length, first = track.take("length", ""), track.take("first", "", 0)
    if not (_is_number(length) and _is_number(first)):
        length, first = 9, 0
    raise RulebookError(
        track.key("length"),
        RulebookError.UNKNOWN_KEY,
        f"first and last; for {length} cells write first = {first} and last = {first + length - 1}",
    )


def _team(table: _Table) -> Team:
    listed = table.take("pieces", "names and their cells, as { A = 0, B = 1 }")
    if not isinstance(listed, Mapping) or not listed:
        raise RulebookError(
            table.key("pieces"),
            cited(listed),
            f"1 to {MAX_PIECES} names and their cells, as {{ A = 0, B = 1 }}",
        )
    for name, home in listed.items():
        if not _good_name(name):
            raise RulebookError(table.key("pieces"), f"the name {name!r}", _NAME)
        if not _is_number(home):
            raise RulebookError(table.key(f"pieces.{name}"), cited(home), "a cell's number")
    goal = table.integers("goal")
    table.finish(("pieces", "goal"))
    return Team(pieces=tuple(Piece(name, home) for name, home in listed.items()), goal=goal)


def _good_name(name: str) -> bool:
    plain = name.replace("-", "").replace("_", "")
    return (
        name.isascii()
        and plain.isalnum()
        and name[0].isalpha()
        and name[-1].isalnum()
        and len(name) <= 16
        and name.lower() != "pass"
    )


class _First(StrEnum):
    PLAYER1 = "player1"
    PLAYER2 = "player2"
    _EITHER = _EITHER


def _first(table: _Table) -> Side | None:
    match table.word("first", _First, _First.PLAYER1):
        case _First.PLAYER1:
            return Side.ONE
        case _First.PLAYER2:
            return Side.TWO
        case _:
            return None


def _battle(table: _Table) -> Battle:
    battle = Battle(
        numbers=table.integer("numbers"),
        wins=table.word("wins", BattleRule, BattleRule.HIGHER),
        loser=table.word("loser", Loser, Loser.SENT_HOME),
        tie=table.word("tie", Tie, Tie.BOTH),
    )
    table.finish(("numbers", "wins", "loser", "tie"))
    return battle


def _words(table: _Table) -> Words:
    board_table = table.table("board", {})
    board = BoardWords(**_word_values(board_table, BoardWords))
    return Words(board=board, **_word_values(table, Words))


def _word_values(table: _Table, group: type) -> dict[str, Any]:
    values: dict[str, Any] = {}
    known = [entry for entry in fields(group) if entry.name != "board"]
    for entry in known:
        if entry.name not in table:
            continue
        if isinstance(entry.default, StrEnum):
            values[entry.name] = table.word(entry.name, type(entry.default))
        else:
            values[entry.name] = table.text(entry.name)
    table.finish(entry.name for entry in fields(group))
    return values


def _claim(table: _Table) -> Claim:
    claim = Claim(
        says=table.text("says"),
        property=table.word("property", Property),
        not_tested=table.text("not_tested", ""),
    )
    table.finish(("says", "property", "not_tested"))
    return claim


def _claim_data(claim: Claim) -> dict[str, str]:
    data = {"says": claim.says, "property": str(claim.property)}
    return data | {"not_tested": claim.not_tested} if claim.not_tested else data


def _erratum(table: _Table) -> Erratum:
    erratum = Erratum(
        where=table.text("where"), says=table.text("says"), ruling=table.text("ruling")
    )
    table.finish(("where", "says", "ruling"))
    return erratum


def _variants(table: _Table) -> tuple[Variant, ...]:
    variants = []
    for name in table.names():
        if not is_printable(name):
            raise RulebookError(table.key(name), "its name", "text without control characters")
        entry = table.table(name)
        summary, why = entry.text("summary"), entry.text("why")
        changes = entry.rest()
        for changed in changes:
            if changed not in (*RULE_TABLES, "words"):
                raise RulebookError(
                    f"variants.{name}.{changed}",
                    RulebookError.UNKNOWN_KEY,
                    ", ".join(("summary", "why", *RULE_TABLES, "words")),
                )
        variants.append(Variant(name=name, summary=summary, why=why, changes=changes))
    return tuple(variants)


def _merged(data: Data, changes: Data) -> dict[str, Any]:
    """Data with changes merged in: tables key by key, but `pieces` as a whole."""
    merged = dict(data)
    for key, value in changes.items():
        old = merged.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping) and key != "pieces":
            merged[key] = _merged(old, value)
        else:
            merged[key] = value
    return merged


def _differing(group: Words | BoardWords) -> dict[str, Any]:
    return {
        entry.name: str(getattr(group, entry.name))
        for entry in fields(group)
        if entry.default is not MISSING and getattr(group, entry.name) != entry.default
    }


def _team_data(team: Team) -> dict[str, Any]:
    return {
        "pieces": {piece.name: piece.home for piece in team.pieces},
        "goal": list(team.goal),
    }


def _replace(rulebook: Rulebook, **changes: Any) -> Rulebook:
    from dataclasses import replace

    return replace(rulebook, **changes)


_UNPRINTABLE = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff"  # control characters, surrogates
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # text direction
)


def is_printable(text: str) -> bool:
    """Whether text is safe to show anywhere: no surrogates and no terminal control characters.

    Characters that change the direction of text are not allowed either, because they can make one
    word look like another.
    """
    return _UNPRINTABLE.search(text) is None


def printable_text(text: str) -> str:
    """Text with what `is_printable` does not allow written as an escape, such as `\\x1b`."""
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def _is_number(value: object) -> bool:
    """Whether a value is an integer of a plausible size."""
    return type(value) is int and abs(value) < 10**9


def cited(value: object) -> str:
    """A value as it is written in the file, cut short."""
    match value:
        case bool():
            text = str(value).lower()
        case str():
            text = f'"{value}"'
        case Mapping():
            text = "a table"
        case list() | tuple():
            text = f"[{', '.join(map(cited, value[:9]))}]"
        case int() if not _is_number(value):
            text = "a number without end"
        case _:
            text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
