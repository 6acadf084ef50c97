"""One live game, without any I/O, and how it speaks."""

from lineduel.session.adviser import Adviser, MoveAdvice
from lineduel.session.answer import digits, read_answer, read_number
from lineduel.session.session import Seats, Session, Turn
from lineduel.session.voice import Voice

__all__ = [
    "Adviser",
    "MoveAdvice",
    "Seats",
    "Session",
    "Turn",
    "Voice",
    "digits",
    "read_answer",
    "read_number",
]
