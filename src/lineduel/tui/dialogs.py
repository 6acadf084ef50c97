"""Dialogs in the middle of the screen: questions, text to read, and the setup of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.style import Style
from textual.widgets import Static

from lineduel.engine import Game
from lineduel.errors import LineduelError
from lineduel.players import (
    ENGINE_PREFIX,
    HUMAN,
    check_player_name,
    describe_players,
    player_in_words,
)
from lineduel.preferences import Preferences, check_name, load_preferences
from lineduel.rules import Side, apply_variant
from lineduel.tui.screens import KeyBar, digit, shown_keys

if TYPE_CHECKING:
    from textual.widgets import Input

    from lineduel.match import GameSetup
    from lineduel.tui.app import LineduelApp

DEFAULT_OPPONENT = "level:3"
_PERSON = "a second person"


class Confirm(ModalScreen[bool]):
    """A yes-or-no question."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "yes", key_display="y"),
        Binding("n,escape", "dismiss(False)", "no", key_display="n"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            yield KeyBar(tuple(shown_keys(self)))


class Ask(ModalScreen[str | None]):
    """A question that is answered with a line of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "back", key_display="Esc")
    ]

    def __init__(self, question: str, typed: str = "", *, may_be_empty: bool = False) -> None:
        super().__init__()
        self._question, self._typed, self._may_be_empty = question, typed, may_be_empty

    def compose(self) -> ComposeResult:
        from textual.widgets import Input

        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            yield Input(self._typed, select_on_focus=False)
            yield KeyBar((("Enter", "done", ""), *shown_keys(self)))

    def on_input_submitted(self, event: "Input.Submitted") -> None:
        text = event.value.strip()
        self.dismiss(text if text or self._may_be_empty else None)


class Choose(ModalScreen[str | None]):
    """A question with a few answers, each chosen by its digit key or a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "back", key_display="Esc")
    ]

    def __init__(self, question: str, answers: Mapping[str, str]) -> None:
        """`answers` are what is shown, by what is given back."""
        super().__init__()
        self._question, self._answers = question, answers

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            for number, text in enumerate(self._answers.values(), start=1):
                line = Content.assemble((f"{number} ", "bold $key"), text)
                meta = Style.from_meta({"@click": f"screen.choose({number})"})
                yield Static(line.stylize(meta))
            yield KeyBar(tuple(shown_keys(self)))

    def on_key(self, event: events.Key) -> None:
        if number := digit(event):
            event.stop()
            self.action_choose(number)

    def action_choose(self, number: int) -> None:
        if number <= len(self._answers):
            self.dismiss(list(self._answers)[number - 1])


class Pages(ModalScreen[None]):
    """Text of any length, to scroll through."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,question_mark,b", "dismiss", "back", key_display="Esc"),
    ]

    def __init__(self, text: Content) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="pages"):
            with VerticalScroll():  # it has the focus, so that the arrows scroll it
                yield Static(self._text)
            yield KeyBar((("↑ ↓", "scroll", ""), *shown_keys(self)))


class SetupRow(Static):
    """A setting with its possible values; the left and right keys change it."""

    def __init__(self, label: str, answers: Sequence[tuple[str, str]], at: int = 0) -> None:
        super().__init__(classes="row")
        self.label, self._answers, self._at = label, list(answers), at
        self.person: str | None = None
        """What the person is called, which is shown in place of the answer."""

    @property
    def answer(self) -> str:
        return self._answers[self._at][0]

    def turn(self, way: int) -> None:
        self._at = (self._at + way) % len(self._answers)
        self.refresh()

    def choose(self, answer: str, shown: str) -> None:
        """Add a value and select it."""
        self._answers.insert(self._at, (answer, shown))
        self.refresh()

    def render(self) -> Content:
        chosen = self.has_class("chosen")
        several = len(self._answers) > 1
        return Content.assemble(
            ("› " if chosen else "  ", "bold $key"),
            (f"{self.label:<12}", "$muted"),
            ("‹ " if several else "  ", "bold $key"),
            (self.person or self._answers[self._at][1], "bold reverse" if chosen else "bold"),
            (" ›" if several else "", "bold $key"),
        )


class SetupScreen(ModalScreen[None]):
    """The settings of a new game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up,k", "move(-1)", "question"),
        Binding("down,tab,j", "move(1)", "question", key_display="↑ ↓"),
        ("left,h", "turn(-1)", "answer"),
        Binding("right,space,l", "turn(1)", "answer", key_display="← →"),
        Binding("n", "name", "name", key_display="n"),
        Binding("enter", "start", "start", key_display="Enter"),
        Binding("escape,q", "app.go_back", "back", key_display="Esc"),
    ]

    def __init__(self, new: "GameSetup", seat: Side | None = None) -> None:
        """The person is offered that seat, or the first, and the opponent the other one."""
        super().__init__()
        self._new = new
        rulebook = new.rulebook
        players = _players()
        names = [name for name, _ in players]
        self._preferences = preferences = load_preferences()
        opponent = preferences.opponents.get(rulebook.id, DEFAULT_OPPONENT)
        opponent = opponent if opponent in names else DEFAULT_OPPONENT
        person = seat or Side.ONE
        self._variant = SetupRow("Rules", _variants(new))
        self._seats = {
            side: SetupRow(name, players, 0 if side is person else names.index(opponent))
            for side, name in zip(
                Side, (rulebook.words.player1, rulebook.words.player2), strict=True
            )
        }
        self._first = SetupRow("Begins", _first(new))
        self._coach = SetupRow("Coach", (("", "off"), ("on", "on")), int(new.settings.coach))
        self._rows = [self._variant, *self._seats.values(), self._first, self._coach]
        self._about = Static("", id="about", markup=False)
        self._at = self._rows.index(self._seats[person.other])
        self._rows[self._at].add_class("chosen")

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog setup"):
            yield Static(self._new.rulebook.title, classes="heading", markup=False)
            yield from self._rows
            yield self._about
            yield KeyBar(tuple(shown_keys(self)))

    def on_mount(self) -> None:
        self._show_names()
        self._explain()

    def action_move(self, way: int) -> None:
        self._pick((self._at + way) % len(self._rows))

    def _pick(self, at: int) -> None:
        self._rows[self._at].remove_class("chosen").refresh()
        self._at = at
        self._rows[at].add_class("chosen").refresh()
        self._explain()

    def on_click(self, event: events.Click) -> None:
        row, _ = self.get_widget_at(*event.screen_offset)
        if isinstance(row, SetupRow):
            self._pick(self._rows.index(row))
            self.action_turn(1)

    def action_turn(self, way: int) -> None:
        self._rows[self._at].turn(way)
        self._show_names()
        self._explain()

    def _explain(self) -> None:
        row = self._rows[self._at]
        if row is self._variant:
            variant = self._new.rulebook.variant_named(row.answer) if row.answer else None
            about = variant.summary if variant else "The standard rules."
        elif row is self._first:
            about = "Who makes the first move."
        elif row is self._coach:
            about = "The coach warns you before you play a mistake."
        elif row.answer == HUMAN:
            about = "Somebody at this keyboard; n gives a name."
        elif row.answer == ENGINE_PREFIX:
            about = "Another program; Enter asks for the command that starts it."
        else:
            about = dict(describe_players()).get(row.answer, "")
        self._about.update(about)

    @property
    def _duel(self) -> "LineduelApp":
        return cast("LineduelApp", self.app)

    # Names

    @property
    def _names(self) -> tuple[str | None, str | None]:
        """What the people who are to play are called."""
        one, two = (row.answer == HUMAN for row in self._seats.values())
        known = self._preferences.names_for((one, two))
        given = self._new.names
        return given[0] or known[0], given[1] or known[1]

    def _show_names(self) -> None:
        who = "you"
        for row, name in zip(self._seats.values(), self._names, strict=True):
            row.person = None
            if row.answer == HUMAN:
                row.person, who = name or who, _PERSON
            row.refresh()

    def _name_of(self, row: SetupRow) -> str | None:
        return self._names[list(self._seats.values()).index(row)]

    def action_name(self) -> None:
        """Ask for the name of the person on this seat, or of the only one."""
        people = [row for row in self._seats.values() if row.answer == HUMAN]
        row = self._rows[self._at]
        if row not in people and len(people) != 1:
            self.notify(
                "Choose a person's seat first." if people else "Only people are given names here.",
                severity="warning",
            )
            return
        row = row if row in people else people[0]

        def take(text: str | None) -> None:
            if text is None:
                return
            try:
                self._rename(check_name(text) if text else None, is_guest=row is not people[0])
            except LineduelError as error:
                self._duel.complain(error)

        question = "Your name:" if len(people) == 1 else f"The name of {row.label}:"
        self.app.push_screen(Ask(question, self._name_of(row) or "", may_be_empty=True), take)

    def _rename(self, name: str | None, is_guest: bool) -> None:
        """Call you by that name from now on, or a guest in this game."""
        if is_guest:
            self._preferences = replace(self._preferences, guest=name)
        else:
            self._preferences = replace(self._preferences, name=name)
            self._duel.remember(lambda preferences: replace(preferences, name=name))
        self._show_names()

    # The way to the game

    def action_start(self) -> None:
        for side, row in self._seats.items():
            if row.answer == ENGINE_PREFIX:
                self._ask_engine(side, row)
                return
        seats = self._seats[Side.ONE].answer, self._seats[Side.TWO].answer
        rulebook, coach = self._new.rulebook, bool(self._coach.answer)
        opponent = next((name for name in seats if name != HUMAN), HUMAN)
        game, changes_coach = rulebook.id, coach != self._preferences.coach

        def chosen(preferences: Preferences) -> Preferences:
            now = coach if changes_coach else preferences.coach
            return replace(preferences, coach=now).with_opponent(game, opponent)

        self._duel.remember(chosen)
        if self._variant.answer:
            rulebook = apply_variant(rulebook, self._variant.answer)
        first = self._first.answer
        side = self._duel.rng.choice(tuple(Side)) if first == "lot" else Side(int(first))
        start = self._new.start or Game(rulebook).start(side)
        self._new.settings.coach = coach
        new = replace(self._new, rulebook=rulebook, start=start, names=self._names)
        self._duel.start(new, seats)

    def _ask_engine(self, side: Side, row: SetupRow) -> None:
        def take(command: str | None) -> None:
            if command is None:
                return
            try:
                row.choose(check_player_name(ENGINE_PREFIX + command), command)
            except LineduelError as error:
                self._duel.complain(error)
            else:
                self.action_start()

        self.app.push_screen(Ask(f"The command that starts player {side}'s engine:"), take)


def _players() -> list[tuple[str, str]]:
    programs = [name for name, _ in describe_players()]
    return [
        (HUMAN, _PERSON),
        *((name, f"computer, {player_in_words(name)}") for name in programs),
        (ENGINE_PREFIX, "another program …"),
    ]


def _variants(new: "GameSetup") -> list[tuple[str, str]]:
    """The standard rules and the variants, with their names in words; one if that is settled."""
    rulebook = new.rulebook
    if rulebook.variant:
        return [("", _in_words(rulebook.variant.name))]
    if new.start:
        return [("", "standard")]
    return [("", "standard"), *((one.name, _in_words(one.name)) for one in rulebook.variants)]


def _in_words(name: str) -> str:
    return name.replace("-", " ")


def _first(new: "GameSetup") -> list[tuple[str, str]]:
    words = new.rulebook.words
    names = {Side.ONE: words.player1, Side.TWO: words.player2}
    settled = new.start.side if new.start else new.rulebook.rules.first
    if settled is not None:
        return [(str(int(settled)), names[settled])]
    return [*((str(int(side)), names[side]) for side in Side), ("lot", "at random")]
