"""The list of the legal moves, which can be clicked."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Static

from lineduel.engine import Move, Position, Step
from lineduel.narration import Narrator, digits, move_effect
from lineduel.rules import Side
from lineduel.tui.board import Board
from lineduel.tui.track import value_sign

if TYPE_CHECKING:
    from lineduel.coach import MoveAdvice


class MoveList(Static):
    """One move per line: its key, its notation, where it leads, and its value if shown."""

    def __init__(self, narrator: Narrator, *, effects: bool, id: str) -> None:
        """With effects each line tells what its move does, such as `wins`."""
        super().__init__(id=id)
        self._game, self._narrator, self._effects = narrator.game, narrator, effects
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
        lines = [
            self._line(position, move, str(keys.get(move, " ")), move == aimed, advice.get(move))
            for move in moves
        ]
        self.update(Content("\n").join(lines))
        if aimed in moves:
            self.call_after_refresh(self._keep_in_sight, moves.index(aimed))

    def _keep_in_sight(self, line: int) -> None:
        if isinstance(self.parent, Widget):
            self.parent.scroll_to_region(Region(0, line, 1, 1), animate=False, force=True)

    def _line(
        self, position: Position, move: Move, key: str, aimed: bool, advice: "MoveAdvice | None"
    ) -> Content:
        parts: list[tuple[str, str]] = [
            ("› " if aimed else "  ", "bold $key"),
            (f"{key} ", "bold $key"),
            (f"{move!s:<8}", "bold reverse" if aimed else "bold"),
            (f" {self._where(position, move)}", ""),
        ]
        if advice is not None:
            parts.append(_worth(advice, position.side))
        return Content.assemble(*parts)

    def _where(self, position: Position, move: Move) -> str:
        if not isinstance(move, Step):
            return ""
        start, end = self._game.cell_of(position, move.piece), self._game.landing(position, move)
        if start is None or end is None:
            return ""
        label = self._narrator.label
        way = f"{label(start)} → {label(end)}" if start != end else f"stays on {label(start)}"
        effect = str(move_effect(self._game, position, move)) if self._effects else ""
        return f"{way}  {effect}" if effect else way

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
