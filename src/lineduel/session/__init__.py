"""One live game, without any I/O, and how it speaks."""

from lineduel.session.answer import digits, read_answer, read_number
from lineduel.session.move_log import LoggedMove, MoveLog
from lineduel.session.narrator import Narrator
from lineduel.session.session import Seats, Session, Turn
from lineduel.session.turn_sentence import turn_sentence

__all__ = [
    "LoggedMove",
    "MoveLog",
    "Narrator",
    "Seats",
    "Session",
    "Turn",
    "digits",
    "read_answer",
    "read_number",
    "turn_sentence",
]
