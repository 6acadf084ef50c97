"""The course of a game on the full screen: who acts next, and how a move is shown."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, assert_never

from textual.content import Content

from lineduel.engine import BattleSettled, Move
from lineduel.errors import EngineError, LineduelError
from lineduel.play import MOST_PLIES, Awaited, Turn
from lineduel.rules import Side
from lineduel.tui.game_keys import KEYS_AT_THE_END
from lineduel.tui.game_text import about_player, battle_call, lesson, result, whose_turn

if TYPE_CHECKING:
    from lineduel.solve import Value
    from lineduel.tui.duel import DuelScreen

PAUSE = 0.4
"""Seconds between two moves when only programs play."""
BATTLE_WAITS = "A battle is open. [bold $key]Enter[/] choose the numbers   [bold $key]u[/] undo"


class GameLoop:
    """Runs a match until somebody has won."""

    def __init__(self, screen: "DuelScreen") -> None:
        self._screen = screen
        self._match = screen.match
        self._widgets = screen.widgets
        self._advice = screen.advice

    def begin(self) -> None:
        """Start the programs that play, then the game."""
        self._widgets.log.show()
        self._widgets.show_position()
        if len(self._match.session.people) < len(Side):
            self._widgets.say(Content.styled("The computer takes its seat …", "$muted"))
            self._screen.ask(self._match.seat, lambda _: self.go_on(), self._cannot_begin)
        else:
            self.go_on()

    def go_on(self) -> None:
        """Do what comes next: a pass, a program's or a person's turn, or the end of the game."""
        if self._screen.duel.is_leaving:
            return
        match awaits := self._match.session.awaits:
            case Awaited.NOTHING:
                self._finish()
            case Awaited.PASS:
                self.played(self._match.pass_turn())
            case Awaited.PROGRAM:
                self._let_program_choose()
            case Awaited.UNDECIDED:
                told = f"Nobody has won in {MOST_PLIES} plies; the game stops here."
                self._widgets.say(Content(told))
            case Awaited.NUMBER:
                self._open_battle()
            case Awaited.MOVE:
                self._let_choose()
            case _:
                assert_never(awaits)

    def played(self, turn: Turn) -> None:
        """Show a turn that was played, and go on."""
        self.changed()
        settled = [event for event in turn.events if isinstance(event, BattleSettled)]
        if settled and self._match.session.people:
            from lineduel.tui.battle import Reveal

            told = self._match.narrator.tell(turn.events).strip()
            numbers = settled[0].number1, settled[0].number2
            reveal = Reveal(self._match.narrator, numbers, told)
            self._screen.app.push_screen(reveal, lambda _: self._show_turn(turn))
        else:
            self._show_turn(turn)

    def changed(self) -> None:
        """The game has changed: drop earlier requests, and tell if it can no longer be saved."""
        self._screen.moment.change()
        self._widgets.typed.close()
        self._widgets.numbers.show(0)
        self._widgets.forget_values()
        self._widgets.advise("")
        self._widgets.log.show()
        news = self._match.save_news()
        if news and self._match.is_kept:
            self._screen.notify(news)
        elif news:
            self._screen.app.notify(news, severity="error", markup=False)

    def choose_number(self, side: Side, number: int | None) -> None:
        """Use the number that a person chose in secret; None if the person chose nothing."""
        if number is None:
            self._widgets.say(Content.from_markup(BATTLE_WAITS))
        elif turn := self._screen.attempt(lambda: self._match.choose(side, number)):
            self.played(turn)
        else:
            self.go_on()

    # Turns

    def _let_choose(self) -> None:
        """Let a person choose a move."""
        session = self._match.session
        self._widgets.forget_values()
        self._widgets.show_position(session.game.moves(session.position))
        self._widgets.board.focus()
        self._widgets.say(whose_turn(self._match))
        self._widgets.show_moves()
        self._advice.look_up_values()

    def _open_battle(self) -> None:
        """Let people choose their numbers; two people at one keyboard choose in secret."""
        match = self._match
        side = match.session.people_asked[0]
        self._widgets.show_position()
        self._widgets.show_moves()
        prompt = match.narrator.prompt(match.session.position, side)
        self._widgets.say(battle_call(match, prompt))
        if len(match.session.people) == len(Side):
            from lineduel.tui.battle import Curtain

            curtain = Curtain(match.narrator, side, prompt, match.session.highest_number)
            self._screen.app.push_screen(curtain, partial(self.choose_number, side))
            self._advice.look_up_numbers(side, curtain.numbers)
        else:
            self._widgets.numbers.show(match.session.highest_number)
            self._advice.look_up_numbers(side, self._widgets.numbers)

    def _let_program_choose(self) -> None:
        """Let a program choose in the background."""
        match, side = self._match, self._match.session.program_asked
        if side is None:
            return
        self._widgets.show_position()
        self._widgets.show_moves()
        self._widgets.say(about_player(match, side, " is thinking …"))
        still = self._screen.moment.still()

        def chose(choice: Move | int) -> None:
            if not still():
                return
            if turn := match.act(side, choice):
                self.played(turn)
            else:
                self.go_on()

        def failed(error: LineduelError) -> None:
            if still():
                self._forfeit(side, error)

        self._screen.ask(lambda: match.think(side), chose, failed)

    def _forfeit(self, side: Side, error: LineduelError) -> None:
        """Handle a failed program: an engine forfeits the game, any other program cannot play."""
        if not isinstance(error, EngineError):
            self._cannot_begin(error)
            return
        told = f"{self._match.narrator.name(side)} forfeits the game. {error}"
        self._screen.notify(told, markup=False)
        self._match.forfeit(side)
        self.changed()
        self.go_on()

    def _cannot_begin(self, error: LineduelError) -> None:
        """Tell that a program cannot play; the screen stays open."""
        self._widgets.show_position()
        self._widgets.say(Content.styled(str(error), "$loss"))

    # Showing turns

    def _show_turn(self, turn: Turn) -> None:
        animated, board = self._screen.duel.animated, self._widgets.board
        if animated:
            board.animate_move(turn.before, turn.events)
        if self._match.session.people:
            self.go_on()
        else:
            board.show(turn.after)
            self._screen.set_timer(PAUSE if animated else PAUSE / 8, self.go_on)

    def _finish(self) -> None:
        self._widgets.show_position()
        self._widgets.show_moves()
        self._widgets.say(result(self._match))
        self._explain_loss()
        self._widgets.keys.show(KEYS_AT_THE_END)
        if self._match.session.people:
            self._wait_for_rest(self._screen.action_review)

    def _explain_loss(self) -> None:
        """Tell a person who has lost whether this seat could have won at all."""
        match, still = self._match, self._screen.moment.still()
        if len(match.session.people) != 1 or match.session.winner in match.session.people:
            return

        def show(start: "Value") -> None:
            if still() and (told := lesson(match, start)):
                swap = Content.assemble(f" {told} ", ("m", "bold $key"))
                self._widgets.say(Content("").join((result(match), swap)))

        adviser = match.adviser
        self._screen.ask(lambda: adviser.solution.value(match.session.start), show, lambda _: None)

    def _wait_for_rest(self, then: Callable[[], None]) -> None:
        """Do something after the animation of the last move has ended."""
        screen, still = self._screen, self._screen.moment.still()
        rest = 1.2 if screen.duel.animated else 0.01

        def look() -> None:
            if still() and screen.is_current:
                if self._widgets.board.is_moving:
                    screen.set_timer(0.1, look)
                else:
                    screen.set_timer(rest, finish)

        def finish() -> None:
            if still() and screen.is_current:
                then()

        screen.call_after_refresh(look)
