"""A local game: its players, the possible actions, and the file it is saved in."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.match.game_setup import GameSetup as GameSetup
    from lineduel.match.match import Match as Match
    from lineduel.match.saves import (
        SAVED as SAVED,
        SUFFIX as SUFFIX,
        Hold as Hold,
        Saves as Saves,
        can_hold as can_hold,
        load as load,
        save as save,
    )
    from lineduel.match.view import GameView as GameView

offer(__name__)
