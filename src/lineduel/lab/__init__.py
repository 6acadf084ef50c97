"""What a rulebook is worth: its claims put to proof, its figures, its variants, its repairs."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.lab.analysis import Analysis, compile_quick_figures
    from lineduel.lab.approximate_analysis import ApproximateAnalysis
    from lineduel.lab.audit import Audit, AuditedClaim, audit, audit_analysis, difference
    from lineduel.lab.board_picture import REPLAY_SCRIPT, draw_position, draw_track
    from lineduel.lab.claims import Ruling, Verdict, claims_of, general_claims, rule
    from lineduel.lab.compare_page import compare_page
    from lineduel.lab.drawings import track_lines
    from lineduel.lab.export import draw_heat_map, draw_plot, to_csv, to_parquet
    from lineduel.lab.figures import DEFINITIONS, Figures, Measure
    from lineduel.lab.grid import Space, make_space
    from lineduel.lab.page import made_on, whole_page
    from lineduel.lab.repair import Repair, RepairSearch, SearchStage, is_sound, repair, trade_off
    from lineduel.lab.repair_file import RepairFile, repair_header, usual_repair_file
    from lineduel.lab.repair_page import MEASURED, repair_page
    from lineduel.lab.report import audit_lines, compared, deciding, side_by_side, wrapped
    from lineduel.lab.report_page import audit_page
    from lineduel.lab.rulebook_warnings import (
        MOST_CHECKED_POSITIONS,
        FoundWarnings,
        RulebookWarning,
        WarningKind,
        warnings_of,
    )
    from lineduel.lab.same_game import Identity, identity
    from lineduel.lab.single_changes import (
        ChangeEffect,
        SingleChanges,
        effect_of,
        single_changes,
    )
    from lineduel.lab.sweep import Sweep, resume, sweep_on
    from lineduel.lab.sweep_file import (
        MOST_POSITIONS,
        MOST_SECONDS,
        SWEEP,
        CandidateLimits,
        RowData,
        RowFigures,
        header,
    )
    from lineduel.lab.sweep_page import sweep_page
    from lineduel.lab.usage import Usage, Word

__all__ = [
    "DEFINITIONS",
    "MEASURED",
    "MOST_CHECKED_POSITIONS",
    "MOST_POSITIONS",
    "MOST_SECONDS",
    "REPLAY_SCRIPT",
    "SWEEP",
    "Analysis",
    "ApproximateAnalysis",
    "Audit",
    "AuditedClaim",
    "CandidateLimits",
    "ChangeEffect",
    "Figures",
    "FoundWarnings",
    "Identity",
    "Measure",
    "Repair",
    "RepairFile",
    "RepairSearch",
    "RowData",
    "RowFigures",
    "RulebookWarning",
    "Ruling",
    "SearchStage",
    "SingleChanges",
    "Space",
    "Sweep",
    "Usage",
    "Verdict",
    "WarningKind",
    "Word",
    "audit",
    "audit_analysis",
    "audit_lines",
    "audit_page",
    "claims_of",
    "compare_page",
    "compared",
    "compile_quick_figures",
    "deciding",
    "difference",
    "draw_heat_map",
    "draw_plot",
    "draw_position",
    "draw_track",
    "effect_of",
    "general_claims",
    "header",
    "identity",
    "is_sound",
    "made_on",
    "make_space",
    "repair",
    "repair_header",
    "repair_page",
    "resume",
    "rule",
    "side_by_side",
    "single_changes",
    "sweep_on",
    "sweep_page",
    "to_csv",
    "to_parquet",
    "track_lines",
    "trade_off",
    "usual_repair_file",
    "warnings_of",
    "whole_page",
    "wrapped",
]

offer(
    __name__,
    {
        "analysis": ("Analysis", "compile_quick_figures"),
        "approximate_analysis": ("ApproximateAnalysis",),
        "audit": ("Audit", "AuditedClaim", "audit", "audit_analysis", "difference"),
        "board_picture": ("REPLAY_SCRIPT", "draw_position", "draw_track"),
        "claims": ("Ruling", "Verdict", "claims_of", "general_claims", "rule"),
        "compare_page": ("compare_page",),
        "drawings": ("track_lines",),
        "export": ("draw_heat_map", "draw_plot", "to_csv", "to_parquet"),
        "figures": ("DEFINITIONS", "Figures", "Measure"),
        "grid": ("Space", "make_space"),
        "page": ("made_on", "whole_page"),
        "repair": ("Repair", "RepairSearch", "SearchStage", "is_sound", "repair", "trade_off"),
        "repair_file": ("RepairFile", "repair_header", "usual_repair_file"),
        "repair_page": ("MEASURED", "repair_page"),
        "report": ("audit_lines", "compared", "deciding", "side_by_side", "wrapped"),
        "report_page": ("audit_page",),
        "rulebook_warnings": (
            "MOST_CHECKED_POSITIONS",
            "FoundWarnings",
            "RulebookWarning",
            "WarningKind",
            "warnings_of",
        ),
        "same_game": ("Identity", "identity"),
        "single_changes": ("ChangeEffect", "SingleChanges", "effect_of", "single_changes"),
        "sweep": ("Sweep", "resume", "sweep_on"),
        "sweep_file": (
            "MOST_POSITIONS",
            "MOST_SECONDS",
            "SWEEP",
            "CandidateLimits",
            "ChangeEffect",
            "RowData",
            "RowFigures",
            "header",
        ),
        "sweep_page": ("sweep_page",),
        "usage": ("Usage", "Word"),
    },
)
