"""One live game, without any I/O, and how it speaks."""

from lineduel.session.answer import digits, read_answer, read_number
from lineduel.session.narrator import Narrator
from lineduel.session.session import Seats, Session, Turn

__all__ = [
    "Narrator",
    "Seats",
    "Session",
    "Turn",
    "digits",
    "read_answer",
    "read_number",
]
