"""Play a game at a plain prompt: a match in this process, or a game elsewhere."""

from contextlib import suppress
from textwrap import fill
from threading import Lock
from typing import get_args

from lineduel import coach, play
from lineduel.cli.game_printer import GamePrinter
from lineduel.cli.terminal import Terminal, says_yes
from lineduel.engine import Move, Position
from lineduel.errors import (
    IllegalMove,
    LineduelError,
    NotationError,
    StorageError,
    original_errors,
    shown,
)
from lineduel.match import Match
from lineduel.narration import (
    PLAYS_ON,
    Names,
    capitalized,
    read_answer,
    read_number,
    result_sentence,
)
from lineduel.players import HUMAN, describe_players, player_in_words
from lineduel.preferences import check_name
from lineduel.quantities import counted
from lineduel.rules import Answer, Side, listed, rules_in_lines

DONE, NOT_SAVED, INTERRUPTED = 0, 1, 130
_RESUME = "Resume with: lineduel play --resume"
_WIDTH = 60
_HELP = """\
moves      the moves you can make
board      the track as it stands
hint       where to look; again: why; again: the best move
values     what every move is worth
rules      how this game is played
undo       take back the last move
save FILE  write the game to a file
resign     give the game up
stop       offer to end the game without a winner
quit       stop; the game is saved, resume it with --resume
help       this list"""
_HELP_ELSEWHERE = (
    "Type a move as the game names it, or a number in a battle; 'moves' lists the moves.\n"
    "Also: board, rules, undo, yes, no, resign, stop, rematch, name NAME, claim win,\n"
    "claim computer, return, quit."
)


class PromptPlay:
    """Prints what happens in a game, and asks for what is typed.

    In a match one question follows the other until it is over. In a game elsewhere anything can be
    typed at any time, until somebody leaves.
    """

    def __init__(self, game: play.Connection, terminal: Terminal) -> None:
        self._connection, self._terminal = game, terminal
        self._match = game if isinstance(game, Match) else None
        self._session, self._view = game.state
        self._printer = self._new_printer()
        self._plies = self._session.plies
        """How many turns were printed."""
        self._heard = 0
        """How much news there was."""
        self._is_stalled = False
        self._hinted: tuple[tuple[int, Side] | None, int] = None, 0
        """Where a hint was asked for last, and how often before."""
        self._closed = ""
        """Why nothing more comes from elsewhere."""
        self._printing = Lock()

    def _new_printer(self) -> GamePrinter:
        match = self._match
        repetition = (lambda: match.repetition) if match else None
        return GamePrinter(self._session, self._terminal, repetition)

    def run(self, name: str | None = None) -> int:
        """Play until somebody wins or quits, elsewhere by this name; returns the exit status."""
        try:
            self._connection.listen(self._hear)
            if name:
                self._connection.ask(play.GiveName(name))
            with original_errors():
                self._play_on()
        except KeyboardInterrupt:
            self._terminal.say()
            self._leave()
            return INTERRUPTED
        except SystemExit:  # ended by a signal
            with suppress(OSError):  # the terminal may be gone
                self._terminal.show_typing()
                self._terminal.say()
                self._leave()
            raise
        finally:
            self._terminal.show_typing()
            self._connection.close()
        match = self._match
        return DONE if match is None or match.file.is_kept else NOT_SAVED

    def _play_on(self) -> None:
        session, match = self._session, self._match
        if match is None:
            self._terminal.say(_HELP_ELSEWHERE)
        elif session.agreed:
            ended = result_sentence(session, self._printer.names, self._printer.narrator)
            self._terminal.say(f"The game is over. {ended}")
            return
        elif session.winner is not None:
            winner = self._printer.narrator.name(session.winner)
            self._terminal.say(f"The game is over: {winner} has won.")
            return
        while not self._is_done:
            if match and session.awaits in _BY_ITSELF and not self._is_stalled:
                self._connection.go_on()
            elif not self._ask():
                self._leave()
                return
        self._check()
        self._end()

    @property
    def _is_done(self) -> bool:
        if self._match is None:
            return bool(self._closed)
        return self._session.awaits in (play.Awaited.NOTHING, play.Awaited.UNDECIDED)

    def _check(self) -> None:
        """Raise if nothing more comes from elsewhere."""
        if self._closed:
            raise LineduelError(self._closed)

    # What is heard

    def _hear(self, news: play.GameNews) -> None:
        """Print what comes; a game elsewhere calls this in a thread of its own."""
        with self._printing:
            match news:
                case play.Changed("presence"):
                    if absence := self._connection.absence:
                        self._terminal.say(absence[0])
                case play.Changed(kind, note):
                    self._present(kind == "turn", note)
                case play.Refused(why):
                    self._terminal.complain(why)
                case play.Lost():
                    self._terminal.say("The connection is lost; connecting again …")
                case play.Closed(why):
                    self._closed = why
                case play.Stalled(error):
                    self._stall(error)
            self._heard += 1

    def _stall(self, error: LineduelError) -> None:
        """A program cannot play: ask what to do, if there is anybody to ask."""
        if self._heard and not self._session.people:
            self._leave()
        if not self._heard or not self._session.people:
            raise error
        self._terminal.complain(str(error))
        self._is_stalled = True

    def _present(self, is_turn: bool, note: str) -> None:
        """Print the game as it stands at first, and what is new later."""
        try:
            self._session, self._view = self._connection.state
        except LineduelError as error:
            self._closed = str(error)
            return
        if self._printer.session is not self._session:
            self._printer = self._new_printer()
        added = self._session.turns_after(self._plies) if is_turn else ()
        self._plies = self._session.plies
        self._is_stalled = False
        if self._match is None:
            self._show_elsewhere(added, is_turn)
        elif not self._heard:
            self._open()
        else:
            for turn in added:
                self._printer.show(turn)
            if note and (side := self._session.forfeited):
                self._terminal.say(f"{capitalized(self._printer.names[side])}: {note}")
            self._tell_save_news(self._match)

    def _open(self) -> None:
        """Print the game as it stands, who plays whom, and how the programs think."""
        if self._session.turns:
            self._show_again()
        else:
            self._printer.open()
        lines = [
            self._about_seat(side, name)
            for side, name in zip(Side, self._session.seats, strict=True)
            if name != HUMAN or self._printer.narrator.given_name(side)
        ]
        for line in lines:
            self._terminal.say(fill(line, _WIDTH))
        if lines:
            self._terminal.say()

    def _about_seat(self, side: Side, player: str) -> str:
        """`The computer plays Player 2: level 3 (easy). It …`, `Ann plays Player 1.`"""
        name, role = capitalized(self._printer.names[side]), self._printer.narrator.role(side)
        plays = f"{name} plays {role}" if name != role else role
        if player == HUMAN:
            return f"{plays}."
        about = dict(describe_players()).get(player, "")
        does = f" It {about[0].lower()}{about[1:]}" if about else ""
        return f"{plays}: {player_in_words(player)}.{does}"

    def _show_again(self) -> None:
        session = self._session
        self._terminal.say(f"{session.rulebook.title}, after {counted(session.plies, 'turn')}.")
        self._terminal.say()
        self._show_board()
        self._terminal.say()
        if session.people.intersection(session.chosen):
            # printed with the first question, which is answered
            self._printer.announce(session.position)

    def _show_elsewhere(self, turns: tuple[play.Turn, ...], is_turn: bool) -> None:
        """Print what is new, the board, and whose turn it is."""
        say, view = self._terminal.say, self._view
        if not is_turn:
            names = " against ".join(map(self._printer.narrator.name, Side))
            say(f"{self._session.rulebook.title}: {names}")
        for turn in turns:
            say(self._printer.sentence(turn))
        self._show_board()
        if request := self._connection.request:
            say(f"{request} Type yes or no.")
        if view.is_replaced:
            say("The computer plays for you. Type return to take your seat back.")
        say(self._connection.status)
        if view.rematch_id:
            say("The rematch begins.")

    # What is typed

    def _ask(self) -> bool:
        """Ask until something happens; False to quit."""
        heard, prompt = self._heard, self._question()
        is_secret = self._match and self._session.position.battle is not None
        while self._heard == heard:
            if is_secret and not self._is_stalled:
                answer = self._terminal.ask_secret(prompt)
            else:
                answer = self._terminal.ask(prompt, self._check)
            if answer is None or _words(answer)[0] in ("quit", "q"):
                return False
            try:
                self._take(_words(answer), answer)
            except IllegalMove as error:
                self._terminal.complain(self._printer.narrator.refused(error))
            except LineduelError as error:
                self._terminal.complain(str(error))
        return True

    def _question(self) -> str:
        """Print what comes before a prompt, and return the prompt."""
        session, position = self._session, self._session.position
        if self._match is None:
            return "> "
        if self._is_stalled:
            return "undo, resign or quit: "
        if session.stuck:
            self._terminal.say("Neither side can move any more, so play would never end.")
            return "undo, resign, quit or pass: "
        if position.battle is None or session.people <= set(session.asked):
            self._printer.announce(position)
        return self._printer.narrator.prompt(position, self._side)

    @property
    def _side(self) -> Side:
        """The side that a match asks."""
        session = self._session
        return next(iter((*session.people_asked, *sorted(session.people), *session.asked)))

    def _take(self, words: list[str], answer: str) -> None:
        """Carry out a command, or choose a move or a number."""
        match words:
            case ["undo"]:
                self._undo()
            case ["resign"]:
                self._connection.ask(play.Resign(self._side if self._match else None))
            case ["stop"]:
                self._offer_stop()
            case _ if self._is_stalled:
                self._terminal.complain("Type undo, resign or quit.")
            case ["help"] | ["?"]:
                self._help()
            case ["moves"]:
                self._terminal.say(self._moves())
            case ["board"]:
                self._show_board()
            case ["rules"]:
                self._terminal.say(
                    "\n".join(rules_in_lines(self._session.rulebook, _WIDTH, notes=False))
                )
            case _ if self._match:
                if not self._advise(self._match, words):
                    self._choose(answer)
            case _:
                if not self._arrange(words):
                    self._choose(answer)

    def _offer_stop(self) -> None:
        """Offer to end the game without a winner; a program answers at once."""
        self._connection.ask(play.OfferStop(self._side if self._match else None))
        _, view = self._connection.state
        if self._match and view.stop_refused_by:
            self._terminal.say(PLAYS_ON)

    def _advise(self, match: Match, words: list[str]) -> bool:
        """Carry out a command that only a match has; whether it was one."""
        position = self._session.position
        match words:
            case ["hint"]:
                self._hint(match, position)
            case ["values"]:
                self._terminal.say(match.adviser.values(position, self._side))
            case ["save", *name]:
                if not name:
                    raise StorageError("Say where to: save FILE.")
                path = shown(match.file.save_as(name[0]), 300)
                self._terminal.say(f"Saved as {path}.")
                self._terminal.say(f"Show it with: lineduel replay {path}")
            case _:
                return False
        return True

    def _arrange(self, words: list[str]) -> bool:
        """Carry out a command that only a game elsewhere has; whether it was one."""
        ask = self._connection.ask
        match words:
            case [""]:
                pass
            case ["yes" | "y" | "no" | "n" as answer]:
                _, view = self._connection.state
                ask(view.answer(says_yes(answer)))
            case ["rematch"]:
                ask(play.OfferRematch())
            case ["return"]:
                ask(play.TakeSeatBack())
            case ["name", *name]:
                ask(play.GiveName(check_name("".join(name))))
            case ["claim", *claimed]:
                kind = next((one for one in get_args(play.ClaimKind) if [one] == claimed), None)
                if kind is None:
                    raise NotationError("Say what you claim: win, computer or abort.")
                ask(play.ClaimGame(kind))
            case _:
                return False
        return True

    def _choose(self, answer: str) -> None:
        """Choose the number, or play the move, that the answer means."""
        position, turn = self._session.position, self._session.plies
        if position.battle is not None:
            side = self._side if self._match else None
            self._connection.ask(play.ChooseNumber(read_number(answer) or 0, turn, side))
        else:
            move = read_answer(self._session.game, position, answer)
            if self._is_meant(position, move):
                self._connection.ask(play.PlayMove(move, turn))

    def _hint(self, match: Match, position: Position) -> None:
        """Say a little more each time that a hint is asked for in the same position."""
        side = self._side
        stages = coach.hint_stages(match.adviser, position, side, self._names_to(side))
        asked_at, asked = self._hinted
        asked = asked + 1 if asked_at == (self._session.plies, side) else 0
        self._hinted = (self._session.plies, side), asked
        self._say_folded(stages[min(asked, len(stages) - 1)].text)
        if asked < len(stages) - 1:
            more = "the move" if asked == len(stages) - 2 else "the reason"
            self._terminal.say(f"Type hint again for {more}.")

    def _names_to(self, side: Side) -> Names:
        return coach.names_to(side, self._session.seats, self._printer.narrator)

    def _say_folded(self, text: str) -> None:
        lines = (fill(line, _WIDTH, break_on_hyphens=False) for line in text.splitlines())
        self._terminal.say("\n".join(lines))

    def _is_meant(self, position: Position, move: Move) -> bool:
        """Ask for confirmation if the coach warns of a move; returns whether to play it."""
        match = self._match
        if match is None or not match.settings.coach:
            return True
        try:
            names = self._names_to(position.side)
            warning = coach.coach_advice(match.adviser, position, move, names).text
        except LineduelError as error:
            match.settings.coach = False
            self._terminal.complain(f"The coach has nothing to say. {error}")
            return True
        if not warning:
            return True
        self._say_folded(warning)
        return says_yes(self._terminal.ask("Play it anyway? (yes/no): "))

    def _undo(self) -> None:
        self._connection.ask(play.AskUndo())
        if self._match:
            self._terminal.say("Taken back.")
            self._terminal.say()
            self._show_board()
            self._terminal.say()

    def _show_board(self) -> None:
        self._terminal.say(self._printer.narrator.board(self._session.position))

    def _help(self) -> None:
        position = self._session.position
        if self._match is None:
            self._terminal.say(_HELP_ELSEWHERE)
            return
        if position.battle is not None:
            self._terminal.say(f"Type a number {self._numbers()} (hidden while you type).")
        else:
            first = self._session.moves[0]
            ways = {
                Answer.NUMBER: "the number of a move",
                Answer.STEP: "how far to move",
                Answer.PIECE_STEP: "a piece and how far it moves",
            }
            self._terminal.say(f"Type {ways[self._session.rulebook.words.answer]},")
            self._terminal.say(f"a move in full, as {first}, or a word:")
        self._terminal.say(_HELP)

    def _moves(self) -> str:
        if self._view.numbers:
            return f"Any number {self._numbers()}."
        if not self._view.moves:
            return "You cannot move now."
        return self._printer.narrator.moves(self._session.position)

    def _numbers(self) -> str:
        """Which numbers can be chosen in the open battle."""
        if self._session.position.hands is None:
            return f"from 1 to {self._printer.narrator.highest_number}"
        return f"from your hand: {listed(map(str, self._view.numbers), 'or')}"

    # The end

    def _end(self) -> None:
        """Print how a match has ended, and what can be done with it."""
        match, session = self._match, self._session
        if match is None:
            return
        if session.undecided:
            self._terminal.say(f"Nobody has won in {play.MOST_PLIES} turns; the game stops here.")
        self._printer.close()
        self._warn_if_not_kept(match)
        against_program = session.winner is not None and set(session.seats) != {HUMAN}
        if against_program and self._terminal.is_interactive and match.file.is_kept:
            self._terminal.say("See where it was decided: lineduel history review 1")

    def _leave(self) -> None:
        """Say whether the match that is left is saved; a game elsewhere goes on."""
        match = self._match
        if match is None:
            return
        match.file.keep()
        if not self._session.turns:
            self._terminal.say("No moves played, nothing saved.")
        elif match.file.is_kept:
            self._terminal.say(f"Game saved. {_RESUME}")
        self._warn_if_not_kept(match)

    def _tell_save_news(self, match: Match) -> None:
        """Print a message when the game can no longer be saved, or can be saved again."""
        news = match.file.news()
        if news and match.file.is_kept:
            self._terminal.say(news)
        elif news:
            self._terminal.complain(
                f"{news}\nThe next move tries again; 'save FILE' saves it elsewhere."
            )

    def _warn_if_not_kept(self, match: Match) -> None:
        if not match.file.is_kept:
            self._terminal.complain(match.file.not_saved)


_BY_ITSELF = (play.Awaited.PASS, play.Awaited.PROGRAM)
"""What a match waits for that nobody types."""


def _words(answer: str) -> list[str]:
    """The first word in lower case, and the rest."""
    first, *rest = answer.split(None, 1) or [""]
    return [first.lower(), *(one.strip() for one in rest)]
