"""The board widget: draws the track, animates moves, and lets a person choose one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from lineduel.engine import Event, Game, Move, Position, Step
from lineduel.narration import digits
from lineduel.rules import Side
from lineduel.tui.drawing import NO_LIGHTS, Artist, Lights, Target
from lineduel.tui.layout import Layout
from lineduel.tui.picture import Picture, moments, picture_of
from lineduel.tui.value_sign import value_sign

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

    def __init__(self, game: Game, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.artist = Artist(game)
        self._game = game
        self._position = game.start()
        self._picture = picture_of(game, self._position)
        self._pictures: list[Picture] = []
        self._moves: tuple[Move, ...] = ()
        self._marks = NO_LIGHTS
        self._values: Mapping[Move, Value] = {}
        self._at = 0
        self._ways: Mapping[Move, str] = {}
        self._timer: Timer | None = None

    # What is shown

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that can be chosen."""
        return self._moves

    @property
    def aimed(self) -> Move | None:
        """The selected move, which Enter plays."""
        return self._moves[self._at] if self._moves else None

    @property
    def is_moving(self) -> bool:
        return bool(self._pictures)

    def show(
        self, position: Position, moves: tuple[Move, ...] = (), marks: Lights = NO_LIGHTS
    ) -> None:
        """Show a position, with the moves that can be chosen or, if there are none, with marks."""
        self._position = position
        self._moves = moves
        self._marks = marks
        self._values = {}
        self._ways = {move: str(digit) for digit, move in digits(self._game, position).items()}
        self._at = 0
        if not self._pictures:
            self._picture = picture_of(self._game, position)
        self._changed()

    def show_values(self, values: "Mapping[Move, Value]") -> None:
        """Show the value of each move beside its target cell, until the next position is shown."""
        self._values = values
        self._changed()

    def animate_move(self, before: Position, happened: tuple[Event, ...]) -> None:
        """Animate a move, then show the current position."""
        self._pictures += moments(self._game, before, happened)
        if self._timer is None:
            self._timer = self.set_interval(FRAME, self._next_picture)
            self._next_picture()

    def rest(self) -> None:
        """Stop the animation."""
        self._pictures.clear()

    def _next_picture(self) -> None:
        if self._pictures:
            self._picture = self._pictures.pop(0)
        else:
            self._picture = picture_of(self._game, self._position)
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
        move, parent = self.aimed, self.parent
        cell = self._game.landing(self._position, move) if isinstance(move, Step) else None
        if cell is not None and isinstance(parent, Widget) and self.size.width:
            layout = self._layout(self.size.width)
            row = Region(0, layout.line_of(cell), layout.width, layout.block)
            parent.scroll_to_region(row, animate=False, force=True)

    # Drawing

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._layout(width).height

    def _layout(self, width: int) -> Layout:
        """The layout for the current size; cells are taller on a tall screen."""
        tall = self.screen.size.height
        roomy, height = max((tall - 9) // 3, 2), tall // 2
        return self.artist.layout(self._picture, width, self.flipped, roomy, height)

    def _margin(self, layout: Layout) -> int:
        """The number of columns to the left of the track, which is centred."""
        return max((self.size.width - layout.width) // 2, 0)

    def render(self) -> Content:
        lights = NO_LIGHTS if self.is_moving else self._lights()
        layout = self._layout(self.size.width)
        lines = self.artist.draw(self._picture, lights, layout, self.flipped)
        margin = self._margin(layout)
        return Content("\n").join(line.pad_left(margin) for line in lines)

    def _lights(self) -> Lights:
        steps = [move for move in self._moves if isinstance(move, Step)]
        aimed = self.aimed
        if not isinstance(aimed, Step):
            return self._marks
        targets: dict[int, Target] = {}
        for move in steps:
            cell = self._game.landing(self._position, move)
            if move.piece != aimed.piece or cell is None or (cell in targets and move != aimed):
                continue
            targets[cell] = self._target(move, move == aimed)
        reached = {self._game.landing(self._position, move) for move in steps}
        others = frozenset(cell for cell in reached if cell is not None) - targets.keys()
        return Lights(frozenset(move.piece for move in steps), aimed.piece, targets, others)

    def _target(self, move: Move, aimed: bool) -> Target:
        value = self._values.get(move)
        if value is None:
            return Target(self._ways.get(move, "•"), aimed=aimed)
        text, style = value_sign(value, self._position.side)
        return Target(text, style, aimed)

    # Choosing a move

    def press_digit(self, digit: int) -> None:
        """Choose the move of a digit key."""
        move = digits(self._game, self._position).get(digit)
        if move in self._moves and move is not None:
            self.post_message(self.Chosen(move))

    def action_aim(self, way: int) -> None:
        """Select the next target to the left or right for the selected piece."""
        aimed = self.aimed
        if not isinstance(aimed, Step):
            return
        way *= -1 if self.flipped else 1
        choices = sorted(
            (
                (self._game.landing(self._position, move) or 0, at)
                for at, move in enumerate(self._moves)
                if isinstance(move, Step) and move.piece == aimed.piece
            ),
        )
        now = next(number for number, (_, at) in enumerate(choices) if at == self._at)
        self._at = choices[(now + way) % len(choices)][1]
        self._changed()

    def action_pick(self, way: int) -> None:
        """Select the next piece that can move."""
        aimed = self.aimed
        if not isinstance(aimed, Step):
            return
        pieces = list(dict.fromkeys(move.piece for move in self._moves if isinstance(move, Step)))
        piece = pieces[(pieces.index(aimed.piece) + way) % len(pieces)]
        self._pick(piece, aimed.step)

    def action_play(self) -> None:
        aimed = self.aimed
        self.post_message(self.Entered() if aimed is None else self.Chosen(aimed))

    def _pick(self, piece: str, step: int | None = None) -> None:
        own = [move for move in self._moves if isinstance(move, Step) and move.piece == piece]
        if own:
            same = [move for move in own if move.step == step]
            self._at = self._moves.index((same or own)[0])
            self._changed()

    def on_click(self, event: events.Click) -> None:
        """Select the piece that is clicked, or move the selected one to a highlighted cell."""
        layout = self._layout(self.size.width)
        cell = layout.cell_at(event.x - self._margin(layout), event.y)
        aimed = self.aimed
        if cell is None or not isinstance(aimed, Step) or self.is_moving:
            return
        there = [
            move
            for move in self._moves
            if isinstance(move, Step)
            and move.piece == aimed.piece
            and self._game.landing(self._position, move) == cell
        ]
        mine = self._mine_on(cell)
        if there:
            self.post_message(self.Chosen(there[0]))
        elif mine:
            after = mine.index(aimed.piece) + 1 if aimed.piece in mine else 0
            self._pick(mine[after % len(mine)])

    def _mine_on(self, cell: int) -> list[str]:
        side: Side = self._position.side
        return [piece for piece in self._picture.standing(cell) if self._game.owner(piece) is side]
