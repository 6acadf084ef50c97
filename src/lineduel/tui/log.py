"""What happened so far, at the side of the board."""

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from lineduel.match import Match
from lineduel.tui.drawing import PLAYER


class Log(VerticalScroll, can_focus=False):
    """The moves in notation and in words, the newest in sight."""

    def __init__(self, match: Match, *, id: str | None = None) -> None:
        super().__init__(Static(), id=id)
        self._match = match

    def show(self) -> None:
        lines = []
        for entry in self._match.log():
            colour = PLAYER[entry.side] if entry.side else "$fight"
            lines.append(
                Content.assemble(
                    (f"{entry.number:>3} ", "$muted"),
                    (f"{entry.move:<7}", f"bold {colour}"),
                    f" {entry.told}",
                )
            )
        self.query_one(Static).update(
            Content("\n").join(lines) if lines else Content("No move was played yet.")
        )
        self.call_after_refresh(self.scroll_end, animate=False)
