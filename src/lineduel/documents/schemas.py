"""The JSON Schemas of all documents, made from their types, and the one of rulebook files.

`python -m lineduel.documents.schemas FOLDER` writes all of them. It also updates the reference of
rulebook files in the page `rulebooks.md` beside the folder, if there is one.
"""

import ast
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from lineduel import coach, discover, documents, history, lab
from lineduel.documents.document import Document
from lineduel.documents.rulebook_key_documents import Schema

RULEBOOK = "rulebook"
"""The name of the schema of rulebook files."""
REFERENCE_PAGE = "rulebooks.md"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
DOCUMENTS: dict[str, Any] = {
    "audit": documents.AuditDocument,
    "audit-variants": documents.VariantsDocument,
    "benchmark": documents.BenchmarkDocument,
    "check": documents.CheckDocument,
    "compare": documents.VariantsDocument,
    "curve": documents.CurveDocument,
    "discover": documents.DiscoverDocument,
    "engine-check": documents.EngineCheckDocument,
    "exam": documents.ExamDocument,
    "exam-comparison": documents.ExamComparisonDocument,
    "games": documents.GamesDocument,
    "history": documents.HistoryDocument,
    "history-stats": history.Statistics,
    "ladder": documents.LadderDocument,
    "perft": documents.PerftDocument,
    "repair": documents.RepairDocument,
    "replay": documents.ReplayDocument,
    "review": documents.ReviewDocument,
    "rules": documents.RulesDocument,
    "solve": documents.SolveDocument,
    "sweep": documents.SweepDocument,
    "tournament": documents.TournamentDocument,
    "validate": documents.ValidateDocument,
    "validate-files": documents.ValidatedFiles,
}
"""The type of each command's document, by the name of its schema."""
SERVED: dict[str, Any] = {
    "advice": documents.AdviceDocument,
    "design": documents.DesignDocument,
    "design-form": documents.DesignForm,
    "design-message": documents.DesignMessage,
    "lesson": documents.LessonDocument,
    "lesson-answer": documents.LessonAnswer,
    "lessons": list[documents.ListedLesson],
    "live-turn": documents.LiveTurn,
    "live-view": documents.LiveView,
    "moves": documents.TriedPosition,
    "puzzle": documents.PuzzleDocument,
    "study": documents.StudyDocument,
    "watched-tournament": documents.WatchedTournament,
}
"""The same for documents that only the server has."""
VALUES: dict[type, str] = {
    coach.PuzzleRating: "PuzzleRatingDocument",
    discover.DroppedGoal: "DroppedGoalDocument",
    history.PersonalScore: "ScoreDocument",
    history.ScoreRow: "OpponentDocument",
    history.Statistics: "HistoryStatsDocument",
    lab.Ruling: "RulingDocument",
}
"""What stands in documents as other packages have it, and its name in the schemas."""
_CUSTOM: dict[type, Schema] = {Fraction: {"type": "number"}}


def schema_text(name: str) -> str:
    """The content of the file `NAME.json`."""
    if name == RULEBOOK:
        return documents.rulebook_schema_text()
    (schema,), definitions = schemas_of([(DOCUMENTS | SERVED)[name]])
    whole = {"$schema": DIALECT, **schema, "$defs": definitions}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def schemas_of(types: Iterable[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """The schemas of some types, and what they refer to by name, with all that is said of it."""
    made = msgspec.json.schema_components(types, schema_hook=lambda kind: _CUSTOM[kind])
    names = {value.__name__: name for value, name in VALUES.items()}
    schemas, definitions = json.loads(
        re.sub(
            r'"(#/\$defs/)?(\w+)"',
            lambda found: f'"{found[1] or ""}{names.get(found[2], found[2])}"',
            json.dumps(made),
        )
    )
    classes: dict[str, type] = {one.__name__: one for one in Document.__subclasses__()}
    for name, one in (classes | {name: value for value, name in VALUES.items()}).items():
        if name in definitions:
            _describe(definitions[name], one)
    return schemas, definitions


def _describe(definition: Schema, struct: type) -> None:
    """Add what is said below the fields of a class; values are always written whole."""
    definition["description"] = inspect.cleandoc(definition["description"])
    properties = definition["properties"]
    said = _said_below(struct)
    for key, one in properties.items():
        if key in said:
            one["description"] = said[key]
        if struct in VALUES:
            one.pop("default", None)
    if struct in VALUES:
        definition |= {"required": [*properties], "additionalProperties": False}


def _said_below(struct: type) -> dict[str, str]:
    """The docstrings below the fields of a class, by the names of the fields."""
    if hasattr(struct, "said_of_fields"):  # a class without a source of its own
        return dict(struct.said_of_fields)
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(struct))).body
    assert isinstance(body, ast.ClassDef)
    said = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                said[name] = re.sub(r"\bNone\b", "null", " ".join(text.split()))
    return said


def write_schemas(folder: Path) -> None:
    """Write all schemas into a folder, and update the reference of rulebook files beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*DOCUMENTS, *SERVED, RULEBOOK):
        (folder / f"{name}.json").write_text(schema_text(name), encoding="utf-8")
    page = folder.parent / REFERENCE_PAGE
    if page.exists():
        text = page.read_text(encoding="utf-8")
        page.write_text(documents.with_reference(text), encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1]))
