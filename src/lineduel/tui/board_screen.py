"""The base class of the screens that show a board: games, reviews and puzzles."""

from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Static

from lineduel.engine import Game
from lineduel.tui.board import Board

if TYPE_CHECKING:
    from lineduel.match import Match
    from lineduel.tui.app import LineduelApp


class BoardScreen(Screen[None]):
    """A screen with the board of one game, and the keys that all such screens share."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012, as Textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-tall")]  # noqa: RUF012, as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        ("question_mark", "keys", "keys"),
        ("n", "new", "new"),
        ("f", "flip", "flip"),
        ("b", "rules", "rulebook"),
        ("z", "puzzles", "puzzles"),
        ("escape", "home", "games"),
        ("q", "quit", "quit"),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._rulebook = game.rulebook
        self._board = Board(game, id="board")

    @property
    def duel(self) -> "LineduelApp":
        return cast("LineduelApp", self.app)

    @property
    def running(self) -> "Match | None":
        """The game in progress, which is saved on leaving."""
        return None

    def action_new(self) -> None:
        self.duel.set_up(self._rulebook)

    def action_flip(self) -> None:
        self._board.flipped = not self._board.flipped
        self.query_one("#legend", Static).update(self._board.artist.legend(self._board.flipped))

    def action_rules(self) -> None:
        self.duel.show_rules(self._rulebook)

    def action_puzzles(self) -> None:
        self.duel.train(self._rulebook)

    def action_home(self) -> None:
        self.duel.go_home()

    def action_quit(self) -> None:
        self.duel.leave(self.running)
