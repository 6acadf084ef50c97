"""Two people at one keyboard: questions, answers, and a game that is kept."""

from datetime import datetime
from enum import Enum, auto
from pathlib import Path

from lineduel.cli.stage import Stage
from lineduel.cli.terminal import Terminal
from lineduel.engine import PASS
from lineduel.errors import LineduelError, StorageError
from lineduel.record import Record
from lineduel.rules import Answer, Side
from lineduel.saves import Saves, save
from lineduel.session import Session, Turn, read_answer, read_number
from lineduel.session.voice import moves_in_words

GO_ON = "Go on with: lineduel play --resume"
HELP = """\
moves      the moves you can make
board      the track as it stands
undo       take back the last move
save FILE  write the game to a file
resign     give the game up
quit       stop; the game is kept, and goes on with --resume
help       this list"""


class Ended(Enum):
    """How a sitting at the keyboard ended."""

    DECIDED = auto()
    LEFT = auto()


class Table:
    """The keyboard, the screen and the game between two people."""

    def __init__(self, session: Session, terminal: Terminal, path: Path | None = None) -> None:
        self._session = session
        self._terminal = terminal
        self._stage = Stage(session, terminal)
        self._started = datetime.now()
        self._path = path
        self._can_keep = True

    def play(self) -> Ended:
        """Play until somebody wins or leaves; a game that was begun is shown as it stands."""
        if self._session.turns:
            self._show_again()
        else:
            self._stage.open()
        try:
            while self._session.winner is None:
                if self._session.must_pass and not self._session.stuck:
                    self._played(self._session.play(PASS))
                elif self._ask() is Ended.LEFT:
                    return self._leave()
        except KeyboardInterrupt:
            self._terminal.say()
            self._leave()
            raise
        if self._session.resigned is not None:
            self._stage.resigned(self._session.resigned)
        self._keep()
        return Ended.DECIDED

    def _ask(self) -> Ended | None:
        """One question and what the answer leads to."""
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
                return Ended.LEFT
            try:
                word, _, rest = answer.strip().partition(" ")
                match word.lower():
                    case "help" | "?":
                        self._help()
                    case "moves":
                        self._moves()
                    case "board":
                        self._terminal.say(self._stage.voice.board(position))
                    case "save":
                        self._save(rest.strip())
                    case "undo":
                        session.undo()
                        self._undone()
                        return None
                    case "resign":
                        session.resign(side)
                        return None
                    case "quit":
                        return Ended.LEFT
                    case _ if position.battle is not None:
                        self._choose(side, answer)
                        return None
                    case _:
                        self._played(session.play(read_answer(session.game, position, answer)))
                        return None
            except LineduelError as error:
                self._terminal.complain(str(error))

    def _choose(self, side: Side, answer: str) -> None:
        number = read_number(answer)
        turn = self._session.choose(side, 0 if number is None else number)
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
            way = ways[self._session.rulebook.words.answer]
            self._terminal.say(f"Type {way}, or a move in full, as {first}. Or a word:")
        self._terminal.say(HELP)

    def _moves(self) -> None:
        session = self._session
        battle = session.rulebook.rules.battle
        if session.position.battle is not None and battle:
            self._terminal.say(f"Any number from 1 to {battle.numbers}.")
            return
        listed = moves_in_words(self._stage.voice, session.game, session.position)
        for words, move in listed:
            self._terminal.say(f"{words}   {move}")
        if not listed:
            self._terminal.say("There is no move but to pass.")

    def _save(self, name: str) -> None:
        if not name:
            raise StorageError("Say where to: save FILE.")
        path = Path(name).expanduser()
        if path.exists():
            raise StorageError(f"{path} is there already; choose another name.")
        save(self._record(), path)
        self._terminal.say(f"Saved as {path}. Show it with: lineduel replay {path}")

    def _record(self) -> Record:
        return self._session.record([("Date", f"{self._started:%Y.%m.%d}")])

    def _keep(self) -> None:
        """Write the running game; if that is impossible, say so once and play on."""
        if not self._can_keep or not (self._session.turns or self._path):
            return
        record = self._record()
        try:
            self._path = self._path or Saves().new_path(record, self._started)
            save(record, self._path)
        except StorageError as error:
            self._can_keep = False
            self._terminal.complain(
                f"The game is not being kept. {error}\nUse 'save FILE' instead."
            )

    def _leave(self) -> Ended:
        if self._session.turns and self._can_keep:
            self._terminal.say(f"The game is kept. {GO_ON}")
        elif not self._session.turns:
            self._terminal.say("Nothing was played, so nothing is kept.")
        return Ended.LEFT
