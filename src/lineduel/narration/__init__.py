"""What is said about a game: the rulebook's words, sentences, the log."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.narration.answer import (
        digits as digits,
        read_answer as read_answer,
        read_number as read_number,
    )
    from lineduel.narration.battle_stakes import battle_stakes as battle_stakes
    from lineduel.narration.move_effect import move_effect as move_effect
    from lineduel.narration.move_log import (
        LOG_GAP as LOG_GAP,
        LoggedMove as LoggedMove,
        MoveLog as MoveLog,
    )
    from lineduel.narration.move_text import (
        MoveWords as MoveWords,
        cell_label as cell_label,
        line_text as line_text,
        move_text as move_text,
    )
    from lineduel.narration.names import names_for as names_for
    from lineduel.narration.narrator import (
        NUMBERED as NUMBERED,
        YOU as YOU,
        Names as Names,
        Narrator as Narrator,
    )
    from lineduel.narration.status_sentence import (
        PLAYS_ON as PLAYS_ON,
        headline as headline,
        how_it_ended as how_it_ended,
        result_sentence as result_sentence,
        status_sentence as status_sentence,
    )
    from lineduel.narration.turn_sentence import (
        capitalized as capitalized,
        turn_sentence as turn_sentence,
        verb as verb,
    )

offer(__name__)
