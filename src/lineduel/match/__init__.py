"""The interface to a live game: its players, the possible actions, and the file it is saved in."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.match.game_setup import GameSetup as GameSetup
    from lineduel.match.history import (
        DamagedGame as DamagedGame,
        History as History,
        SavedGame as SavedGame,
        history_lines as history_lines,
        read_history as read_history,
        when_in_words as when_in_words,
    )
    from lineduel.match.known_accuracies import (
        KnownAccuracies as KnownAccuracies,
        keep_accuracy as keep_accuracy,
    )
    from lineduel.match.match import MOST_PLIES as MOST_PLIES, Awaited as Awaited, Match as Match
    from lineduel.match.saves import (
        SUFFIX as SUFFIX,
        Hold as Hold,
        Saves as Saves,
        can_hold as can_hold,
        load as load,
        save as save,
    )
    from lineduel.match.statistics import (
        PersonalScore as PersonalScore,
        Statistics as Statistics,
        personal_statistics as personal_statistics,
        review_unknown as review_unknown,
        statistics_remarks as statistics_remarks,
        statistics_table as statistics_table,
    )
    from lineduel.match.view import GameView as GameView

offer(__name__)
