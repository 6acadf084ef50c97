"""The full-screen application: its themes, and how to get from one screen to another."""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.filter import LineFilter, NoColor
from textual.geometry import Size
from textual.screen import Screen
from textual.theme import Theme

from lineduel.errors import InUse, LineduelError
from lineduel.preferences import Preferences, change_preferences, load_preferences

if TYPE_CHECKING:
    from lineduel.match import GameSetup, Match, MatchSettings
    from lineduel.play import Connection, Seats
    from lineduel.record import Record
    from lineduel.rules import Rulebook, Side

DONE, NOT_SAVED, INTERRUPTED = 0, 1, 130
_SETTLED = 0.5
"""Seconds after which the first screen is drawn and other modules may be imported."""
_GO_ON = "Game saved. Resume with: lineduel play --resume"

# Nearly everyone can tell blue from orange; shapes and signs carry the same information.
_COLOURS = {
    "player1": ("#5aa9ff", "#0b5cad"),
    "player2": ("#ffb454", "#a35200"),
    "track": ("#5c6773", "#8a8f98"),
    "muted": ("#9aa5b1", "#5f6670"),
    "lit": ("#2f3b4c", "#d3e3f5"),
    "key": ("#9ad1ff", "#0b5cad"),
    "win": ("#7fd88f", "#1d7a35"),
    "loss": ("#ff8f80", "#b3261e"),
    "endless": ("#d6c26b", "#7a6400"),
    "battle": ("#7a3b52", "#f3c6d6"),
    "fight": ("#e08aa8", "#9c2f56"),
    "captured": ("#8c2f2f", "#f5b8b0"),
    "home": ("#5c4a86", "#d9cdf5"),
    "won": ("#2f6b3f", "#bfe8c8"),
}
"""What the styles call each colour, and what it is on a dark and on a light ground."""
DARK = Theme(
    "lineduel-dark",
    primary="#5aa9ff",
    secondary="#ffb454",
    foreground="#e6e6e6",
    background="#14171c",
    surface="#1b1f26",
    panel="#232933",
    dark=True,
    variables={name: dark for name, (dark, _) in _COLOURS.items()},
)
LIGHT = Theme(
    "lineduel-light",
    primary="#0b5cad",
    secondary="#a35200",
    foreground="#1c1c1c",
    background="#fbfbf8",
    surface="#f1f1ec",
    panel="#e6e6df",
    dark=False,
    variables={name: light for name, (_, light) in _COLOURS.items()},
)


class LineduelApp(App[int]):
    """The home screen, games, reviews and puzzles; the rules are not applied here."""

    CSS_PATH = "style.tcss"
    TITLE = "lineduel"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "quit", show=False, priority=True),
        Binding("ctrl+q", f"interrupt({DONE})", "quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "stop", show=False, priority=True),
        Binding("d", "toggle_theme", "light/dark", show=False),
    ]

    def __init__(
        self,
        opening: "Connection | GameSetup | str | None" = None,
        *,
        animated: bool | None = None,
        theme: str | None = None,
        rng: Random | None = None,
        clock: Callable[[], datetime] = datetime.now,
    ) -> None:
        """Open with a game, the setup of a new one, a lesson's name, or the games to choose among.

        Animation and theme are as the person prefers them, unless they are given.
        """
        if os.environ.get("NO_COLOR") == "":
            del os.environ["NO_COLOR"]  # empty means unset, but not to Textual
        super().__init__()
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        preferences = load_preferences()
        self.theme = f"lineduel-{theme or preferences.theme or _terminal_theme()}"
        self.stylesheet.set_variables(self.get_css_variables())
        self._styled = self.theme
        """The theme that the parsed styles belong to."""
        if animated is None:
            animated = preferences.animation and not _still()
        self.animated = animated
        self.rng, self.clock = rng or Random(), clock
        self._opening = opening
        self.is_leaving = False
        """Whether the program is closing, so that nothing more is shown."""
        self.farewell = ""
        """What is printed on the terminal after the screen has closed."""

    def get_line_filters(self) -> Sequence[LineFilter]:
        """With NO_COLOR there are no colours at all, not even greys."""
        return (NoColor(),) if self.no_color else super().get_line_filters()

    def refresh_css(self, animate: bool = True) -> None:
        """Parse the styles again for another theme.

        Textual also calls this at startup, when the styles already have the right colours.
        """
        if self._styled != self.theme:
            self._styled = self.theme
            super().refresh_css(animate)

    def get_default_screen(self) -> Screen[None]:
        """What the program was opened with, or the home screen."""
        screen = self._first_screen()
        screen.add_class(*_size_classes(screen, self.size), update=False)
        # Textual does this for every screen except the first, and then cannot switch away from it.
        screen._push_result_callback(screen, None)
        return screen

    def _first_screen(self) -> Screen[None]:
        if self._opening is None:
            return self._home_screen()
        from lineduel.match import GameSetup

        if isinstance(self._opening, GameSetup):
            from lineduel.tui.dialogs import SetupScreen

            return SetupScreen(self._opening)
        if isinstance(self._opening, str):
            from lineduel.coach import find_lesson
            from lineduel.tui.lessons import LessonScreen

            return LessonScreen(find_lesson(self._opening))
        from lineduel.tui.duel import DuelScreen

        return DuelScreen(self._opening)

    def _home_screen(self) -> Screen[None]:
        """The games to choose among, with the one that the program was opened with."""
        from lineduel.tui.home import HomeScreen

        if self._opening is None:
            return HomeScreen()
        from lineduel.match import GameSetup, Match

        match self._opening:
            case GameSetup(rulebook=rulebook):
                return HomeScreen(rulebook)
            case Match(session=session):
                return HomeScreen(session.rulebook)
            case _:
                return HomeScreen()

    def on_mount(self) -> None:
        self._hear_signals()
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self.call_after_refresh(gc.enable)
        self.set_timer(_SETTLED, self._hear_compiler)

    # Opening screens

    def go_home(self) -> None:
        self.clear_notifications()
        self.switch_screen(self._home_screen())

    def action_go_back(self) -> None:
        """Leave a screen for the one below it, or the first one for the home screen."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.go_home()

    def set_up(
        self, game: "Rulebook | str", coach: bool = False, seat: "Side | None" = None
    ) -> None:
        """Ask who plays a new game of a rulebook, with the coach on or as it was last.

        The person is offered that seat, or the first.
        """
        from lineduel.match import GameSetup
        from lineduel.tui.dialogs import SetupScreen

        settings = _settings(coach=coach or load_preferences().coach)
        self.push_screen(SetupScreen(GameSetup(_rulebook(game), settings=settings), seat))

    def start(self, new: "GameSetup", seats: "Seats") -> None:
        seed = self.rng.getrandbits(32) if new.seed is None else new.seed
        self._open(replace(new, seed=seed).begin(seats))

    def resume(self, path: Path, copy: bool = False) -> None:
        """Resume a saved game, or a copy of one that is open elsewhere."""
        from lineduel.match import Match, Saves

        try:
            match = Match.resume(path, Saves(), _settings(), copy=copy)
        except InUse as error:
            self.confirm(f"{error}\nResume a copy of it?", lambda: self.resume(path, copy=True))
        except LineduelError as error:
            self.complain(error)
        else:
            self._open(match)

    def play_on(self, record: "Record", moves: int) -> None:
        """Start a new game from a position of this one."""
        from lineduel.match import Match, Saves
        from lineduel.play import Session

        until = replace(record, moves=record.moves[:moves], resigned=None, forfeited=None)
        session = Session.from_record(until)
        if session.winner is not None:
            self.notify("The game is over here; step back first.")
            return
        self._open(Match(session, Saves(), _settings()))

    def rematch(self, played: "Match | Record") -> None:
        """The same game again, with the seats swapped."""
        from lineduel.match import Match, Saves
        from lineduel.play import Session
        from lineduel.record import Record

        if isinstance(played, Record):
            played = Match(Session.from_record(played), Saves(), _settings())
        session = played.session
        seats = session.seats[1], session.seats[0]
        names = session.names[1], session.names[0]
        again = Session(session.game, session.start, seats, self.rng.getrandbits(32), names)
        self._open(Match(again, Saves(), played.settings))

    def review(self, played: "Match | Record") -> None:
        from lineduel.record import Record
        from lineduel.tui.review import ReviewScreen

        if isinstance(played, Record):
            self.switch_screen(ReviewScreen(played))
        else:
            self.switch_screen(ReviewScreen(played.file.record(), played))

    def train(self, game: "Rulebook | str") -> None:
        from lineduel.tui.puzzles import PuzzleScreen

        self.switch_screen(PuzzleScreen(_rulebook(game), self.rng))

    def teach(self, lesson: str) -> None:
        """Begin a lesson."""
        from lineduel.coach import find_lesson
        from lineduel.tui.lessons import LessonScreen

        self.switch_screen(LessonScreen(find_lesson(lesson)))

    def finish_lesson(self, lesson: str) -> None:
        """Go home after a lesson; the first one leads on to a game with the coach."""
        from lineduel.coach import FIRST_LESSON, FIRST_SEAT
        from lineduel.rulebooks import START_HERE

        if lesson == FIRST_LESSON:
            self.remember(lambda preferences: replace(preferences, first_lesson=True))
        self.go_home()
        if lesson == FIRST_LESSON:
            self.set_up(START_HERE, coach=True, seat=FIRST_SEAT)

    def action_show_lessons(self) -> None:
        """Ask for a lesson."""
        from lineduel.coach import SHIPPED_LESSONS, shipped_lesson

        lessons = map(shipped_lesson, SHIPPED_LESSONS)
        answers = {one.id: f"{one.title}. {one.summary}" for one in lessons}
        self.choose("Which lesson?", answers, self.teach)

    def action_show_history(self) -> None:
        from lineduel.tui.history import HistoryScreen

        self.push_screen(HistoryScreen())

    def show_rules(self, game: "Rulebook | str") -> None:
        from lineduel.rules import describe

        rulebook = _rulebook(game)
        parts: list[str | tuple[str, str]] = [(f"{rulebook.title}\n", "bold reverse")]
        parts.append(f"{rulebook.summary}\n")
        for section in describe(rulebook, notes=False):
            parts.append((f"\n{section.heading}\n", "bold $key"))
            parts += [f"{paragraph}\n" for paragraph in section.paragraphs]
        self.show_text(Content.assemble(*parts))

    def show_text(self, text: Content) -> None:
        from lineduel.tui.dialogs import Pages

        self.push_screen(Pages(text))

    def confirm(self, question: str, then: Callable[[], None]) -> None:
        """Ask a yes-or-no question, and go on if the answer is yes."""
        from lineduel.tui.dialogs import Confirm

        self.push_screen(Confirm(question), lambda yes: then() if yes else None)

    def choose(
        self, question: str, answers: Mapping[str, str], then: Callable[[str], None]
    ) -> None:
        """Ask a question with a few answers, and go on with the one that is chosen."""
        from lineduel.tui.dialogs import Choose

        self.push_screen(Choose(question, answers), lambda one: then(one) if one else None)

    def complain(self, error: LineduelError) -> None:
        self.notify(str(error), severity="error", markup=False)

    def _open(self, match: "Match") -> None:
        from lineduel.tui.duel import DuelScreen

        while len(self.screen_stack) > 1:  # the last one is replaced below
            self.pop_screen()
        self.switch_screen(DuelScreen(match))

    # Themes and quitting

    def action_toggle_theme(self) -> None:
        """Switch between the light and the dark theme, and remember the choice."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name
        chosen = self.theme.removeprefix("lineduel-")
        self.remember(lambda preferences: replace(preferences, theme=chosen))

    def remember(self, change: "Callable[[Preferences], Preferences]") -> None:
        """Change the stored preferences; if they cannot be written, nothing happens."""
        with suppress(LineduelError, OSError):
            change_preferences(change)

    def action_interrupt(self, status: int = INTERRUPTED) -> None:
        """Quit from any screen by Ctrl-C, with the exit status of an interrupt."""
        from lineduel.tui.duel import DuelScreen

        games = [screen.match for screen in self.screen_stack if isinstance(screen, DuelScreen)]
        self.leave(games[-1] if games else None, status)

    def action_suspend_process(self) -> None:
        """Stop, as other programs do, if there is a shell that can go on with it."""
        if hasattr(os, "getsid") and os.getpgrp() != os.getsid(0):
            super().action_suspend_process()

    def _hear_signals(self) -> None:
        """Restore the terminal when a signal ends the program."""
        if self.is_headless:
            return
        loop = asyncio.get_running_loop()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            with suppress(NotImplementedError, AttributeError):  # not available on every platform
                number: int = getattr(signal, name)
                if signal.getsignal(number) is not signal.SIG_IGN:
                    loop.add_signal_handler(number, self.action_interrupt, 128 + number)

    def _hear_compiler(self) -> None:
        """Show the notice about compiling, which comes from other threads, on the screen."""
        from lineduel.compiled import tell_compiling_by

        loop = asyncio.get_running_loop()

        def show(text: str) -> None:
            with suppress(RuntimeError):  # the program has been closed in the meantime
                loop.call_soon_threadsafe(self.notify, text)

        tell_compiling_by(show)

    def leave(self, match: "Match | None", status: int = DONE) -> None:
        """Close the program; an unfinished game is saved."""
        if match:
            match.file.keep()
            if not match.file.is_kept:
                self.farewell = match.file.not_saved
                status = status or NOT_SAVED
            elif match.session.turns and match.session.winner is None:
                self.farewell = _GO_ON
        self.is_leaving = True
        self.exit(status)


def run(app: LineduelApp) -> int:
    """Run the full screen; returns the exit status."""
    status = app.run()
    try:
        if app.farewell:
            print(app.farewell, flush=True)
        sys.stderr.flush()  # Textual writes to it
    except OSError:  # the terminal is gone; discard the rest, or it would fail again on exit
        for stream in (sys.stdout, sys.stderr):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return status or app.return_code or DONE


def _rulebook(game: "Rulebook | str") -> "Rulebook":
    from lineduel.rulebooks import find_rulebook

    return find_rulebook(game) if isinstance(game, str) else game


def _settings(coach: bool = False) -> "MatchSettings":
    from lineduel.match import MatchSettings
    from lineduel.solve import Cache

    return MatchSettings(cache=Cache(), coach=coach)


def _size_classes(screen: Screen[None], size: Size) -> set[str]:
    """The classes for this size; Textual sets them only after it has styled the screen once."""
    across, down = screen.HORIZONTAL_BREAKPOINTS or [], screen.VERTICAL_BREAKPOINTS or []
    return {
        max(fitting)[1]
        for length, breakpoints in ((size.width, across), (size.height, down))
        if (fitting := [one for one in breakpoints if one[0] <= length])
    }


def _terminal_theme() -> str:
    """`light` if the terminal says that its background is light, otherwise `dark`."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if background in ("7", "15") else "dark"


def _still() -> bool:
    """Whether an environment variable asks for no animation."""
    return bool(os.environ.get("REDUCE_MOTION")) or os.environ.get("TEXTUAL_ANIMATIONS") == "none"
