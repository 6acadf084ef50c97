"""The screen on which a game is played."""

from collections.abc import Callable, Mapping
from functools import partial
from threading import Thread
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from lineduel.engine import BattleSettled, Move
from lineduel.errors import EngineError, LineduelError, shown
from lineduel.match import MOST_PLIES, Match
from lineduel.players import HUMAN
from lineduel.rules import Side
from lineduel.saves import save
from lineduel.session import MoveAdvice, Turn, read_answer
from lineduel.storage import safe_name, user_path
from lineduel.tui.battle import Curtain, Reveal
from lineduel.tui.board import Board
from lineduel.tui.dialogs import Ask, Confirm
from lineduel.tui.drawing import PLAYER, shape
from lineduel.tui.keys import KeyBar, digit
from lineduel.tui.log import Log
from lineduel.tui.moves import MoveList
from lineduel.tui.stage import Stage
from lineduel.tui.thinker import Thinker

KEYS = (
    ("?", "keys", "screen.keys"),
    ("u", "undo", "screen.undo"),
    ("v", "values", "screen.values"),
    ("i", "hint", "screen.hint"),
    ("r", "resign", "screen.resign"),
    ("f", "flip", "screen.flip"),
    ("s", "save", "screen.save"),
    ("n", "new", "screen.new"),
    ("q", "quit", "screen.quit"),
)
HELP = """\
[b]Playing[/b]
  [$key]← →[/]    where the piece goes
  [$key]↑ ↓[/]    which piece
  [$key]Enter[/]  play the move that is marked
  [$key]1 … 9[/]  play the move with that key at once;
         in a battle, choose that number
  [$key]m[/]      type a move, as P1-A+2;
         a capital letter begins one, too
  [$key]mouse[/]  click a piece, then a cell that lights
         up; or a line of the list

[b]Help[/b]
  [$key]i[/]      a hint: the best move and why
  [$key]v[/]      what every move is worth: +7 wins in
         7 turns, -4 loses in 4, = is even,
         ∞ never ends; in brackets, what it is
         worth against a fallible opponent
  [$key]b[/]      the rulebook
  [$key]u[/]      undo; against the computer its move
         goes back with yours

[b]The game[/b]
  [$key]r[/]      resign
  [$key]s[/]      save to a file
         (it is kept after every move anyway)
  [$key]n[/]      a new game
  [$key]z[/]      puzzles of this game
  [$key]f[/]      flip the board
  [$key]d[/]      dark or light colours
  [$key]PgUp[/]   scroll what happened; [$key]PgDn[/] goes back
  [$key]Esc[/]    back to the games; this one is kept
  [$key]q[/]      quit; the game is kept, and goes on
         with 'continue'
"""
HOW = " Arrows and Enter, or its number."
PAUSE = 0.4
"""Seconds between two moves when only programs play."""


class DuelScreen(Stage):
    """A match: the board, whose turn it is, the moves, and what happened so far."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("question_mark", "keys", "keys"),
        ("u", "undo", "undo"),
        ("v", "values", "values"),
        ("i", "hint", "hint"),
        ("r", "resign", "resign"),
        ("s", "save", "save"),
        ("m", "type", "type a move"),
        ("pageup", "scroll(-1)", "scroll"),
        ("pagedown", "scroll(1)", "scroll"),
    ]

    def __init__(self, match: Match) -> None:
        super().__init__(match.session.game)
        self.match = match
        self.session = match.session
        self._moves = MoveList(match.session.game, match.voice, id="moves")
        self._log = Log(match.session, id="log")
        self._values: Mapping[Move, MoveAdvice] = {}
        self._with_values = False
        self._moment = object()
        """Replaced whenever the game changes, so that an answer that comes too late is known."""

    def compose(self) -> ComposeResult:
        with Vertical(id="main"):
            yield Static(self._title(), id="title")
            with VerticalScroll(id="track", can_focus=False):
                yield self._board
            yield Static(self._board.artist.legend(), id="legend")
            yield Static("", id="status")
            yield Static("", id="advice", markup=False)
            with VerticalScroll(id="list", can_focus=False):
                yield self._moves
        with Vertical(id="side"):
            yield Static("What happened", classes="heading")
            yield self._log
        yield KeyBar(KEYS)

    def on_mount(self) -> None:
        self._thinker = Thinker(self.duel)
        self._board.focus()
        self._log.show()
        self._board.show(self.session.position)
        if len(self.match.people) < len(Side):
            self._say(Content.styled("The computer takes its seat …", "$muted"))
            self._ask(self.match.seat, lambda _: self._go_on(), self._cannot_begin)
        else:
            self._go_on()

    # The course of the game

    def _go_on(self) -> None:
        """Whatever comes next: a pass, a program's choice, a person's, or the end."""
        match = self.match
        if self.duel.is_leaving:
            return
        if self.session.winner is not None:
            self._finish()
        elif turn := match.pass_if_forced():
            self._played(turn)
        elif (side := match.program_asked) is not None:
            self._board.show(self.session.position)
            self._show_moves()
            self._say(self._named(side, " is thinking …"))
            moment = self._moment
            self._ask(
                lambda: match.think(side),
                partial(self._program_chose, moment, side),
                partial(self._forfeited, moment, side),
            )
        elif match.undecided:
            self._say(Content(f"Nobody has won in {MOST_PLIES} plies; the game stops here."))
        elif self.session.position.battle is not None:
            self._open_battle()
        else:
            self._let_choose()

    def _let_choose(self) -> None:
        """A person is to move."""
        position = self.session.position
        self._values = {}
        self._board.show(position, self.session.game.moves(position))
        self._board.focus()
        self._say(self._whose_turn())
        self._show_moves()
        self._look_up_values()

    def _open_battle(self) -> None:
        position, people = self.session.position, self.match.people
        asked = [side for side in self.session.asked if side in people]
        self._board.show(position)
        self._show_moves()
        prompt = self.match.voice.prompt(position, asked[0])
        self._say(Content(f"{self.match.voice.turn(position).strip()}\n{prompt}".strip()))
        if len(people) == len(Side):
            highest = self._highest
            curtain = Curtain(self.match.voice, asked[0], prompt, highest)
            self.app.push_screen(curtain, partial(self._chose, asked[0]))
        elif self._with_values:
            self.action_hint()

    def _chose(self, side: Side, number: int | None) -> None:
        """A number came from behind the curtain, or nobody wants to choose now."""
        if number is None:
            self._say(
                Content.from_markup(
                    "A battle is open. [bold $key]Enter[/] choose the numbers   "
                    "[bold $key]u[/] undo"
                )
            )
        elif turn := self._act(lambda: self.match.play(side, number)):
            self._played(turn)
        else:
            self._go_on()

    def _program_chose(self, moment: object, side: Side, choice: Move | int) -> None:
        if moment is not self._moment:
            return
        if turn := self.match.play(side, choice):
            self._played(turn)
        else:
            self._go_on()

    def _forfeited(self, moment: object, side: Side, error: LineduelError) -> None:
        if moment is not self._moment:
            return
        if not isinstance(error, EngineError):
            self._cannot_begin(error)
            return
        self.notify(f"{self.match.voice.name(side)} forfeits the game. {error}", markup=False)
        self.session.forfeit(side)
        self._changed()
        self._go_on()

    def _cannot_begin(self, error: LineduelError) -> None:
        """A program cannot play; people may still look around."""
        self._board.show(self.session.position)
        self._say(Content.styled(str(error), "$loss"))

    def _played(self, turn: Turn) -> None:
        """Let a move be seen, and go on."""
        self._changed()
        settled = [event for event in turn.events if isinstance(event, BattleSettled)]
        if settled and self.match.people:
            told = self.match.voice.tell(turn.events).strip()
            numbers = settled[0].number1, settled[0].number2
            reveal = Reveal(self.match.voice, numbers, told)
            self.app.push_screen(reveal, lambda _: self._show_turn(turn))
        else:
            self._show_turn(turn)

    def _show_turn(self, turn: Turn) -> None:
        animated = self.duel.animated
        if animated:
            self._board.animate_move(turn.before, turn.events)
        if self.match.people:
            self._go_on()
        else:
            self._board.show(turn.after)
            self.set_timer(PAUSE if animated else PAUSE / 8, self._go_on)

    def _changed(self) -> None:
        """Something happened: keep the game, and forget what was asked before."""
        self._moment = object()
        self._values = {}
        self._advise("")
        self._log.show()
        if not self.match.keep():
            return
        if self.match.is_kept:
            self.notify("The game is saved again.")
        else:
            self._warn_not_kept()

    def _warn_not_kept(self) -> None:
        told = f"The game is not saved: {self.match.why_not_kept}"
        self.app.notify(told, severity="error", markup=False)

    def _finish(self) -> None:
        self._board.show(self.session.position)
        self._show_moves()
        self._say(self._result())
        self.query_one(KeyBar).show(
            (
                ("Enter", "review", "screen.review"),
                ("m", "rematch", "screen.type"),
                ("u", "undo", "screen.undo"),
                ("n", "new", "screen.new"),
                ("s", "save", "screen.save"),
                ("Esc", "games", "screen.home"),
                ("q", "quit", "screen.quit"),
            )
        )
        if self.match.people:
            self._wait_for_rest(self.action_review)

    def _wait_for_rest(self, then: Callable[[], None]) -> None:
        """Do something once the last move was seen to its end."""
        moment = self._moment
        rest = 1.2 if self.duel.animated else 0.01

        def look() -> None:
            if moment is self._moment and self.is_current:
                if self._board.is_moving:
                    self.set_timer(0.1, look)
                else:
                    self.set_timer(rest, partial(self._if_still, moment, then))

        self.call_after_refresh(look)

    def _if_still(self, moment: object, then: Callable[[], None]) -> None:
        if moment is self._moment and self.is_current:
            then()

    # What is shown

    def _title(self) -> Content:
        seats = []
        for side, name in zip(Side, self.session.seats, strict=True):
            shown = "you" if name == HUMAN and len(self.match.people) == 1 else name
            seats.append((f"{shape(side, self._board.flipped)} {shown}", PLAYER[side]))
        title = (f" {self.session.rulebook.title} ", "bold reverse")
        return Content.assemble(title, "  ", seats[0], " against ", seats[1])

    def _whose_turn(self) -> Content:
        parts = [self._named(self.session.position.side, " to move.")]
        if self.session.stuck:
            parts.append(Content(" Neither side can move any more, so play would never end."))
        if self.session.times > 1:
            parts.append(
                Content.styled(f" {self.match.voice.repeated(self.session.times)}", "$endless")
            )
        elif not self.session.turns:
            parts.append(Content.styled(HOW, "$muted"))
        return Content("").join(parts)

    def _result(self) -> Content:
        winner = self.session.winner or Side.ONE
        if self.session.resigned is not None:
            told = self.match.voice.resigned(self.session.resigned)
        elif self.session.forfeited is not None:
            told = self.match.voice.forfeited(self.session.forfeited)
        else:
            told = self.match.voice.victory(self.session.turns[-1].events)
        return Content.styled(f"★ {' '.join(told.split())} ★", f"bold {PLAYER[winner]}")

    def _named(self, side: Side, text: str) -> Content:
        return Content.assemble((self.match.voice.name(side), f"bold {PLAYER[side]}"), text)

    def _say(self, text: Content) -> None:
        self.query_one("#status", Static).update(text)

    def _advise(self, text: str) -> None:
        advice = self.query_one("#advice", Static)
        advice.update(text)
        advice.display = bool(text)

    def _show_moves(self) -> None:
        """The list beside the board: the same moves, the same mark."""
        moves = self._board.moves
        self._moves.show(self.session.position, moves, self._board.aimed, self._values)

    def on_board_aimed(self) -> None:
        self._show_moves()

    # Asking the solution

    def _ask(
        self,
        work: Callable[[], object],
        then: Callable[..., None],
        failed: Callable[[LineduelError], None],
    ) -> None:
        self._thinker.ask(work, then, failed)

    def _complain(self, error: LineduelError) -> None:
        self.notify(str(error), severity="warning", markup=False)

    def _look_up_values(self) -> None:
        if not self._with_values or self.session.position.battle is not None:
            return
        position, adviser, moment = self.session.position, self.match.adviser, self._moment

        def show(advice: tuple[MoveAdvice, ...]) -> None:
            if moment is self._moment and self._with_values:
                self._values = {one.move: one for one in advice}
                self._board.show_values({one.move: one.value for one in advice})

        def failed(error: LineduelError) -> None:
            self._with_values = False
            self._complain(error)

        self._ask(lambda: adviser.moves(position), show, failed)

    def action_values(self) -> None:
        """Turn the values of the moves on or off."""
        self._with_values = not self._with_values
        self._values = {}
        self._board.show_values({})
        if self._with_values and self.session.position.battle is not None:
            self.action_hint()
        self._look_up_values()

    def action_hint(self) -> None:
        asked = [side for side in self.session.asked if side in self.match.people]
        if not asked:
            return
        position, adviser, moment = self.session.position, self.match.adviser, self._moment
        self._advise("…")

        def show(told: str) -> None:
            if moment is self._moment:
                self._advise(f"Hint: {told}")

        def failed(error: LineduelError) -> None:
            self._advise("")
            self._complain(error)

        self._ask(lambda: adviser.hint(position, asked[0]), show, failed)

    # Choosing

    @property
    def _highest(self) -> int:
        battle = self.session.rulebook.rules.battle
        return battle.numbers if battle else 0

    def _act(self, action: Callable[[], Turn | None]) -> Turn | None:
        try:
            return action()
        except LineduelError as error:
            self._complain(error)
            return None

    def on_board_chosen(self, message: Board.Chosen) -> None:
        self._choose(message.move)

    def on_board_entered(self) -> None:
        if self.session.winner is not None:
            self.action_review()
        elif self.session.position.battle is not None and not self._is_busy():
            self._go_on()

    def on_move_list_clicked(self, message: MoveList.Clicked) -> None:
        self._choose(message.move)

    def _choose(self, move: Move) -> None:
        """A person's move, unless the coach has a question first."""
        position = self.session.position
        if self._is_busy() or move not in self.session.game.moves(position):
            return
        if not self.match.coach:
            self._play(move)
            return
        # Whatever was asked before is asked no more: one question at a time.
        self._moment = moment = object()
        self._advise("")
        adviser = self.match.adviser

        def decide(warning: str | None) -> None:
            if moment is not self._moment:
                return
            if warning is None:
                self._play(move)
            else:
                self.app.push_screen(Confirm(f"{warning}\nPlay it anyway?"), play_if)

        def play_if(yes: bool | None) -> None:
            if yes and moment is self._moment:
                self._play(move)

        def failed(error: LineduelError) -> None:
            self.match.coach = False  # there is none for a game that cannot be solved
            self._complain(error)
            decide(None)

        self._ask(lambda: adviser.warning(position, move), decide, failed)

    def _play(self, move: Move) -> None:
        if turn := self._act(lambda: self.session.play(move)):
            self._played(turn)

    def _is_busy(self) -> bool:
        """Whether it is not a person's turn to move."""
        session = self.session
        return session.winner is not None or self.match.program_asked is not None

    def on_key(self, event: events.Key) -> None:
        character = event.character or ""
        if (number := digit(event)) is not None:
            event.stop()
            self._digit(number)
        elif character.isupper() or character in ("+", "-"):
            event.stop()
            self._type(character)

    def _digit(self, digit: int) -> None:
        people = self.match.people
        asked = [side for side in self.session.asked if side in people]
        if self._is_busy() or not asked:
            return
        if self.session.position.battle is None:
            self._board.press_digit(digit)
        elif len(people) < len(Side):
            self._chose(asked[0], digit)

    def action_type(self) -> None:
        if self.session.winner is not None:
            self.duel.rematch(self.match)
        else:
            self._type("")

    def _type(self, typed: str) -> None:
        """Take a move as text."""
        if self._is_busy() or self.session.position.battle is not None:
            return
        position = self.session.position
        example = self.session.game.moves(position)[0]
        question = f"Your move, as {example}:"

        def read(text: str | None) -> None:
            if text is not None:
                try:
                    self._choose(read_answer(self.session.game, position, text))
                except LineduelError as error:
                    self._complain(error)

        self.app.push_screen(Ask(question, typed), read)

    # The other keys

    def action_undo(self) -> None:
        if not self.match.people:
            self.notify("Only programs play here; there is nothing to take back.")
            return
        try:
            self.match.undo()
        except LineduelError as error:
            self._complain(error)
            return
        self._changed()
        self._board.rest()
        self.query_one(KeyBar).show(KEYS)
        self._go_on()

    def action_resign(self) -> None:
        asked = [side for side in self.session.asked if side in self.match.people]
        side = asked[0] if asked else next(iter(self.match.people), None)
        if side is None or self.session.winner is not None:
            return

        def resign(yes: bool | None) -> None:
            if yes and self.session.winner is None:
                self.session.resign(side)
                self._changed()
                self._go_on()

        self.app.push_screen(Confirm(f"{self.match.voice.name(side)}, resign?"), resign)

    @property
    def running(self) -> Match:
        return self.match

    def action_flip(self) -> None:
        super().action_flip()
        self.query_one("#title", Static).update(self._title())

    def action_save(self) -> None:
        def write(name: str | None) -> None:
            if name is None:
                return
            try:
                path = user_path(name)
                save(self.match.record(), path, new=True)
            except LineduelError as error:
                self._complain(error)
            else:
                self.notify(f"Saved as {shown(path, 300)}.", markup=False)

        name = f"{safe_name(self.session.rulebook.id)}.duel"
        self.app.push_screen(Ask("Save the game as:", name), write)

    def action_review(self) -> None:
        self.duel.review(self.match)

    def action_scroll(self, way: int) -> None:
        """What happened earlier."""
        self._log.scroll_relative(y=4 * way, animate=False)

    def action_keys(self) -> None:
        self.duel.show_text(Content.from_markup(HELP))

    def on_unmount(self) -> None:
        self._thinker.stop()
        if not self.match.is_kept and not self.duel.is_leaving:
            self.match.keep()
            if not self.match.is_kept:
                self._warn_not_kept()
        self.match.release()
        # An engine may take its time to go; neither the screen nor the shell is kept waiting.
        Thread(target=self.match.close, name="farewell").start()
