"""What screens share on which a move is chosen: on the board, from a list, by its key, or typed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget

from lineduel.engine import Move
from lineduel.errors import LineduelError
from lineduel.narration import Narrator, read_answer
from lineduel.tui.board import Board, BoardScreen
from lineduel.tui.moves import MoveList
from lineduel.tui.screens import digit
from lineduel.tui.typed_move import TypedMove

if TYPE_CHECKING:
    from lineduel.coach import MoveAdvice


def verdict(right: bool, sentence: str) -> Content:
    """What there is to say to an answer, with a sign; the first word is the verdict."""
    word = len("Right" if right else "No")
    sign, colour = ("✓", "$win") if right else ("✗", "$loss")
    return Content.assemble((f"{sign} {sentence[:word]}", f"bold {colour}"), sentence[word:])


class ChoosingScreen(BoardScreen):
    """A board, the moves that can be chosen on it, and what stands beside them."""

    BINDINGS: ClassVar[list[BindingType]] = [("m", "type", "type a move")]

    def __init__(
        self, narrator: Narrator, status: str = "", *, effects: bool = True, is_small: bool = False
    ) -> None:
        """With effects the list tells what each move does, such as `wins`.

        A small board leaves room for texts where a screen is low.
        """
        super().__init__(narrator.game, status, is_small=is_small)
        self.narrator = narrator
        self._typed = TypedMove(self._choose_text, id="typed")
        self._moves = MoveList(narrator, effects=effects, id="moves")

    def compose_moves(self, *above: Widget) -> ComposeResult:
        """The list of moves, with something above it."""
        with VerticalScroll(id="list", can_focus=False):
            yield from above
            yield self._moves

    @property
    def can_choose(self) -> bool:
        """Whether a move can be chosen now."""
        raise NotImplementedError

    def choose(self, move: Move) -> None:
        """Somebody has chosen a move."""
        raise NotImplementedError

    def press_digit(self, number: int) -> None:
        """Choose the move of a digit key."""
        self._board.press_digit(number)

    def complain(self, error: LineduelError) -> None:
        self.notify(str(error), severity="warning", markup=False)

    def show_moves(self, advice: "Mapping[Move, MoveAdvice]") -> None:
        """Show the list of moves, with the same selection as on the board."""
        self._moves.show(self._board.position, self._board.moves, self._board.aimed, advice)

    def _choose_text(self, text: str) -> bool:
        """Choose a move that was typed or pasted; whether it was understood."""
        if self.can_choose:
            try:
                self.choose(read_answer(self.narrator.game, self._board.position, text))
            except LineduelError as error:
                self.complain(error)
                return False
        return True

    def on_board_chosen(self, message: Board.Chosen) -> None:
        self.choose(message.move)

    def on_key(self, event: events.Key) -> None:
        if (self._typed.is_open or self.can_choose) and self._typed.take(event):
            return
        if (number := digit(event)) is not None:
            event.stop()
            self.press_digit(number)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        if self.can_choose:
            self._typed.paste(event.text)

    def action_type(self) -> None:
        if self.can_choose:
            self._typed.begin()
