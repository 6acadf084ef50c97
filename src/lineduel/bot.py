"""For authors of bots: the engine's side of the protocol, so that only the choice is left to you.

A bot that plays at random is one line:

    run_bot("random", lambda question: random.choice(question.choices))

Start it with `lineduel play flag-chase --p2 'engine:python my_bot.py'`, check it with
`lineduel engine-check 'python my_bot.py'`. The protocol is described in docs/engine-protocol.md.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import NamedTuple

from lineduel.engine import Game, Move, Position
from lineduel.errors import LineduelError, NotationError, shown
from lineduel.record import parse_move, read_position
from lineduel.rules import Rulebook, Side, Words, parse_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class BotQuestion:
    """What a bot is asked: to choose a move, or a number in an open battle."""

    game: Game
    position: Position
    side: Side
    """For whom it chooses."""
    choices: tuple[Move, ...] | tuple[int, ...]
    """The legal moves; in a battle the numbers in hand."""
    seconds: float | None
    """How long it may take; None where nothing was said about it."""


class GoOptions(NamedTuple):
    """What stands after `go`; None for what does not."""

    side: Side | None = None
    milliseconds: int | None = None
    numbers: int | None = None
    hand: tuple[int, ...] | None = None
    moves: tuple[str, ...] | None = None


def run_bot(name: str, choose: Callable[[BotQuestion], Move | int], author: str = "") -> None:
    """Play until `quit` comes: read lines from standard input, print the answers.

    What `choose` prints goes to standard error, because standard output is for answers alone.
    """
    bot, answers = _Bot(name, choose, author), sys.stdout
    with redirect_stdout(sys.stderr):
        for line in sys.stdin:
            for answer in bot.answer(line):
                print(answer, file=answers, flush=True)
            if bot.over:
                return


def read_go(words: Sequence[str]) -> GoOptions:
    """The words after `go`; those that are not known are skipped."""
    options, rest = GoOptions(), list(words)
    while rest:
        match rest:
            case ["side", ("1" | "2") as side, *rest]:
                options = options._replace(side=Side(int(side)))
            case ["movetime", time, *rest] if _is_number(time):
                options = options._replace(milliseconds=int(time))
            case ["numbers", count, *rest] if _is_number(count):
                options = options._replace(numbers=int(count))
            case ["hand", numbers, *rest] if _is_number(numbers):
                options = options._replace(hand=tuple(map(int, numbers)))
            case ["side" | "movetime" | "numbers" | "hand" as name, *rest]:
                value = f" {shown(rest[0])}" if rest else ""
                raise NotationError(f"'go {name}{value}' is not understood.")
            case ["moves", *moves]:
                return options._replace(moves=tuple(moves))
            case _:
                del rest[0]
    return options


class EngineSide:
    """What an engine answers to each line of the protocol, without any I/O."""

    def __init__(self, name: str, author: str) -> None:
        self._name, self._author = name, author
        self._game: Game | None = None
        self._position: Position | None = None
        self.over = False
        """Whether it was asked to quit."""

    def answer(self, line: str) -> Iterator[str]:
        """The lines of the answer; `error` and why for what cannot be done."""
        try:
            yield from self._answer(line)
        except LineduelError as error:
            yield f"error {' '.join(str(error).split())}"

    def _answer(self, line: str) -> Iterator[str]:
        match line.split():
            case []:
                pass
            case ["duel"]:
                yield f"id name {self._name}"
                if self._author:
                    yield f"id author {self._author}"
                yield "duelok"
            case ["isready"]:
                self._get_ready()
                yield "readyok"
            case ["rules", "set", *_]:
                rules = parse_rules(line.partition("set")[2].strip())
                self._take(
                    Rulebook(id="game", title="Game", summary="", rules=rules, words=Words())
                )
            case ["position", where, *moves]:
                self._set_position(where, moves)
            case ["go", *options]:
                yield from self._go(self._question(read_go(options)))
            case ["quit"]:
                self.over = True
            case _:
                raise NotationError(f"'{shown(line.strip())}' is not understood.")

    def _get_ready(self) -> None:
        """Prepare for the position, if there is one."""

    def _go(self, question: BotQuestion) -> Iterator[str]:
        """The answer to `go`: `bestmove` and, before it, what there is to say."""
        raise NotImplementedError

    def _take(self, rulebook: Rulebook) -> None:
        self._game, self._position = Game(rulebook), None

    def _set_position(self, where: str, moves: list[str]) -> None:
        if self._game is None:
            raise NotationError("Send the rules first.")
        position = read_position(self._game, where)
        if moves[:1] not in ([], ["moves"]):
            raise NotationError(f"'{shown(moves[0])}' is not understood after a position.")
        for move in moves[1:]:
            position = self._game.play(position, parse_move(move))
        self._position = position

    def _question(self, options: GoOptions) -> BotQuestion:
        game, position = self._game, self._position
        if game is None or position is None:
            raise NotationError("Send the rules and a position first.")
        if not game.moves(position):
            raise NotationError("The game is over.")
        choices: tuple[Move, ...] | tuple[int, ...] = game.moves(position)
        if position.battle is not None:
            if options.side is None:
                raise NotationError("A battle is open: say for which side, as go side 1.")
            choices = game.hand(position, options.side)
        time = options.milliseconds
        return BotQuestion(
            game=game,
            position=position,
            side=options.side or position.side,
            choices=choices,
            seconds=None if time is None else time / 1000,
        )


class _Bot(EngineSide):
    """An engine that leaves the choice to a function."""

    def __init__(self, name: str, choose: Callable[[BotQuestion], Move | int], author: str) -> None:
        super().__init__(name, author)
        self._choose = choose

    def _go(self, question: BotQuestion) -> Iterator[str]:
        yield f"bestmove {self._choose(question)}"


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16
