"""A player that is another program: the client's side of docs/engine-protocol.md."""

import shlex
from collections.abc import Callable
from typing import TypeVar

from lineduel.engine import Game, Move, Position
from lineduel.errors import (
    EngineComplaint,
    EngineError,
    EngineNotReady,
    EngineSilent,
    NotationError,
    shown,
)
from lineduel.players.process import EngineLog, Process
from lineduel.players.roster import DEFAULT_LIMITS, Limits
from lineduel.record import parse_move
from lineduel.rules import Side, format_rules

_Answer = TypeVar("_Answer")


class EngineProgram:
    """An engine in a seat; whatever it does wrong raises an EngineError.

    It is started by `start`, or when it is first asked. After an error it is closed, and starts
    afresh if it is asked again.
    """

    def __init__(
        self,
        command: str,
        game: Game,
        start: Position | None = None,
        limits: Limits = DEFAULT_LIMITS,
        log: EngineLog | None = None,
    ) -> None:
        self._command = command
        self._game = game
        self._start = start or game.start()
        self._limits = limits
        self._log = log
        self._process: Process | None = None
        self.name = ""
        """Its own name, once it has been asked for it."""

    def start(self) -> None:
        """Start it and let it get ready for the game."""
        self._talk(self._ready_process)

    def choose_move(self, position: Position) -> Move:
        moves = self._game.moves(position)
        text = self._choice(position, f" moves {' '.join(map(str, moves))}")
        try:
            move = parse_move(text)
        except NotationError:
            raise self._wrong(f"'{shown(text)}' is not a move") from None
        if move not in moves:
            raise self._wrong(f"{shown(text)} is illegal in {position}")
        return move

    def choose_number(self, position: Position, side: Side) -> int:
        battle = self._game.rules.battle
        assert battle is not None
        hand, offer = self._game.hand(position, side), f" numbers {battle.numbers}"
        allowed = f"is not a number from 1 to {battle.numbers}"
        if position.hands is not None:
            offer, allowed = f" hand {''.join(map(str, hand))}", "is not a number in hand"
        text = self._choice(position, offer, f" side {side}")
        if text not in map(str, hand):
            raise self._wrong(f"'{shown(text)}' {allowed}")
        return int(text)

    def close(self, hasty: bool = False) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close(hasty)

    def _choice(self, position: Position, offer: str, side: str = "") -> str:
        """The move that it calls best in a position, or the best number for that side."""

        def ask() -> str:
            process = self._ready_process()
            self._get_ready(process, f"position {position}")
            return best_choice(process, self._limits, offer, side)

        return self._talk(ask)

    def _talk(self, exchange: Callable[[], _Answer]) -> _Answer:
        """The result of an exchange with the engine; if it fails, the engine is closed."""
        try:
            return exchange()
        except EngineError:
            self.close()
            raise
        except BaseException:  # after an interrupt, too, the dialogue cannot be continued
            self.close(hasty=True)
            raise

    def _ready_process(self) -> Process:
        """The running engine; if necessary, it is started and given the rules first."""
        if self._process is None:
            process = self._process = Process(split(self._command), self._log)
            self.name = identify(process, self._limits)
            rules = format_rules(self._game.rules)
            self._get_ready(process, f"rules set {rules}", f"position {self._start}")
        return self._process

    def _get_ready(self, process: Process, *lines: str) -> None:
        for line in lines:
            process.send(line)
        process.send("isready")
        await_ready(process, self._limits.ready)

    def _wrong(self, what: str) -> EngineError:
        self.close()
        return EngineError(f"The engine's choice is wrong: {what}.")


def split(command: str) -> list[str]:
    """The words of a command as a shell takes them."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EngineError(f"The command '{shown(command)}' is incomplete: {error}.") from None
    if not words:
        raise EngineError("The engine's command is empty.")
    return words


def identify(process: Process, limits: Limits = DEFAULT_LIMITS) -> str:
    """The name it gives itself."""
    process.send("duel")
    name, deadline = "", process.clock() + limits.start
    while True:
        first, *rest = hear(process, deadline)
        match first, rest:
            case "id", ["name", *words] if words:
                name = shown(" ".join(words))
            case "id", _:
                pass
            case "duelok", [] if name:
                return name
            case _:
                raise unexpected([first, *rest], "id name NAME, then duelok")


def answer(process: Process, word: str, seconds: float) -> list[str]:
    """What follows that word on the line it begins; before it only `info` may come."""
    deadline = process.clock() + seconds
    while True:
        first, *rest = words = hear(process, deadline)
        if first == word:
            return rest
        if first != "info":
            raise unexpected(words, word)


def await_ready(process: Process, seconds: float) -> None:
    """Wait until it says `readyok`."""
    try:
        answer(process, "readyok", seconds)
    except EngineSilent:
        raise not_ready(seconds) from None


def not_ready(seconds: float) -> EngineNotReady:
    return EngineNotReady(f"The engine did not say 'readyok' within {seconds:g} seconds.")


def best_choice(process: Process, limits: Limits, offer: str, side: str = "") -> str:
    """Its answer to `go`, with these moves or numbers on offer.

    An engine that complains about the offer, which the protocol did not always have, is asked
    without it.
    """
    seconds = limits.movetime / 1000 + limits.grace
    go = f"go movetime {limits.movetime}"
    process.send(f"{go}{offer}{side}")
    try:
        said = answer(process, "bestmove", seconds)
    except EngineComplaint:
        process.send(f"{go}{side}")
        said = answer(process, "bestmove", seconds)
    return " ".join(said)


def hear_error(process: Process, seconds: float) -> None:
    """Wait for an error message, which is the expected answer here."""
    words = hear(process, process.clock() + seconds)
    if words[0] != "error":
        raise unexpected(words, "error TEXT")


def hear(process: Process, deadline: float) -> list[str]:
    """The words of the next line that is not empty."""
    while not (words := process.receive(deadline - process.clock()).split()):
        pass
    return words


def unexpected(words: list[str], wanted: str) -> EngineError:
    said = shown(" ".join(words))
    if words[0] == "error":
        return EngineComplaint(f"The engine complains: '{said.removeprefix('error ')}'.")
    return EngineError(f"The engine said '{said}' instead of '{wanted}'.")
