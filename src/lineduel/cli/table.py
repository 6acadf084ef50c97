"""Two people at one keyboard: questions, answers, and a game that is kept."""

from datetime import datetime
from pathlib import Path

from lineduel.cli.stage import Stage
from lineduel.cli.terminal import Terminal
from lineduel.engine import PASS
from lineduel.errors import LineduelError, StorageError
from lineduel.record import Record
from lineduel.rules import Answer, Side
from lineduel.saves import Saves, forget, save
from lineduel.session import Session, Turn, read_answer, read_number
from lineduel.storage import user_path

DONE, INTERRUPTED = 0, 130
GO_ON = "Go on with: lineduel play --resume"
HELP = """\
moves      the moves you can make
board      the track as it stands
undo       take back the last move
save FILE  write the game to a file
resign     give the game up
quit       stop; the game is kept, and goes on with --resume
help       this list"""


class Table:
    """The keyboard, the screen and the game between two people."""

    def __init__(self, session: Session, terminal: Terminal, path: Path | None = None) -> None:
        self._session = session
        self._terminal = terminal
        self._stage = Stage(session, terminal)
        self._started = datetime.now()
        self._path = path
        self._can_keep = True

    def play(self) -> int:
        """Play until somebody wins or leaves, and give the exit status of that."""
        if self._session.turns:
            self._show_again()
        else:
            self._stage.open()
        try:
            self._play_on()
        except KeyboardInterrupt:
            self._terminal.say()
            self._leave()
            return INTERRUPTED
        finally:
            self._terminal.show_typing()
        return DONE

    def _play_on(self) -> None:
        session = self._session
        if session.winner is not None:
            self._terminal.say(
                f"The game is over: {self._stage.voice.name(session.winner)} has won."
            )
            return
        while session.winner is None:
            if session.must_pass and not session.stuck:
                self._played(session.play(PASS))
            elif not self._ask():
                self._leave()
                return
        if session.resigned is not None:
            self._stage.resigned(session.resigned)
        self._keep()

    def _ask(self) -> bool:
        """One question and what the answer leads to; False when nobody wants to go on."""
        session, position = self._session, self._session.position
        side = session.asked[0]
        if session.stuck:
            self._terminal.say("Neither side can move any more, so play would never end.")
            prompt = "undo, resign, quit or pass: "
        else:
            if position.battle is None or len(session.asked) == len(Side):
                self._stage.announce(position)
            prompt = self._stage.voice.prompt(position, side)
        while True:
            ask = self._terminal.ask if position.battle is None else self._terminal.ask_secret
            answer = ask(prompt)
            if answer is None:
                return False
            try:
                match _words(answer):
                    case ["help"] | ["?"]:
                        self._help()
                    case ["moves"]:
                        self._moves()
                    case ["board"]:
                        self._terminal.say(self._stage.voice.board(position))
                    case ["save", *name]:
                        self._save(*name)
                    case ["undo"]:
                        session.undo()
                        self._undone()
                        return True
                    case ["resign"]:
                        session.resign(side)
                        return True
                    case ["quit"]:
                        return False
                    case _ if position.battle is not None:
                        self._choose(side, answer)
                        return True
                    case _:
                        self._played(session.play(read_answer(session.game, position, answer)))
                        return True
            except LineduelError as error:
                self._terminal.complain(str(error))

    def _choose(self, side: Side, answer: str) -> None:
        turn = self._session.choose(side, read_number(answer) or 0)
        if turn:
            self._played(turn)

    def _played(self, turn: Turn) -> None:
        self._stage.show(turn)
        self._keep()

    def _undone(self) -> None:
        self._keep()
        self._terminal.say("Taken back.")
        self._terminal.say()
        self._terminal.say(self._stage.voice.board(self._session.position))
        self._terminal.say()

    def _show_again(self) -> None:
        rulebook = self._session.rulebook
        count = len(self._session.turns)
        moves = "1 move" if count == 1 else f"{count} moves"
        self._terminal.say(f"{rulebook.title}, after {moves}.")
        self._terminal.say()
        self._terminal.say(self._stage.voice.board(self._session.position))
        self._terminal.say()

    def _help(self) -> None:
        position = self._session.position
        battle = self._session.rulebook.rules.battle
        if position.battle is not None and battle:
            self._terminal.say(f"Type a number from 1 to {battle.numbers}; it is not shown.")
        else:
            first = self._session.game.moves(position)[0]
            ways = {
                Answer.NUMBER: "the number of a move",
                Answer.STEP: "how far to move",
                Answer.PIECE_STEP: "a piece and how far it moves",
            }
            self._terminal.say(f"Type {ways[self._session.rulebook.words.answer]},")
            self._terminal.say(f"a move in full, as {first}, or a word:")
        self._terminal.say(HELP)

    def _moves(self) -> None:
        session = self._session
        battle = session.rulebook.rules.battle
        if session.position.battle is not None and battle:
            self._terminal.say(f"Any number from 1 to {battle.numbers}.")
        else:
            self._terminal.say(self._stage.voice.moves(session.position))

    def _save(self, name: str = "") -> None:
        if not name:
            raise StorageError("Say where to: save FILE.")
        path = user_path(name)
        save(self._record(), path, new=True)
        self._terminal.say(f"Saved as {path}.")
        self._terminal.say(f"Show it with: lineduel replay {path}")

    def _record(self) -> Record:
        return self._session.record([("Date", f"{self._started:%Y.%m.%d}")])

    def _keep(self) -> None:
        """Write the running game; if that is impossible, say so once and play on."""
        if not self._can_keep:
            return
        try:
            if self._session.turns or self._session.resigned:
                record = self._record()
                self._path = self._path or Saves().new_path(record, self._started)
                save(record, self._path)
            elif self._path:
                forget(self._path)
        except StorageError as error:
            self._can_keep = False
            self._terminal.complain(
                f"The game is not being kept. {error}\nUse 'save FILE' instead."
            )

    def _leave(self) -> None:
        if not self._session.turns:
            self._terminal.say("Nothing was played, so nothing is kept.")
        elif self._can_keep:
            self._terminal.say(f"The game is kept. {GO_ON}")


def _words(answer: str) -> list[str]:
    """A word and what follows it, the word in small letters."""
    first, *rest = answer.split(None, 1) or [""]
    return [first.lower(), *(one.strip() for one in rest)]
