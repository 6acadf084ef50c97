"""An engine's side of the protocol: the answers to the lines it receives, without any I/O."""

from collections.abc import Iterator
from io import StringIO
from random import Random

from lineduel.bot import read_go
from lineduel.engine import Game, Position
from lineduel.errors import LineduelError, NotationError, NotSolved, shown
from lineduel.players import (
    Level,
    Lookahead,
    Policy,
    SamplingPlayer,
    level_number,
    make_player,
    solution_for_perfect,
)
from lineduel.record import parse_move, read_position
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import (
    Rulebook,
    Side,
    Words,
    not_toml,
    parse_rules,
    rulebook_from_data,
)
from lineduel.safe_toml import parse_toml
from lineduel.solve import Cache, Solution, Value, solve

LONGEST_LINE = 1 << 20
"""Most characters in a line; longer lines are refused."""
_LINE = 6
"""Number of moves of the best line to print."""


class EngineDialogue:
    """The engine's answers to the lines it receives, without any I/O."""

    def __init__(self, player: str, rng: Random) -> None:
        self._player = player
        self._rng = rng
        self._game: Game | None = None
        self._position: Position | None = None
        self._solution: Solution | None = None
        self._policy: Policy | None = None
        self._toml: StringIO | None = None
        """The lines received so far of a rulebook."""
        self.over = False

    def answer(self, line: str) -> Iterator[str]:
        """The lines of the answer; `error` and the reason if the request cannot be carried out."""
        try:
            if self._toml is not None:
                self._take_toml(line)
            else:
                _check_length(line)
                yield from self._answer(line)
        except LineduelError as error:
            yield f"error {' '.join(str(error).split())}"

    def _answer(self, line: str) -> Iterator[str]:
        word, _, rest = line.partition(" ")
        match word, rest.split():
            case "", _:
                pass
            case "duel", []:
                yield f"id name lineduel {self._player}"
                yield "id author the authors of lineduel"
                yield "duelok"
            case "rules", ["toml"]:
                self._toml = StringIO()
            case "rules", [kind, *_] if kind in ("set", "id"):
                self._rules(kind, rest.strip()[len(kind) :].strip())
            case "isready", []:
                if self._position is not None:
                    self._get_ready(self._position)
                yield "readyok"
            case "position", [where, *moves]:
                self._set_position(where, moves)
            case "go", options:
                yield from self._go(read_go(options).side)
            case "quit", []:
                self.over = True
            case _:
                raise NotationError(f"'{shown(line)}' is not understood.")

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

    def _rules(self, kind: str, text: str) -> None:
        if kind == "set":
            rules = parse_rules(text)
            rulebook = Rulebook(id="game", title="Game", summary="", rules=rules, words=Words())
        elif text.partition(":")[0] in SHIPPED:
            rulebook = find_rulebook(text)
        else:
            raise NotationError(f"There is no game called '{shown(text)}'.")
        self._take(rulebook)

    def _take(self, rulebook: Rulebook) -> None:
        self._game, self._position = Game(rulebook), None
        self._solution = self._policy = None

    def _set_position(self, where: str, moves: list[str]) -> None:
        if self._game is None:
            raise NotationError("Send the rules first.")
        position = read_position(self._game, where)
        if moves[:1] not in ([], ["moves"]):
            raise NotationError(f"'{shown(moves[0])}' is not understood after a position.")
        for move in moves[1:]:
            position = self._game.play(position, parse_move(move))
        self._position = position

    def _go(self, side: Side | None) -> Iterator[str]:
        game, position = self._game, self._position
        if game is None or position is None:
            raise NotationError("Send the rules and a position first.")
        if game.outcome(position) is not None:
            raise NotationError("The game is over.")
        if position.battle is not None and side is None:
            raise NotationError("A battle is open: say for which side, as go side 1.")
        if position.battle is None and side not in (None, position.side):
            raise NotationError(f"It is player {position.side}'s turn.")
        player = SamplingPlayer(self._get_ready(position), game, self._rng)
        if position.battle is not None and side is not None:
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

    def _get_ready(self, position: Position) -> Policy:
        """The player, after its slow preparations: solving the game, or a first search."""
        game, number = self._game, level_number(self._player)
        assert game is not None
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
