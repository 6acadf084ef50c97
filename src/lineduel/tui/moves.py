"""The list of the legal moves, which can be clicked."""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Static

from lineduel.engine import Move, Position
from lineduel.narration import Narrator, digits, move_effect, move_text
from lineduel.rules import Side
from lineduel.tui.board import Board
from lineduel.tui.track import value_sign

if TYPE_CHECKING:
    from lineduel.coach import MoveAdvice


_AIMED = "bold reverse"
_BELOW = " " * 6


class MoveList(Static):
    """The moves: each with its key, what it does, and its value with a reason if shown."""

    def __init__(self, narrator: Narrator, *, effects: bool, id: str) -> None:
        """With effects each line tells what its move does, such as `wins`."""
        super().__init__(id=id)
        self._game, self._effects = narrator.game, effects
        self._position: Position | None = None
        self._moves: tuple[Move, ...] = ()
        self._aimed: Move | None = None
        self._advice: Mapping[Move, MoveAdvice] = {}
        self._rows: tuple[Move, ...] = ()
        """The move of each row on the screen."""

    def show(
        self,
        position: Position,
        moves: tuple[Move, ...],
        aimed: Move | None,
        advice: "Mapping[Move, MoveAdvice]",
    ) -> None:
        self._position, self._moves, self._aimed, self._advice = position, moves, aimed, advice
        self._draw()

    def tell(self, text: Content) -> None:
        """Show a text where no move can be chosen."""
        self._moves = self._rows = ()
        self.update(text)

    def on_resize(self) -> None:
        if self._moves:
            self._draw()

    def _draw(self) -> None:
        position, moves, aimed = self._position, self._moves, self._aimed
        if position is None:
            return
        keys = {move: digit for digit, move in digits(self._game, position).items()}
        wide = max((len(move_text(self._game, position, move)) for move in moves), default=0)
        lines: list[Content] = []
        rows: list[Move] = []
        at = 0
        for move in moves:
            if move == aimed:
                at = len(lines)
            lines += self._lines(position, move, str(keys.get(move, " ")), wide)
            rows += [move] * (len(lines) - len(rows))
        self._rows = tuple(rows)
        self.update(Content("\n").join(lines))
        if aimed in moves:
            self.call_after_refresh(self._keep_in_sight, at, rows.count(aimed))

    def _keep_in_sight(self, line: int, rows: int) -> None:
        if isinstance(self.parent, Widget):
            self.parent.scroll_to_region(Region(0, line, 1, rows), animate=False, force=True)

    def _lines(self, position: Position, move: Move, key: str, wide: int) -> Iterator[Content]:
        """The lines of a move; value and reason go on below it where they have no room."""
        aimed, advice = move == self._aimed, self._advice.get(move)
        effect = str(move_effect(self._game, position, move)) if self._effects else ""
        parts: list[tuple[str, str]] = [
            ("› " if aimed else "  ", "bold $key"),
            (f"{key} ", "bold $key"),
            (f"{move_text(self._game, position, move):<{wide}}", _AIMED if aimed else "bold"),
            (f"  {effect}" if effect else "", ""),
        ]
        more: list[tuple[str, str]] = []
        if advice is not None:
            from lineduel.coach import reason_in_short

            more.append(_worth(advice, position.side))
            if words := reason_in_short(self._game, position, advice):
                more.append((words, "$muted"))
        room = self.size.width or 80
        for text, style in more:
            if sum(len(one) for one, _ in parts) + len(text) + 2 <= room:
                parts.append((f"  {text}", style))
                continue
            yield Content.assemble(*parts)
            *above, last = wrap(text, max(room - len(_BELOW), 20), break_on_hyphens=False)
            yield from (Content.styled(_BELOW + line, style) for line in above)
            parts = [(_BELOW + last, style)]
        yield Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        if 0 <= event.y < len(self._rows):
            self.post_message(Board.Chosen(self._rows[event.y]))


def _worth(advice: "MoveAdvice", side: Side) -> tuple[str, str]:
    """A sign and the value in words, with the chances if they are known, and the colour."""
    from lineduel.coach import figures
    from lineduel.solve import in_words

    cell, colour = value_sign(advice.value, side)
    sign = {"$win": "✓", "$loss": "✗"}.get(colour, cell)
    chances = "" if advice.chances is None else f" ({figures(advice.chances)})"
    return f"{sign} {in_words(advice.value, side)}{chances}", colour
