"""The screen on which a game is played, in this process or over the network."""

from collections.abc import Callable, Iterable, Mapping
from threading import Thread, get_ident
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from lineduel import play
from lineduel.engine import Move, Numbers, Won
from lineduel.errors import LineduelError, shown
from lineduel.match import SUFFIX, Match
from lineduel.narration import (
    PLAYS_ON,
    YOU,
    MoveLog,
    Names,
    Narrator,
    battle_stakes,
    capitalized,
    names_for,
    turn_sentence,
)
from lineduel.rules import Side
from lineduel.storage import safe_name
from lineduel.tui.advice import Advice
from lineduel.tui.choosing import ChoosingScreen
from lineduel.tui.game_keys import (
    HELP,
    KEYS,
    KEYS_AT_THE_END,
    LIVE_HELP,
    LIVE_KEYS,
    LIVE_KEYS_AT_THE_END,
)
from lineduel.tui.game_text import (
    about_player,
    battle_call,
    finale,
    last_words,
    status_of,
    title_of,
    whose_turn,
)
from lineduel.tui.log import Log
from lineduel.tui.number_buttons import NumberButtons
from lineduel.tui.screens import KeyBar
from lineduel.tui.track import Trail

if TYPE_CHECKING:
    from lineduel.coach import MoveAdvice

PAUSE = 0.4
"""Seconds between two moves when only programs play."""
_BATTLE_WAITS = "A battle is open. [bold $key]Enter[/] choose the numbers   [bold $key]u[/] undo"
_LEFT = "You left. The game goes on; come back with the same command."
_LOST = "Connection lost. Trying again …"
_Result = TypeVar("_Result")


class DuelScreen(ChoosingScreen):
    """A game: the board, whose turn it is, the legal moves, and the moves so far.

    A match has advice, a file and a review. A game elsewhere has another player at its other end,
    who may be asked, or may be away.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("u", "undo", "take back"),
        ("y", "yes", "redo, or allow"),
        ("n", "no", "new, or refuse"),
        ("v", "values", "values"),
        ("i", "hint", "hint"),
        ("r", "resign", "resign"),
        ("o", "offer_stop", "offer to stop"),
        ("s", "save", "save"),
        ("a", "rematch", "play again"),
        ("w", "claim('win')", "claim the win"),
        ("c", "claim('computer')", "let the computer play"),
        ("x", "claim('abort')", "end the game"),
        ("t", "take_seat", "take your seat back"),
        ("pageup", "scroll(-1)", "scroll"),
        ("pagedown", "scroll(1)", "scroll"),
    ]

    def __init__(self, game: play.Connection) -> None:
        """Play a match of this process, or take part in a game elsewhere."""
        self.match = game if isinstance(game, Match) else None
        self.connection: play.Connection = game
        self.session, self.view = self.connection.state
        super().__init__(Narrator(self.session.game, self.session.names))
        self.numbers = NumberButtons(id="numbers")
        self._advice_line = Static("", id="advice", markup=False)
        self._log, self._log_list = MoveLog(self.narrator), Log(id="log")
        self._key_bar = KeyBar(KEYS)
        self._values: Mapping[Move, MoveAdvice] = {}
        self._advice = Advice(self, self.match) if self.match else None
        self._now = object()
        """Changes whenever something happens that makes earlier requests void."""
        self._shown: object = None
        """What could be chosen when the board was last drawn."""
        self._plies = self.session.plies
        """How many turns were shown."""
        self._notice = ""
        self._is_lost = False
        self._is_choosing = False
        """Whether a curtain is up, behind which a number is chosen."""

    def compose(self) -> ComposeResult:
        yield from self.compose_board(self._title)
        yield self._typed
        yield self._advice_line
        with Container(id="below"):
            yield from self.compose_moves(self.numbers)
            with Vertical(id="side"):
                yield Static("Moves so far", classes="heading")
                yield self._log_list
        yield self._key_bar

    @property
    def names(self) -> Names:
        """What both players are called here, within a sentence."""
        view = self.view
        alone = len(view.sides) == 1
        friend = "your friend" if alone and not self.match else ""
        sides = view.sides if alone else view.people
        return names_for(self.narrator, sides, view.people, friend=friend)

    @property
    def _title(self) -> Content:
        title, seats = self.session.rulebook.full_title, self.session.seats
        note = "coach on" if self.match and self.match.settings.coach else ""
        return title_of(title, seats, self.narrator, self._board.flipped, note)

    def on_mount(self) -> None:
        self._thread = get_ident()
        self._board.focus()
        self._log_list.show(self._log.entries(self.session, self.names))
        self._board.show(self.session.position)
        if self.match is None:
            self.set_interval(1, self._show_notice)
        else:
            self.say(Content.styled("The computer takes its seat …", "$muted"))
        self.connection.listen(self._hear, self.thinker)

    def on_unmount(self) -> None:
        if self.match is None:
            return
        file = self.match.file
        if not file.is_kept and not self.duel.is_leaving:
            file.keep()
            if not file.is_kept:
                self.app.notify(file.not_saved, severity="error", markup=False)
        file.release()
        # An engine may be slow to end; neither the screen nor the shell waits for it.
        Thread(target=self.match.close, name="farewell").start()

    # Used by the parts of the screen

    def forget_requests(self) -> None:
        """Something has happened; answers to earlier requests are out of date."""
        self._now = object()

    def still(self) -> Callable[[], bool]:
        """A function that tells later whether nothing has happened since now."""
        now = self._now
        return lambda: now is self._now

    def think(
        self,
        work: Callable[[], _Result],
        show: Callable[[_Result], None],
        failed: Callable[[LineduelError], None],
    ) -> None:
        """Do slow work, and show its result unless something has happened since now."""
        still = self.still()
        self.thinker.ask(work, lambda result: show(result) if still() else None, failed)

    def advise(self, text: str) -> None:
        """Show a hint or a notice; an empty text hides it."""
        self._advice_line.update(text)
        self._advice_line.display = bool(text)

    def point_out(self, pieces: tuple[str, ...], cells: tuple[int, ...]) -> None:
        """Mark what a reason is about, until the next position is shown."""
        self._board.point_out(pieces, cells)

    def show_values(self, advice: "Iterable[MoveAdvice]" = ()) -> None:
        """Show the value of each move, on the board and in the list."""
        self._values = {one.move: one for one in advice}
        self.set_class(bool(self._values), "values")
        self._board.show_values({move: one.value for move, one in self._values.items()})

    # What is heard

    def _hear(self, news: play.GameNews) -> None:
        """Take news at once, or, from another thread, as soon as possible."""
        if get_ident() == self._thread:
            self._take(news)
        elif self.is_running:
            self.call_later(self._take, news)

    def _take(self, news: play.GameNews) -> None:
        self._is_lost = isinstance(news, play.Lost)
        match news:
            case play.Refused(why):
                self.notify(why, severity="warning", markup=False)
            case play.Stalled(why):
                self._board.show(self.session.position)
                self.say(Content.styled(str(why), "$loss"))
            case play.Closed(why):
                self._part(why)
            case play.Changed(kind, note):
                if note and (side := self.session.forfeited):
                    name = self.narrator.name(side)
                    self.notify(f"{name} forfeits the game. {note}", markup=False)
                self._present(kind == "turn")
            case play.Lost():
                self._show_notice()

    def _part(self, why: str) -> None:
        """Leave because of the other end."""
        self.duel.farewell = why
        self.duel.leave(None)

    def _present(self, is_turn: bool) -> None:
        """Show the game as it stands, and the turns that led there."""
        before = self.session.names
        try:
            self.session, self.view = self.connection.state
        except LineduelError as error:
            self._part(str(error))
            return
        if self.session.names != before:
            self._begin_with_other_names()
            return
        added = self.session.turns_after(self._plies) if is_turn else ()
        self._plies = self.session.plies
        view = self.view
        asked = view.asked if len(view.sides) == len(Side) else self.session.program_asked
        shown = (self.session.position, self._plies, view.moves, view.numbers, asked, view.is_over)
        if shown == self._shown and not added:
            self._show_status()
            self._show_notice()
            return
        self._shown = shown
        self._clear_away()
        if not is_turn:
            self._board.rest()
        if added and isinstance(added[0].move, Numbers) and self.session.people:
            self._reveal(added[0].move, added)
        else:
            self._show_turns(added)

    def _reveal(self, numbers: Numbers, turns: tuple[play.Turn, ...]) -> None:
        """Show both numbers of a battle, and then the turns."""
        from lineduel.tui.battle import Reveal

        still = self.still()
        if YOU in self.names.values():
            sentence = turn_sentence(turns[0], self.names, self.narrator.label)
        else:
            sentence = self.narrator.tell(turns[0].events, turns[0].before).strip()
        reveal = Reveal(self.names, numbers, sentence)
        self.app.push_screen(reveal, lambda _: self._show_turns(turns) if still() else None)

    def _begin_with_other_names(self) -> None:
        """Show the game on a new screen, in which everybody is called by the new name."""
        while self.app.screen is not self:
            self.app.pop_screen()
        self.app.switch_screen(DuelScreen(self.connection))

    def _clear_away(self) -> None:
        """Remove what belongs to the position before, and say if the game is no longer saved."""
        self.forget_requests()
        self._typed.close()
        self.numbers.hide()
        self._values = {}
        self.remove_class("values")
        self.advise("")
        self._notice = ""
        self._log_list.show(self._log.entries(self.session, self.names))
        file = self.match.file if self.match else None
        if file and (news := file.news()):
            if file.is_kept:
                self.notify(news)
            else:
                self.app.notify(news, severity="error", markup=False)

    def _show_turns(self, turns: tuple[play.Turn, ...]) -> None:
        animated = self.duel.animated
        for turn in turns if animated else ():
            self._board.animate_move(turn.before, turn.events)
        if self.session.people or not turns:
            self._go_on()
        else:
            self._board.show(turns[-1].after, trail=Trail.of(turns[-1].events))
            self.set_timer(PAUSE if animated else PAUSE / 8, self._go_on)

    def _go_on(self) -> None:
        """Let somebody choose, or show the end of the game."""
        if self.duel.is_leaving:
            return
        last = self.session.last_turn
        events = last.events if last else ()
        won = next((one.cell for one in events if isinstance(one, Won)), None)
        self._board.show(self.session.position, self.view.moves, trail=Trail.of(events), won_on=won)
        self._show_choices()
        self._key_bar.show(self._keys)
        self._show_status()
        self._show_notice()
        if self.view.moves:
            self._board.focus()
            if self._advice:
                self._advice.look_up_values()
                self._advice.note_lost_game()
        elif self.view.numbers and self.session.program_asked is None:
            self._open_battle()
        self.connection.go_on()

    @property
    def _keys(self) -> tuple[tuple[str, str, str], ...]:
        if self.match:
            return KEYS_AT_THE_END if self.view.is_over else KEYS
        return LIVE_KEYS_AT_THE_END if self.view.is_over else LIVE_KEYS

    def _show_status(self) -> None:
        match, session, view = self.match, self.session, self.view
        if match is None:
            flipped = self._board.flipped
            self.say(status_of(self.connection.status, view, self.narrator, flipped))
        elif view.is_over:
            self.say(last_words(match))
        elif session.undecided:
            self.say(Content(f"Nobody has won in {play.MOST_PLIES} turns; the game stops here."))
        elif session.program_asked is not None:
            self.say(about_player(match, session.program_asked, " is thinking …"))
        elif view.numbers:
            self.say(battle_call(match, view, self.names))
        else:
            self.say(whose_turn(match))

    def _show_notice(self) -> None:
        """Show what the players ask of each other, and what can be done about it."""
        notice = _LOST if self._is_lost else self._current_notice()
        if notice != self._notice:
            self._notice = notice
            self.advise(notice)

    def _current_notice(self) -> str:
        view, absence = self.view, self.connection.absence
        if request := self.connection.request:
            is_mine = (view.undo_asked_by or view.stop_offered_by) in view.sides
            return f"{request} {'n: withdraw' if is_mine else 'y: allow   n: refuse'}"
        if view.rematch_wanted and view.rematch_id is None:
            is_mine = not view.rematch_wanted.isdisjoint(view.sides)
            return "You offered a rematch." if is_mine else "A rematch is offered. a: accept"
        if view.is_over or self.match:
            return ""
        if view.is_replaced:
            return "The computer plays for you. t: take your seat back"
        if absence is not None and view.is_joined:
            sentence, left = absence[0], round(absence[1])
            what = "w: claim the win   c: let the computer play   x: end the game"
            return f"{sentence} {what if left <= 0 else f'({left} s)'}"
        return ""

    # Choosing

    def _ask(self, intent: play.Intent) -> None:
        try:
            self.connection.ask(intent)
        except LineduelError as error:
            self.complain(error)

    @property
    def can_choose(self) -> bool:
        return bool(self.view.moves)

    def choose(self, move: Move) -> None:
        """Play a person's move; if the coach warns of it, ask first."""
        if self._advice and move in self.view.moves:
            self._advice.check(move, self._play)
        elif move in self.view.moves:
            self._play(move)

    def _play(self, move: Move) -> None:
        self._ask(play.PlayMove(move, self.session.plies))

    def _choose_number(self, number: int, side: Side | None = None) -> None:
        if self.view.numbers:
            self._ask(play.ChooseNumber(number, self.session.plies, side))

    def _open_battle(self) -> None:
        """Let people choose their numbers; two people at one keyboard choose in secret."""
        if len(self.view.sides) < len(Side):
            self.numbers.show(self.view.numbers, self.narrator.highest_number)
            if self._advice:
                self._advice.look_up_numbers(min(self.view.sides), self.numbers)
        elif not self._is_choosing:
            self._draw_curtain(self.view.asked[0])

    def _draw_curtain(self, side: Side) -> None:
        """Let one player choose while the other looks away."""
        from lineduel.tui.battle import Curtain

        def choose(number: int | None) -> None:
            self._is_choosing = False
            if number is None:
                self.say(Content.from_markup(_BATTLE_WAITS))
            else:
                self._choose_number(number, side)

        self._is_choosing = True
        position = self.session.position
        call = self.narrator.turn(position).strip()
        stakes = battle_stakes(self.session.game, position, self.names)
        prompt = self.narrator.prompt(position, side)
        hand, highest = self.view.numbers, self.narrator.highest_number
        curtain = Curtain(self.names[side], side, f"{call}\n{stakes}", prompt, hand, highest)
        self.app.push_screen(curtain, choose)
        if self._advice:
            self._advice.look_up_numbers(side, curtain.numbers)

    def on_number_buttons_chosen(self, message: NumberButtons.Chosen) -> None:
        self._choose_number(message.number)

    def on_board_aimed(self) -> None:
        self._show_choices()

    def _show_choices(self) -> None:
        """Show the moves that can be chosen, or, once nothing moves any more, how it ended."""
        if self.session.winner is not None and not self._board.is_moving:
            self._moves.tell(finale(self.session, self.names, self.narrator, self._then))
        else:
            self.show_moves(self._values)

    @property
    def _then(self) -> str:
        """What Enter does once the game is over."""
        return "Enter: see where it was decided" if self.match else ""

    def on_board_entered(self) -> None:
        if self.view.is_over:
            self.action_review()
        elif self.view.numbers and self.session.program_asked is None:
            self._open_battle()

    def press_digit(self, number: int) -> None:
        if self.numbers.is_shown:
            self._choose_number(number)
        else:
            super().press_digit(number)

    def action_type(self) -> None:
        if self.view.is_over and self.match:
            self.duel.rematch(self.match)
        else:
            super().action_type()

    # The other keys

    def action_values(self) -> None:
        if self._advice:
            self._advice.toggle_values()

    def action_hint(self) -> None:
        if self._advice:
            self._advice.give_hint()

    def action_undo(self) -> None:
        if self.match and not self.session.people:
            self.notify("Only computers play here; there is nothing to take back.")
        else:
            self._ask(play.AskUndo())

    def action_yes(self) -> None:
        """Allow what is asked for, or play again what was taken back."""
        if self.connection.request:
            self._ask(self.view.answer(yes=True))
        elif self.match:
            self._ask(play.Redo())

    def action_no(self) -> None:
        """Refuse what is asked for, or begin a new game."""
        if self.connection.request:
            self._ask(self.view.answer(yes=False))
        elif self.match:
            self.action_new()

    def action_rematch(self) -> None:
        if self.match is None:
            self._ask(play.OfferRematch())

    def action_claim(self, kind: play.ClaimKind) -> None:
        if self.connection.absence is not None:
            self._ask(play.ClaimGame(kind))

    def action_take_seat(self) -> None:
        if self.match is None:
            self._ask(play.TakeSeatBack())

    def action_resign(self) -> None:
        mine = [side for side in self.view.asked if side in self.view.sides]
        side = next(iter((*mine, *sorted(self.view.sides))), None)
        if side is None or self.view.is_over:
            return

        def resign() -> None:
            if not self.view.is_over:
                self._ask(play.Resign(side))

        who = "" if self.names[side] == YOU else f"{capitalized(self.names[side])}, "
        self.duel.confirm(capitalized(f"{who}resign?"), resign)

    def action_offer_stop(self) -> None:
        """Offer to end the game without a winner; a program of this process answers at once."""
        if self.view.can_offer_stop:
            self._ask(play.OfferStop())
            if self.match and self.match.live.stop_refused is not None:
                self.notify(PLAYS_ON)

    def action_flip(self) -> None:
        super().action_flip()
        self.query_one("#title", Static).update(self._title)
        if self.match is None:
            self._show_status()

    def action_save(self) -> None:
        match = self.match
        if match is None:
            return

        def write(name: str | None) -> None:
            if name is None:
                return
            try:
                path = match.file.save_as(name)
            except LineduelError as error:
                self.complain(error)
            else:
                self.notify(f"Saved as {shown(path, 300)}.", markup=False)

        from lineduel.tui.dialogs import Ask

        name = f"{safe_name(self.session.rulebook.id)}{SUFFIX}"
        self.app.push_screen(Ask("Save the game as:", name), write)

    def action_review(self) -> None:
        if self.match:
            self.duel.review(self.match)

    def action_scroll(self, way: int) -> None:
        """Scroll the list of moves so far."""
        self._log_list.scroll_relative(y=4 * way, animate=False)

    def action_keys(self) -> None:
        self.duel.show_text(Content.from_markup(HELP if self.match else LIVE_HELP))

    def action_puzzles(self) -> None:
        if self.match:
            super().action_puzzles()

    def action_home(self) -> None:
        if self.match:
            super().action_home()
        else:
            self.action_quit()

    def action_quit(self) -> None:
        if self.match is None and self.view.sides and not self.view.is_over:
            self.duel.farewell = _LEFT
        self.duel.leave(self.match)
