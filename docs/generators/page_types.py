"""What the server sends and takes, as TypeScript types: the page's code is checked against them.

`LINEDUEL_UPDATE_GOLDEN=1 pytest tests/web/test_page_code.py` updates `page/documents.d.ts`.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args, get_origin, get_type_hints

from litestar import Response
from litestar.response import Stream

from lineduel.documents import (
    DesignMessage,
    EventDocument,
    LiveMessage,
    WatchedTournament,
)
from lineduel.documents.schemas import schemas_of
from lineduel.web.api import ErrorDocument
from lineduel.web.live_requests import Request
from lineduel.web.pages import FOLDER
from lineduel.web.server import API_HANDLERS, API_PATH
from lineduel.web.socket import Greeting

FILE = FOLDER / "documents.d.ts"
NAMED = {
    "DesignMessage": DesignMessage,
    "EventDocument": EventDocument,
    "Greeting": Greeting,
    "LiveMessage": LiveMessage,
    "Request": Request,
}
"""What goes over a WebSocket, and what is one of several types; HTTP has the rest."""
STREAMED = {"application/x-ndjson": DesignMessage, "text/event-stream": WatchedTournament}
"""What the parts of an answer are that comes in parts, by its media type."""
_HEAD = """\
/** What the server sends and takes. Made by docs/generators/page_types.py: do not edit. */
"""
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_REF = "#/$defs/"
_KIND = re.compile(r":\w+}")
"""The type of a field in a path, as in `{id:str}`."""


def page_types() -> str:
    """The content of `documents.d.ts`."""
    routes = sorted(_routes(), key=lambda route: route[:2])
    types = [one for *_, asked, answer in routes for one in (asked, answer) if one is not None]
    types += [ErrorDocument, *NAMED.values()]
    schemas, definitions = schemas_of(types)
    written = dict(zip(map(repr, types), map(_type, schemas), strict=True))
    parts = [_HEAD]
    parts += [_interface(name, definitions[name]) for name in sorted(definitions)]
    parts += [
        f"export type {name} = {written[repr(one)]};\n"
        for name, one in NAMED.items()
        if name not in definitions
    ]
    for method, said in (("GET", "The answer to GET"), ("POST", "What POST takes, and its answer")):
        lines = [
            f"  {json.dumps(path)}: {_asked_and_answered(asked, answer, written)};\n"
            for verb, path, asked, answer in routes
            if verb == method
        ]
        parts.append(f"/** {said}, by path. */\nexport interface {method} {{\n{''.join(lines)}}}\n")
    return "\n".join(parts)


def _routes() -> Iterator[tuple[str, str, Any, Any]]:
    """The method, the path, what is asked and what is answered, of all that programs can ask."""
    for handler in API_HANDLERS:
        hints = get_type_hints(handler.fn)
        answer = hints["return"]
        if answer is Stream:
            answer = STREAMED[str(handler.media_type)]
        elif get_origin(answer) is Response:
            (answer,) = get_args(answer)
        for path in handler.paths:
            (method,) = handler.http_methods
            yield method, API_PATH + _KIND.sub("}", path), hints.get("data"), answer


def _asked_and_answered(asked: Any, answer: Any, written: dict[str, str]) -> str:
    told = written[repr(answer)]
    return told if asked is None else f"{{ asks: {written[repr(asked)]}; answers: {told} }}"


def _interface(name: str, schema: dict[str, Any]) -> str:
    """A definition of a schema; what has no keys of its own gets a name all the same."""
    said = _comment(schema, "")
    if "properties" not in schema:
        return f"{said}export type {name} = {_type(schema)};\n"
    return f"{said}export interface {name} {{\n{''.join(_keys(schema))}}}\n"


def _keys(schema: dict[str, Any]) -> Iterator[str]:
    for key, one in schema["properties"].items():
        mark = "" if key in schema.get("required", ()) else "?"
        yield f"{_comment(one, '  ')}  {key}{mark}: {_type(one)};\n"


def _comment(schema: dict[str, Any], indent: str) -> str:
    said = " ".join(str(schema.get("description", "")).split())
    return f"{indent}/** {said} */\n" if said else ""


def _type(schema: dict[str, Any]) -> str:
    """The TypeScript type of a JSON Schema; what may be anything is `unknown`."""
    match schema:
        case {"$ref": str(path)}:
            return path.removeprefix(_REF)
        case {"anyOf": list(cases)}:
            return " | ".join(_type(one) for one in cases)
        case {"enum": list(values)}:
            return " | ".join(json.dumps(value) for value in values)
        case {"type": "array", "prefixItems": list(items)}:
            return f"[{', '.join(_type(one) for one in items)}]"
        case {"type": "array"}:
            return f"Array<{_type(schema.get('items', {}))}>"
        case {"type": "object"}:
            return f"Record<string, {_type(schema.get('additionalProperties', {}))}>"
        case {"type": str(name)}:
            return _PLAIN[name]
        case _:
            return "unknown"
