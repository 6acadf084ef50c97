"""The interface to a live game: its players, the possible actions, and the file it is saved in."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.match.match import MOST_PLIES, Awaited, Match
    from lineduel.match.saves import SUFFIX, Hold, Saves, can_hold, load, save
    from lineduel.match.view import GameView

__all__ = [
    "MOST_PLIES",
    "SUFFIX",
    "Awaited",
    "GameView",
    "Hold",
    "Match",
    "Saves",
    "can_hold",
    "load",
    "save",
]

offer(
    __name__,
    {
        "match": ("MOST_PLIES", "Awaited", "Match"),
        "saves": ("SUFFIX", "Hold", "Saves", "can_hold", "load", "save"),
        "view": ("GameView",),
    },
)
