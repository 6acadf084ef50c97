"""The JSON Schema of rulebook files, for editors, made from the table of all keys."""

import json
from typing import Any

from lineduel.rules import RULE_TABLES, RULEBOOK_TABLES, KeyKind, RulebookKey

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
    KeyKind.FLAG: {"type": "boolean"},
    KeyKind.WORD: {"type": "string"},
    KeyKind.TEXT: {"type": "string"},
}
Schema = dict[str, Any]


def rulebook_schema_text() -> str:
    """The content of the schema file."""
    return json.dumps(rulebook_schema(), indent=1, ensure_ascii=False) + "\n"


def rulebook_schema() -> Schema:
    """The schema of rulebook files, with the meaning of every key."""
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
    return {
        "$comment": "Written by lineduel from the keys that it reads.",
        "$schema": _DIALECT,
        "title": "A lineduel rulebook",
        **whole,
    }


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
