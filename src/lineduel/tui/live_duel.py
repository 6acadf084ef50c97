"""The screen of a live game that is played over the network."""

import time
from collections.abc import Callable
from typing import ClassVar, Protocol

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from lineduel.documents import (
    SIDE_IDS,
    SIDES,
    LiveBye,
    LiveMessage,
    LivePresence,
    LiveRefused,
    LiveTurn,
    LiveView,
)
from lineduel.engine import BattleSettled, Game, Move, Position
from lineduel.errors import LineduelError
from lineduel.match import Match
from lineduel.play import Session, Turn
from lineduel.record import parse_move
from lineduel.rules import Side
from lineduel.tui.board import Board, BoardScreen
from lineduel.tui.game_keys import LIVE_HELP, LIVE_KEYS, LIVE_KEYS_AT_THE_END
from lineduel.tui.game_widgets import GameWidgets
from lineduel.tui.moves import MoveList
from lineduel.tui.number_buttons import NumberButtons
from lineduel.tui.screens import digit
from lineduel.tui.track import PLAYER, piece_shape
from lineduel.tui.typed_move import TypedMove

_LEFT = "You left. The game goes on; come back with the same command."
_IMPOSSIBLE = "The server tells of moves that are not possible in this game."
_LOST = "Connection lost. Trying again …"


class LiveConnection(Protocol):
    """A live game elsewhere."""

    @property
    def view(self) -> LiveView:
        """The game as it was last seen."""

    def listen(self, hear: Callable[[LiveMessage], None], lost: Callable[[], None]) -> None:
        """Call these from now on, in another thread, when a message comes or the line breaks."""

    def send(self, **request: object) -> None:
        """Ask for something; raises if there is no connection."""


class LiveDuelScreen(BoardScreen, inherit_bindings=False):
    """The board, whose turn it is, the legal moves, and the moves so far; the server decides."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("question_mark", "keys", "keys"),
        ("u", "ask('undo')", "take back"),
        ("y", "answer(True)", "allow"),
        ("n", "answer(False)", "refuse"),
        ("r", "resign", "resign"),
        ("a", "ask('rematch')", "play again"),
        ("w", "claim('win')", "claim the win"),
        ("c", "claim('computer')", "let the computer play"),
        ("x", "claim('abort')", "end the game"),
        ("t", "ask('return')", "take your seat back"),
        ("m", "type", "type a move"),
        ("f", "flip", "flip"),
        ("b", "rules", "rulebook"),
        ("pageup", "scroll(-1)", "scroll"),
        ("pagedown", "scroll(1)", "scroll"),
        ("escape,q", "quit", "quit"),
    ]

    class Heard(Message):
        """The server said something; None if the connection was lost."""

        def __init__(self, told: LiveMessage | None) -> None:
            super().__init__()
            self.told = told

    def __init__(self, game: Game, start: Position, connection: LiveConnection) -> None:
        super().__init__(game)
        self._start, self._connection = start, connection
        self._view = connection.view
        names = self._view.names["P1"], self._view.names["P2"]
        self._match = Match(Session(game, start, names=names), None)
        self._widgets = GameWidgets(
            self._match, self._board, TypedMove(self._send_move, id="typed")
        )
        self._shown: tuple[int, bool, int] | None = None
        """Turn, and whether a move or a number could be chosen, when the board was last drawn."""
        self._noticed = ""
        self._is_lost = False
        self._claimable = 0.0
        """When the game may be claimed, by the monotonic clock."""
        self._is_choosing = False
        """Whether a curtain is up, behind which a number is chosen."""

    def compose(self) -> ComposeResult:
        yield from self._widgets.compose()

    def on_mount(self) -> None:
        self._connection.listen(self._post, lambda: self._post(None))
        self._board.focus()
        self.set_interval(1, self._show_notice)
        self._present()

    def _post(self, told: LiveMessage | None) -> None:
        if self.is_running:
            self.post_message(self.Heard(told))

    # What comes

    def on_live_duel_screen_heard(self, message: Heard) -> None:
        told = message.told
        self._is_lost = told is None
        match told:
            case LiveRefused(error=error):
                self.notify(error, severity="warning", markup=False)
            case LiveBye(error=error, again=False):
                self._part(error)
            case LivePresence():
                self._view = self._connection.view
                self._note_claim()
                self._show_notice()
            case _:
                self._present(is_turn=isinstance(told, LiveTurn))

    def _part(self, why: str) -> None:
        """Leave because of the server."""
        self.duel.farewell = why
        self.duel.leave(None)

    def _present(self, is_turn: bool = False) -> None:
        """Show the game as it stands, and how a turn led there."""
        before, self._view = self._view, self._connection.view
        view = self._view
        if (view.id, view.names) != (before.id, before.names):
            self._begin_anew()
            return
        self._note_claim()
        try:
            added = self._follow()
        except LineduelError:
            self._part(_IMPOSSIBLE)
            return
        for turn in added if is_turn and self.duel.animated else ():
            self._board.animate_move(turn.before, turn.events)
        self._show_board()
        self._widgets.keys.show(LIVE_KEYS_AT_THE_END if view.result else LIVE_KEYS)
        self._show_status()
        self._show_notice()
        if is_turn and added:
            self._reveal(added[0])
        if view.numbers and view.you == "both":
            self._draw_curtain()

    def _show_board(self) -> None:
        """Draw the position and what can be chosen, unless that is what somebody is looking at."""
        view, session = self._view, self._match.session
        shown = (view.turn, bool(view.moves), len(view.numbers))
        if shown == self._shown:
            return
        self._shown = shown
        self._widgets.typed.close()
        self._widgets.log.show()
        self._widgets.show_position(session.game.moves(session.position) if view.moves else ())
        self._widgets.show_moves()
        self._widgets.numbers.show(0 if view.you == "both" else len(view.numbers))

    def _note_claim(self) -> None:
        """Remember when the game may be claimed."""
        if self._view.claim is not None:
            self._claimable = time.monotonic() + self._view.claim.seconds_left

    def _begin_anew(self) -> None:
        """Another game, or other names: show it on a screen of its own."""
        while self.app.screen is not self:
            self.app.pop_screen()
        game = self._match.session.game
        self.app.switch_screen(LiveDuelScreen(game, self._start, self._connection))

    def _follow(self) -> tuple[Turn, ...]:
        """Play here what was played there; the turns that are new."""
        session = self._match.session
        moves = [line.move for line in self._view.log]
        known = [str(turn.move) for turn in session.turns]
        same = 0
        while same < min(len(moves), len(known)) and moves[same] == known[same]:
            same += 1
        if same < len(known):
            session.take_back_to(same)
        return tuple(session.play(parse_move(move)) for move in moves[same:])

    def _show_status(self) -> None:
        view = self._view
        parts = [Content.styled(view.sentence, "bold")]
        if view.you in ("P1", "P2"):
            side = SIDES[view.you]
            you = f"{piece_shape(side, self._board.flipped)} {view.names[view.you]}"
            parts += [Content.styled("   You play ", "$muted"), Content.styled(you, PLAYER[side])]
        elif view.you is None:
            parts.append(Content.styled("   You are watching.", "$muted"))
        self._widgets.say(Content("").join(parts))

    def _show_notice(self) -> None:
        """Show what the players ask of each other, and what can be done about it."""
        notice = _LOST if self._is_lost else self._notice()
        if notice != self._noticed:
            self._noticed = notice
            self._widgets.advise(notice)

    def _notice(self) -> str:
        view = self._view
        if view.undo.sentence:
            is_mine = view.undo.asked_by == view.you
            return f"{view.undo.sentence} {'n: withdraw' if is_mine else 'y: allow   n: refuse'}"
        if view.rematch.offered_by and view.rematch.id is None:
            is_mine = view.you in view.rematch.offered_by
            return "You offered a rematch." if is_mine else "A rematch is offered. a: accept"
        if view.result is not None:
            return ""
        if view.you in ("P1", "P2") and view.kinds[view.you] == "computer":
            return "The computer plays for you. t: take your seat back"
        if view.claim is not None and view.joined:
            left = round(self._claimable - time.monotonic())
            what = "w: claim the win   c: let the computer play   x: end the game"
            return f"{view.claim.sentence} {what if left <= 0 else f'({left} s)'}"
        return ""

    def _reveal(self, turn: Turn) -> None:
        """Show both numbers of a battle that was just settled."""
        settled = next((one for one in turn.events if isinstance(one, BattleSettled)), None)
        if settled is not None:
            from lineduel.tui.battle import Reveal

            told = self._match.narrator.tell(turn.events).strip()
            numbers = settled.number1, settled.number2
            self.app.push_screen(Reveal(self._match.narrator, numbers, told))

    # What is sent

    def _send(self, **request: object) -> None:
        try:
            self._connection.send(**request)
        except LineduelError as error:
            self.notify(str(error), severity="warning", markup=False)

    def _send_move(self, move: Move | str) -> None:
        if self._view.moves:
            self._send(do="move", move=str(move), turn=self._view.turn)

    def _send_number(self, number: int, side: Side | None = None) -> None:
        if number in self._view.numbers:
            whose = {} if side is None else {"side": SIDE_IDS[side]}
            self._send(do="number", number=number, turn=self._view.turn, **whose)

    def _draw_curtain(self) -> None:
        """Where both sides play at this terminal, each chooses while the other looks away."""
        if self._is_choosing:
            return
        from lineduel.tui.battle import Curtain

        side = SIDES[self._view.asked[0]]
        prompt = self._match.narrator.prompt(self._match.session.position, side)

        def choose(number: int | None) -> None:
            self._is_choosing = False
            if number is not None:
                self._send_number(number, side)

        self._is_choosing = True
        curtain = Curtain(self._match.narrator, side, prompt, len(self._view.numbers))
        self.app.push_screen(curtain, choose)

    def on_board_chosen(self, message: Board.Chosen) -> None:
        self._send_move(message.move)

    def on_move_list_clicked(self, message: MoveList.Clicked) -> None:
        self._send_move(message.move)

    def on_number_buttons_chosen(self, message: NumberButtons.Chosen) -> None:
        self._send_number(message.number)

    def on_board_aimed(self) -> None:
        self._widgets.show_moves()

    def on_board_entered(self) -> None:
        if self._view.numbers and self._view.you == "both":
            self._draw_curtain()

    def on_key(self, event: events.Key) -> None:
        typed = self._widgets.typed
        if (typed.is_open or self._view.moves) and typed.take(event):
            return
        if (number := digit(event)) is not None:
            event.stop()
            if self._view.numbers and self._view.you != "both":
                self._send_number(number)
            else:
                self._board.press_digit(number)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        if self._view.moves:
            self._widgets.typed.paste(event.text)

    # The other keys

    def action_ask(self, what: str) -> None:
        """Ask the server for something that needs no more words."""
        self._send(do=what)

    def action_answer(self, yes: bool) -> None:
        if self._view.undo.sentence:
            self._send(do="undo-answer", yes=yes)

    def action_claim(self, what: str) -> None:
        if self._view.claim is not None:
            self._send(do="claim", claim=what)

    def action_resign(self) -> None:
        from lineduel.tui.dialogs import Confirm

        def resign(yes: bool | None) -> None:
            if yes:
                self._send(do="resign")

        if self._view.you is not None and self._view.result is None:
            self.app.push_screen(Confirm("Resign this game?"), resign)

    def action_type(self) -> None:
        if self._view.moves:
            self._widgets.typed.begin()

    def action_flip(self) -> None:
        super().action_flip()
        self._widgets.show_title()
        self._show_status()

    def action_scroll(self, way: int) -> None:
        """Scroll the list of moves so far."""
        self._widgets.log.scroll_relative(y=4 * way, animate=False)

    def action_keys(self) -> None:
        self.duel.show_text(Content.from_markup(LIVE_HELP))

    def action_quit(self) -> None:
        if self._view.you is not None and self._view.result is None:
            self.duel.farewell = _LEFT
        self.duel.leave(None)
