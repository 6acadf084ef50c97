"""The list of the moves so far."""

from textwrap import wrap

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from lineduel.narration import LOG_GAP, LoggedMove
from lineduel.tui.track import PLAYER

_INDENT = 5


class Log(VerticalScroll, can_focus=False):
    """The turns in a few words each, scrolled to the latest."""

    def __init__(self, *, id: str | None = None) -> None:
        self._lines = Static()
        super().__init__(self._lines, id=id)
        self._entries: tuple[LoggedMove, ...] = ()

    def show(self, entries: tuple[LoggedMove, ...]) -> None:
        self._entries = entries
        width = self.scrollable_content_region.width or self.app.size.width
        lines = [_line(entry, width) for entry in entries]
        self._lines.update(Content("\n").join(lines) if lines else Content("No moves yet."))
        self.call_after_refresh(self.scroll_end, animate=False)

    def on_resize(self) -> None:
        self.show(self._entries)


def _line(entry: LoggedMove, width: int) -> Content:
    """A turn on one line, or on several with a hanging indent."""
    first, gap, rest = entry.told.partition(LOG_GAP)
    colour = PLAYER[entry.side] if entry.side else "$fight"
    lines = wrap(first + gap + rest, max(width - _INDENT, 10), drop_whitespace=True) or [""]
    text = f"\n{' ' * _INDENT}".join(lines)
    return Content.assemble(
        (f"{entry.number:>3}{LOG_GAP}", "$muted"),
        (text[: len(first)], f"bold {colour}"),
        text[len(first) :],
    )
