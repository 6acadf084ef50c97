"""Every JSON document, key by key, from the published schemas."""

import json
from collections.abc import Iterator
from typing import Any

from generators.markdown import anchor, code, sentence, table
from lineduel.documents.schemas import DOCUMENTS, SERVED, schema_text

Schema = dict[str, Any]


def documents_page() -> str:
    """Each document with a table for each of its objects."""
    names = sorted((*DOCUMENTS, *SERVED))
    parts = [
        "# Every JSON document",
        "What `--json` prints and the server sends, key by key. [JSON documents](../json.md) "
        "tells what they have in common.",
        table(("document", "schema"), (_listed(name) for name in names)),
        *(part for name in names for part in _document(name)),
    ]
    return "\n\n".join(parts) + "\n"


def _listed(name: str) -> tuple[str, str]:
    return f"[{name}](#{anchor(name)})", _schema_link(name)


def _schema_link(name: str) -> str:
    return f"[{name}.json](../schemas/{name}.json)"


def _document(name: str) -> Iterator[str]:
    schema: Schema = json.loads(schema_text(name))
    objects = schema.get("$defs", {})
    yield f"## {name}"
    if schema.get("type") == "array":
        yield f"A list; each entry is {type_text(schema['items'])}. Schema: {_schema_link(name)}."
    else:
        yield f"Schema: {_schema_link(name)}."
    for title, defined in _first_one_first(schema, objects):
        yield f"**{title}**: {sentence(defined.get('description', title))}"
        yield _content(defined)


def _first_one_first(schema: Schema, objects: Schema) -> Iterator[tuple[str, Schema]]:
    """The document's own object, then those that it holds."""
    own = schema.get("$ref", "").rpartition("/")[2]
    for title in sorted(objects, key=lambda one: one != own):
        yield title, objects[title]


def _content(defined: Schema) -> str:
    if "enum" in defined:
        return f"One of {_choices(defined)}."
    needed = defined.get("required", ())
    rows = (
        (
            code(key),
            type_text(one),
            one.get("description", "") if key in needed else _optional(one.get("description", "")),
        )
        for key, one in defined.get("properties", {}).items()
    )
    return table(("key", "type", "meaning"), rows)


def _optional(told: str) -> str:
    return f"{sentence(told)} Left out where it has nothing to say." if told else "May be left out."


def _choices(schema: Schema) -> str:
    return ", ".join(code(json.dumps(one, ensure_ascii=False)) for one in schema["enum"])


def type_text(schema: Schema) -> str:
    """The type of a value in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(type_text(one) for one in schema["anyOf"])
    if "oneOf" in schema:
        return " or ".join(type_text(one) for one in schema["oneOf"])
    if "enum" in schema:
        return _choices(schema)
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(type_text(one) for one in schema['prefixItems'])}]"
        case "array":
            return f"list of {type_text(schema.get('items') or {})}"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"object of {type_text(schema['additionalProperties'])}"
        case str(name):
            return name
        case list(names):
            return " or ".join(names)
        case _:
            return "anything"
