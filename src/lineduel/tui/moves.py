"""The list of the legal moves, which can be clicked."""

from collections.abc import Mapping
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


class MoveList(Static):
    """One move per line: its key, the move, what it does, and its value if shown."""

    def __init__(self, narrator: Narrator, *, effects: bool, id: str) -> None:
        """With effects each line tells what its move does, such as `wins`."""
        super().__init__(id=id)
        self._game, self._effects = narrator.game, effects
        self._moves: tuple[Move, ...] = ()

    def show(
        self,
        position: Position,
        moves: tuple[Move, ...],
        aimed: Move | None,
        advice: "Mapping[Move, MoveAdvice]",
    ) -> None:
        self._moves = moves
        keys = {move: digit for digit, move in digits(self._game, position).items()}
        wide = max((len(move_text(self._game, position, move)) for move in moves), default=0)
        lines = [
            self._line(
                position, move, str(keys.get(move, " ")), wide, move == aimed, advice.get(move)
            )
            for move in moves
        ]
        self.update(Content("\n").join(lines))
        if aimed in moves:
            self.call_after_refresh(self._keep_in_sight, moves.index(aimed))

    def _keep_in_sight(self, line: int) -> None:
        if isinstance(self.parent, Widget):
            self.parent.scroll_to_region(Region(0, line, 1, 1), animate=False, force=True)

    def _line(
        self,
        position: Position,
        move: Move,
        key: str,
        wide: int,
        aimed: bool,
        advice: "MoveAdvice | None",
    ) -> Content:
        effect = str(move_effect(self._game, position, move)) if self._effects else ""
        parts: list[tuple[str, str]] = [
            ("› " if aimed else "  ", "bold $key"),
            (f"{key} ", "bold $key"),
            (f"{move_text(self._game, position, move):<{wide}}", _AIMED if aimed else "bold"),
            (f"  {effect}" if effect else "", ""),
        ]
        if advice is not None:
            from lineduel.coach import reason_in_short

            parts.append(_worth(advice, position.side))
            if words := reason_in_short(self._game, position, advice):
                parts.append((f"  {words}", "$muted"))
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        if 0 <= event.y < len(self._moves):
            self.post_message(Board.Chosen(self._moves[event.y]))


def _worth(advice: "MoveAdvice", side: Side) -> tuple[str, str]:
    """A sign and the value in words, with the chances if they are known, and the colour."""
    from lineduel.coach import figures
    from lineduel.solve import in_words

    cell, colour = value_sign(advice.value, side)
    sign = {"$win": "✓", "$loss": "✗"}.get(colour, cell)
    chances = "" if advice.chances is None else f" ({figures(advice.chances)})"
    return f"  {sign} {in_words(advice.value, side)}{chances}", colour
