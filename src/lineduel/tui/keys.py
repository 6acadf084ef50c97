"""The bar of keys at the bottom of a screen, which can be clicked."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widget import Widget

_Keys = Sequence[tuple[str, str, str]]
"""A key as shown, what it does in a word, and the action of a click, if any."""
GAP = "  "


def digit(event: events.Key) -> int | None:
    """The digit that was pressed, from 0 to 9; other Unicode digits do not count."""
    character = event.character or ""
    return int(character) if character.isascii() and character.isdigit() else None


class KeyBar(Widget):
    """Keys in one line, or in several on a narrow screen."""

    def __init__(self, keys: _Keys, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._keys = keys

    def show(self, keys: _Keys) -> None:
        self._keys = keys
        self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return sum(map(_width, self._keys)) + len(GAP) * (len(self._keys) - 1)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        lines = self._lines(self.size.width)
        return Content("\n").join(Content(GAP).join(map(_drawn, line)) for line in lines)

    async def on_click(self, event: events.Click) -> None:
        if action := event.style.meta.get("action"):
            await self.run_action(action)

    def _lines(self, width: int) -> list[list[tuple[str, str, str]]]:
        """The keys line by line; a key is never separated from its word."""
        lines: list[list[tuple[str, str, str]]] = [[]]
        room = width
        for key in self._keys:
            if lines[-1] and room < _width(key):
                lines.append([])
                room = width
            lines[-1].append(key)
            room -= _width(key) + len(GAP)
        return lines


def _width(key: tuple[str, str, str]) -> int:
    return len(key[0]) + 1 + len(key[1])


def _drawn(key: tuple[str, str, str]) -> Content:
    shown, word, action = key
    text = Content.assemble((shown, "bold $key"), f" {word}")
    return text.stylize(Style.from_meta({"action": action})) if action else text
