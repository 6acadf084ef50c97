"""The JSON of the designer's form: every key that can be filled in, and with what."""

from collections.abc import Iterable
from typing import Any, Literal

from lineduel.documents.document import Document
from lineduel.rules import (
    COMMAND_KEYS,
    FIELD_MEANINGS,
    KEY_CHOICES,
    KEY_COUNTS,
    KEY_NEEDS,
    KEY_RANGES,
    OPTIONAL_KEYS,
    OTHER_MEANINGS,
    PROPERTY_MEANINGS,
    REQUIRED,
    RULE_MEANINGS,
    RULE_TABLES,
    TABLE_MEANINGS,
    rule_defaults,
    rule_keys,
    word_keys,
)

_LISTS = ("claims", "errata")
"""The lists of tables."""


class AllowedWord(Document, frozen=True, kw_only=True):
    """A word that a key may hold."""

    word: str
    meaning: str


class TemplateField(Document, frozen=True, kw_only=True):
    """A field of a text, as in `{player}`."""

    name: str
    meaning: str


class FormNeed(Document, frozen=True, kw_only=True):
    """What another key has to hold for a table or key to have a meaning."""

    key: str
    words: list[str]


class FormKey(Document, frozen=True, kw_only=True):
    """A key of a rulebook file."""

    key: str
    """With its table, such as `move.steps`."""
    kind: Literal["integer", "integers", "pieces", "flag", "word", "text"]
    meaning: str
    required: bool
    default: Any
    """What it is when a file leaves it out; null where it is required."""
    lowest: int | None
    highest: int | None
    """The range of its number or numbers."""
    fewest: int | None
    most: int | None
    """How many entries it may have."""
    words: list[AllowedWord]
    """The words it may hold; any text if there are none."""
    fields: list[TemplateField]
    """What is filled in in a text."""
    needs: FormNeed | None


class FormTable(Document, frozen=True, kw_only=True):
    """A table of a rulebook file, or a list of such tables."""

    table: str
    """Empty for the keys at the top of the file."""
    meaning: str
    several: bool
    """Whether it is a list of tables, such as `[[claims]]`."""
    keys: list[FormKey]
    needs: FormNeed | None


class DesignForm(Document, frozen=True, kw_only=True):
    """Every table and key of a rulebook file, in order; variants are left to its text."""

    tables: list[FormTable]


def design_form() -> DesignForm:
    """What can be filled in, from the vocabulary."""
    return DesignForm(
        tables=[
            _form_table("", [_other_key(key) for key in ("title", "summary")]),
            *(_form_table(table, _rule_keys(table)) for table in RULE_TABLES),
            *(_form_table(table, _word_keys(table)) for table in ("words", "words.board")),
            *(_form_table(name, _list_keys(name), several=True) for name in _LISTS),
        ]
    )


def _form_table(table: str, keys: list[FormKey], several: bool = False) -> FormTable:
    meaning = TABLE_MEANINGS.get(table, "")
    return FormTable(table=table, meaning=meaning, several=several, keys=keys, needs=_need(table))


def _rule_keys(table: str) -> list[FormKey]:
    defaults = rule_defaults()
    return [
        _form_key(
            key,
            COMMAND_KEYS[key],
            RULE_MEANINGS[key],
            defaults[key] is REQUIRED,
            None if defaults[key] is REQUIRED else defaults[key],
        )
        for key in rule_keys()
        if key.startswith(f"{table}.")
    ]


def _word_keys(table: str) -> list[FormKey]:
    return [
        _form_key(
            one.key,
            "word" if one.key in KEY_CHOICES else "text",
            one.meaning,
            False,
            one.default,
            one.fields,
        )
        for one in word_keys()
        if one.key.rpartition(".")[0] == table
    ]


def _list_keys(name: str) -> list[FormKey]:
    return [_other_key(key) for key in OTHER_MEANINGS if key.startswith(f"{name}.")]


def _other_key(key: str) -> FormKey:
    kind = "word" if key == "claims.property" else "text"
    required = key not in OPTIONAL_KEYS
    return _form_key(key, kind, OTHER_MEANINGS[key], required, None if required else "")


def _form_key(
    key: str, kind: Any, meaning: str, required: bool, default: Any, fields: Iterable[str] = ()
) -> FormKey:
    lowest, highest = KEY_RANGES.get(key, (None, None))
    fewest, most = KEY_COUNTS.get(key, (None, None))
    words = PROPERTY_MEANINGS if key == "claims.property" else KEY_CHOICES.get(key, {})
    return FormKey(
        key=key,
        kind=kind,
        meaning=meaning,
        required=required,
        default=default,
        lowest=lowest,
        highest=highest,
        fewest=fewest,
        most=most,
        words=[AllowedWord(word=str(word), meaning=said) for word, said in words.items()],
        fields=[TemplateField(name=name, meaning=FIELD_MEANINGS[name]) for name in fields],
        needs=_need(key),
    )


def _need(name: str) -> FormNeed | None:
    need = KEY_NEEDS.get(name)
    return None if need is None else FormNeed(key=need.key, words=[str(one) for one in need.words])
