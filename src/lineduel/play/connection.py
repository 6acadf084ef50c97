"""How a screen takes part in a game, whether it is played in this process or elsewhere."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar

from lineduel.errors import LineduelError

if TYPE_CHECKING:
    from lineduel.play.intents import Intent
    from lineduel.play.session import Session
    from lineduel.play.view import GameView


class Changed(NamedTuple):
    """Something happened."""

    kind: Literal["turn", "game", "presence"] = "game"
    """Turns were played, anything else happened in the game, or somebody came or left."""
    note: str = ""
    """Why a program forfeits the game."""


class Refused(NamedTuple):
    """What was asked for is not allowed."""

    why: str


class Stalled(NamedTuple):
    """A program cannot play, so the game stands still."""

    why: LineduelError


class Lost(NamedTuple):
    """The connection is lost for the moment."""


class Closed(NamedTuple):
    """Nothing more will come."""

    why: str


GameNews = Changed | Refused | Stalled | Lost | Closed
"""What a screen hears of a game."""
Hear = Callable[[GameNews], None]
_Result = TypeVar("_Result")


class SlowWork:
    """Does slow work while everybody waits; a screen does it in the background."""

    def ask(
        self,
        work: Callable[[], _Result],
        then: Callable[[_Result], None],
        failed: Callable[[LineduelError], None],
    ) -> None:
        """Do some work, and go on with its result or with what went wrong."""
        try:
            result = work()
        except LineduelError as error:
            failed(error)
        else:
            then(result)


AT_ONCE = SlowWork()


class Connection(Protocol):
    """A game that somebody takes part in.

    What another player asks, and whether they are away, concerns only games played elsewhere.
    """

    @property
    def state(self) -> "tuple[Session, GameView]":
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

    def listen(self, hear: Hear, work: SlowWork = AT_ONCE) -> None:
        """Call `hear` with all news, in any thread; the first says that the game can begin.

        `work` is how the programs of a game in this process think.
        """

    def ask(self, intent: "Intent") -> None:
        """Ask for something; what is refused at once raises."""

    def go_on(self) -> None:
        """All news has been shown, so that a program may move; elsewhere it does not wait."""
        return

    def close(self) -> None:
        """Leave the game; it may be called again."""
