"""The interface to a live game: its players, the possible actions, and the file it is saved in."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.match.game_setup import GameSetup
    from lineduel.match.history import (
        DamagedGame,
        History,
        SavedGame,
        read_history,
        when_in_words,
    )
    from lineduel.match.known_accuracies import KnownAccuracies, keep_accuracy
    from lineduel.match.match import MOST_PLIES, Awaited, Match
    from lineduel.match.saves import SUFFIX, Hold, Saves, can_hold, load, save
    from lineduel.match.statistics import (
        PersonalScore,
        Statistics,
        personal_statistics,
        review_unknown,
        statistics_remarks,
        statistics_table,
    )
    from lineduel.match.view import GameView

__all__ = [
    "MOST_PLIES",
    "SUFFIX",
    "Awaited",
    "DamagedGame",
    "GameSetup",
    "GameView",
    "History",
    "Hold",
    "KnownAccuracies",
    "Match",
    "PersonalScore",
    "SavedGame",
    "Saves",
    "Statistics",
    "can_hold",
    "keep_accuracy",
    "load",
    "personal_statistics",
    "read_history",
    "review_unknown",
    "save",
    "statistics_remarks",
    "statistics_table",
    "when_in_words",
]

offer(
    __name__,
    {
        "history": ("DamagedGame", "History", "SavedGame", "read_history", "when_in_words"),
        "known_accuracies": ("KnownAccuracies", "keep_accuracy"),
        "match": ("MOST_PLIES", "Awaited", "Match"),
        "game_setup": ("GameSetup",),
        "saves": ("SUFFIX", "Hold", "Saves", "can_hold", "load", "save"),
        "statistics": (
            "PersonalScore",
            "Statistics",
            "personal_statistics",
            "review_unknown",
            "statistics_remarks",
            "statistics_table",
        ),
        "view": ("GameView",),
    },
)
