"""What a rulebook is worth: its claims put to proof, its figures, its variants, its repairs."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.lab.analysis import (
        Analysis as Analysis,
        compile_quick_figures as compile_quick_figures,
    )
    from lineduel.lab.approximate_analysis import ApproximateAnalysis as ApproximateAnalysis
    from lineduel.lab.audit import (
        Audit as Audit,
        AuditedClaim as AuditedClaim,
        audit as audit,
        audit_analysis as audit_analysis,
        difference as difference,
    )
    from lineduel.lab.board_picture import draw_position as draw_position, draw_track as draw_track
    from lineduel.lab.claims import (
        Ruling as Ruling,
        Verdict as Verdict,
        claims_of as claims_of,
        general_claims as general_claims,
        rule as rule,
    )
    from lineduel.lab.drawings import track_lines as track_lines
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
        Repair as Repair,
        RepairSearch as RepairSearch,
        RepairWork as RepairWork,
        SearchStage as SearchStage,
        is_sound as is_sound,
        trade_off as trade_off,
    )
    from lineduel.lab.repair_file import (
        MENDED_HEAD as MENDED_HEAD,
        REPAIR as REPAIR,
        mended_text as mended_text,
        usual_repair_file as usual_repair_file,
    )
    from lineduel.lab.repair_report import repair_lines as repair_lines
    from lineduel.lab.report import (
        audit_lines as audit_lines,
        compared as compared,
        side_by_side as side_by_side,
    )
    from lineduel.lab.rulebook_pages import (
        MEASURED as MEASURED,
        DuelPage as DuelPage,
        audit_page as audit_page,
        compare_page as compare_page,
        repair_page as repair_page,
        sweep_page as sweep_page,
    )
    from lineduel.lab.rulebook_warnings import (
        MOST_CHECKED_POSITIONS as MOST_CHECKED_POSITIONS,
        FoundWarnings as FoundWarnings,
        RulebookWarning as RulebookWarning,
        WarningKind as WarningKind,
        warnings_of as warnings_of,
    )
    from lineduel.lab.same_game import Identity as Identity, identity as identity
    from lineduel.lab.single_changes import (
        ChangeEffect as ChangeEffect,
        SingleChanges as SingleChanges,
        effect_of as effect_of,
        single_changes as single_changes,
    )
    from lineduel.lab.sweep import Sweep as Sweep, resume as resume
    from lineduel.lab.sweep_file import (
        MOST_POSITIONS as MOST_POSITIONS,
        MOST_SECONDS as MOST_SECONDS,
        SWEEP as SWEEP,
        CandidateLimits as CandidateLimits,
        RowFigures as RowFigures,
        header as header,
    )
    from lineduel.lab.usage import Usage as Usage, Word as Word

offer(__name__)
