"""How patient others are with a program."""

from typing import NamedTuple


class Limits(NamedTuple):
    """How long an engine is waited for."""

    start: float = 10.0
    """Seconds until it has named itself."""
    ready: float = 30.0
    """Seconds to get ready for a rulebook or a position."""
    movetime: int = 1000
    """Milliseconds it is given for a move."""
    grace: float = 2.0
    """Seconds that it may be late by."""


USUAL = Limits()
