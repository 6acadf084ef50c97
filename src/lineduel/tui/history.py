"""The games you played: a list to resume, review and delete them, and your statistics."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from lineduel.errors import LineduelError
from lineduel.history import (
    History,
    KnownAccuracies,
    SavedGame,
    Statistics,
    personal_statistics,
    read_history,
    review_unknown,
    statistics_remarks,
    statistics_table,
    when_in_words,
)
from lineduel.match import Saves
from lineduel.quantities import counted
from lineduel.solve import Cache
from lineduel.tui.game_keys import HISTORY_HELP, STATISTICS_HELP
from lineduel.tui.screens import FullScreen, KeyBar

_MANY_COLUMNS = 100
"""With at least this width a game has one line, otherwise two."""
_WHEN, _RESULT = 15, 13
"""Columns for the time and for the result."""


class HistoryScreen(FullScreen):
    """A list of games, the latest first."""

    HELP = HISTORY_HELP
    BINDINGS: ClassVar[list[BindingType]] = [
        ("up,k", "move(-1)", "choose"),
        Binding("down,j", "move(1)", "choose", key_display="↑ ↓"),
        ("pageup", "move(-10)", "choose"),
        ("pagedown", "move(10)", "choose"),
        Binding("enter,space", "open", "open", key_display="Enter"),
        ("r", "review", "review"),
        Binding("x,delete", "delete", "delete", key_display="x"),
        Binding("s", "statistics", "statistics", key_display="s"),
        Binding("escape,g", "dismiss", "back", key_display="Esc"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._games: list[SavedGame] | None = None
        self._at = 0
        self._top = 0
        """The first game that is in sight."""
        self._lines = Static("Reading your games …", id="games", markup=False)
        self._title = Static(_title(""), id="title")
        self._damaged = Static("", id="damaged", markup=False)

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._lines
        yield self._damaged
        yield KeyBar(self.keys)

    def on_mount(self) -> None:
        self.thinker.ask(lambda: read_history(Saves()), self._take, self.duel.complain)

    def _take(self, history: History) -> None:
        self._games = list(history.games)
        self._damaged.update("\n".join(one.told() for one in history.damaged))
        self._damaged.display = bool(history.damaged)
        self.call_after_refresh(self._show)

    # What is shown

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    @property
    def _chosen(self) -> SavedGame | None:
        return self._games[self._at] if self._games else None

    @property
    def _height(self) -> int:
        """How many lines a game has."""
        return 1 if self.size.width >= _MANY_COLUMNS else 2

    def _show(self) -> None:
        if self._games is None or self.duel.is_leaving:
            return
        count, fitting = len(self._games), max(self._lines.size.height // self._height, 1)
        # The chosen game stays in sight, and no row is left empty at the end.
        self._top = min(self._top, self._at, max(count - fitting, 0))
        self._top = max(self._top, self._at - fitting + 1)
        seen = range(self._top, min(self._top + fitting, count))
        about = counted(count, "game")
        if len(seen) < count:
            about += f", {seen.start + 1} to {seen.stop} shown"
        self._title.update(_title(about))
        nothing = Content("You have not played yet. Esc leads back to the games to play.")
        titles = max((len(game.title) for game in self._games), default=0)
        entries = [self._entry(self._games[at], at == self._at, titles) for at in seen]
        self._lines.update(Content("\n").join(entries) if entries else nothing)

    def _entry(self, game: SavedGame, is_chosen: bool, titles: int) -> Content:
        """A game in one or two lines; `titles` is the width of the longest title."""
        when, result = when_in_words(game.played, self.duel.clock()), game.result_in_words()
        players, turns = game.players_in_words(), counted(len(game.record.moves), "turn")
        colours = {"won": "bold $win", "lost": "bold $loss", "unfinished": "$endless"}
        colour = colours.get(result, "bold")
        title = (f"{game.title:<{titles}}  ", "bold")
        mark = ("› " if is_chosen else "  ", "bold $key")
        if self._height == 1:
            end = (f"{players}, {turns}", "$muted")
            ended = (f"{result:<{_RESULT}}  ", colour)
            lines = [Content.assemble(mark, f"{when:<{_WHEN}}  ", title, ended, end)]
        else:
            lines = [
                Content.assemble(mark, title, (result, colour), f", {turns}"),
                Content.assemble(("  ", "bold $key"), (f"{when}, {players}", "$muted")),
            ]
        width = self.size.width - 2
        entry = Content("\n").join(line.truncate(width, ellipsis=True, pad=True) for line in lines)
        return entry.stylize("on $lit") if is_chosen else entry

    # The keys

    def action_move(self, way: int) -> None:
        if not self._games:
            return
        count = len(self._games)
        there = self._at + way
        self._at = there % count if abs(way) == 1 else min(max(there, 0), count - 1)
        self._show()

    def on_mouse_scroll_down(self) -> None:
        self.action_move(2)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-2)

    def on_click(self, event: events.Click) -> None:
        clicked, _ = self.get_widget_at(*event.screen_offset)
        at = self._top + event.y // self._height
        if clicked is self._lines and self._games and at < len(self._games):
            self._at = at
            self.action_open()

    def action_open(self) -> None:
        """Go on with an unfinished game, or look at a finished one."""
        if (game := self._chosen) is None:
            return
        if game.record.winner is not None:
            self.action_review()
            return
        duel = self.duel
        self.dismiss()
        duel.resume(game.path)

    def action_review(self) -> None:
        """Look at a game again, finished or not."""
        if (game := self._chosen) is not None:
            duel = self.duel
            self.dismiss()
            duel.review(game.record)

    def action_delete(self) -> None:
        """Ask, and remove the game for good."""
        if game := self._chosen:
            when = when_in_words(game.played, self.duel.clock())
            about = f"{game.title}, {when}: {game.result_in_words()}, {game.players_in_words()}"
            question = f"Delete this game for good?\n{about}"
            self.duel.confirm(question, lambda: self._delete(game))

    def _delete(self, game: SavedGame) -> None:
        try:
            Saves().delete(game.path)
        except LineduelError as error:
            self.duel.complain(error)
            return
        if self._games and game in self._games:
            self._games.remove(game)
            self._at = min(self._at, max(len(self._games) - 1, 0))
        self._show()

    def action_statistics(self) -> None:
        if self._games is not None:
            self.app.push_screen(StatisticsScreen(self._games))


class StatisticsScreen(FullScreen):
    """How you did, by opponent; accuracies that are not known yet are computed meanwhile."""

    HELP = STATISTICS_HELP
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,s", "dismiss", "back", key_display="Esc"),
    ]

    def __init__(self, games: Sequence[SavedGame]) -> None:
        super().__init__()
        self._games = tuple(games)
        self._page = Static("", id="statistics")
        self._status = Static("Counting …", id="status", markup=False)

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(" Statistics ", "bold reverse"), id="title")
        with VerticalScroll():  # it has the focus, so that the arrows scroll it
            yield self._page
        yield self._status
        first, *others = self.keys
        yield KeyBar((first, ("↑ ↓", "scroll", ""), *others))

    def on_mount(self) -> None:
        known = KnownAccuracies()
        count = partial(personal_statistics, self._games, known)

        def review() -> Statistics:
            review_unknown(self._games, known, Cache(), self._show_progress)
            return count()

        self.thinker.ask(count, self._show, self._complain)
        self.thinker.ask(review, self._finish, self._complain)

    def _show_progress(self, done: int, total: int) -> None:
        """Say how many games were reviewed; ends the work when nobody waits for it."""
        progress = f"Reviewing your games for the accuracy: {done} of {total} …"
        self.thinker.tell(partial(self._status.update, progress))

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


def _title(about: str) -> Content:
    return Content.assemble((" Your games ", "bold reverse"), f"  {about}")


def _styled(line: str) -> Content:
    """A line of statistics: the headings of columns are muted, those of games bold."""
    if line.startswith("   "):
        return Content.styled(line, "$muted")
    return Content(line) if line.startswith(" ") else Content.styled(line, "bold")


def game_line(game: SavedGame, width: int, now: datetime) -> str:
    """A game in one plain line: when, which, how it ended, and who as far as there is room."""
    when = when_in_words(game.played, now)
    line = f"{when:<{_WHEN}}  {game.title}: {game.result_in_words()}, {game.players_in_words()}"
    return line if len(line) <= width else f"{line[: max(width - 1, 0)]}…"


def last_result(game: SavedGame, now: datetime) -> str:
    """The result of the last game in a sentence."""
    when = when_in_words(game.played, now)
    return f"Last game ({when}): {game.result_in_words()}, {game.players_in_words()}."
