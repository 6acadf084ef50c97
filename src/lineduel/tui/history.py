"""Your games: what you played, to go on with, to look at again, to delete and to count."""

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from lineduel.errors import LineduelError
from lineduel.history import History, SavedGame, read_history, when_in_words
from lineduel.match import Saves
from lineduel.quantities import counted
from lineduel.tui.dialogs import Confirm
from lineduel.tui.game_keys import HISTORY_HELP
from lineduel.tui.keys import KeyBar
from lineduel.tui.thinker import Thinker

if TYPE_CHECKING:
    from lineduel.tui.app import LineduelApp

_MANY_COLUMNS = 100
"""From so many on a game has one line, below that two."""
_KEYS = (
    ("?", "help", "screen.keys"),
    ("↑ ↓", "choose", "screen.move(1)"),
    ("Enter", "open", "screen.open"),
    ("x", "delete", "screen.delete"),
    ("s", "statistics", "screen.statistics"),
    ("Esc", "back", "screen.leave"),
    ("q", "quit", "screen.quit"),
)
_WHEN, _RESULT = 15, 13
"""Columns for the time and for the result."""


class Lines(Static):
    """Text in lines that can be clicked."""

    class Clicked(Message):
        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Clicked(event.y))


class HistoryScreen(Screen[None]):
    """A list of games, the latest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up,k", "move(-1)", "choose"),
        ("down,j", "move(1)", "choose"),
        ("pageup", "move(-10)", "choose"),
        ("pagedown", "move(10)", "choose"),
        ("enter,space", "open", "open"),
        ("r", "review", "review"),
        ("x,delete", "delete", "delete"),
        ("s", "statistics", "statistics"),
        ("question_mark", "keys", "help"),
        ("escape,g", "leave", "back"),
        ("q", "quit", "quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._games: list[SavedGame] | None = None
        self._at = 0
        self._top = 0
        """The first game that is in sight."""
        self._titles = 0
        """Columns of the longest title."""
        self._lines = Lines("Reading your games …", id="games", markup=False)
        self._title = Static(_title(""), id="title")
        self._damaged = Static("", id="damaged", markup=False)

    @property
    def duel(self) -> "LineduelApp":
        return cast("LineduelApp", self.app)

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._lines
        yield self._damaged
        yield KeyBar(_KEYS)

    def on_mount(self) -> None:
        self._thinker = Thinker(self.duel)
        self._thinker.ask(lambda: read_history(Saves()), self._take, self._complain)

    def on_unmount(self) -> None:
        self._thinker.stop()

    def _complain(self, error: LineduelError) -> None:
        self.notify(str(error), severity="error", markup=False)

    def _take(self, history: History) -> None:
        self._games = list(history.games)
        self._titles = max((len(game.title) for game in self._games), default=0)
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
        lines = [line for at in seen for line in self._entry(at)]
        self._lines.update(Content("\n").join(lines) if lines else nothing)

    def _entry(self, at: int) -> list[Content]:
        """The lines of a game."""
        assert self._games is not None
        now, width, is_chosen = datetime.now(), self.size.width - 2, at == self._at
        told = _in_one_line if self._height == 1 else _in_two_lines
        lines = [
            Content.assemble((mark, "bold $key"), line).truncate(width, ellipsis=True, pad=True)
            for mark, line in zip(
                ("› " if is_chosen else "  ", "  "),
                told(self._games[at], now, self._titles),
                strict=False,
            )
        ]
        return [line.stylize("on $lit") for line in lines] if is_chosen else lines

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

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        at = self._top + message.line // self._height
        if self._games and at < len(self._games):
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
        self.dismiss(None)
        duel.resume(game.path)

    def action_review(self) -> None:
        """Look at a game again, finished or not."""
        if (game := self._chosen) is not None:
            duel = self.duel
            self.dismiss(None)
            duel.review(game.record)

    def action_delete(self) -> None:
        """Ask, and remove the game for good."""
        if (game := self._chosen) is None:
            return
        when = when_in_words(game.played, datetime.now())
        told = f"{game.title}, {when}: {game.result_in_words()}, {game.players_in_words()}"

        def delete(yes: bool | None) -> None:
            if yes:
                self._delete(game)

        self.app.push_screen(Confirm(f"Delete this game for good?\n{told}"), delete)

    def _delete(self, game: SavedGame) -> None:
        try:
            Saves().delete(game.path)
        except LineduelError as error:
            self._complain(error)
            return
        if self._games and game in self._games:
            self._games.remove(game)
            self._at = min(self._at, max(len(self._games) - 1, 0))
        self._show()

    def action_statistics(self) -> None:
        if self._games is not None:
            self.duel.show_statistics(self._games)

    def action_keys(self) -> None:
        self.duel.show_text(Content.from_markup(HISTORY_HELP))

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_quit(self) -> None:
        self.duel.leave(None)


def _title(about: str) -> Content:
    return Content.assemble((" Your games ", "bold reverse"), f"  {about}")


def _result(game: SavedGame) -> tuple[str, str]:
    """How a game ended, in its colour."""
    result = game.result_in_words()
    colours = {"won": "bold $win", "lost": "bold $loss", "unfinished": "$endless"}
    return result, colours.get(result, "bold")


def _in_one_line(game: SavedGame, now: datetime, titles: int) -> tuple[Content]:
    result, colour = _result(game)
    when = when_in_words(game.played, now)
    turns = counted(len(game.record.moves), "turn")
    told = Content.assemble(
        f"{when:<{_WHEN}}  ",
        (f"{game.title:<{titles}}  ", "bold"),
        (f"{result:<{_RESULT}}  ", colour),
        (f"{game.players_in_words()}, {turns}", "$muted"),
    )
    return (told,)


def _in_two_lines(game: SavedGame, now: datetime, titles: int) -> tuple[Content, Content]:
    when = when_in_words(game.played, now)
    turns = counted(len(game.record.moves), "turn")
    head = Content.assemble((f"{game.title:<{titles}}  ", "bold"), _result(game), f", {turns}")
    return head, Content.styled(f"{when}, {game.players_in_words()}", "$muted")


def game_line(game: SavedGame, width: int) -> str:
    """A game in one plain line: when, which, how it ended, and who as far as there is room."""
    when = when_in_words(game.played, datetime.now())
    told = f"{when:<{_WHEN}}  {game.title}: {game.result_in_words()}, {game.players_in_words()}"
    return told if len(told) <= width else f"{told[: max(width - 1, 0)]}…"
