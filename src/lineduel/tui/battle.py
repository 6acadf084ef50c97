"""Battles between two people at one keyboard: each chooses in secret, then both are shown."""

from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from lineduel.narration import Names, capitalized
from lineduel.rules import Side, listed
from lineduel.tui.game_keys import HELP
from lineduel.tui.number_buttons import NumberButtons
from lineduel.tui.screens import KeyBar, digit

if TYPE_CHECKING:
    from lineduel.tui.app import LineduelApp

_KEYS = (("Esc", "back", "screen.leave"), ("?", "help", "screen.keys"))

_DIGITS = {
    1: ("  ▟█ ", " ▟▜█ ", "   █ ", "   █ ", "  ▟█▙"),
    2: ("▟▀▀▀▙", "    █", " ▟▀▀▘", "▟▘   ", "█▄▄▄▄"),
    3: ("▟▀▀▀▙", "    █", "  ▀▀▙", "    █", "▜▄▄▄▛"),
    4: ("   ▟█", "  ▟▘█", " ▟▘ █", "▀▀▀▀█", "    █"),
    5: ("█▀▀▀▀", "█    ", "▀▀▀▀▙", "    █", "▜▄▄▄▛"),
    6: ("▟▀▀▀▙", "█    ", "█▀▀▀▙", "█   █", "▜▄▄▄▛"),
    7: ("▀▀▀▀█", "   ▟▘", "  ▟▘ ", " ▟▘  ", " █   "),
    8: ("▟▀▀▀▙", "█   █", "▟▀▀▀▙", "█   █", "▜▄▄▄▛"),
    9: ("▟▀▀▀▙", "█   █", "▜▄▄▄█", "    █", "▜▄▄▄▛"),
}


class Curtain(ModalScreen[int | None]):
    """Hides the board while one player chooses a number, which is passed only to the session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter,space", "ready", "ready"),
        ("escape", "leave", "back"),
        ("question_mark", "keys", "keys"),
    ]

    def __init__(
        self,
        player: str,
        side: Side,
        call: str,
        prompt: str,
        hand: tuple[int, ...],
        highest: int,
    ) -> None:
        """With who chooses, what the battle is about, the question, and the numbers in hand."""
        super().__init__()
        self.numbers = NumberButtons(id="numbers")
        self._player, self._call, self._prompt = player, call, prompt
        self.hand, self._highest = hand, highest
        self._ready = False
        self.add_class(f"side{side}")

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._call, id="call", markup=False)
            yield Static(f"Hand the keyboard to {self._player}.", id="hand", markup=False)
            yield self.numbers
            yield KeyBar((("Enter", "ready", "screen.ready"), *_KEYS))

    def action_ready(self) -> None:
        self._ready = True
        self.query_one("#hand", Static).update(self._prompt.rstrip())
        self.add_class("ready")
        if not self.numbers.is_shown:
            self.numbers.show(self.hand, self._highest)
        whole = len(self.hand) == self._highest
        keys = f"1 to {self._highest}" if whole else listed(map(str, self.hand), "or")
        numbers = (keys, "(hidden while you type)", "")
        self.query_one(KeyBar).show((numbers, *_KEYS))

    def action_keys(self) -> None:
        cast("LineduelApp", self.app).show_text(Content.from_markup(HELP))

    def on_key(self, event: events.Key) -> None:
        number = digit(event) or 0
        if self._ready and number in self.hand:
            event.stop()
            self.dismiss(number)

    def on_number_buttons_chosen(self, message: NumberButtons.Chosen) -> None:
        if self._ready:
            self.dismiss(message.number)

    def action_leave(self) -> None:
        self.dismiss(None)


class Reveal(ModalScreen[None]):
    """Shows both numbers and who won the battle."""

    BINDINGS: ClassVar[list[BindingType]] = [("enter,space,escape", "leave", "go on")]

    def __init__(self, names: Names, numbers: tuple[int, int], sentence: str) -> None:
        super().__init__()
        self._names, self._numbers, self._sentence = names, numbers, sentence

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog reveal"):
            with Horizontal():
                for side, number in zip(Side, self._numbers, strict=True):
                    yield Static(
                        "\n".join((*_DIGITS[number], capitalized(self._names[side]))),
                        classes=f"number player{side}",
                        markup=False,
                    )
            yield Static(self._sentence, markup=False, classes="outcome")
            yield KeyBar((("Enter", "go on", "screen.leave"),))

    def action_leave(self) -> None:
        self.dismiss(None)
