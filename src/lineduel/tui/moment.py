"""Tell whether an answer that took a while is still about the current state of the game."""

from collections.abc import Callable


class Moment:
    """A counter that changes whenever something happens in a game."""

    def __init__(self) -> None:
        self._now = object()

    def change(self) -> None:
        """Something has happened; answers to earlier requests are out of date."""
        self._now = object()

    def still(self) -> Callable[[], bool]:
        """A function that tells later whether nothing has happened since now."""
        now = self._now
        return lambda: now is self._now
