"""The board: draws the track, animates moves, and lets a person choose one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from lineduel.engine import Event, Game, Move, Position, Step
from lineduel.narration import Names, Narrator, digits, names_for
from lineduel.play import NO_SIDES
from lineduel.tui.screens import FullScreen
from lineduel.tui.track import (
    NO_LIGHTS,
    Artist,
    Layout,
    Lights,
    Picture,
    Target,
    Trail,
    move_frames,
    picture_of,
    value_sign,
)

if TYPE_CHECKING:
    from textual.timer import Timer

    from lineduel.solve import Value

FRAME = 0.07
"""Seconds for which each frame of an animation is shown."""


class Board(Widget, can_focus=True):
    """The track of a game, on which moves can be chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "aim(-1)", "where to", show=False),
        Binding("right,l", "aim(1)", "where to", show=False),
        Binding("up,k", "pick(-1)", "which piece", show=False),
        Binding("down,j", "pick(1)", "which piece", show=False),
        Binding("enter,space", "play", "play", show=False),
    ]
    flipped = reactive(False, layout=True)

    class Aimed(Message):
        """Another move has been selected."""

    class Entered(Message):
        """Enter was pressed, and there is no move to choose."""

    class Chosen(Message):
        """A move was chosen."""

        def __init__(self, move: Move) -> None:
            super().__init__()
            self.move = move

    def __init__(self, game: Game, *, id: str | None = None, is_small: bool = False) -> None:
        """Where a screen is low, the cells of a small board leave more rows to what is below it."""
        super().__init__(id=id)
        self._rows_below = 15 if is_small else 9
        self.artist = Artist(game)
        self._game = game
        self.position = game.start()
        """What is shown once nothing moves any more."""
        self._picture = picture_of(game, self.position)
        self._frames: list[Picture] = []
        """What is left of an animation."""
        self._timer: Timer | None = None
        self.moves: tuple[Move, ...] = ()
        """The moves that can be chosen."""
        self._cells: Mapping[Step, int] = {}
        """The cell to which each of these moves leads."""
        self._keys: Mapping[Move, str] = {}
        """The digit key of each move that has one."""
        self._at = 0
        self._marks = NO_LIGHTS
        self._values: Mapping[Move, Value] = {}
        self._about: frozenset[str | int] = frozenset()
        """The pieces and cells that a reason is about."""
        self._trail: Trail | None = None
        self._won_on: int | None = None

    # What is shown

    @property
    def aimed(self) -> Move | None:
        """The selected move, which Enter plays."""
        return self.moves[self._at] if self.moves else None

    @property
    def is_moving(self) -> bool:
        return bool(self._frames)

    def show(
        self,
        position: Position,
        moves: tuple[Move, ...] = (),
        marks: Lights = NO_LIGHTS,
        trail: Trail | None = None,
        won_on: int | None = None,
        aim: Move | None = None,
    ) -> None:
        """Show a position, with the moves that can be chosen or, if there are none, with marks.

        The first move is selected, or `aim`.
        """
        self.position = position
        self._trail, self._won_on = trail, won_on
        self.moves = moves
        landings = {
            move: self._game.landing(position, move) for move in moves if isinstance(move, Step)
        }
        self._cells = {move: cell for move, cell in landings.items() if cell is not None}
        self._keys = {move: str(digit) for digit, move in digits(self._game, position).items()}
        self._at = moves.index(aim) if aim in moves else 0
        self._marks = marks
        self._values = {}
        self._about = frozenset()
        if not self._frames:
            self._picture = self._at_rest()
        self._changed()

    def _at_rest(self) -> Picture:
        """The position, with the cell on which the game was won."""
        picture = picture_of(self._game, self.position)
        return picture if self._won_on is None else picture._replace(signs={self._won_on: "won"})

    def show_values(self, values: "Mapping[Move, Value]") -> None:
        """Show the value of each move beside its target cell, until the next position is shown."""
        self._values = values
        self._changed()

    def point_out(self, pieces: tuple[str, ...], cells: tuple[int, ...]) -> None:
        """Mark the pieces and cells of a reason, until the next position is shown."""
        self._about = frozenset((*pieces, *cells))
        self._changed()

    def animate_move(self, before: Position, happened: tuple[Event, ...]) -> None:
        """Animate a move, then show the current position."""
        self._frames += move_frames(self._game, before, happened)
        if self._timer is None:
            self._timer = self.set_interval(FRAME, self._next_frame)
            self._next_frame()

    def rest(self) -> None:
        """Stop the animation."""
        self._frames.clear()

    def _next_frame(self) -> None:
        if self._frames:
            self._picture = self._frames.pop(0)
        else:
            self._picture = self._at_rest()
            if self._timer:
                self._timer.stop()
                self._timer = None
        self._changed()

    def _changed(self) -> None:
        self.refresh(layout=True)
        self.post_message(self.Aimed())
        if self.is_attached and isinstance(self.aimed, Step):
            self.call_after_refresh(self._scroll_to_aim)

    def _scroll_to_aim(self) -> None:
        """Scroll a folded track to the target of the selected move."""
        if isinstance(self.aimed, Step) and isinstance(self.parent, Widget) and self.size.width:
            layout = self._layout(self.size.width)
            line = layout.line_of(self._cells[self.aimed])
            row = Region(0, line, layout.width, layout.block)
            self.parent.scroll_to_region(row, animate=False, force=True)

    # How it is drawn

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._layout(width).height + (self.position.hands is not None)

    def _layout(self, width: int) -> Layout:
        """The layout for the current size; cells are taller on a tall screen."""
        tall = self.screen.size.height
        roomy, height = max((tall - self._rows_below) // 3, 2), tall // 2
        return self.artist.layout(self._picture, width, self.flipped, roomy, height)

    def _margin(self, layout: Layout) -> int:
        """The number of columns to the left of the track, which is centred."""
        return max((self.size.width - layout.width) // 2, 0)

    def render(self) -> Content:
        lights = NO_LIGHTS if self.is_moving else self._lights()
        layout = self._layout(self.size.width)
        lines = self.artist.draw(self._picture, lights, layout)
        if self.position.hands is not None:
            lines.append(self.artist.hands(self.position, self.flipped, layout.width))
        return Content("\n").join(line.pad_left(self._margin(layout)) for line in lines)

    def _lights(self) -> Lights:
        aimed = self.aimed
        if not isinstance(aimed, Step):
            about = self._marks.about | self._about
            return self._marks._replace(about=about, trail=self._trail)
        targets: dict[int, Target] = {}
        for move, cell in self._cells.items():
            if move.piece == aimed.piece and (cell not in targets or move == aimed):
                targets[cell] = self._target(move, move == aimed)
        others = frozenset(self._cells.values()) - targets.keys()
        movable = frozenset(move.piece for move in self._cells)
        return Lights(movable, aimed.piece, targets, others, self._about, self._trail)

    def _target(self, move: Move, aimed: bool) -> Target:
        value = self._values.get(move)
        if value is None:
            key = self._keys.get(move)
            return Target(f"[{key}]" if key else "•", aimed=aimed)
        return Target(*value_sign(value, self.position.side), aimed)

    # Choosing a move

    def press_digit(self, digit: int) -> None:
        """Choose the move of a digit key."""
        for move, key in self._keys.items():
            if key == str(digit) and move in self.moves:
                self.post_message(self.Chosen(move))

    def action_aim(self, way: int) -> None:
        """Select the next target to the left or right for the selected piece."""
        aimed = self.aimed
        if isinstance(aimed, Step):
            choices = sorted(self._steps_of(aimed.piece), key=self._cells.__getitem__)
            way = -way if self.flipped else way
            self._aim(choices[(choices.index(aimed) + way) % len(choices)])

    def action_pick(self, way: int) -> None:
        """Select the next piece that can move."""
        aimed = self.aimed
        if isinstance(aimed, Step):
            pieces = list(dict.fromkeys(move.piece for move in self._cells))
            piece = pieces[(pieces.index(aimed.piece) + way) % len(pieces)]
            steps = self._steps_of(piece)
            self._aim(next((move for move in steps if move.step == aimed.step), steps[0]))

    def action_play(self) -> None:
        aimed = self.aimed
        self.post_message(self.Entered() if aimed is None else self.Chosen(aimed))

    def on_click(self, event: events.Click) -> None:
        """Select the piece that is clicked, or move the selected one to a highlighted cell."""
        layout = self._layout(self.size.width)
        cell = layout.cell_at(event.x - self._margin(layout), event.y)
        aimed = self.aimed
        if cell is None or not isinstance(aimed, Step) or self.is_moving:
            return
        there = [move for move in self._steps_of(aimed.piece) if self._cells[move] == cell]
        movable = {move.piece for move in self._cells}
        mine = [piece for piece in self._picture.standing(cell) if piece in movable]
        if there:
            self.post_message(self.Chosen(there[0]))
        elif mine:
            after = mine.index(aimed.piece) + 1 if aimed.piece in mine else 0
            self._aim(self._steps_of(mine[after % len(mine)])[0])

    def _steps_of(self, piece: str) -> list[Step]:
        return [move for move in self._cells if move.piece == piece]

    def _aim(self, move: Move) -> None:
        self._at = self.moves.index(move)
        self._changed()


class BoardScreen(FullScreen):
    """A screen with the board of one game, and the keys that all such screens share."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012, as Textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-tall")]  # noqa: RUF012, as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        ("n", "new", "new"),
        ("f", "flip", "flip"),
        ("b", "rules", "rulebook"),
        ("z", "puzzles", "puzzles"),
        ("escape", "home", "games"),
    ]

    def __init__(self, game: Game, status: str = "", *, is_small: bool = False) -> None:
        super().__init__()
        self._rulebook = game.rulebook
        self._board = Board(game, id="board", is_small=is_small)
        self._status_line = Static(status, id="status")

    def compose_board(self, title: Content) -> ComposeResult:
        """The title, the board with its legend, and the status below it."""
        yield Static(title, id="title")
        with VerticalScroll(id="track", can_focus=False):
            yield self._board
        yield Static(self._legend, id="legend")
        yield self._status_line

    @property
    def names(self) -> Names:
        """What both players are called here, within a sentence."""
        return names_for(Narrator(self._board.artist.game), NO_SIDES, NO_SIDES)

    @property
    def _legend(self) -> Content:
        return self._board.artist.legend(self.names, self._board.flipped)

    def say(self, text: Content) -> None:
        """Show another status."""
        self._status_line.update(text)

    def action_new(self) -> None:
        self.duel.set_up(self._rulebook)

    def action_flip(self) -> None:
        self._board.flipped = not self._board.flipped
        self.query_one("#legend", Static).update(self._legend)

    def action_rules(self) -> None:
        self.duel.show_rules(self._rulebook)

    def action_puzzles(self) -> None:
        self.duel.train(self._rulebook)

    def action_home(self) -> None:
        self.duel.go_home()
