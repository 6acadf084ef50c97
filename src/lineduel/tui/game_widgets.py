"""The widgets below the board of a game: hints, the legal moves, and the moves so far."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.widgets import Static

from lineduel.engine import Move, Position
from lineduel.narration import Narrator
from lineduel.play import Session
from lineduel.tui.board import Board
from lineduel.tui.game_keys import KEYS
from lineduel.tui.log import Log
from lineduel.tui.moves import MoveList
from lineduel.tui.number_buttons import NumberButtons
from lineduel.tui.screens import KeyBar
from lineduel.tui.typed_move import TypedMove

if TYPE_CHECKING:
    from lineduel.coach import MoveAdvice


class GameWidgets:
    """Creates the widgets and updates what they show."""

    def __init__(
        self, session: Session, narrator: Narrator, board: Board, typed: TypedMove
    ) -> None:
        self.board = board
        self.typed = typed
        self.keys = KeyBar(KEYS)
        self.log = Log(id="log")
        self._advice = Static("", id="advice", markup=False)
        self._moves = MoveList(session.game, narrator, id="moves")
        self.numbers = NumberButtons(id="numbers")
        self._values: Mapping[Move, MoveAdvice] = {}
        self._position = session.position

    def compose(self) -> ComposeResult:
        yield self.typed
        yield self._advice
        with Container(id="below"):
            with VerticalScroll(id="list", can_focus=False):
                yield self.numbers
                yield self._moves
            with Vertical(id="side"):
                yield Static("Moves so far", classes="heading")
                yield self.log
        yield self.keys

    def advise(self, text: str) -> None:
        """Show a hint; an empty text hides it."""
        self._advice.update(text)
        self._advice.display = bool(text)

    def show_position(self, position: Position, moves: tuple[Move, ...] = ()) -> None:
        """Show a position, and the moves that a person can choose."""
        self._position = position
        self.board.show(position, moves)

    def show_moves(self) -> None:
        """Show the list of moves, with the same selection as on the board."""
        self._moves.show(self._position, self.board.moves, self.board.aimed, self._values)

    def show_values(self, advice: "Iterable[MoveAdvice]" = ()) -> None:
        """Show the value of each move, on the board and in the list."""
        self._values = {one.move: one for one in advice}
        self.board.show_values({move: one.value for move, one in self._values.items()})

    def forget_values(self) -> None:
        """Leave the values out of the next list of moves."""
        self._values = {}
