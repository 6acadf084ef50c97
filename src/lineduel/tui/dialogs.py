"""Dialogs in the middle of the screen."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from lineduel.tui.keys import KeyBar


class Confirm(ModalScreen[bool]):
    """A yes-or-no question."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("y", "answer(True)", "yes"),
        ("n,escape", "answer(False)", "no"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            yield KeyBar((("y", "yes", "screen.answer(True)"), ("n", "no", "screen.answer(False)")))

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


class Ask(ModalScreen[str | None]):
    """A question that is answered with a line of text."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "back")]

    def __init__(self, question: str, typed: str = "", *, may_be_empty: bool = False) -> None:
        super().__init__()
        self._question, self._typed, self._may_be_empty = question, typed, may_be_empty

    def compose(self) -> ComposeResult:
        from textual.widgets import Input

        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            yield Input(self._typed, select_on_focus=False)
            yield KeyBar((("Enter", "done", ""), ("Esc", "back", "screen.leave")))

    def on_input_submitted(self, event: events.Event) -> None:
        text = str(getattr(event, "value", "")).strip()
        self.dismiss(text if text or self._may_be_empty else None)

    def action_leave(self) -> None:
        self.dismiss(None)


class Pages(ModalScreen[None]):
    """Text of any length, to scroll through."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,enter,question_mark,b", "leave", "back"),
    ]

    def __init__(self, text: Content) -> None:
        super().__init__()
        self._text = text
        self._window = VerticalScroll()

    def compose(self) -> ComposeResult:
        with Vertical(classes="pages"):
            with self._window:
                yield Static(self._text)
            yield KeyBar((("↑ ↓", "scroll", ""), ("Esc", "back", "screen.leave")))

    def on_mount(self) -> None:
        self._window.focus()

    def action_leave(self) -> None:
        self.dismiss(None)
