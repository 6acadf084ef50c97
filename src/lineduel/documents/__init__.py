"""Every JSON document that the program prints, as a typed structure with a published schema.

Functions such as `solve_document(solution, position)` build a document, and `plain_data` converts
it for `json`. `lineduel.documents.schemas` writes the JSON Schemas in `docs/schemas`.
"""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.documents.audit_reports import (
        AuditCache,
        AuditReport,
        audit_question,
        audit_report,
    )
    from lineduel.documents.discover_documents import (
        DiscoverDocument,
        discover_document,
    )
    from lineduel.documents.document import Document, plain_data
    from lineduel.documents.engine_documents import EngineCheckDocument, engine_check_document
    from lineduel.documents.game_documents import (
        GamesDocument,
        PerftDocument,
        RulesDocument,
        games_document,
        perft_document,
        rules_document,
    )
    from lineduel.documents.history_documents import (
        HistoryDocument,
        HistoryStatsDocument,
        history_document,
        history_stats_document,
    )
    from lineduel.documents.lab_documents import (
        AuditDocument,
        RepairDocument,
        SweepDocument,
        VariantsDocument,
        audit_document,
        repair_document,
        sound_document,
        sweep_document,
    )
    from lineduel.documents.ladder_documents import LadderDocument, ladder_document
    from lineduel.documents.record_documents import (
        ReplayDocument,
        ReviewDocument,
        replay_document,
        review_document,
    )
    from lineduel.documents.rulebook_reference import with_reference
    from lineduel.documents.rulebook_schema import (
        RULEBOOK_SCHEMA_HEAD,
        rulebook_schema_text,
    )
    from lineduel.documents.solution_documents import (
        CheckDocument,
        SolveDocument,
        check_document,
        solve_document,
    )
    from lineduel.documents.tournament_documents import TournamentDocument, tournament_document
    from lineduel.documents.validate_documents import ValidateDocument, validate_document

__all__ = [
    "RULEBOOK_SCHEMA_HEAD",
    "AuditCache",
    "AuditDocument",
    "AuditReport",
    "CheckDocument",
    "DiscoverDocument",
    "Document",
    "EngineCheckDocument",
    "GamesDocument",
    "HistoryDocument",
    "HistoryStatsDocument",
    "LadderDocument",
    "PerftDocument",
    "RepairDocument",
    "ReplayDocument",
    "ReviewDocument",
    "RulesDocument",
    "SolveDocument",
    "SweepDocument",
    "TournamentDocument",
    "ValidateDocument",
    "VariantsDocument",
    "audit_document",
    "audit_question",
    "audit_report",
    "check_document",
    "discover_document",
    "engine_check_document",
    "games_document",
    "history_document",
    "history_stats_document",
    "ladder_document",
    "perft_document",
    "plain_data",
    "repair_document",
    "replay_document",
    "review_document",
    "rulebook_schema_text",
    "rules_document",
    "solve_document",
    "sound_document",
    "sweep_document",
    "tournament_document",
    "validate_document",
    "with_reference",
]

offer(
    __name__,
    {
        "audit_reports": ("AuditCache", "AuditReport", "audit_question", "audit_report"),
        "discover_documents": ("DiscoverDocument", "discover_document"),
        "document": ("Document", "plain_data"),
        "engine_documents": ("EngineCheckDocument", "engine_check_document"),
        "game_documents": (
            "GamesDocument",
            "PerftDocument",
            "RulesDocument",
            "games_document",
            "perft_document",
            "rules_document",
        ),
        "history_documents": (
            "HistoryDocument",
            "HistoryStatsDocument",
            "history_document",
            "history_stats_document",
        ),
        "lab_documents": (
            "AuditDocument",
            "VariantsDocument",
            "RepairDocument",
            "SweepDocument",
            "audit_document",
            "repair_document",
            "sound_document",
            "sweep_document",
        ),
        "ladder_documents": ("LadderDocument", "ladder_document"),
        "record_documents": (
            "ReplayDocument",
            "ReviewDocument",
            "replay_document",
            "review_document",
        ),
        "solution_documents": (
            "CheckDocument",
            "SolveDocument",
            "check_document",
            "solve_document",
        ),
        "tournament_documents": ("TournamentDocument", "tournament_document"),
        "rulebook_reference": ("with_reference",),
        "rulebook_schema": ("RULEBOOK_SCHEMA_HEAD", "rulebook_schema_text"),
        "validate_documents": ("ValidateDocument", "validate_document"),
    },
)
