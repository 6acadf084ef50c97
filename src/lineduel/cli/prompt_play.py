"""Play a match at a plain prompt."""

from contextlib import suppress
from textwrap import fill
from typing import assert_never

from lineduel import coach
from lineduel.cli.game_printer import GamePrinter
from lineduel.cli.terminal import Terminal, says_yes
from lineduel.engine import PASS, Move, Position
from lineduel.errors import (
    EngineError,
    LineduelError,
    StorageError,
    TooDeep,
    original_errors,
    shown,
)
from lineduel.match import Match
from lineduel.narration import Names, read_answer, read_number
from lineduel.play import (
    MOST_PLIES,
    AskUndo,
    Awaited,
    ChooseNumber,
    PlayMove,
    Resign,
    Turn,
)
from lineduel.players import HUMAN, describe_players, player_in_words
from lineduel.quantities import counted
from lineduel.rules import Answer, Side, rules_in_lines

DONE, INTERRUPTED = 0, 130
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
quit       stop; the game is saved, resume it with --resume
help       this list"""


class PromptPlay:
    """Asks people for their moves and prints the game."""

    def __init__(self, match: Match, terminal: Terminal) -> None:
        self._match = match
        self._session = match.session
        self._adviser = match.adviser
        self._terminal = terminal
        self._hinted: tuple[tuple[int, Side] | None, int] = None, 0
        """Where a hint was asked for last, and how often before."""
        self._stage = GamePrinter(match.session, terminal, lambda: match.repetition)

    def play(self) -> int:
        """Play until somebody wins or quits; returns the exit status."""
        try:
            self._match.seat()
            if self._session.turns:
                self._show_again()
            else:
                self._stage.open()
            self._introduce()
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
            self._match.close()
        return DONE

    def _introduce(self) -> None:
        """Print who plays whom, where that is not obvious, and how the programs think."""
        known = dict(describe_players())
        told = [
            f"{self._stage.seat_names[side]} plays {self._stage.narrator.role(side)}"
            + (
                f": {player_in_words(name)}. {known.get(name, '')}".rstrip()
                if name != HUMAN
                else "."
            )
            for side, name in zip(Side, self._session.seats, strict=True)
            if name != HUMAN or self._stage.narrator.given_name(side)
        ]
        for line in told:
            self._terminal.say(fill(line, _WIDTH))
        if told:
            self._terminal.say()

    def _play_on(self) -> None:
        session = self._session
        if session.winner is not None:
            self._terminal.say(
                f"The game is over: {self._stage.narrator.name(session.winner)} has won."
            )
            return
        while (awaits := self._session.awaits) is not Awaited.NOTHING:
            match awaits:
                case Awaited.PASS:
                    self._played(self._match.act(session.position.side, PASS))
                case Awaited.UNDECIDED:
                    self._terminal.say(
                        f"Nobody has won in {MOST_PLIES} turns; the game stops here."
                    )
                    self._warn_if_not_kept()
                    return
                case Awaited.PROGRAM | Awaited.NUMBER | Awaited.MOVE:
                    side = session.program_asked
                    if not (self._ask() if side is None else self._let_choose(side)):
                        self._leave()
                        return
                case _:
                    assert_never(awaits)
        self._stage.close()
        self._warn_if_not_kept()
        against_program = set(session.seats) != {HUMAN}
        if against_program and self._terminal.is_interactive and self._match.file.is_kept:
            self._terminal.say("See where it was decided: lineduel history review 1")

    def _let_choose(self, side: Side) -> bool:
        """Let a program move or choose its number; False if it cannot and the person quits."""
        try:
            self._played(self._match.act(side, self._match.think(side)))
        except EngineError as error:
            self._terminal.say(f"{self._stage.seat_names[side]}: {error}")
            self._match.forfeit(side)
        except TooDeep as error:
            if not self._session.people:
                self._leave()
                raise
            self._terminal.complain(str(error))
            return self._ask_instead(side.other)
        return True

    def _ask_instead(self, side: Side) -> bool:
        """Ask a person what to do if the opponent's program cannot move; False to quit."""
        while True:
            answer = self._terminal.ask("undo, resign or quit: ")
            match ["quit"] if answer is None else _words(answer):
                case ["quit"]:
                    return False
                case ["resign"]:
                    self._match.perform(Resign(side))
                    return True
                case ["undo"]:
                    self._undo()
                    return True
                case _:
                    self._terminal.complain("Type undo, resign or quit.")

    def _ask(self) -> bool:
        """Ask one question and act on the answer; False to quit."""
        session, position = self._session, self._session.position
        side = session.asked[0]
        turns, prompt = len(session.turns), self._question(position, side)
        ask = self._terminal.ask if position.battle is None else self._terminal.ask_secret
        while True:
            answer = ask(prompt)
            if answer is None or _words(answer) == ["quit"]:
                return False
            words = _words(answer)
            try:
                if not self._tell(words, position, side):
                    self._act(words, answer, position, side)
                    if (
                        len(session.turns) != turns
                        or side not in session.asked
                        or words == ["undo"]
                    ):
                        return True
            except LineduelError as error:
                self._terminal.complain(str(error))

    def _question(self, position: Position, side: Side) -> str:
        """Print what comes before a prompt, and return the prompt."""
        if self._session.stuck:
            self._terminal.say("Neither side can move any more, so play would never end.")
            return "undo, resign, quit or pass: "
        if position.battle is None or self._session.people <= set(self._session.asked):
            self._stage.announce(position)
        return self._stage.narrator.prompt(position, side)

    def _tell(self, words: list[str], position: Position, side: Side) -> bool:
        """Carry out a command that only shows something."""
        match words:
            case ["help"] | ["?"]:
                self._help()
            case ["moves"]:
                self._moves()
            case ["board"]:
                self._terminal.say(self._stage.narrator.board(position))
            case ["hint"]:
                self._hint(position, side)
            case ["values"]:
                self._terminal.say(self._adviser.values(position, side))
            case ["rules"]:
                self._terminal.say("\n".join(rules_in_lines(self._session.rulebook, _WIDTH)))
            case ["save", *name]:
                self._save(*name)
            case _:
                return False
        return True

    def _hint(self, position: Position, side: Side) -> None:
        """Say a little more each time that a hint is asked for in the same position."""
        stages = coach.hint_stages(self._adviser, position, side, self._names_to(side))
        asked_at, asked = self._hinted
        asked = asked + 1 if asked_at == (self._session.plies, side) else 0
        self._hinted = (self._session.plies, side), asked
        self._say_folded(stages[min(asked, len(stages) - 1)])
        if asked < len(stages) - 1:
            more = "the move" if asked == len(stages) - 2 else "the reason"
            self._terminal.say(f"Type hint again for {more}.")

    def _names_to(self, side: Side) -> Names:
        return coach.names_to(side, self._session.seats, self._stage.narrator)

    def _say_folded(self, text: str) -> None:
        lines = (fill(line, _WIDTH, break_on_hyphens=False) for line in text.splitlines())
        self._terminal.say("\n".join(lines))

    def _act(self, words: list[str], answer: str, position: Position, side: Side) -> None:
        """Carry out a command or a move that changes the game."""
        match words:
            case ["undo"]:
                self._undo()
            case ["resign"]:
                self._match.perform(Resign(side))
            case _ if position.battle is not None:
                number = read_number(answer) or 0
                self._played(self._match.perform(ChooseNumber(number, self._session.plies, side)))
            case _:
                move = read_answer(self._session.game, position, answer)
                if not self._match.settings.coach or self._is_meant(position, move):
                    self._played(self._match.perform(PlayMove(move, self._session.plies)))

    def _played(self, turns: tuple[Turn, ...]) -> None:
        for turn in turns:
            self._stage.show(turn)
        self._tell_save_news()

    def _is_meant(self, position: Position, move: Move) -> bool:
        """Ask for confirmation if the coach warns of a move; returns whether to play it."""
        try:
            warning = coach.coach_text(self._adviser, position, move, self._names_to(position.side))
        except LineduelError as error:
            self._match.settings.coach = False
            self._terminal.complain(f"The coach has nothing to say. {error}")
            return True
        if not warning:
            return True
        self._say_folded(warning)
        return says_yes(self._terminal.ask("Play it anyway? (yes/no): "))

    def _undo(self) -> None:
        self._match.perform(AskUndo())
        self._tell_save_news()
        self._terminal.say("Taken back.")
        self._terminal.say()
        self._terminal.say(self._stage.narrator.board(self._session.position))
        self._terminal.say()

    def _show_again(self) -> None:
        rulebook = self._session.rulebook
        count = len(self._session.turns)
        moves = counted(count, "move")
        position = self._session.position
        self._terminal.say(f"{rulebook.title}, after {moves}.")
        self._terminal.say()
        self._terminal.say(self._stage.narrator.board(position))
        self._terminal.say()
        if self._session.people.intersection(self._session.chosen):
            self._stage.announce(position)  # printed with the first question, which is answered

    def _help(self) -> None:
        position = self._session.position
        if position.battle is not None:
            highest = self._stage.narrator.highest_number
            self._terminal.say(f"Type a number from 1 to {highest}; it is not shown.")
        else:
            first = self._session.game.moves(position)[0]
            ways = {
                Answer.NUMBER: "the number of a move",
                Answer.STEP: "how far to move",
                Answer.PIECE_STEP: "a piece and how far it moves",
            }
            self._terminal.say(f"Type {ways[self._session.rulebook.words.answer]},")
            self._terminal.say(f"a move in full, as {first}, or a word:")
        self._terminal.say(_HELP)

    def _moves(self) -> None:
        position = self._session.position
        if position.battle is not None:
            self._terminal.say(f"Any number from 1 to {self._stage.narrator.highest_number}.")
        else:
            self._terminal.say(self._stage.narrator.moves(position))

    def _save(self, name: str = "") -> None:
        if not name:
            raise StorageError("Say where to: save FILE.")
        path = self._match.file.save_as(name)
        self._terminal.say(f"Saved as {shown(path, 300)}.")
        self._terminal.say(f"Show it with: lineduel replay {shown(path, 300)}")

    def _tell_save_news(self) -> None:
        """Print a message when the game can no longer be saved, or can be saved again."""
        news = self._match.file.news()
        if news and self._match.file.is_kept:
            self._terminal.say(news)
        elif news:
            self._terminal.complain(
                f"{news}\nThe next move tries again; 'save FILE' saves it elsewhere."
            )

    def _leave(self) -> None:
        self._match.file.keep()
        if not self._session.turns:
            self._terminal.say("No moves played, nothing saved.")
        elif self._match.file.is_kept:
            self._terminal.say(f"Game saved. {_RESUME}")
        self._warn_if_not_kept()

    def _warn_if_not_kept(self) -> None:
        if not self._match.file.is_kept:
            self._terminal.complain(self._match.file.not_saved)


def _words(answer: str) -> list[str]:
    """The first word in lower case, and the rest."""
    first, *rest = answer.split(None, 1) or [""]
    return [first.lower(), *(one.strip() for one in rest)]
