"""The first screen: the games, the game left last, and the ways to everything else."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from lineduel.errors import shown
from lineduel.preferences import load_preferences
from lineduel.quantities import counted
from lineduel.rulebooks import START_HERE, catalogue, own_rulebooks
from lineduel.tui.game_keys import HOME_HELP
from lineduel.tui.screens import FullScreen, KeyBar, digit

if TYPE_CHECKING:
    from lineduel.history import History, SavedGame
    from lineduel.rulebooks import CatalogueEntry
    from lineduel.rules import Rulebook

_CONTINUE = ("c", "continue", "screen.go_on")
_READ, _LISTED = 30, 8
"""How many of the latest games are read, and how many are listed where there is room."""
_TICK = 0.7
"""Seconds between two moves of a demo."""
_LAST_KEY = 9
"""Cards beyond this number have no key of their own."""


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

    def large(self, width: int) -> list[Content]:
        """The track as large as on the board."""
        from lineduel.tui.track import NO_LIGHTS, Artist, picture_of

        artist, picture = Artist(self.game), picture_of(self.game, self._position)
        return artist.draw(picture, NO_LIGHTS, artist.layout(picture, width, roomy=3))

    def small(self) -> Content:
        """The track in one line, with two columns for each cell."""
        from lineduel.rules import Side
        from lineduel.tui.track import FLAGS, PLAYER, piece_shape

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


class Card(Widget):
    """A game to choose: its name, its summary, and a demo on a small track."""

    def __init__(
        self, number: int, game: "Rulebook | str", title: str, goal: str, *, own: bool = False
    ) -> None:
        """A game that comes with the program, or a rulebook of the user's `own`."""
        super().__init__()
        self.game = game
        """A rulebook, or the id of one that has not been read yet."""
        self._key = number if number <= _LAST_KEY else " "
        self._title, self._goal = title, goal
        self._note = "  start here" if game == START_HERE else ""
        if own:  # two of the same title differ by their file
            self._note = f"  your rulebook {shown('/'.join(Path(str(game)).parts[-2:]), 40)}"
        self.demo: Demo | None = None
        """The demo, which starts once the screen has been drawn."""

    def render(self) -> Content:
        mark = "›" if self.has_class("chosen") else " "
        key = (f"{mark}{self._key} ", "bold $key")
        return Content("\n").join(
            (
                Content.assemble(key, (self._title, "bold"), (self._note, "$muted")),
                Content.styled(f"   {self._goal}", "$muted"),
                Content.assemble("   ", self.demo.small() if self.demo else ""),
            )
        )

    def start_demo(self) -> None:
        self.demo = Demo(self.game)
        self.refresh()


class Preview(Widget):
    """The chosen game: a large track, the rules in short, and the last result; empty at first."""

    def __init__(self) -> None:
        super().__init__(id="preview")
        self._demo: Demo | None = None
        self._last = ""

    def show(self, demo: Demo | None, last: str) -> None:
        """Show a demo, and a sentence about the last game played."""
        self._demo, self._last = demo, last
        self.refresh()

    def render(self) -> Content:
        if self._demo is None:
            return Content("")
        from lineduel.rules import describe

        rulebook, gap = self._demo.game.rulebook, Content("")
        _, turn, meeting, winning, *_ = describe(rulebook)
        rules = turn.paragraphs[0], meeting.paragraphs[-1], *winning.paragraphs[:2]
        parts = [
            Content.styled(rulebook.title, "bold"),
            Content.styled(rulebook.summary, "$muted"),
            gap,
            *self._demo.large(self.size.width),
            gap,
            Content(" ".join(rules)),
            gap,
        ]
        if self._last:
            parts += [Content.styled(self._last, "$muted"), gap]
        keys = "[bold $key]Enter[/] play   [bold $key]b[/] all the rules   [bold $key]z[/] puzzles"
        return Content("\n").join((*parts, Content.from_markup(keys)))


class HomeScreen(FullScreen):
    """What there is to play."""

    HELP = HOME_HELP
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (120, "-huge")]  # noqa: RUF012, as Textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-tall")]  # noqa: RUF012, as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        ("up,left,k,h", "move(-1)", "choose"),
        Binding("down,right,j,l", "move(1)", "choose", key_display="↑ ↓"),
        Binding("enter,space", "play", "play", key_display="Enter"),
        ("c", "go_on", "continue"),
        ("e", "first_duel", "your first duel"),
        Binding("g", "app.show_history", "your games", key_display="g"),
        Binding("z", "puzzles", "puzzles", key_display="z"),
        Binding("t", "app.show_lessons", "lessons", key_display="t"),
        Binding("b", "rules", "rules", key_display="b"),
        Binding("d", "app.toggle_theme", "light/dark", key_display="d"),
        ("escape", "ask_to_quit", "quit"),
    ]

    def __init__(self, brought: "Rulebook | None" = None) -> None:
        """The shipped games, and one that somebody brought along."""
        super().__init__()
        self._cards = [
            Card(number, entry.address, entry.title, entry.summary)
            for number, entry in enumerate(catalogue(), start=1)
        ]
        games = [card.game for card in self._cards]
        self._at = 0
        if brought and brought.id in games:
            self._at = games.index(brought.id)
        elif brought:
            self._at = len(games)
            number = len(games) + 1
            self._cards.append(Card(number, brought, brought.full_title, brought.summary))
        self._brought = brought
        self._cards[self._at].add_class("chosen")
        self._preview = Preview()
        self._history: History | None = None

    def compose(self) -> ComposeResult:
        yield Static("[b reverse] lineduel [/]  [$muted]duels on a line[/]", id="title")
        with Horizontal(id="games-row"):
            with Container(id="cards"):
                yield from self._cards
                yield Static("", id="next")
            yield self._preview
        yield Static("", id="continue")
        yield Static("", id="recent", markup=False)
        yield KeyBar(self.keys)

    def on_mount(self) -> None:
        # The first picture is there before anything is read or played.
        self.call_after_refresh(self.set_timer, 0.02, self._come_alive)

    def _come_alive(self) -> None:
        for card in self._cards:
            card.start_demo()
        self._show_preview()
        if self.duel.animated:
            self.set_interval(_TICK, self._tick)
        self.thinker.ask(own_rulebooks, self._add_own, lambda error: None)
        self.thinker.ask(_recent, self._show_recent, lambda error: None)

    def _tick(self) -> None:
        """Make a move in every demo."""
        for card in self._cards:
            if card.demo is not None:
                card.demo.move()
                card.refresh()
        self._preview.refresh()

    def _add_own(self, rulebooks: "tuple[CatalogueEntry, ...]") -> None:
        """Show the user's own rulebooks below the games that come with the program."""
        brought = self._brought and (self._brought.id, self._brought.title)
        others = [one for one in rulebooks if (Path(one.address).stem, one.title) != brought]
        cards = [
            Card(number, one.address, one.title, one.summary, own=True)
            for number, one in enumerate(others, start=len(self._cards) + 1)
        ]
        if not cards:
            return
        self._cards += cards
        self.query_one("#cards").add_class("many").mount_all(cards)
        for card in cards:
            card.start_demo()

    def _show_recent(self, history: "History") -> None:
        from lineduel.tui.history import game_line

        self._history = history
        self._show_preview()
        width, now = self.size.width - 4, self.duel.clock()
        lines = [game_line(game, width, now) for game in history.games[:_LISTED]]
        self.query_one("#recent", Static).update("\n".join(lines))
        self._show_next(history.games)
        if not history.games and not load_preferences().first_lesson:
            self._greet()
        if (left := history.latest_unfinished) is None:
            return
        self.query_one(KeyBar).show((_CONTINUE, *self.keys))
        turns = counted(len(left.record.moves), "turn")
        game = f"{left.record.rulebook.title}, after {turns}"
        text = Content.assemble(("c", "bold $key"), f" continue {game}")
        self.query_one("#continue", Static).update(
            text.stylize(Style.from_meta({"@click": "screen.go_on"}))
        )

    def _show_next(self, games: "Sequence[SavedGame]") -> None:
        """What else there is to do, beside the games."""
        first = self._last_result(games) or "No game finished yet."
        lines = (
            Content.styled(f" {first}", "$muted"),
            Content.from_markup(" [bold $key]z[/] a puzzle of the chosen game"),
            Content.from_markup(" [bold $key]e[/] your first duel   [bold $key]t[/] all lessons"),
        )
        self.query_one("#next", Static).update(Content("\n").join(lines))

    def _greet(self) -> None:
        """Offer the first lesson to somebody who has not played yet."""
        text = Content.assemble(
            ("New here? ", "bold"), ("e", "bold $key"), " begins your first duel, in three minutes"
        )
        link = Style.from_meta({"@click": "screen.first_duel"})
        self.query_one("#continue", Static).update(text.stylize(link))

    # Choosing a game

    def action_move(self, way: int) -> None:
        self._choose((self._at + way) % len(self._cards))

    def _choose(self, at: int) -> None:
        self._cards[self._at].remove_class("chosen").refresh()
        self._at = at
        self._cards[at].add_class("chosen").refresh()
        self._cards[at].scroll_visible(animate=False)
        self._show_preview()

    def _show_preview(self) -> None:
        """Show the chosen game beside the others, where there is room."""
        demo = self._cards[self._at].demo
        title = demo.game.rulebook.title if demo else ""
        games = self._history.games if self._history else ()
        same = [game for game in games if game.record.rulebook.title == title]
        self._preview.show(demo, self._last_result(same))

    def _last_result(self, games: "Sequence[SavedGame]") -> str:
        """A sentence about the last game that was finished; empty if there is none."""
        from lineduel.tui.history import last_result

        ended = (game for game in games if game.record.winner is not None)
        return next((last_result(game, self.duel.clock()) for game in ended), "")

    def on_key(self, event: events.Key) -> None:
        number = digit(event) or 0
        if 1 <= number <= len(self._cards):
            event.stop()
            self._choose(number - 1)
            self.action_play()

    def on_click(self, event: events.Click) -> None:
        card, _ = self.get_widget_at(*event.screen_offset)
        if isinstance(card, Card):
            self._choose(self._cards.index(card))
            self.action_play()

    # The other keys

    @property
    def _game(self) -> "Rulebook | str":
        return self._cards[self._at].game

    def action_play(self) -> None:
        self.duel.set_up(self._game)

    def action_puzzles(self) -> None:
        self.duel.train(self._game)

    def action_rules(self) -> None:
        self.duel.show_rules(self._game)

    def action_first_duel(self) -> None:
        from lineduel.coach import FIRST_LESSON

        self.duel.teach(FIRST_LESSON)

    def action_go_on(self) -> None:
        left = self._history.latest_unfinished if self._history else None
        if left is None:
            self.notify("There is no unfinished game.")
        else:
            self.duel.resume(left.path)

    def action_ask_to_quit(self) -> None:
        self.duel.confirm("Leave lineduel?", self.action_quit)


def _recent() -> "History":
    from lineduel.history import read_history
    from lineduel.match import Saves

    return read_history(Saves(), _READ)
