"""How you did: games and wins by opponent, accuracy, streaks, and the puzzle rating."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from lineduel.errors import LineduelError
from lineduel.history import (
    KnownAccuracies,
    SavedGame,
    Statistics,
    personal_statistics,
    review_unknown,
    statistics_remarks,
    statistics_table,
)
from lineduel.solve import Cache
from lineduel.tui.game_keys import STATISTICS_HELP
from lineduel.tui.keys import KeyBar
from lineduel.tui.thinker import Thinker

if TYPE_CHECKING:
    from lineduel.tui.app import LineduelApp

_KEYS = (
    ("?", "help", "screen.keys"),
    ("↑ ↓", "scroll", ""),
    ("Esc", "back", "screen.leave"),
    ("q", "quit", "screen.quit"),
)


class StatisticsScreen(Screen[None]):
    """A page of figures; accuracies that are not known yet are worked out beside it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("question_mark", "keys", "help"),
        ("escape,s", "leave", "back"),
        ("q", "quit", "quit"),
    ]

    def __init__(self, games: Sequence[SavedGame]) -> None:
        super().__init__()
        self._games = tuple(games)
        self._window = VerticalScroll()
        self._page = Static("", id="statistics")
        self._status = Static("Counting …", id="status", markup=False)

    @property
    def duel(self) -> "LineduelApp":
        return cast("LineduelApp", self.app)

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(" Statistics ", "bold reverse"), id="title")
        with self._window:
            yield self._page
        yield self._status
        yield KeyBar(_KEYS)

    def on_mount(self) -> None:
        self._thinker = Thinker(self.duel)
        self._window.focus()
        known = KnownAccuracies()
        count = partial(personal_statistics, self._games, known)

        def review() -> Statistics:
            review_unknown(self._games, known, Cache(), self._tell)
            return count()

        self._thinker.ask(count, self._show, self._complain)
        self._thinker.ask(review, self._finish, self._complain)

    def on_unmount(self) -> None:
        self._thinker.stop()

    def _tell(self, done: int, total: int) -> None:
        """Say how many games were reviewed; ends the work when nobody waits for it."""
        told = f"Reviewing your games for the accuracy: {done} of {total} …"
        self._thinker.tell(partial(self._status.update, told))

    def _show(self, found: Statistics) -> None:
        lines = [_styled(line) for line in statistics_table(found)]
        if not lines:
            lines = [Content("You have not finished a game against the computer yet.")]
        lines += [Content(""), *map(Content, statistics_remarks(found))]
        self._page.update(Content("\n").join(lines))

    def _finish(self, found: Statistics) -> None:
        self._show(found)
        self._status.update("")

    def _complain(self, error: LineduelError) -> None:
        self._status.update(str(error))

    def action_keys(self) -> None:
        self.duel.show_text(Content.from_markup(STATISTICS_HELP))

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_quit(self) -> None:
        self.duel.leave(None)


def _styled(line: str) -> Content:
    """The headings of columns muted, those of games bold."""
    if line.startswith("   "):
        return Content.styled(line, "$muted")
    return Content(line) if line.startswith(" ") else Content.styled(line, "bold")
