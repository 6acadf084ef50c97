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
        value_in_words as value_in_words,
    )
    from lineduel.coach.chances import (
        Forecast as Forecast,
        WinningChances as WinningChances,
        chances_in_words as chances_in_words,
        figures as figures,
    )
    from lineduel.coach.commentary import (
        Emphasis as Emphasis,
        account as account,
        comment as comment,
        ending as ending,
        explained as explained,
        review_lines as review_lines,
        reviewed_reason as reviewed_reason,
        solution_lines as solution_lines,
    )
    from lineduel.coach.deeds import Act as Act, Deed as Deed, Needs as Needs
    from lineduel.coach.hint_stages import (
        coach_text as coach_text,
        hint_stages as hint_stages,
        names_to as names_to,
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
        Puzzle as Puzzle,
        PuzzleVerdict as PuzzleVerdict,
        find_puzzles as find_puzzles,
        judge as judge,
        puzzle_at as puzzle_at,
    )
    from lineduel.coach.reason_facts import (
        AllLose as AllLose,
        BadBattle as BadBattle,
        DeedReason as DeedReason,
        Escape as Escape,
        Gain as Gain,
        Later as Later,
        LeftGuard as LeftGuard,
        NewGuard as NewGuard,
        OnlySafe as OnlySafe,
        Race as Race,
        Reason as Reason,
        ReasonKind as ReasonKind,
        Reply as Reply,
        Terms as Terms,
        Threat as Threat,
        Zugzwang as Zugzwang,
    )
    from lineduel.coach.reason_sentences import (
        ReasonWords as ReasonWords,
        Tense as Tense,
        move_text as move_text,
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
    from lineduel.coach.training import (
        NoPuzzleLeft as NoPuzzleLeft,
        PuzzleRating as PuzzleRating,
        Training as Training,
        load_rating as load_rating,
    )
    from lineduel.coach.value_curve import (
        ROWS as ROWS,
        draw_curve_svg as draw_curve_svg,
        draw_curve_text as draw_curve_text,
    )

offer(__name__)
