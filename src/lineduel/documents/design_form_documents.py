"""The JSON of the designer's form: every key that can be filled in, and with what."""

from typing import Any, Literal

from lineduel.documents.document import Document
from lineduel.rules import FIELD_MEANINGS, RULEBOOK_TABLES, Need, RulebookKey, RulebookTable


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
    tables = [table for name, table in RULEBOOK_TABLES.items() if name != "variants"]
    return DesignForm(tables=[_form_table(table) for table in tables])


def _form_table(table: RulebookTable) -> FormTable:
    return FormTable(
        table=table.name,
        meaning=table.meaning,
        several=table.is_list,
        keys=[_form_key(key) for key in table.keys],
        needs=_need(table.needs),
    )


def _form_key(key: RulebookKey) -> FormKey:
    lowest, highest = key.limits or (None, None)
    fewest, most = key.counts or (None, None)
    return FormKey(
        key=key.path,
        kind=key.kind.value,
        meaning=key.meaning,
        required=key.is_required,
        default=None if key.is_required else key.default,
        lowest=lowest,
        highest=highest,
        fewest=fewest,
        most=most,
        words=[AllowedWord(word=str(word), meaning=said) for word, said in key.words.items()],
        fields=[TemplateField(name=name, meaning=FIELD_MEANINGS[name]) for name in key.fields],
        needs=_need(key.needs),
    )


def _need(need: Need | None) -> FormNeed | None:
    return need and FormNeed(key=need.key, words=[str(one) for one in need.words])
