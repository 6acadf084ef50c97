"""A local game: its players, the possible actions, and the file it is saved in."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.match.match import (
        GameSetup as GameSetup,
        Match as Match,
        MatchSettings as MatchSettings,
    )
    from lineduel.match.saves import (
        SAVED as SAVED,
        SUFFIX as SUFFIX,
        Hold as Hold,
        Saves as Saves,
        load as load,
        save as save,
    )

offer(__name__)
