"""Every JSON document that the program prints, as a typed structure with a published schema.

Functions such as `solve_document(solution, position)` build a document, and `plain_data` converts
it for `json`. `lineduel.documents.schemas` writes the JSON Schemas in `docs/schemas`.
"""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.documents.advice_documents import (
        AdviceDocument as AdviceDocument,
        advice_document as advice_document,
    )
    from lineduel.documents.audit_page_documents import (
        AuditedGame as AuditedGame,
        DesignMessage as DesignMessage,
        FoundAudit as FoundAudit,
        GalleryDuel as GalleryDuel,
        duel_figures as duel_figures,
        found_audit as found_audit,
    )
    from lineduel.documents.audit_reports import (
        AuditCache as AuditCache,
        AuditReport as AuditReport,
        audit_question as audit_question,
        audit_report as audit_report,
        report_on as report_on,
    )
    from lineduel.documents.design_documents import (
        DesignDocument as DesignDocument,
        TriedPosition as TriedPosition,
        changed_text as changed_text,
        design_document as design_document,
        tried_position as tried_position,
    )
    from lineduel.documents.design_result_documents import (
        FormerVerdicts as FormerVerdicts,
        FoundRulebooks as FoundRulebooks,
        FoundVerdicts as FoundVerdicts,
        WorkError as WorkError,
        WorkProgress as WorkProgress,
        found_changes as found_changes,
        found_repairs as found_repairs,
        found_value as found_value,
        found_variants as found_variants,
        found_verdicts as found_verdicts,
        nothing_to_repair as nothing_to_repair,
    )
    from lineduel.documents.document import Document as Document, plain_data as plain_data
    from lineduel.documents.exam_documents import (
        AnswersDocument as AnswersDocument,
        BenchmarkDocument as BenchmarkDocument,
        BenchmarkRowDocument as BenchmarkRowDocument,
        ComparedPairDocument as ComparedPairDocument,
        ConsistencyDocument as ConsistencyDocument,
        EstimateDocument as EstimateDocument,
        ExamComparisonDocument as ExamComparisonDocument,
        ExamDocument as ExamDocument,
        ExamSettingsDocument as ExamSettingsDocument,
        ExamUsageDocument as ExamUsageDocument,
        FailuresDocument as FailuresDocument,
        LevelScoreDocument as LevelScoreDocument,
        MistakeDocument as MistakeDocument,
        MistakesDocument as MistakesDocument,
        MixingDocument as MixingDocument,
        RatedAgentDocument as RatedAgentDocument,
        RateDocument as RateDocument,
        RuleSetDocument as RuleSetDocument,
    )
    from lineduel.documents.game_documents import (
        GamesDocument as GamesDocument,
        PerftDocument as PerftDocument,
        RulesDocument as RulesDocument,
        games_document as games_document,
        rules_document as rules_document,
    )
    from lineduel.documents.history_documents import (
        HistoryDocument as HistoryDocument,
        history_document as history_document,
    )
    from lineduel.documents.lab_documents import (
        AuditDocument as AuditDocument,
        DiscoverDocument as DiscoverDocument,
        RepairDocument as RepairDocument,
        SweepDocument as SweepDocument,
        VariantsDocument as VariantsDocument,
        audit_document as audit_document,
        discover_document as discover_document,
        repair_document as repair_document,
        sweep_document as sweep_document,
    )
    from lineduel.documents.lesson_documents import (
        LessonAnswer as LessonAnswer,
        LessonDocument as LessonDocument,
        ListedLesson as ListedLesson,
        lesson_answer as lesson_answer,
        lesson_document as lesson_document,
        listed_lesson as listed_lesson,
        possible_answers as possible_answers,
    )
    from lineduel.documents.live_documents import (
        SIDE_IDS as SIDE_IDS,
        SIDES as SIDES,
        BoardDocument as BoardDocument,
        ClaimState as ClaimState,
        CreatedGame as CreatedGame,
        DuelFigures as DuelFigures,
        EventDocument as EventDocument,
        LastTurn as LastTurn,
        LiveBye as LiveBye,
        LiveMessage as LiveMessage,
        LivePresence as LivePresence,
        LiveRefused as LiveRefused,
        LiveResult as LiveResult,
        LiveTurn as LiveTurn,
        LiveView as LiveView,
        LogLine as LogLine,
        NewGame as NewGame,
        PossibleMove as PossibleMove,
        Presence as Presence,
        RematchState as RematchState,
        SampleTurn as SampleTurn,
        ShownGame as ShownGame,
        ShownOpponent as ShownOpponent,
        ShownReaction as ShownReaction,
        ShownVariant as ShownVariant,
        SideId as SideId,
        StopState as StopState,
        UndoState as UndoState,
        as_json as as_json,
        board_document as board_document,
        encoded as encoded,
        event_documents as event_documents,
        log_lines as log_lines,
        possible_moves as possible_moves,
        sample_turn as sample_turn,
    )
    from lineduel.documents.problem_documents import (
        EngineCheckDocument as EngineCheckDocument,
        ValidatedFiles as ValidatedFiles,
        ValidateDocument as ValidateDocument,
        engine_check_document as engine_check_document,
        validate_document as validate_document,
    )
    from lineduel.documents.record_documents import (
        ReplayDocument as ReplayDocument,
        ReviewDocument as ReviewDocument,
        replay_document as replay_document,
        review_document as review_document,
    )
    from lineduel.documents.rulebook_key_documents import (
        RULEBOOK_SCHEMA_HEAD as RULEBOOK_SCHEMA_HEAD,
        DesignForm as DesignForm,
        design_form as design_form,
        rulebook_schema_text as rulebook_schema_text,
        with_reference as with_reference,
    )
    from lineduel.documents.solution_documents import (
        CheckDocument as CheckDocument,
        SolveDocument as SolveDocument,
        solve_document as solve_document,
    )
    from lineduel.documents.strength_documents import (
        CurveDocument as CurveDocument,
        CurvePointDocument as CurvePointDocument,
        LadderDocument as LadderDocument,
        TournamentDocument as TournamentDocument,
        ladder_document as ladder_document,
        tournament_document as tournament_document,
    )
    from lineduel.documents.study_documents import (
        PuzzleAnswer as PuzzleAnswer,
        PuzzleDocument as PuzzleDocument,
        ReviewPageDocument as ReviewPageDocument,
        RulebookPage as RulebookPage,
        StudyDocument as StudyDocument,
        puzzle_answer as puzzle_answer,
        puzzle_document as puzzle_document,
        review_page_document as review_page_document,
        rulebook_page as rulebook_page,
        study_document as study_document,
    )
    from lineduel.documents.watched_documents import (
        ReplayedGame as ReplayedGame,
        ShownTournament as ShownTournament,
        WatchedTournament as WatchedTournament,
        replayed_game as replayed_game,
        replayed_record as replayed_record,
        watched_tournament as watched_tournament,
    )

offer(__name__)
