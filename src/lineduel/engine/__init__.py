"""Position, Move, Game: what can be played, and what happens then."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.engine.events import (
        BattleOpened as BattleOpened,
        BattleSettled as BattleSettled,
        Captured as Captured,
        Event as Event,
        HandFilled as HandFilled,
        Moved as Moved,
        MovesAgain as MovesAgain,
        Passed as Passed,
        SentHome as SentHome,
        Stayed as Stayed,
        Victory as Victory,
        Won as Won,
    )
    from lineduel.engine.game import Game as Game
    from lineduel.engine.move import (
        PASS as PASS,
        Move as Move,
        Numbers as Numbers,
        Pass as Pass,
        Step as Step,
    )
    from lineduel.engine.obstacle import Obstacle as Obstacle
    from lineduel.engine.perft import perft as perft
    from lineduel.engine.position import (
        Cells as Cells,
        Hands as Hands,
        ParsedPosition as ParsedPosition,
        Position as Position,
    )
    from lineduel.engine.symmetry import Likeness as Likeness
    from lineduel.engine.validity import (
        check_position as check_position,
        valid_position as valid_position,
    )

offer(__name__)
