"""What is said about a game: the rulebook's words, sentences, the log."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.narration.answer import (
        digits as digits,
        read_answer as read_answer,
        read_number as read_number,
    )
    from lineduel.narration.move_effect import move_effect as move_effect
    from lineduel.narration.move_log import (
        LOG_GAP as LOG_GAP,
        LoggedMove as LoggedMove,
        MoveLog as MoveLog,
    )
    from lineduel.narration.narrator import (
        NUMBERED as NUMBERED,
        YOU as YOU,
        Names as Names,
        Narrator as Narrator,
    )
    from lineduel.narration.status_sentence import (
        result_sentence as result_sentence,
        status_sentence as status_sentence,
    )
    from lineduel.narration.turn_sentence import turn_sentence as turn_sentence

offer(__name__)
