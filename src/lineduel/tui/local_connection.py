"""A game in this process, as a screen takes part in it."""

from collections.abc import Callable

from lineduel.engine import PASS, Move
from lineduel.errors import EngineError, LineduelError
from lineduel.match import Match
from lineduel.play import (
    Awaited,
    Changed,
    ChooseNumber,
    Connection,
    GameNews,
    GameView,
    Intent,
    PlayMove,
    Session,
    Stalled,
)
from lineduel.rules import Side
from lineduel.tui.screens import FullScreen


class LocalConnection(Connection):
    """Lets people and programs play a match."""

    def __init__(self, match: Match, screen: FullScreen) -> None:
        """The screen's thinker lets programs think in the background."""
        self._match, self._screen = match, screen
        self._hear: Callable[[GameNews], None] = lambda news: None

    @property
    def state(self) -> tuple[Session, GameView]:
        session = self._match.session
        return session, self._match.live.view(session.people)

    def listen(self, hear: Callable[[GameNews], None]) -> None:
        """The game begins once its programs are ready."""
        self._hear = hear
        if len(self._match.session.people) < len(Side):
            self._screen.thinker.ask(self._match.seat, lambda _: hear(Changed()), self._stall)
        else:
            hear(Changed())

    def ask(self, intent: Intent) -> None:
        self._match.perform(intent)
        is_turn = isinstance(intent, PlayMove | ChooseNumber)
        self._hear(Changed("turn" if is_turn else "game"))

    def go_on(self) -> None:
        """Play a pass that is forced, or let a program choose."""
        match, session = self._match, self._match.session
        side, version = session.program_asked, match.live.version
        if session.awaits is Awaited.PASS:
            self._act(session.position.side, PASS)
        elif side is not None:
            program = side

            def chose(choice: Move | int) -> None:
                if match.live.version == version:
                    self._act(program, choice)

            def failed(error: LineduelError) -> None:
                if match.live.version == version:
                    self._give_up(program, error)

            self._screen.thinker.ask(lambda: match.think(program), chose, failed)

    def _act(self, side: Side, choice: Move | int) -> None:
        self._match.act(side, choice)
        self._hear(Changed("turn"))

    def _give_up(self, side: Side, error: LineduelError) -> None:
        """An engine that fails forfeits the game; without any other program it stands still."""
        if not isinstance(error, EngineError):
            self._stall(error)
            return
        self._match.forfeit(side)
        name = self._match.narrator.name(side)
        self._hear(Changed(note=f"{name} forfeits the game. {error}"))

    def _stall(self, error: LineduelError) -> None:
        self._hear(Stalled(str(error)))
