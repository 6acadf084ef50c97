"""The games played last: go on with one, or look at it again."""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.widgets import Static

from lineduel.record import Record
from lineduel.tui.keys import KeyBar

if TYPE_CHECKING:
    from lineduel.tui.app import LineduelApp

MOST = 30


class RecentScreen(ModalScreen[None]):
    """A list of games, the newest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up", "move(-1)", "choose"),
        ("down", "move(1)", "choose"),
        ("enter,space", "open", "open"),
        ("escape,q,g", "leave", "back"),
    ]

    def __init__(self, games: list[tuple[Path, Record]]) -> None:
        super().__init__()
        self._games = games
        self._at = 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="pages"):
            with VerticalScroll(can_focus=False):
                yield Static(id="games")
            yield KeyBar(
                (
                    ("↑ ↓", "choose", ""),
                    ("Enter", "go on or review", "screen.open"),
                    ("Esc", "back", "screen.leave"),
                )
            )

    def on_mount(self) -> None:
        self._show()

    def _show(self) -> None:
        lines = [Content(f"  {line(record)}") for _, record in self._games]
        if lines:
            lines[self._at] = Content.styled(f"› {lines[self._at].plain[2:]}", "bold reverse")
        text = Content("\n").join(lines) if lines else Content("No game was played yet.")
        self.query_one("#games", Static).update(text)
        self.query_one(VerticalScroll).scroll_to_region(
            Region(0, self._at, 1, 1), animate=False, force=True
        )

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
            duel.resume(path, record)
        else:
            duel.review(record)

    def on_click(self, event: events.Click) -> None:
        if event.widget is not None and event.widget.id == "games" and event.y < len(self._games):
            at = event.get_content_offset(event.widget)
            if at is not None and at.y < len(self._games):
                self._at = at.y
                self._show()
                self.action_open()

    def action_leave(self) -> None:
        self.dismiss(None)


def line(record: Record) -> str:
    """A game in one line: when, which, who, how long, and how it ended."""
    tags = dict(record.tags)
    players = f"{tags.get('Player1', '?')} – {tags.get('Player2', '?')}"
    result = "unfinished" if record.winner is None else f"player {record.winner} won"
    date, title = tags.get("Date", ""), record.rulebook.title
    return f"{date:<10}  {title[:26]:<26}  {players[:22]:<22}  {len(record.moves):>3}  {result}"
