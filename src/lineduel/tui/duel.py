"""The screen on which a game is played, and the actions of its keys."""

from collections.abc import Callable
from threading import Thread
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from lineduel.errors import LineduelError, shown
from lineduel.match import SUFFIX, Match
from lineduel.play import Turn
from lineduel.storage import safe_name
from lineduel.tui.advice import Advice
from lineduel.tui.board import Board, BoardScreen
from lineduel.tui.game_keys import HELP, KEYS
from lineduel.tui.game_loop import GameLoop
from lineduel.tui.game_widgets import GameWidgets
from lineduel.tui.moment import Moment
from lineduel.tui.move_input import MoveInput
from lineduel.tui.moves import MoveList
from lineduel.tui.number_buttons import NumberButtons
from lineduel.tui.screens import digit
from lineduel.tui.thinker import Thinker
from lineduel.tui.typed_move import TypedMove


class DuelScreen(BoardScreen):
    """A match: the board, whose turn it is, the legal moves, and the moves so far."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("u", "undo", "undo"),
        ("y", "redo", "redo"),
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
        self.moment = Moment()
        self._input = MoveInput(self)
        self.widgets = GameWidgets(match, self._board, TypedMove(self._input.play_text, id="typed"))
        self.advice = Advice(self)
        self.loop = GameLoop(self)

    def compose(self) -> ComposeResult:
        yield from self.widgets.compose()

    def on_mount(self) -> None:
        self._thinker = Thinker(self.duel)
        self._board.focus()
        self.loop.begin()

    def on_unmount(self) -> None:
        self._thinker.stop()
        if not self.match.is_kept and not self.duel.is_leaving:
            self.match.keep()
            if not self.match.is_kept:
                self.app.notify(self.match.not_saved, severity="error", markup=False)
        self.match.release()
        # An engine may be slow to end; neither the screen nor the shell waits for it.
        Thread(target=self.match.close, name="farewell").start()

    @property
    def running(self) -> Match:
        return self.match

    # Used by the parts of the screen

    def ask(
        self,
        work: Callable[[], object],
        then: Callable[..., None],
        failed: Callable[[LineduelError], None],
    ) -> None:
        """Do slow work in the background."""
        self._thinker.ask(work, then, failed)

    def attempt(self, action: Callable[[], Turn | None]) -> Turn | None:
        """Do something to the game; if it is refused, show why."""
        try:
            return action()
        except LineduelError as error:
            self.complain(error)
            return None

    def complain(self, error: LineduelError) -> None:
        self.notify(str(error), severity="warning", markup=False)

    # Choosing

    def on_board_chosen(self, message: Board.Chosen) -> None:
        self._input.choose(message.move)

    def on_move_list_clicked(self, message: MoveList.Clicked) -> None:
        self._input.choose(message.move)

    def on_number_buttons_chosen(self, message: NumberButtons.Chosen) -> None:
        self._input.press_digit(message.number)

    def on_board_aimed(self) -> None:
        self.widgets.show_moves()

    def on_board_entered(self) -> None:
        if self.session.winner is not None:
            self.action_review()
        elif self.session.position.battle is not None and not self._input.is_busy:
            self.loop.go_on()

    def on_key(self, event: events.Key) -> None:
        typed = self.widgets.typed
        if (typed.is_open or self._input.can_type) and typed.take(event):
            return
        if (number := digit(event)) is not None:
            event.stop()
            self._input.press_digit(number)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        if self._input.can_type:
            self.widgets.typed.paste(event.text)

    def action_type(self) -> None:
        if self.session.winner is not None:
            self.duel.rematch(self.match)
        elif self._input.can_type:
            self.widgets.typed.begin()

    # The other keys

    def action_values(self) -> None:
        self.advice.toggle_values()

    def action_hint(self) -> None:
        self.advice.give_hint()

    def action_undo(self) -> None:
        if not self.match.session.people:
            self.notify("Only computers play here; there is nothing to take back.")
            return
        try:
            self.match.undo()
        except LineduelError as error:
            self.complain(error)
            return
        self._moved_in_time()

    def action_redo(self) -> None:
        if not self.match.can_redo:
            self.notify("There is nothing to redo.")
        elif self.attempt(lambda: next(iter(self.match.redo()), None)):
            self._moved_in_time()

    def _moved_in_time(self) -> None:
        """Show the game after an undo or a redo."""
        self.loop.changed()
        self._board.rest()
        self.widgets.keys.show(KEYS)
        self.loop.go_on()

    def action_resign(self) -> None:
        side = next(iter((*self.match.session.people_asked, *self.match.session.people)), None)
        if side is None or self.session.winner is not None:
            return

        def resign(yes: bool | None) -> None:
            if yes and self.session.winner is None:
                self.match.resign(side)
                self.loop.changed()
                self.loop.go_on()

        from lineduel.tui.dialogs import Confirm

        self.app.push_screen(Confirm(f"{self.match.narrator.name(side)}, resign?"), resign)

    def action_flip(self) -> None:
        super().action_flip()
        self.widgets.show_title()

    def action_save(self) -> None:
        def write(name: str | None) -> None:
            if name is None:
                return
            try:
                path = self.match.save_as(name)
            except LineduelError as error:
                self.complain(error)
            else:
                self.notify(f"Saved as {shown(path, 300)}.", markup=False)

        from lineduel.tui.dialogs import Ask

        name = f"{safe_name(self.session.rulebook.id)}{SUFFIX}"
        self.app.push_screen(Ask("Save the game as:", name), write)

    def action_review(self) -> None:
        self.duel.review(self.match)

    def action_scroll(self, way: int) -> None:
        """Scroll the list of moves so far."""
        self.widgets.log.scroll_relative(y=4 * way, animate=False)

    def action_keys(self) -> None:
        self.duel.show_text(Content.from_markup(HELP))
