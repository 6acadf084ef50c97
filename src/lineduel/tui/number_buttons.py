"""The numbers of a battle as buttons, with their values if they are turned on."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from lineduel.quantities import percent, signed_worth

if TYPE_CHECKING:
    from lineduel.coach import NumberAdvice

_GAP = 1
_LEGEND = "what it is worth, and how often best play chooses it"


class NumberButtons(Widget):
    """One button for each number, chosen by a click or its digit key."""

    class Chosen(Message):
        """A number was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._numbers = range(0)
        self._hand: frozenset[int] = frozenset()
        self._advice: Mapping[int, NumberAdvice] = {}

    @property
    def is_shown(self) -> bool:
        """Whether there are numbers to choose from."""
        return bool(self._numbers)

    def hide(self) -> None:
        """Show nothing, since there is nothing to choose."""
        self.show((), 0)

    def show(
        self, hand: Sequence[int], highest: int, advice: "tuple[NumberAdvice, ...]" = ()
    ) -> None:
        """Show the numbers from 1 to `highest`; those that are not in hand are seen to be spent."""
        self._numbers = range(1, highest + 1)
        self._hand = frozenset(hand)
        self._advice = {one.number: one for one in advice}
        self.refresh(layout=True)

    @property
    def _inner(self) -> int:
        """The width of a button in columns, without its borders."""
        return 6 if self._advice else 3

    @property
    def _wide(self) -> int:
        """The width of a button in columns, with its borders and the gap after it."""
        return self._inner + 2 + _GAP

    @property
    def _tall(self) -> int:
        return 5 if self._advice else 3

    def get_content_width(self, container: Size, viewport: Size) -> int:
        buttons = len(self._numbers) * self._wide - _GAP
        return max(buttons, len(_LEGEND)) if self._advice else buttons

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._rows(width)) * self._tall + bool(self._advice)

    def _rows(self, width: int) -> list[range]:
        length = max((width + _GAP) // self._wide, 1)
        return [self._numbers[at : at + length] for at in range(0, len(self._numbers), length)]

    def render(self) -> Content:
        lines = [line for row in self._rows(self.size.width) for line in self._drawn(row)]
        if self._advice:
            lines.append(Content.styled(_LEGEND, "$muted"))
        return Content("\n").join(lines)

    def _drawn(self, row: range) -> list[Content]:
        gap, inner = Content(" " * _GAP), self._inner
        borders = [("$key" if number in self._hand else "$muted") for number in row]
        lines = [
            gap.join(Content.styled(f"╭{'─' * inner}╮", border) for border in borders),
            gap.join(
                Content.assemble(("│", border), self._face(number), ("│", border))
                for number, border in zip(row, borders, strict=True)
            ),
            gap.join(Content.styled(f"╰{'─' * inner}╯", border) for border in borders),
        ]
        if self._advice:
            lines += [
                gap.join(Content(f"{self._worth(number):^{inner + 2}}") for number in row),
                gap.join(
                    Content.styled(f"{self._chance(number):^{inner + 2}}", "$muted")
                    for number in row
                ),
            ]
        return lines

    def _face(self, number: int) -> tuple[str, str]:
        """What stands on a button, and in which style; nothing on one that is spent."""
        in_hand = number in self._hand
        return (f"{number:^{self._inner}}", "bold") if in_hand else ("·" * self._inner, "$muted")

    def _worth(self, number: int) -> str:
        return signed_worth(self._advice[number].worth) if number in self._advice else ""

    def _chance(self, number: int) -> str:
        return percent(self._advice[number].chance) if number in self._advice else ""

    def on_click(self, event: events.Click) -> None:
        rows = self._rows(self.size.width)
        row, column = event.y // self._tall, event.x // self._wide
        if row < len(rows) and column < len(rows[row]) and rows[row][column] in self._hand:
            self.post_message(self.Chosen(rows[row][column]))
