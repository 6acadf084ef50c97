"""A game on the home screen: its name, its summary, and a small track with a demo game."""

from random import Random
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

if TYPE_CHECKING:
    from lineduel.rules import Rulebook

TICK = 0.7
"""Seconds between two moves of a small track."""
TITLE, GOAL = "bold", "$muted"
MOST_KEYS = 9
"""Cards beyond this number have no key of their own."""


class Card(Widget):
    """A game to choose; its demo starts once the screen has been drawn."""

    class Picked(Message):
        def __init__(self, card: "Card") -> None:
            super().__init__()
            self.card = card

    def __init__(
        self, number: int, game: "Rulebook | str", title: str, goal: str, *, own: bool = False
    ) -> None:
        """A game that comes with the program, or a rulebook of the user's `own`."""
        super().__init__()
        self.game = game
        """A rulebook, or the id of one that has not been read yet."""
        self._number, self._title, self._goal = number, title, goal
        self._own = "  your rulebook" if own else ""
        self._track = Content("")
        self.demo: Demo | None = None
        """The demo game, once it has started."""

    def render(self) -> Content:
        mark = "›" if self.has_class("chosen") else " "
        key = self._number if self._number <= MOST_KEYS else " "
        return Content("\n").join(
            (
                Content.assemble(
                    (f"{mark}{key} ", "bold $key"), (self._title, TITLE), (self._own, GOAL)
                ),
                Content.styled(f"   {self._goal}", GOAL),
                Content.assemble("   ", self._track),
            )
        )

    class Ticked(Message):
        """The demo game has made a move."""

        def __init__(self, card: "Card") -> None:
            super().__init__()
            self.card = card

    def live(self, animated: bool) -> None:
        """Show the track and start the demo game."""
        self.demo = demo = Demo(self.game)
        self._track = demo.drawn()
        self.refresh()
        if animated:
            self.set_interval(TICK, lambda: self._tick(demo))

    def _tick(self, demo: "Demo") -> None:
        demo.move()
        self._track = demo.drawn()
        self.refresh()
        self.post_message(self.Ticked(self))

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Picked(self))


class Demo:
    """An endless series of games with random moves."""

    def __init__(self, game: "Rulebook | str") -> None:
        from lineduel.engine import Game
        from lineduel.rulebooks import find_rulebook

        rulebook = find_rulebook(game) if isinstance(game, str) else game
        self.game = Game(rulebook)
        self._rng = Random(rulebook.id)
        self._position = self.game.start()

    def move(self) -> None:
        moves = self.game.moves(self._position)
        if moves:
            self._position = self.game.play(self._position, self._rng.choice(moves))
        else:
            self._position = self.game.start()

    def drawn_large(self, width: int) -> list[Content]:
        """The track as large as on the board."""
        from lineduel.tui.drawing import NO_LIGHTS, Artist
        from lineduel.tui.picture import picture_of

        artist, picture = Artist(self.game), picture_of(self.game, self._position)
        layout = artist.layout(picture, width, flipped=False, roomy=3)
        return artist.draw(picture, NO_LIGHTS, layout)

    def drawn(self) -> Content:
        """The track in one line, with two columns for each cell."""
        from lineduel.rules import Side
        from lineduel.tui.drawing import FLAGS, PLAYER, piece_shape

        parts: list[tuple[str, str]] = []
        for cell in self.game.rules.track.cells:
            here = [side for side in Side if cell in self._position.cells(side)]
            flags = [side for side in Side if cell in self.game.rules.team(side.other).goal]
            if len(here) == 2:
                parts.append(("✕ ", "bold $fight"))
            elif here:
                parts.append((f"{piece_shape(here[0], False)} ", f"bold {PLAYER[here[0]]}"))
            elif flags:
                parts.append((f"{FLAGS[flags[0]]} ", PLAYER[flags[0]]))
            else:
                parts.append(("· ", "$muted"))
        return Content.assemble(*parts)
