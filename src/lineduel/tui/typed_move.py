"""A move that is being typed or pasted: a line on the screen itself, at any speed of typing."""

from collections.abc import Callable

from textual import events
from textual.content import Content
from textual.widgets import Static


class TypedMove(Static):
    """Hidden until somebody types; it takes every key until Enter or Esc."""

    def __init__(self, play: Callable[[str], None], *, id: str | None = None) -> None:
        """With what is done with the text once it is complete."""
        super().__init__(id=id, markup=False)
        self._play = play
        self._text: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether somebody is typing."""
        return self._text is not None

    def begin(self, text: str = "") -> None:
        """Show the line with a first piece of text."""
        self._show(text)

    def close(self) -> None:
        """Forget what was typed."""
        self._show(None)

    def take(self, event: events.Key) -> bool:
        """Whether a key belongs to the move that is typed, or begins one; it is used up then."""
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
        """Text from elsewhere; if it has a line end, that is Enter."""
        first, *more = text.lstrip().splitlines() or [""]
        self._show((self._text or "") + "".join(filter(str.isprintable, first)))
        if more or text.endswith(("\n", "\r")):
            self._finish()

    def _finish(self) -> None:
        text = (self._text or "").strip()
        self._show(None)
        if text:
            self._play(text)

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
