"""The JSON Schema of each document, made from its type.

`python -m lineduel.documents.schemas FOLDER` writes them all.
"""

import ast
import inspect
import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import msgspec

from lineduel import documents
from lineduel.documents.document import Document

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DOCUMENTS: dict[str, Any] = {
    "audit": documents.AuditDocument,
    "audit-variants": documents.VariantsDocument,
    "check": documents.CheckDocument,
    "engine-check": documents.EngineCheckDocument,
    "games": documents.GamesDocument,
    "ladder": documents.LadderDocument,
    "perft": documents.PerftDocument,
    "repair": documents.RepairDocument,
    "replay": documents.ReplayDocument,
    "review": documents.ReviewDocument,
    "rules": documents.RulesDocument,
    "solve": documents.SolveDocument,
    "sweep": documents.SweepDocument,
    "tournament": documents.TournamentDocument,
}
"""The type of each document by the name of its schema."""


def schema_text(name: str) -> str:
    """The content of the file `NAME.json`."""
    schema = msgspec.json.schema(DOCUMENTS[name])
    structs = {one.__name__: one for one in Document.__subclasses__()}
    for title, defined in schema.get("$defs", {}).items():
        for key, said in _said_below(structs[title]).items() if title in structs else ():
            defined["properties"][key]["description"] = said
    return json.dumps({"$schema": DIALECT, **schema}, indent=1, ensure_ascii=False) + "\n"


def _said_below(struct: type[Document]) -> dict[str, str]:
    """The texts that stand below the fields of a class, by the fields' names."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(struct))).body
    assert isinstance(body, ast.ClassDef)
    said = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                said[name] = " ".join(text.split())
    return said


def write_schemas(folder: Path) -> None:
    """Write all schemas into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in DOCUMENTS:
        (folder / f"{name}.json").write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1]))
