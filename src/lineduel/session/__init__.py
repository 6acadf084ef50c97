"""One live game, without any I/O, and its texts."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.session.answer import (
        digits as digits,
        read_answer as read_answer,
        read_number as read_number,
    )
    from lineduel.session.engine_dialogue import (
        LONGEST_LINE as LONGEST_LINE,
        EngineDialogue as EngineDialogue,
    )
    from lineduel.session.move_effect import move_effect as move_effect
    from lineduel.session.move_log import (
        LOG_GAP as LOG_GAP,
        LoggedMove as LoggedMove,
        MoveLog as MoveLog,
    )
    from lineduel.session.narrator import Narrator as Narrator
    from lineduel.session.seats import (
        SEAT_TAGS as SEAT_TAGS,
        UNNAMED as UNNAMED,
        GivenNames as GivenNames,
        Seats as Seats,
        names_of as names_of,
        seats_of as seats_of,
    )
    from lineduel.session.session import Session as Session, Turn as Turn
    from lineduel.session.status_sentence import (
        result_sentence as result_sentence,
        status_sentence as status_sentence,
    )
    from lineduel.session.turn_sentence import turn_sentence as turn_sentence

offer(__name__)
