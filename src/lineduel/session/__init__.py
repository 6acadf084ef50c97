"""One live game, without any I/O, and its texts."""

from lineduel.session.answer import digits, read_answer, read_number
from lineduel.session.move_log import LOG_GAP, LoggedMove, MoveLog, move_effect
from lineduel.session.narrator import Narrator
from lineduel.session.session import Seats, Session, Turn
from lineduel.session.status_sentence import result_sentence, status_sentence
from lineduel.session.turn_sentence import turn_sentence

__all__ = [
    "LOG_GAP",
    "LoggedMove",
    "MoveLog",
    "Narrator",
    "Seats",
    "Session",
    "Turn",
    "digits",
    "move_effect",
    "read_answer",
    "read_number",
    "result_sentence",
    "status_sentence",
    "turn_sentence",
]
