"""The input line for a move that is typed or pasted."""

from collections.abc import Callable

from textual import events
from textual.content import Content
from textual.widgets import Static


class TypedMove(Static):
    """An input line that is hidden until somebody types; Enter and Esc close it."""

    def __init__(self, play: Callable[[str], bool], *, id: str | None = None) -> None:
        """Call `play` with the text when Enter is pressed; if it answers no, the text stays."""
        super().__init__(id=id, markup=False)
        self._play = play
        self._text: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether the line is open."""
        return self._text is not None

    def begin(self, text: str = "") -> None:
        """Open the line with some text."""
        self._show(text)

    def close(self) -> None:
        """Close the line and discard its text."""
        self._show(None)

    def take(self, event: events.Key) -> bool:
        """Handle a key that continues or begins a typed move; returns whether it was one."""
        character = event.character or ""
        if self._text is None:
            if not (character.isupper() or character in ("+", "-")):
                return False
            self._show(character)
        elif event.key == "enter":
            self._finish()
        elif event.key == "escape" or (event.key == "backspace" and len(self._text) <= 1):
            self._show(None)
        elif event.key == "backspace":
            self._show(self._text[:-1])
        elif character.isprintable():
            self._show(self._text + character)
        event.stop()
        return True

    def paste(self, text: str) -> None:
        """Insert pasted text; a line break in it counts as Enter."""
        first, *more = text.lstrip().splitlines() or [""]
        self._show((self._text or "") + "".join(filter(str.isprintable, first)))
        if more or text.endswith(("\n", "\r")):
            self._finish()

    def _finish(self) -> None:
        text = (self._text or "").strip()
        self._show(None)
        if text and not self._play(text):
            self._show(text)

    def _show(self, text: str | None) -> None:
        self._text = text
        self.display = text is not None
        if text is not None:
            self.update(
                Content.assemble(
                    "Your move: ",
                    (text, "bold"),
                    ("▌   ", "$key"),
                    ("Enter", "bold $key"),
                    " play  ",
                    ("Esc", "bold $key"),
                    " back",
                )
            )
