"""One live game, without any I/O, and its texts."""

from lineduel.session.answer import digits, read_answer, read_number
from lineduel.session.move_effect import move_effect
from lineduel.session.move_log import LOG_GAP, LoggedMove, MoveLog
from lineduel.session.narrator import Narrator
from lineduel.session.seats import (
    SEAT_TAGS,
    UNNAMED,
    GivenNames,
    Seats,
    names_of,
    seats_of,
)
from lineduel.session.session import Session, Turn
from lineduel.session.status_sentence import result_sentence, status_sentence
from lineduel.session.turn_sentence import turn_sentence

__all__ = [
    "LOG_GAP",
    "SEAT_TAGS",
    "UNNAMED",
    "GivenNames",
    "LoggedMove",
    "MoveLog",
    "Narrator",
    "Seats",
    "Session",
    "Turn",
    "digits",
    "move_effect",
    "names_of",
    "read_answer",
    "read_number",
    "result_sentence",
    "seats_of",
    "status_sentence",
    "turn_sentence",
]
