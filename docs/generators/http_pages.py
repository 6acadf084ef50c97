"""The HTTP interface, from the OpenAPI document of the server."""

import warnings
from collections.abc import Iterator
from typing import Any

from generators.document_pages import type_text
from generators.markdown import cell_text, code, sentence, table
from lineduel.web.server import openapi_document

Operation = dict[str, Any]


def http_page() -> str:
    """Each path and method with what it takes and gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about how handlers are declared
        document = openapi_document()
    objects = sorted(document["components"]["schemas"].items())
    operations = [
        (path, method.upper(), operation)
        for path, methods in sorted(document["paths"].items())
        if path.startswith("/api/")
        for method, operation in methods.items()
    ]
    parts = [
        "# The HTTP API",
        "Every request of `lineduel serve`. A running server has the same as an OpenAPI document "
        "under `/api/docs/openapi.json`. [The web protocol](../web-protocol.md) tells how live "
        "games and tokens work. Wherever something is wrong, the answer is "
        '`{"error": "one plain sentence"}` with a status of 400 or above.',
        *(part for one in operations for part in _operation(*one)),
        "## Objects",
        *(part for one in objects for part in _object(*one)),
    ]
    return "\n\n".join(parts) + "\n"


def _operation(path: str, method: str, operation: Operation) -> Iterator[str]:
    yield f"## {method} {path}"
    yield sentence(operation.get("description") or operation.get("summary") or "")
    rows = [
        (code(one["name"]), f"in the {one['in']}", type_text(one["schema"]))
        for one in operation.get("parameters", ())
    ]
    body = operation.get("requestBody", {}).get("content", {})
    rows += [("body", kind, type_text(one["schema"])) for kind, one in body.items()]
    rows += [
        (f"answer {status}", kind, type_text(one.get("schema", {})))
        for status, answer in operation["responses"].items()
        if status.startswith("2")
        for kind, one in answer.get("content", {}).items()
    ]
    yield table(("part", "where", "type"), rows)


def _object(name: str, schema: Operation) -> Iterator[str]:
    yield f"### {cell_text(name)}"
    if told := schema.get("description"):
        yield sentence(told)
    if "enum" in schema:
        yield f"One of {type_text(schema)}."
    elif properties := schema.get("properties"):
        needed = schema.get("required", ())
        yield table(
            ("key", "type", ""),
            (
                (code(key), type_text(one), "" if key in needed else "may be left out")
                for key, one in properties.items()
            ),
        )
