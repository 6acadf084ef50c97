"""The JSON Schema of rulebook files, for editors, made from the reference of the keys."""

import json
from typing import Any

from lineduel.rules import (
    COMMAND_KEYS,
    KEY_CHOICES,
    KEY_COUNTS,
    KEY_RANGES,
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

RULEBOOK_SCHEMA_HEAD = '{\n "$comment": "Written by lineduel'
"""The first characters of the schema file."""
_DIALECT = "http://json-schema.org/draft-07/schema#"
"""The version of JSON Schema that TOML editors support."""
_TYPES: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "integers": {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 1,
        "uniqueItems": True,
    },
    "pieces": {"type": "object", "additionalProperties": {"type": "integer"}},
    "flag": {"type": "boolean"},
    "word": {"type": "string"},
}
Schema = dict[str, Any]


def rulebook_schema_text() -> str:
    """The content of the schema file."""
    return json.dumps(rulebook_schema(), indent=1, ensure_ascii=False) + "\n"


def rulebook_schema() -> Schema:
    """The schema of rulebook files, with the meaning of every key."""
    rules = _rule_tables()
    properties: Schema = {name: _text(name) for name in ("title", "summary")}
    properties |= rules
    properties["words"] = _words()
    properties["claims"] = _list("claims", _claim(), ("says", "property"))
    properties["errata"] = _list(
        "errata",
        {key: _text(f"errata.{key}") for key in ("where", "says", "ruling")},
        ("where", "says", "ruling"),
    )
    properties["variants"] = {
        "type": "object",
        "description": TABLE_MEANINGS["variants"],
        "additionalProperties": _table("", _variant(rules), ("summary", "why")),
    }
    needed = [name for name in RULE_TABLES if rules[name].get("required") and name != "battle"]
    return {
        "$comment": "Written by lineduel from the keys that it reads.",
        "$schema": _DIALECT,
        "title": "A lineduel rulebook",
        **_table("", properties, ("title", *needed)),
    }


def _rule_tables() -> Schema:
    """The tables of the rules, each with its keys."""
    defaults = rule_defaults()
    tables: Schema = {}
    for table in RULE_TABLES:
        names = [name for name in rule_keys() if name.startswith(f"{table}.")]
        keys = {name.partition(".")[2]: _rule(name, defaults[name]) for name in names}
        required = [name.partition(".")[2] for name in names if defaults[name] is REQUIRED]
        tables[table] = _table(TABLE_MEANINGS[table], keys, required)
    return tables


def _rule(name: str, default: object) -> Schema:
    schema = _limited(name, dict(_TYPES[COMMAND_KEYS[name]]))
    schema |= _choices(name, RULE_MEANINGS[name])
    return schema if default is REQUIRED else schema | {"default": default}


def _limited(name: str, schema: Schema) -> Schema:
    """The type of a key with the numbers and counts that are allowed."""
    if name in KEY_RANGES:
        least, most = KEY_RANGES[name]
        numbers = {"type": "integer", "minimum": least, "maximum": most}
        schema = {**schema, "items": numbers} if "items" in schema else numbers
    if name in KEY_COUNTS:
        least, most = KEY_COUNTS[name]
        ends = ("minItems", "maxItems") if "items" in schema else ("minProperties", "maxProperties")
        schema |= dict(zip(ends, (least, most), strict=True))
    return schema


def _choices(name: str, meaning: str) -> Schema:
    """The meaning of a key and of each of its allowed words."""
    if name not in KEY_CHOICES:
        return {"description": meaning}
    words = KEY_CHOICES[name]
    told = "; ".join(f'"{word}": {said}' for word, said in words.items())
    return {"description": f"{meaning} {told}.", "enum": [str(word) for word in words]}


def _words() -> Schema:
    keys: Schema = {}
    board: Schema = {}
    for one in word_keys():
        fields = ", ".join(f"{{{name}}}" for name in one.fields)
        meaning = f"{one.meaning} Fields: {fields}." if fields else one.meaning
        schema = {"type": "string", "default": one.default, **_choices(one.key, meaning)}
        _, table, *rest = one.key.split(".")
        if rest:
            board[rest[0]] = schema
        else:
            keys[table] = schema
    keys["board"] = _table(TABLE_MEANINGS["words.board"], board)
    return _table(TABLE_MEANINGS["words"], keys)


def _claim() -> Schema:
    told = "; ".join(f'"{about}": {meaning}' for about, meaning in PROPERTY_MEANINGS.items())
    about = _text("claims.property")
    return {
        "says": _text("claims.says"),
        "property": {
            **about,
            "description": f"{about['description']} {told}.",
            "enum": [str(one) for one in PROPERTY_MEANINGS],
        },
        "not_tested": _text("claims.not_tested"),
    }


def _variant(rules: Schema) -> Schema:
    """The keys of a variant: its summary and reason, and the rules and texts that it changes."""
    changed = {
        name: {key: value for key, value in table.items() if key != "required"}
        for name, table in (rules | {"words": _words()}).items()
    }
    return {key: _text(f"variants.{key}") for key in ("summary", "why")} | changed


def _text(name: str) -> Schema:
    return {"type": "string", "description": OTHER_MEANINGS[name]}


def _list(name: str, keys: Schema, required: tuple[str, ...]) -> Schema:
    return {
        "type": "array",
        "description": TABLE_MEANINGS[name],
        "items": _table("", keys, required),
    }


def _table(meaning: str, keys: Schema, required: Any = ()) -> Schema:
    schema: Schema = {"type": "object"}
    if meaning:
        schema["description"] = meaning
    schema |= {"properties": keys, "additionalProperties": False}
    return schema | {"required": list(required)} if required else schema
