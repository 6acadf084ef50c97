"""The first screen: the games, the game left last, and the ways to everything else."""

from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Static

from lineduel.quantities import counted
from lineduel.rulebooks import catalogue
from lineduel.tui.card import Card
from lineduel.tui.game_keys import HOME_HELP
from lineduel.tui.keys import KeyBar, digit
from lineduel.tui.preview import Preview
from lineduel.tui.thinker import Thinker

if TYPE_CHECKING:
    from lineduel.history import History, SavedGame
    from lineduel.rulebooks import OwnRulebook
    from lineduel.rules import Rulebook
    from lineduel.tui.app import LineduelApp

_CONTINUE = ("c", "continue", "screen.go_on")
_KEYS = (
    ("?", "help", "screen.keys"),
    ("↑ ↓", "choose", "screen.move(1)"),
    ("Enter", "play", "screen.play"),
    ("g", "your games", "screen.history"),
    ("z", "puzzles", "screen.puzzles"),
    ("b", "rules", "screen.rules"),
    ("d", "light/dark", "app.toggle_theme"),
    ("q", "quit", "screen.quit"),
)


MOST, SHOWN = 30, 8
"""How many games are looked at, and how many are shown where there is room."""


class HomeScreen(Screen[None]):
    """What there is to play."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (120, "-huge")]  # noqa: RUF012, as Textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-tall")]  # noqa: RUF012, as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        ("up,left,k,h", "move(-1)", "choose"),
        ("down,right,j,l", "move(1)", "choose"),
        ("enter,space", "play", "play"),
        ("c", "go_on", "continue"),
        ("g", "history", "your games"),
        ("z", "puzzles", "puzzles"),
        ("b", "rules", "rules"),
        ("question_mark", "keys", "help"),
        ("escape", "ask_to_quit", "quit"),
        ("q", "quit", "quit"),
    ]

    def __init__(self, brought: "Rulebook | None" = None) -> None:
        """The shipped games, and one that somebody brought along."""
        super().__init__()
        self._cards = [
            Card(number, entry.id, entry.title, entry.summary)
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
        self._preview = Preview(id="preview")
        self._history: History | None = None
        self._cards[self._at].add_class("chosen")
        self._left: SavedGame | None = None

    @property
    def duel(self) -> "LineduelApp":
        return cast("LineduelApp", self.app)

    def compose(self) -> ComposeResult:
        yield Static("[b reverse] lineduel [/]  [$muted]duels on a line[/]", id="title")
        with Horizontal(id="games-row"):
            with Container(id="cards"):
                yield from self._cards
            yield self._preview
        yield Static("", id="continue")
        yield Static("", id="recent", markup=False)
        yield KeyBar(_KEYS)

    def on_mount(self) -> None:
        self._thinker = Thinker(self.duel)
        # The first picture is there before anything is read or played.
        self.call_after_refresh(self.set_timer, 0.02, self._come_alive)

    def on_unmount(self) -> None:
        self._thinker.stop()

    def _come_alive(self) -> None:
        for card in self._cards:
            card.live(self.duel.animated)
        self._show_preview()
        self._thinker.ask(_own_rulebooks, self._add_own, lambda error: None)
        self._thinker.ask(_recent, self._show_recent, lambda error: None)

    def _add_own(self, rulebooks: "tuple[OwnRulebook, ...]") -> None:
        """Show the user's own rulebooks below the games that come with the program."""
        brought = self._brought and (self._brought.id, self._brought.title)
        others = [one for one in rulebooks if (one.path.stem, one.title) != brought]
        cards = [
            Card(number, one.address, one.title, one.summary, own=True)
            for number, one in enumerate(others, start=len(self._cards) + 1)
        ]
        if not cards:
            return
        self._cards += cards
        self.query_one("#cards").add_class("many").mount_all(cards)
        for card in cards:
            card.live(self.duel.animated)

    def _show_recent(self, history: "History") -> None:
        from lineduel.tui.history import game_line

        self._history = history
        self._show_preview()
        width = self.size.width - 4
        lines = [game_line(game, width) for game in history.games[:SHOWN]]
        self.query_one("#recent", Static).update("\n".join(lines))
        self._left = history.latest_unfinished
        if self._left is None:
            return
        self.query_one(KeyBar).show((_CONTINUE, *_KEYS))
        record = self._left.record
        moves = counted(len(record.moves), "move")
        game = f"{record.rulebook.title}, after {moves}"
        told = Content.assemble(("c", "bold $key"), f" continue {game}")
        self.query_one("#continue", Static).update(
            told.stylize(Style.from_meta({"@click": "screen.go_on"}))
        )

    @property
    def _game(self) -> "Rulebook | str":
        return self._cards[self._at].game

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
        card = self._cards[self._at]
        demo = card.demo
        title = demo.game.rulebook.title if demo else ""
        games = self._history.games if self._history else ()
        ended = (game for game in games if game.record.winner is not None)
        last = next((game for game in ended if game.record.rulebook.title == title), None)
        self._preview.show(demo, last)

    def on_card_ticked(self, message: Card.Ticked) -> None:
        if message.card is self._cards[self._at]:
            self._preview.refresh()

    def on_key(self, event: events.Key) -> None:
        number = digit(event) or 0
        if 1 <= number <= len(self._cards):
            event.stop()
            self._choose(number - 1)
            self.action_play()

    def on_card_picked(self, message: Card.Picked) -> None:
        self._choose(self._cards.index(message.card))
        self.action_play()

    def action_play(self) -> None:
        self.duel.set_up(self._game)

    def action_go_on(self) -> None:
        if self._left is None:
            self.notify("There is no unfinished game.")
        else:
            self.duel.resume(self._left.path)

    def action_history(self) -> None:
        self.duel.show_history()

    def action_puzzles(self) -> None:
        self.duel.train(self._game)

    def action_rules(self) -> None:
        self.duel.show_rules(self._game)

    def action_keys(self) -> None:
        self.duel.show_text(Content.from_markup(HOME_HELP))

    def action_ask_to_quit(self) -> None:
        from lineduel.tui.dialogs import Confirm

        def leave(yes: bool | None) -> None:
            if yes:
                self.action_quit()

        self.app.push_screen(Confirm("Leave lineduel?"), leave)

    def action_quit(self) -> None:
        self.duel.leave(None)


def _recent() -> "History":
    from lineduel.history import read_history
    from lineduel.match import Saves

    return read_history(Saves(), MOST)


def _own_rulebooks() -> "tuple[OwnRulebook, ...]":
    from lineduel.rulebooks import own_rulebooks

    return own_rulebooks()
