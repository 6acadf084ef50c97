"""Convert TOML data to a rulebook, with validation, and back."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from lineduel.errors import KeyPath, RulebookError
from lineduel.rules.keys import (
    REQUIRED,
    RULE_KEYS,
    RULE_TABLES,
    RULEBOOK_TABLES,
    KeyKind,
    Need,
    RulebookKey,
)
from lineduel.rules.rulebook import Claim, Erratum, Rulebook, Rules, Variant
from lineduel.rules.vocabulary import (
    MAX_PIECES,
    First,
    Piece,
)
from lineduel.rules.words import BoardWords, Words, check_words

Data = Mapping[str, object]

_NAME = "a letter, then letters, digits, '-' or '_' (at most 16), not ending in '-' or '_'"


_RENAMED = {"readings": "variants", "every word is used": "every rule matters"}
"""Old words in rulebooks, and their current names."""


class _Table:
    """A TOML table being read: values are checked when taken, and unknown keys are rejected."""

    def __init__(self, data: object, path: KeyPath = ()) -> None:
        if not isinstance(data, Mapping):
            raise RulebookError(path, cited(data), "a table")
        self._rest = dict(data)
        self._path = path

    def key(self, name: str) -> KeyPath:
        return (*self._path, name)

    def __contains__(self, name: str) -> bool:
        return name in self._rest

    def take(self, name: str, allowed: str, default: Any = REQUIRED) -> Any:
        if name not in self._rest and default is REQUIRED:
            raise RulebookError(self.key(name), "missing", allowed)
        return self._rest.pop(name, default)

    def read(self, key: RulebookKey) -> Any:
        """The value of a key as the rulebook has it; its default if it is left out."""
        if key.name not in self._rest and not key.is_required:
            return _meant(key.default)
        value, path = self.take(key.name, key.allowed), self.key(key.name)
        match key.kind:
            case KeyKind.INTEGER if _is_number(value):
                return value
            case KeyKind.INTEGERS if isinstance(value, list | tuple) and all(
                map(_is_number, value)
            ):
                return tuple(value)
            case KeyKind.PIECES:
                return _pieces(value, path)
            case KeyKind.PIECE_STEPS if isinstance(value, Mapping):
                return tuple(
                    (str(name), self._steps(steps, (*path, str(name))))
                    for name, steps in value.items()
                )
            case KeyKind.FLAG if isinstance(value, bool):
                return value
            case KeyKind.TEXT if isinstance(value, str):
                if not is_printable(value):
                    raise RulebookError(path, cited(value), "text without control characters")
                return value
            case KeyKind.WORD if isinstance(value, str):
                for word in key.words:
                    if type(value) in (str, type(word)) and value == word.value:
                        return _meant(word)
                if value in _RENAMED:
                    raise RulebookError(path, f"an old name, {value}", f"'{_RENAMED[value]}'")
        raise RulebookError(path, cited(value), key.allowed)

    @staticmethod
    def _steps(value: object, path: KeyPath) -> tuple[int, ...]:
        if not isinstance(value, list | tuple) or not all(map(_is_number, value)):
            raise RulebookError(path, cited(value), "a list of whole numbers")
        return tuple(value)

    def values(self, table: str) -> dict[str, Any]:
        """The values of all keys of a table that `RULEBOOK_TABLES` has under that name."""
        return {key.name: self.read(key) for key in RULEBOOK_TABLES[table].keys}

    def table(self, name: str, default: Any = REQUIRED) -> "_Table":
        return _Table(self.take(name, "a table", default), self.key(name))

    def tables(self, name: str) -> list["_Table"]:
        value = self.take(name, "a list of tables", ())
        if not isinstance(value, list | tuple):
            raise RulebookError(self.key(name), cited(value), "a list of tables")
        return [_Table(one, (*self.key(name), number)) for number, one in enumerate(value)]

    def names(self) -> tuple[str, ...]:
        return tuple(self._rest)

    def rest(self) -> dict[str, object]:
        """Take all remaining keys, unchecked."""
        rest, self._rest = self._rest, {}
        return rest

    def finish(self, known: Iterable[str]) -> None:
        """Raise for a key that has not been taken."""
        for name in self._rest:
            if name in _RENAMED:
                raise RulebookError(self.key(name), "an old name", f"'{_RENAMED[name]}' instead")
            raise RulebookError(self.key(name), RulebookError.UNKNOWN_KEY, ", ".join(known))


def _meant(value: Any) -> Any:
    """A word or default as the rulebook has it: a side in place of the word for who begins."""
    if isinstance(value, list | dict):
        return tuple(value)
    return value.side if isinstance(value, First) else value


def rulebook_from_data(data: Data, id: str, *, check_variants: bool = True) -> Rulebook:
    """The rulebook described by a TOML document.

    Every variant in it is validated too, unless the document has been checked before.
    """
    rulebook = _read(data, id)
    if check_variants:
        for variant in rulebook.variants:
            apply_variant(rulebook, variant.name)
    return rulebook


def apply_variant(rulebook: Rulebook, name: str) -> Rulebook:
    """The rulebook with that variant applied."""
    variant = rulebook.variant_named(name)
    try:
        changed = apply_changes(rulebook, variant.changes)
    except RulebookError as error:
        path = ("variants", name, *error.path)
        raise RulebookError(path, error.holds, error.allowed) from None
    return replace(changed, id=f"{rulebook.id}:{name}", variant=variant)


def apply_changes(rulebook: Rulebook, changes: Data) -> Rulebook:
    """The rulebook with some keys of its rules and words changed; nested like the file."""
    data = _merged(_playing_data(rulebook), changes)
    for name in RULE_TABLES:
        table, given = RULEBOOK_TABLES[name], changes.get(name)
        if name not in changes and not _is_met(table.needs, data):
            data.pop(name, None)
        idle = {key.name for key in table.keys if not _is_met(key.needs, data)}
        idle -= given.keys() if isinstance(given, Mapping) else set()
        if idle and isinstance(data.get(name), Mapping):
            data[name] = {key: value for key, value in data[name].items() if key not in idle}
    changed = _read(data, rulebook.id)
    return replace(
        changed,
        claims=rulebook.claims,
        errata=rulebook.errata,
        variants=rulebook.variants,  # reading them again for each would take quadratic time
        variant=rulebook.variant,
    )


def _is_met(need: Need | None, data: Mapping[str, Any]) -> bool:
    """Whether data hold one of the words that a table or key needs."""
    if need is None:
        return True
    table, key = need.key.split(".")
    return isinstance(data[table], Mapping) and data[table].get(key) in need.words


def rulebook_data(rulebook: Rulebook) -> dict[str, Any]:
    """The TOML document of a rulebook as nested data; default words are left out."""
    data = _playing_data(rulebook)
    data["claims"] = [_written("claims", one) for one in rulebook.claims]
    data["errata"] = [_written("errata", one) for one in rulebook.errata]
    data["variants"] = {
        one.name: {"summary": one.summary, "why": one.why, **one.changes}
        for one in rulebook.variants
    }
    return data


def _playing_data(rulebook: Rulebook) -> dict[str, Any]:
    """What a variant may change, with the titles: all but claims, errata and variants."""
    data: dict[str, Any] = {"title": rulebook.title, "summary": rulebook.summary}
    data |= rules_data(rulebook.rules)
    data["words"] = words_data(rulebook.words)
    return data


def rules_data(rules: Rules) -> dict[str, dict[str, Any]]:
    """The tables of the rules, without recent keys at their defaults."""
    return {
        table: {
            key: value
            for key, value in keys.items()
            if not ((one := RULE_KEYS[f"{table}.{key}"]).is_recent and value == one.default)
        }
        for table, keys in all_rules_data(rules).items()
    }


def all_rules_data(rules: Rules) -> dict[str, dict[str, Any]]:
    """The tables of the rules, with every key."""
    return {
        name: {key.name: key.written(rules) for key in RULEBOOK_TABLES[name].keys}
        for name in RULE_TABLES
        if RULEBOOK_TABLES[name].part(rules) is not None
    }


def rules_from_data(data: Data) -> Rules:
    """The rules described by their tables."""
    table = _Table(data)
    rules = _rules(table)
    table.finish(RULE_TABLES)
    return rules


def words_data(words: Words) -> dict[str, Any]:
    """The words that differ from the defaults."""
    board = _differing("words.board", words.board)
    return _differing("words", words) | ({"board": board} if board else {})


def words_from_data(data: Data) -> Words:
    table = _Table(data, ("words",))
    words = _words(table)
    check_words(words)
    return words


def _read(data: Data, id: str) -> Rulebook:
    table = _Table(data)
    rulebook = Rulebook(
        id=id,
        **table.values(""),
        rules=_rules(table),
        words=_words(table.table("words", {})),
        claims=tuple(Claim(**one) for one in _entries(table, "claims")),
        errata=tuple(Erratum(**one) for one in _entries(table, "errata")),
        variants=_variants(table.table("variants", {})),
    )
    table.finish(
        (*RULEBOOK_TABLES[""].key_names, *RULE_TABLES, "words", "claims", "errata", "variants")
    )
    check_words(rulebook.words)
    return rulebook


def _rules(document: _Table) -> Rules:
    opened = {
        name: document.table(name, REQUIRED if RULEBOOK_TABLES[name].is_required else {})
        for name in ("track", "turn", "move", "meet")
    }
    _refuse_length(opened["track"])
    parts: dict[str, Any] = {}
    for name in RULE_TABLES:
        if RULEBOOK_TABLES[name].needs and name not in document:
            continue
        table = opened.get(name) or document.table(name)
        known = RULEBOOK_TABLES[name]
        made = known.makes(**table.values(name))
        parts |= {known.attribute: made} if known.attribute else made
        if name not in opened:
            table.finish(RULEBOOK_TABLES[name].key_names)
    for name, table in opened.items():
        table.finish(RULEBOOK_TABLES[name].key_names)
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
        "not a key of a rulebook file",
        f"first and last; for {length} cells write first = {first} and last = {first + length - 1}",
    )


def _pieces(listed: object, path: KeyPath) -> tuple[Piece, ...]:
    if not isinstance(listed, Mapping) or not listed:
        raise RulebookError(
            path,
            cited(listed),
            f"1 to {MAX_PIECES} names and their cells, as {{ A = 0, B = 1 }}",
        )
    for name, home in listed.items():
        if not _good_name(name):
            raise RulebookError(path, f"the name {name!r}", _NAME)
        if not _is_number(home):
            raise RulebookError((*path, name), cited(home), "a cell's number")
    return tuple(Piece(name, home) for name, home in listed.items())


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


def _words(table: _Table) -> Words:
    board_table = table.table("board", {})
    board = BoardWords(**board_table.values("words.board"))
    board_table.finish(RULEBOOK_TABLES["words.board"].key_names)
    words = Words(board=board, **table.values("words"))
    table.finish((*RULEBOOK_TABLES["words"].key_names, "board"))
    return words


def _entries(table: _Table, name: str) -> Iterator[dict[str, Any]]:
    """The values of each table in a list."""
    for entry in table.tables(name):
        yield entry.values(name)
        entry.finish(RULEBOOK_TABLES[name].key_names)


def _written(name: str, entry: Claim | Erratum) -> dict[str, str]:
    """An entry of a list as the file has it; what is empty and may be is left out."""
    return {
        key.name: str(value)
        for key in RULEBOOK_TABLES[name].keys
        if (value := getattr(entry, key.name)) or key.is_required
    }


def _variants(table: _Table) -> tuple[Variant, ...]:
    variants = []
    for name in table.names():
        if not is_printable(name):
            raise RulebookError(table.key(name), "its name", "text without control characters")
        entry = table.table(name)
        told, changes = entry.values("variants"), entry.rest()
        for changed in changes:
            if changed not in (*RULE_TABLES, "words"):
                raise RulebookError(
                    entry.key(changed),
                    RulebookError.UNKNOWN_KEY,
                    ", ".join((*RULEBOOK_TABLES["variants"].key_names, *RULE_TABLES, "words")),
                )
        variants.append(Variant(name=name, **told, changes=changes))
    return tuple(variants)


def _merged(data: Data, changes: Data) -> dict[str, Any]:
    """Data with changes merged in: tables key by key, but those of pieces as a whole."""
    merged = dict(data)
    for key, value in changes.items():
        old = merged.get(key)
        if (
            isinstance(value, Mapping)
            and isinstance(old, Mapping)
            and key not in ("pieces", "piece_steps")
        ):
            merged[key] = _merged(old, value)
        else:
            merged[key] = value
    return merged


def _differing(table: str, group: Words | BoardWords) -> dict[str, Any]:
    return {
        key.name: str(value)
        for key in RULEBOOK_TABLES[table].keys
        if (value := getattr(group, key.name)) != key.default
    }


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
