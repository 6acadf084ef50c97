"""One live game, without any I/O, and how it speaks."""

from lineduel.session.answer import digits, read_answer, read_number
from lineduel.session.narrator import Voice
from lineduel.session.session import Seats, Session, Turn

__all__ = [
    "Seats",
    "Session",
    "Turn",
    "Voice",
    "digits",
    "read_answer",
    "read_number",
]
