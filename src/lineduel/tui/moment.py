"""Whether an answer that took a while still belongs to what is on the screen."""

from collections.abc import Callable


class Moment:
    """The present state of a game; it changes whenever something happens there."""

    def __init__(self) -> None:
        self._now = object()

    def change(self) -> None:
        """Something happened: whatever was asked before comes too late."""
        self._now = object()

    def still(self) -> Callable[[], bool]:
        """A question to ask later: has nothing happened since?"""
        now = self._now
        return lambda: now is self._now
