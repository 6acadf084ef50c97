"""What a rulebook is worth: whether it keeps its claims, its figures, its variants, its repairs."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.lab.analysis import (
        Analysis as Analysis,
        ApproximateAnalysis as ApproximateAnalysis,
        compile_quick_figures as compile_quick_figures,
    )
    from lineduel.lab.audit import (
        Audit as Audit,
        AuditedClaim as AuditedClaim,
        audit as audit,
        audit_analysis as audit_analysis,
        difference as difference,
    )
    from lineduel.lab.changes import identity as identity
    from lineduel.lab.claims import (
        CONSISTENTLY as CONSISTENTLY,
        EVEN as EVEN,
        MATTERING as MATTERING,
        ROUNDING as ROUNDING,
        Ruling as Ruling,
        Verdict as Verdict,
        claims_of as claims_of,
        general_claims as general_claims,
        rule as rule,
    )
    from lineduel.lab.drawings import (
        draw_position as draw_position,
        track_lines as track_lines,
    )
    from lineduel.lab.export import (
        draw_heat_map as draw_heat_map,
        draw_plot as draw_plot,
        sweep_lines as sweep_lines,
        to_csv as to_csv,
        to_parquet as to_parquet,
    )
    from lineduel.lab.figures import (
        DEFINITIONS as DEFINITIONS,
        Figures as Figures,
        Measure as Measure,
    )
    from lineduel.lab.grid import Space as Space, make_space as make_space
    from lineduel.lab.repair import (
        ChangeEffect as ChangeEffect,
        Repair as Repair,
        SingleChanges as SingleChanges,
        effect_of as effect_of,
        is_sound as is_sound,
        single_changes as single_changes,
        trade_off as trade_off,
    )
    from lineduel.lab.repair_search import (
        MENDED_HEAD as MENDED_HEAD,
        REPAIR as REPAIR,
        RepairSearch as RepairSearch,
        RepairWork as RepairWork,
        SearchStage as SearchStage,
        default_repair_file as default_repair_file,
        mended_text as mended_text,
    )
    from lineduel.lab.report import (
        NO_REPAIR as NO_REPAIR,
        audit_lines as audit_lines,
        audit_notes as audit_notes,
        compared as compared,
        repair_lines as repair_lines,
        shown_figures as shown_figures,
        side_by_side as side_by_side,
    )
    from lineduel.lab.rulebook_pages import (
        audit_page as audit_page,
        compare_page as compare_page,
        duel_page as duel_page,
        repair_page as repair_page,
        sweep_page as sweep_page,
    )
    from lineduel.lab.sweep import (
        MOST_POSITIONS as MOST_POSITIONS,
        MOST_SECONDS as MOST_SECONDS,
        SWEEP as SWEEP,
        CandidateLimits as CandidateLimits,
        RowFigures as RowFigures,
        Sweep as Sweep,
        resume as resume,
    )
    from lineduel.lab.usage import (
        MOST_CHECKED_POSITIONS as MOST_CHECKED_POSITIONS,
        FoundWarnings as FoundWarnings,
        RulebookWarning as RulebookWarning,
        Usage as Usage,
        WarningKind as WarningKind,
        Word as Word,
        warnings_of as warnings_of,
    )

offer(__name__)
