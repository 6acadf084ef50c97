"""Help for players: advice, reviews of games, and puzzles."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.coach.adviser import (
        Adviser as Adviser,
        MistakeWarning as MistakeWarning,
        MoveAdvice as MoveAdvice,
        MoveHint as MoveHint,
        NumberAdvice as NumberAdvice,
        NumberHint as NumberHint,
        reason_in_short as reason_in_short,
        value_in_words as value_in_words,
    )
    from lineduel.coach.chances import (
        ASSUMED_LEVEL as ASSUMED_LEVEL,
        TURNS_AHEAD as TURNS_AHEAD,
        ChancesLost as ChancesLost,
        Forecast as Forecast,
        WinningChances as WinningChances,
        chances_in_words as chances_in_words,
        figures as figures,
    )
    from lineduel.coach.commentary import (
        ACCURACY as ACCURACY,
        SHOWN_LINE as SHOWN_LINE,
        Emphasis as Emphasis,
        account as account,
        comment as comment,
        comment_on as comment_on,
        delay_in_words as delay_in_words,
        delays_in_words as delays_in_words,
        ending as ending,
        folded as folded,
        mistake_in_words as mistake_in_words,
        punishment as punishment,
        reader as reader,
        review_lines as review_lines,
        reviewed_reason as reviewed_reason,
        solution_lines as solution_lines,
    )
    from lineduel.coach.deeds import (
        Act as Act,
        Deed as Deed,
        Needs as Needs,
        in_danger as in_danger,
    )
    from lineduel.coach.hint_stages import (
        Tip as Tip,
        coach_advice as coach_advice,
        hint_stages as hint_stages,
        names_to as names_to,
    )
    from lineduel.coach.lessons import (
        FIRST_LESSON as FIRST_LESSON,
        FIRST_SEAT as FIRST_SEAT,
        SHIPPED_LESSONS as SHIPPED_LESSONS,
        Find as Find,
        Lesson as Lesson,
        LessonFeedback as LessonFeedback,
        LessonStep as LessonStep,
        find_lesson as find_lesson,
        judge_answer as judge_answer,
        read_lesson as read_lesson,
        shipped_lesson as shipped_lesson,
        shipped_lesson_file as shipped_lesson_file,
    )
    from lineduel.coach.number_reasons import (
        Beaten as Beaten,
        NumberMixture as NumberMixture,
        NumberReason as NumberReason,
        Predictable as Predictable,
        mixture_reason as mixture_reason,
        number_reasons as number_reasons,
    )
    from lineduel.coach.puzzles import (
        PUZZLE_KINDS as PUZZLE_KINDS,
        Puzzle as Puzzle,
        PuzzleVerdict as PuzzleVerdict,
        find_puzzles as find_puzzles,
        judge as judge,
        mistake_puzzle as mistake_puzzle,
        puzzle_at as puzzle_at,
        puzzle_of_the_day as puzzle_of_the_day,
    )
    from lineduel.coach.reason_facts import (
        Ahead as Ahead,
        AllLose as AllLose,
        BadBattle as BadBattle,
        DeedReason as DeedReason,
        Distance as Distance,
        Escape as Escape,
        Gain as Gain,
        GivenUp as GivenUp,
        Later as Later,
        LeftGuard as LeftGuard,
        Loss as Loss,
        LostTurns as LostTurns,
        NewGuard as NewGuard,
        NoEscape as NoEscape,
        OnlySafe as OnlySafe,
        Race as Race,
        Reason as Reason,
        ReasonKind as ReasonKind,
        Reply as Reply,
        Terms as Terms,
        Threat as Threat,
        Unstoppable as Unstoppable,
        Waiting as Waiting,
        Zugzwang as Zugzwang,
    )
    from lineduel.coach.reason_sentences import (
        ReasonWords as ReasonWords,
        Tense as Tense,
        number_sentence as number_sentence,
    )
    from lineduel.coach.reasons import reasons as reasons
    from lineduel.coach.review import (
        Accuracy as Accuracy,
        Draw as Draw,
        Judgement as Judgement,
        Mistake as Mistake,
        Review as Review,
        review as review,
        solved_or_estimated as solved_or_estimated,
    )
    from lineduel.coach.take_aways import (
        Habit as Habit,
        TakeAway as TakeAway,
        take_aways as take_aways,
    )
    from lineduel.coach.training import (
        NoPuzzleLeft as NoPuzzleLeft,
        PuzzleRating as PuzzleRating,
        Training as Training,
        load_rating as load_rating,
        training_of_the_day as training_of_the_day,
    )
    from lineduel.coach.value_curve import (
        ROWS as ROWS,
        draw_curve_svg as draw_curve_svg,
        draw_curve_text as draw_curve_text,
    )

offer(__name__)
