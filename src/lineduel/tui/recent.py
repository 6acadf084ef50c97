"""The games played last: go on with one, or look at it again."""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from lineduel.record import Record
from lineduel.tui.keys import KeyBar

if TYPE_CHECKING:
    from lineduel.tui.app import LineduelApp

MOST = 30
WIDE = 76
"""Columns from which on a title has more room."""


class Lines(Static):
    """Text in lines that can be clicked."""

    class Clicked(Message):
        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Clicked(event.y))


class RecentScreen(ModalScreen[None]):
    """A list of games, the newest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up,k", "move(-1)", "choose"),
        ("down,j", "move(1)", "choose"),
        ("enter,space", "open", "open"),
        ("escape,q,g", "leave", "back"),
    ]

    def __init__(self, games: list[tuple[Path, Record]]) -> None:
        super().__init__()
        self._games = games
        self._at = 0
        self._window = VerticalScroll(can_focus=False)
        self._lines = Lines(id="games")

    def compose(self) -> ComposeResult:
        with Vertical(classes="pages"):
            with self._window:
                yield self._lines
            yield KeyBar(
                (
                    ("↑ ↓", "choose", ""),
                    ("Enter", "go on or review", "screen.open"),
                    ("Esc", "back", "screen.leave"),
                )
            )

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        width = self._window.scrollable_content_region.width - 2
        lines = [Content(f"  {line(record, width)}") for _, record in self._games]
        if lines:
            lines[self._at] = Content.styled(f"› {lines[self._at].plain[2:]}", "bold reverse")
        text = Content("\n").join(lines) if lines else Content("No game was played yet.")
        self._lines.update(text)
        self.call_after_refresh(self._keep_in_sight)

    def _keep_in_sight(self) -> None:
        self._window.scroll_to_region(Region(0, self._at, 1, 1), animate=False, force=True)

    def action_move(self, way: int) -> None:
        if self._games:
            self._at = (self._at + way) % len(self._games)
            self._show()

    def action_open(self) -> None:
        if not self._games:
            return
        duel, (path, record) = cast("LineduelApp", self.app), self._games[self._at]
        self.dismiss(None)
        if record.winner is None:
            duel.resume(path)
        else:
            duel.review(record)

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        if message.line < len(self._games):
            self._at = message.line
            self.action_open()

    def action_leave(self) -> None:
        self.dismiss(None)


def outcome(record: Record) -> str:
    """How a game ended: `player 1 won`, or `unfinished`."""
    return "unfinished" if record.winner is None else f"player {record.winner} won"


def line(record: Record, width: int) -> str:
    """A game in one line: when, which, how it ended, how long, and who as far as there is room."""
    tags = dict(record.tags)
    players = f"{tags.get('Player1', '?')} – {tags.get('Player2', '?')}"
    result = outcome(record)
    date, title = tags.get("Date", ""), record.rulebook.title
    room = 26 if width >= WIDE else 16
    told = (
        f"{date:<10}  {_cut(title, room):<{room}}  {result:<12} {len(record.moves):>4}  {players}"
    )
    return _cut(told, width)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: max(width - 1, 0)]}…"
