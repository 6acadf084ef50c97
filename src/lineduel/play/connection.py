"""How a screen takes part in a game, whether it is played in this process or elsewhere."""

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

from lineduel.play.intents import Intent
from lineduel.play.session import Session
from lineduel.play.view import GameView


class Changed(NamedTuple):
    """Something happened."""

    kind: Literal["turn", "game", "presence"] = "game"
    """Turns were played, anything else happened in the game, or somebody came or left."""
    note: str = ""
    """What else to say, such as why a program forfeits the game."""


class Refused(NamedTuple):
    """What was asked for is not allowed."""

    why: str


class Stalled(NamedTuple):
    """A program cannot play, so the game stands still."""

    why: str


class Lost(NamedTuple):
    """The connection is lost for the moment."""


class Closed(NamedTuple):
    """Nothing more will come."""

    why: str


GameNews = Changed | Refused | Stalled | Lost | Closed
"""What a screen hears of a game."""


class Connection(Protocol):
    """A game that somebody takes part in.

    What another player asks, and whether they are away, concerns only games played elsewhere.
    """

    @property
    def state(self) -> tuple[Session, GameView]:
        """The course of the game, and what is seen of it here; read by the screen's thread only."""

    @property
    def status(self) -> str:
        """Whose turn it is, or how a game elsewhere ended, in words."""
        return ""

    @property
    def request(self) -> str:
        """What one player asks of the other, in words; empty if nothing is asked."""
        return ""

    @property
    def absence(self) -> tuple[str, float] | None:
        """That the other player is away, in words, and the seconds until that can be claimed."""
        return None

    def listen(self, hear: Callable[[GameNews], None]) -> None:
        """Call this with all news, in any thread; the first says that the game can begin."""

    def ask(self, intent: Intent) -> None:
        """Ask for something; what is refused at once raises."""

    def go_on(self) -> None:
        """All news has been shown, so that a program may move."""
