"""The page about the HTTP interface, made from its OpenAPI document."""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from litestar import Router
from litestar.datastructures import ResponseHeader
from litestar.openapi.plugins import OpenAPIRenderPlugin

from lineduel.page import template_file, write_page

_Schema = Mapping[str, Any]
_OBJECTS = "#/components/schemas/"


class TypePart(NamedTuple):
    """A few words of a type, or the name of an object that the page describes."""

    text: str
    is_object: bool = False


class ApiField(NamedTuple):
    """A part of a request or of its answer, or a key of an object."""

    name: str
    note: str
    type: list[TypePart]


class Operation(NamedTuple):
    """Something that can be asked for."""

    method: str
    path: str
    about: str
    takes: list[ApiField]
    gives: list[ApiField]
    errors: list[tuple[str, str]]


class ObjectType(NamedTuple):
    """An object that is asked with or answered."""

    name: str
    about: str
    rows: list[ApiField]
    choices: list[TypePart]
    """In place of rows, for what is one of several values."""


class ApiPage(OpenAPIRenderPlugin):
    """Shows everything that programs can ask for; it loads nothing and needs no script."""

    def __init__(self) -> None:
        super().__init__(path="/")
        self._page: bytes | None = None

    def render(self, request: object, openapi_schema: dict[str, Any]) -> bytes:
        if self._page is None:
            self._page = api_page(openapi_schema).encode()
        return self._page

    def receive_router(self, router: Router) -> None:
        """Let the page have its own style, and nothing else."""
        style = b64encode(sha256(template_file("style.css").encode()).digest()).decode()
        policy = (
            f"default-src 'none'; style-src 'sha256-{style}'; img-src data:; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'"
        )
        router.response_headers = [ResponseHeader(name="Content-Security-Policy", value=policy)]


def api_page(document: _Schema) -> str:
    """An OpenAPI document as a page."""
    operations = list(_operations(document))
    objects = [
        _object_type(name, schema)
        for name, schema in sorted(document["components"]["schemas"].items())
    ]
    return write_page(
        "api.html",
        title="The HTTP interface",
        version=document["info"]["version"],
        operations=operations,
        objects=objects,
    )


def _operations(document: _Schema) -> Iterator[Operation]:
    for path, methods in sorted(document["paths"].items()):
        for method, found in methods.items():
            answers = found["responses"].items()
            yield Operation(
                method=method.upper(),
                path=path,
                about=found.get("description") or found.get("summary") or "",
                takes=[
                    *(
                        ApiField(one["name"], f"in the {one['in']}", list(_type(one["schema"])))
                        for one in found.get("parameters", ())
                    ),
                    *_bodies("body", found.get("requestBody", {})),
                ],
                gives=[
                    row
                    for status, answer in answers
                    if status.startswith("2")
                    for row in _bodies(status, answer)
                ],
                errors=[
                    (status, answer["description"])
                    for status, answer in answers
                    if not status.startswith("2")
                ],
            )


def _bodies(name: str, described: _Schema) -> Iterator[ApiField]:
    for kind, one in described.get("content", {}).items():
        yield ApiField(name, kind, list(_type(one.get("schema", {}))))


def _object_type(name: str, schema: _Schema) -> ObjectType:
    needed = schema.get("required", ())
    return ObjectType(
        name=name,
        about=schema.get("description", ""),
        rows=[
            ApiField(key, "" if key in needed else "may be left out", list(_type(one)))
            for key, one in schema.get("properties", {}).items()
        ],
        choices=[] if "properties" in schema else list(_type(schema)),
    )


def _type(schema: _Schema) -> Iterator[TypePart]:
    """The type of a value in a few words."""
    match schema:
        case {"$ref": str(reference)}:
            yield TypePart(reference.removeprefix(_OBJECTS), is_object=True)
        case {"oneOf": choices} | {"anyOf": choices}:
            for number, one in enumerate(choices):
                if number:
                    yield TypePart(" or ")
                yield from _type(one)
        case {"enum": values}:
            yield TypePart(" or ".join(json.dumps(one, ensure_ascii=False) for one in values))
        case {"const": value}:
            yield TypePart(json.dumps(value, ensure_ascii=False))
        case {"type": "array", "prefixItems": items}:
            yield TypePart("[")
            for number, one in enumerate(items):
                if number:
                    yield TypePart(", ")
                yield from _type(one)
            yield TypePart("]")
        case {"type": "array"}:
            yield TypePart("list of ")
            yield from _type(schema.get("items") or {})
        case {"type": "object", "additionalProperties": dict(values)}:
            yield TypePart("object of ")
            yield from _type(values)
        case {"type": str(name)}:
            yield TypePart(name)
        case {"type": list(names)}:
            yield TypePart(" or ".join(names))
        case _:
            yield TypePart("anything")
