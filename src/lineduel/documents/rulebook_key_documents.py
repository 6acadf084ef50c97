"""The keys of rulebook files, all from one table: for editors, for readers, and for the designer.

Editors get a JSON Schema, readers tables in Markdown, and the designer's form gets JSON.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from lineduel.documents.document import Document
from lineduel.rules import (
    FIELD_MEANINGS,
    RULE_TABLES,
    RULEBOOK_KEYS,
    RULEBOOK_TABLES,
    KeyKind,
    RulebookKey,
    format_value,
)

# The JSON Schema

RULEBOOK_SCHEMA_HEAD = '{\n "$comment": "Written by lineduel'
"""The first characters of the schema file."""
_DIALECT = "http://json-schema.org/draft-07/schema#"
"""The version of JSON Schema that TOML editors support."""
_TYPES: dict[KeyKind, dict[str, Any]] = {
    KeyKind.INTEGER: {"type": "integer"},
    KeyKind.INTEGERS: {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 1,
        "uniqueItems": True,
    },
    KeyKind.PIECES: {"type": "object", "additionalProperties": {"type": "integer"}},
    KeyKind.PIECE_STEPS: {
        "type": "object",
        "additionalProperties": {
            "type": "array",
            "items": {"type": "integer"},
            "minItems": 1,
            "uniqueItems": True,
        },
    },
    KeyKind.FLAG: {"type": "boolean"},
    KeyKind.WORD: {"type": "string"},
    KeyKind.TEXT: {"type": "string"},
}
Schema = dict[str, Any]


def rulebook_schema_text() -> str:
    """The schema of rulebook files, with the meaning of every key, as the content of a file."""
    rules = {name: _table(name) for name in RULE_TABLES}
    words = _table("words", {"board": _table("words.board")})
    lists = {
        name: {"type": "array", "description": table.meaning, "items": _table(name, meaning="")}
        for name, table in RULEBOOK_TABLES.items()
        if table.is_list
    }
    changed = {
        name: {key: value for key, value in table.items() if key != "required"}
        for name, table in (rules | {"words": words}).items()
    }
    variants = {
        "type": "object",
        "description": RULEBOOK_TABLES["variants"].meaning,
        "additionalProperties": _table("variants", changed, meaning=""),
    }
    whole = _table("", {**rules, "words": words, **lists, "variants": variants})
    whole["required"] += [name for name in RULE_TABLES if RULEBOOK_TABLES[name].is_required]
    schema = {
        "$comment": "Written by lineduel from the keys that it reads.",
        "$schema": _DIALECT,
        "title": "A lineduel rulebook",
        **whole,
    }
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _table(name: str, more: Schema | None = None, meaning: str | None = None) -> Schema:
    """A table with its keys, and more of them that are tables themselves."""
    table = RULEBOOK_TABLES[name]
    meaning = table.meaning if meaning is None else meaning
    required = [key.name for key in table.keys if key.is_required]
    return {
        "type": "object",
        **({"description": meaning} if meaning else {}),
        "properties": {key.name: _key(key) for key in table.keys} | (more or {}),
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }


def _key(key: RulebookKey) -> Schema:
    """What a key may hold, its meaning and its default."""
    default = {} if key.is_required else {"default": key.default}
    if key.table in RULE_TABLES:
        return _limited(key) | _described(key) | default
    if key.table.startswith("words"):
        return _limited(key) | default | _described(key)
    return _limited(key) | _described(key)


def _limited(key: RulebookKey) -> Schema:
    """The type of a key with the numbers and counts that are allowed."""
    schema = dict(_TYPES[key.kind])
    if key.limits:
        numbers = {"type": "integer", "minimum": key.limits[0], "maximum": key.limits[1]}
        schema = {**schema, "items": numbers} if "items" in schema else numbers
    if key.counts:
        ends = ("minItems", "maxItems") if "items" in schema else ("minProperties", "maxProperties")
        schema |= dict(zip(ends, key.counts, strict=True))
    return schema


def _described(key: RulebookKey) -> Schema:
    """The meaning of a key and of each of its allowed words or fields."""
    if key.words:
        told = "; ".join(f'"{word}": {said}' for word, said in key.words.items())
        return {"description": f"{key.meaning} {told}.", "enum": [str(word) for word in key.words]}
    fields = ", ".join(f"{{{name}}}" for name in key.fields)
    return {"description": f"{key.meaning} Fields: {fields}." if fields else key.meaning}


# The reference in Markdown

REFERENCE_BEGIN = "<!-- The part below is made by: python -m lineduel.documents.schemas FOLDER -->"
REFERENCE_END = "<!-- End of that part. -->"


def with_reference(page: str) -> str:
    """A page with the reference between its two marks replaced."""
    before, _, rest = page.partition(REFERENCE_BEGIN)
    after = rest.partition(REFERENCE_END)[2]
    made = "\n".join(_reference())
    return f"{before}{REFERENCE_BEGIN}\n\n{made}\n\n{REFERENCE_END}{after}"


def _reference() -> Iterator[str]:
    """Tables of all keys, their allowed words, the fields of texts, and the properties."""
    heads = {"": "At the top"} | {name: f"`[{name}]`" for name in RULE_TABLES}
    heads |= {"claims": "`[[claims]]`", "errata": "`[[errata]]`", "variants": "`[variants.NAME]`"}
    for name, head in heads.items():
        table = RULEBOOK_TABLES[name]
        yield from _section(head, table.meaning)
        yield from _rows(("key", "meaning", "default"), map(_row, table.keys))
    properties = RULEBOOK_KEYS["claims.property"].words
    yield from ("The properties of claims:", "")
    yield from _named_rows(("property", "what is tested"), properties)
    yield from _section("`[words]`", RULEBOOK_TABLES["words"].meaning)
    texts = (*RULEBOOK_TABLES["words"].keys, *RULEBOOK_TABLES["words.board"].keys)
    yield from _rows(("key", "meaning", "default", "fields"), map(_text_row, texts))
    yield from ("The fields, as in `{player}`:", "")
    yield from _named_rows(("field", "what is filled in"), FIELD_MEANINGS)


def _section(head: str, meaning: str) -> Iterator[str]:
    yield from (f"### {head}", "")
    if meaning:
        yield from (meaning, "")


def _row(key: RulebookKey) -> tuple[str, ...]:
    default = "required" if key.is_required else f"`{format_value(key.default)}`"
    return f"`{key.name}`", _meaning(key), "empty" if key.default == "" else default


def _text_row(key: RulebookKey) -> tuple[str, ...]:
    shown = key.default.replace("\n", "⏎")
    default = f"`{shown}`" if shown.strip() == shown and shown else f'`"{shown}"`'
    fields = ", ".join(f"`{name}`" for name in key.fields)
    return f"`{key.path.removeprefix('words.')}`", _meaning(key), default, fields


def _meaning(key: RulebookKey) -> str:
    """The meaning of a key and of its words; those of claims have a table of their own."""
    if not key.words or key.table == "claims":
        return key.meaning
    choices = (f"`{word}`: {said}" for word, said in key.words.items())
    return f"{key.meaning} {'; '.join(choices)}."


def _named_rows(heads: tuple[str, ...], meanings: Mapping[Any, str]) -> Iterator[str]:
    return _rows(heads, ((f"`{name}`", meaning) for name, meaning in meanings.items()))


def _rows(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


# The designer's form


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
    kind: Literal["integer", "integers", "pieces", "piece_steps", "flag", "word", "text"]
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
            FormTable.of(
                table,
                table=name,
                several=table.is_list,
                keys=[_form_key(key) for key in table.keys],
                needs=table.needs and FormNeed.of(table.needs),
            )
            for name, table in RULEBOOK_TABLES.items()
            if name != "variants"
        ]
    )


def _form_key(key: RulebookKey) -> FormKey:
    lowest, highest = key.limits or (None, None)
    fewest, most = key.counts or (None, None)
    return FormKey.of(
        key,
        key=key.path,
        kind=key.kind.value,
        required=key.is_required,
        default=None if key.is_required else key.default,
        lowest=lowest,
        highest=highest,
        fewest=fewest,
        most=most,
        words=[AllowedWord(word=str(word), meaning=said) for word, said in key.words.items()],
        fields=[TemplateField(name=name, meaning=FIELD_MEANINGS[name]) for name in key.fields],
        needs=key.needs and FormNeed.of(key.needs),
    )
