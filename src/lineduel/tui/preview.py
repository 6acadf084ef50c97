"""The preview of the selected game: a large track, the rules in short, and the last result."""

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

if TYPE_CHECKING:
    from lineduel.history import SavedGame
    from lineduel.tui.card import Demo

_PRESS = (("Enter", "play"), ("b", "all the rules"), ("z", "puzzles"))


class Preview(Widget):
    """Shows a game; empty at first."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._demo: Demo | None = None
        self._last: SavedGame | None = None

    def show(self, demo: "Demo | None", last: "SavedGame | None") -> None:
        """Show a demo game, and the result of the last game played."""
        self._demo, self._last = demo, last
        self.refresh()

    def render(self) -> Content:
        if self._demo is None:
            return Content("")
        rulebook = self._demo.game.rulebook
        parts = [
            Content.styled(rulebook.title, "bold"),
            Content.styled(rulebook.summary, "$muted"),
            Content(""),
            *self._demo.drawn_large(self.size.width),
            Content(""),
            Content(_rules_in_short(self._demo)),
            Content(""),
        ]
        if self._last is not None:
            parts += [Content.styled(_last_result(self._last), "$muted"), Content("")]
        keys = [Content.assemble((key, "bold $key"), f" {word}") for key, word in _PRESS]
        parts.append(Content("   ").join(keys))
        return Content("\n").join(parts)


def _rules_in_short(demo: "Demo") -> str:
    """How a piece moves, what it does to an enemy, and how the game is won."""
    from lineduel.rules import describe

    _, turn, meeting, winning, *_ = describe(demo.game.rulebook)
    return " ".join((turn.paragraphs[0], meeting.paragraphs[-1], *winning.paragraphs[:2]))


def _last_result(game: "SavedGame") -> str:
    from datetime import datetime

    from lineduel.history import when_in_words

    when = when_in_words(game.played, datetime.now())
    return f"Last game ({when}): {game.result_in_words()}, {game.players_in_words()}."
