"""What all screens have in common: keys and their bar, help, and slow work."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from lineduel.tui.thinker import Thinker

if TYPE_CHECKING:
    from lineduel.tui.app import LineduelApp

_Key = tuple[str, str, str]
"""A key as shown, what it does in a word, and the action of a click, if any."""
_GAP = "  "
_LOWEST = 12
"""With fewer rows than this, the bar asks for more of them."""
_TOO_SMALL = (("60×20", "is needed", ""),)


def digit(event: events.Key) -> int | None:
    """The digit that was pressed, from 0 to 9; other Unicode digits do not count."""
    character = event.character or ""
    return int(character) if character.isascii() and character.isdigit() else None


class KeyBar(Widget):
    """Keys in one line, or in several on a narrow screen; they can be clicked."""

    def __init__(self, keys: Sequence[_Key]) -> None:
        super().__init__()
        self._keys = keys

    def show(self, keys: Sequence[_Key]) -> None:
        self._keys = keys
        self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return sum(map(_width, self._keys)) + len(_GAP) * (len(self._keys) - 1)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        lines = self._lines(self.size.width)
        return Content("\n").join(Content(_GAP).join(map(_drawn, line)) for line in lines)

    async def on_click(self, event: events.Click) -> None:
        if action := event.style.meta.get("action"):
            await self.run_action(action)

    def _lines(self, width: int) -> list[list[_Key]]:
        """The keys line by line; a key is never separated from its word.

        Where not much of them could be shown, there is only a word about the size.
        """
        lines: list[list[_Key]] = [[]]
        room = width
        for key in _TOO_SMALL if self.app.size.height < _LOWEST else self._keys:
            if lines[-1] and room < _width(key):
                lines.append([])
                room = width
            lines[-1].append(key)
            room -= _width(key) + len(_GAP)
        return lines


def _width(key: _Key) -> int:
    return len(key[0]) + 1 + len(key[1])


def _drawn(key: _Key) -> Content:
    shown, word, action = key
    text = Content.assemble((shown, "bold $key"), f" {word}")
    return text.stylize(Style.from_meta({"action": action})) if action else text


def shown_keys(screen: Screen[Any]) -> Iterator[_Key]:
    """The keys of a screen's own bindings that say how they are shown."""
    for one in screen.BINDINGS:
        if isinstance(one, Binding) and one.key_display:
            action = one.action if "." in one.action else f"screen.{one.action}"
            yield one.key_display, one.description, action


class FullScreen(Screen[None]):
    """A screen with a page of help, and a thread for slow work."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("question_mark", "keys", "help"),
        ("q", "quit", "quit"),
    ]
    HELP: ClassVar[str]

    @property
    def keys(self) -> tuple[_Key, ...]:
        """What the bar of keys shows: help, the screen's own keys, and how to quit."""
        return ("?", "help", "screen.keys"), *shown_keys(self), ("q", "quit", "screen.quit")

    @property
    def duel(self) -> "LineduelApp":
        return cast("LineduelApp", self.app)

    @cached_property
    def thinker(self) -> Thinker:
        """Does slow work; nothing is shown after the screen was closed."""
        return Thinker(self.duel)

    def on_unmount(self) -> None:
        self.thinker.stop()

    def action_keys(self) -> None:
        self.duel.show_text(Content.from_markup(self.HELP))

    def action_quit(self) -> None:
        self.duel.leave(None)
