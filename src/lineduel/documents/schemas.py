"""The JSON Schemas of all documents, made from their types, and the one of rulebook files.

`python -m lineduel.documents.schemas FOLDER` writes all of them. It also updates the reference of
rulebook files in the page `rulebooks.md` beside the folder, if there is one.
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from lineduel import documents
from lineduel.documents.document import describe_fields

RULEBOOK = "rulebook"
"""The name of the schema of rulebook files."""
REFERENCE_PAGE = "rulebooks.md"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
DOCUMENTS: dict[str, Any] = {
    "audit": documents.AuditDocument,
    "audit-variants": documents.VariantsDocument,
    "check": documents.CheckDocument,
    "compare": documents.VariantsDocument,
    "curve": documents.CurveDocument,
    "discover": documents.DiscoverDocument,
    "engine-check": documents.EngineCheckDocument,
    "games": documents.GamesDocument,
    "history": documents.HistoryDocument,
    "history-stats": documents.HistoryStatsDocument,
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
}
"""The type of each command's document, by the name of its schema."""
SERVED: dict[str, Any] = {
    "design": documents.DesignDocument,
    "design-form": documents.DesignForm,
    "design-message": documents.DesignMessage,
    "live-turn": documents.LiveTurn,
    "live-view": documents.LiveView,
    "moves": documents.TriedPosition,
    "puzzle": documents.PuzzleDocument,
    "study": documents.StudyDocument,
    "watched-tournament": documents.WatchedTournament,
}
"""The same for documents that only the server has."""


def schema_text(name: str) -> str:
    """The content of the file `NAME.json`."""
    if name == RULEBOOK:
        return documents.rulebook_schema_text()
    schema = msgspec.json.schema((DOCUMENTS | SERVED)[name])
    describe_fields(schema.get("$defs", {}))
    return json.dumps({"$schema": DIALECT, **schema}, indent=1, ensure_ascii=False) + "\n"


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
