"""The engine that comes with lineduel: its players behind the protocol of `lineduel.bot`."""

from collections.abc import Iterator
from io import StringIO
from random import Random

from lineduel.bot import BotQuestion, EngineSide
from lineduel.engine import Game, Position
from lineduel.errors import NotationError, NotSolved, shown
from lineduel.players import (
    Level,
    Lookahead,
    Policy,
    SamplingPlayer,
    level_number,
    make_player,
    solution_for_perfect,
)
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Rulebook, not_toml, rulebook_from_data
from lineduel.safe_toml import parse_toml
from lineduel.solve import Cache, Solution, Value, solve

LONGEST_LINE = 1 << 20
"""Most characters in a line; longer lines are refused."""
_LINE = 6
"""Number of moves of the best line to print."""


class EngineDialogue(EngineSide):
    """The answers of the engine that comes with lineduel, as one of its players."""

    def __init__(self, player: str, rng: Random) -> None:
        super().__init__(f"lineduel {player}", "the authors of lineduel")
        self._player = player
        self._rng = rng
        self._solution: Solution | None = None
        self._policy: Policy | None = None
        self._toml: StringIO | None = None
        """The lines received so far of a rulebook."""

    def _answer(self, line: str) -> Iterator[str]:
        if self._toml is not None:
            self._take_toml(line)
            return
        _check_length(line)
        match line.split():
            case ["rules", "toml"]:
                self._toml = StringIO()
            case ["rules", "id", *_]:
                name = line.partition("id")[2].strip()
                if name.partition(":")[0] not in SHIPPED:
                    raise NotationError(f"There is no game called '{shown(name)}'.")
                self._take(find_rulebook(name))
            case _:
                yield from super()._answer(line)

    def _take_toml(self, line: str) -> None:
        """Take one line of a rulebook; `endrules` ends it."""
        assert self._toml is not None
        if line != "endrules":
            if self._toml.tell() <= LONGEST_LINE:
                print(line, file=self._toml)
            return
        text, self._toml = self._toml.getvalue(), None
        _check_length(text)
        try:
            rulebook = rulebook_from_data(parse_toml(text), "game")
        except ValueError as error:
            raise NotationError(
                f"The rulebook is not TOML: {shown(not_toml(error).holds)}."
            ) from None
        self._take(rulebook)

    def _take(self, rulebook: Rulebook) -> None:
        super()._take(rulebook)
        self._solution = self._policy = None

    def _go(self, question: BotQuestion) -> Iterator[str]:
        game, position, side = question.game, question.position, question.side
        if position.battle is None and side is not position.side:
            raise NotationError(f"It is player {position.side}'s turn.")
        player = SamplingPlayer(self._policy_for(game, position), game, self._rng)
        if position.battle is not None:
            best: object = player.choose_number(position, side)
            line: tuple[object, ...] = ()
        else:
            best = move = player.choose_move(position)
            line = (move,)
        if self._solution is not None:  # levels do not know it
            if line:
                line += self._solution.line(game.play(position, move), _LINE - 1)
            yield _info(self._solution.value(position), line)
        yield f"bestmove {best}"

    def _get_ready(self) -> None:
        if self._game is not None and self._position is not None:
            self._policy_for(self._game, self._position)

    def _policy_for(self, game: Game, position: Position) -> Policy:
        """The player, after its slow preparations: solving the game, or a first search."""
        number = level_number(self._player)
        if number is None:
            solution = self._solved(game, position)
            self._policy = self._policy or make_player(self._player, solution)
        else:
            self._policy = self._policy or Level(number, Lookahead(game))
            if game.outcome(position) is None:
                self._policy.chances(position, position.side)
        return self._policy

    def _solved(self, game: Game, position: Position) -> Solution:
        """A solution that contains the position."""
        if self._solution is not None:
            try:
                self._solution.value(position)
            except NotSolved:
                self._solution = None
        if self._solution is None:
            self._policy = None
            self._solution = solution_for_perfect(
                lambda: solve(game, position, cache=Cache()), game, position
            )
        return self._solution


def _check_length(line: str) -> None:
    if len(line) > LONGEST_LINE:
        raise NotationError(f"That is longer than {LONGEST_LINE:,} characters.")


def _info(value: Value, line: tuple[object, ...]) -> str:
    worth = (value.low + value.high) / 2
    plies = f" plies {value.plies}" if value.plies is not None else ""
    way = f" line {' '.join(map(str, line))}" if line else ""
    return f"info value {float(worth):g}{plies}{way}"
