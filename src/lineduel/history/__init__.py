"""The games that a person has played, with their reviews and statistics."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.history.history import (
        DamagedGame as DamagedGame,
        History as History,
        SavedGame as SavedGame,
        history_lines as history_lines,
        read_history as read_history,
        when_in_words as when_in_words,
    )
    from lineduel.history.known_accuracies import (
        KnownAccuracies as KnownAccuracies,
        keep_accuracy as keep_accuracy,
    )
    from lineduel.history.statistics import (
        PersonalScore as PersonalScore,
        ScoreRow as ScoreRow,
        Statistics as Statistics,
        own_mistakes as own_mistakes,
        personal_statistics as personal_statistics,
        review_unknown as review_unknown,
        statistics_remarks as statistics_remarks,
        statistics_table as statistics_table,
    )

offer(__name__)
