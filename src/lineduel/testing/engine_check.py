"""Check whether an engine follows docs/engine-protocol.md; each check starts a new process."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from random import Random

from lineduel.engine import Game, Numbers, Position
from lineduel.errors import EngineError, EngineNotReady, EngineSilent, shown
from lineduel.players import (
    DEFAULT_LIMITS,
    EngineProgram,
    Limits,
    Process,
    await_ready,
    best_choice,
    hear,
    hear_error,
    identify,
    not_ready,
    split,
)
from lineduel.record import parse_move, read_position
from lineduel.rulebooks import shipped_rulebooks
from lineduel.rules import Rulebook, Side, Words, parse_rules
from lineduel.testing.checks import Finding

_LONGEST = 60
"""Most plies of a game that is played with the engine."""
ENDS_WITHIN = 2.0
"""Seconds that the engine has to exit."""
_BATTLE = (
    "track.first=1; track.last=7; player1.pieces=A:1; player1.goal=7; player2.pieces=B:7; "
    "player2.goal=1; turn.first=either; move.steps=1,2; move.edge=illegal; move.jump=true; "
    "meet.own=blocked; meet.enemy=battle; battle.numbers=2; battle.wins=higher"
)
BLOCKED = (
    "track.first=-2; track.last=2; player1.pieces=A:-1; player1.goal=2; player2.pieces=B:0; "
    "player2.goal=-2; turn.first=player1; move.steps=1; move.edge=illegal; move.jump=false; "
    "meet.own=blocked; meet.enemy=blocked"
)
_FIRST = "names itself after 'duel'"
"""The check without which there is nothing else to check."""
PLAYED = "A+2 B+2 A+2 1:2"
"""A battle on cell 5 that player 2 wins; it is then player 2's turn."""
Check = Callable[[str, Limits], None]
"""Raises an EngineError if the engine is wrong."""


def check_engine(command: str, limits: Limits = DEFAULT_LIMITS) -> Iterator[Finding]:
    """The findings of all checks, each as soon as it is known.

    If the engine does not name itself, or does not get ready in time, the others are skipped.
    """
    for what, check in _checks().items():
        try:
            check(command, limits)
        except EngineError as error:
            yield Finding(what, str(error))
            if what == _FIRST or isinstance(error, EngineNotReady):
                return
        else:
            yield Finding(what)


def _checks() -> dict[str, Check]:
    checks: dict[str, Check] = {
        _FIRST: _running(lambda run: None),
        "says 'readyok' after 'isready'": _running(_Run.tell),
        "answers an unknown line, 'gibberish 1', with 'error', and goes on": _running(
            lambda run: run.expect_error("gibberish 1")
        ),
        "goes on after an invalid position": _running(_skips_wrong_positions),
        "answers a 'go' before any position with 'error', and goes on": _running(
            lambda run: run.expect_error("go")
        ),
        "goes on after an empty line": _running(lambda run: run.tell("", "")),
    }
    for rulebook in shipped_rulebooks():
        checks[f"plays {rulebook.id} by the rules"] = partial(_plays, rulebook=rulebook)
    return checks | {
        "plays the moves after a position": _running(_plays_on),
        "chooses a number in a battle, for either side": _running(_fights),
        "passes where nothing else is legal": _running(_passes),
        "accepts new rules while it runs": _running(_changes_rules),
        "ends after 'quit'": _running(lambda run: run.expect_end(lambda: run.process.send("quit"))),
        "ends when its input is closed": _running(lambda run: run.expect_end(run.process.hang_up)),
    }


@dataclass(frozen=True, slots=True)
class _Run:
    """An engine that has been started and has named itself."""

    process: Process
    limits: Limits

    def tell(self, *lines: str) -> None:
        for line in (*lines, "isready"):
            self.process.send(line)
        await_ready(self.process, self.limits.ready)

    def expect_move(self, game: Game, position: Position) -> None:
        legal = list(map(str, game.moves(position)))
        said = best_choice(self.process, self.limits, f" moves {' '.join(legal)}")
        self._compare(said, legal, f"in {position}")

    def expect_number(self, highest: int, side: Side) -> None:
        said = best_choice(self.process, self.limits, f" numbers {highest}", f" side {side}")
        possible = [str(number) for number in range(1, highest + 1)]
        self._compare(said, possible, f"for player {side} in a battle")

    def _compare(self, said: str, allowed: list[str], where: str) -> None:
        if said not in allowed:
            raise EngineError(f"It chose '{shown(said)}' {where}; allowed: {', '.join(allowed)}.")

    def expect_error(self, line: str) -> None:
        """Check that the engine answers a line with `error`, and goes on."""
        self.process.send(line)
        hear_error(self.process, self.limits.grace)
        self.tell()

    def expect_end(self, ask: Callable[[], None]) -> None:
        """Check that the engine exits when asked to."""
        ask()
        if not self.process.ended(ENDS_WITHIN):
            raise EngineError(f"It is still running after {ENDS_WITHIN:g} seconds.")


def _running(check: Callable[[_Run], None]) -> Check:
    """A check of a running engine as one that starts it and always closes it."""

    def started(command: str, limits: Limits) -> None:
        with closing(Process(split(command))) as process:
            identify(process, limits)
            check(_Run(process, limits))

    return started


def _skips_wrong_positions(run: _Run) -> None:
    """An engine that knows the rules says `error`; one that does not need not look at it."""
    run.process.send("position here")
    run.process.send("isready")
    deadline = run.process.clock() + run.limits.ready
    try:
        words = hear(run.process, deadline)
        if words[0] == "error":
            words = hear(run.process, deadline)
    except EngineSilent:
        raise not_ready(run.limits.ready) from None
    if words != ["readyok"]:
        raise EngineError(f"It said '{shown(' '.join(words))}' instead of 'readyok'.")


def _plays(command: str, limits: Limits, rulebook: Rulebook) -> None:
    """Play a game against random moves."""
    game, rng = Game(rulebook), Random(1)
    position = game.start()
    with closing(EngineProgram(command, game, limits=limits)) as engine:
        for _ in range(_LONGEST):
            if not game.moves(position):
                break
            position = _after(game, position, engine, rng)


def _after(game: Game, position: Position, engine: EngineProgram, rng: Random) -> Position:
    """The next position: the engine plays player 1, random moves player 2; it fights for both."""
    if position.battle is not None:
        one, two = (engine.choose_number(position, side) for side in Side)
        return game.play(position, Numbers(one, two))
    if position.side is Side.TWO:
        return game.play(position, rng.choice(game.moves(position)))
    return game.play(position, engine.choose_move(position))


def _plays_on(run: _Run) -> None:
    """Check that the engine applies both sides' moves and a battle's numbers before it moves."""
    game = _game(_BATTLE)
    run.tell(f"rules set {_BATTLE}", f"position 1/7/1 moves {PLAYED}")
    position = read_position(game, "1/7/1")
    for move in PLAYED.split():
        position = game.play(position, parse_move(move))
    run.expect_move(game, position)


def _fights(run: _Run) -> None:
    run.tell(f"rules set {_BATTLE}", "position 4/4/1*")
    for side in Side:
        run.expect_number(2, side)


def _passes(run: _Run) -> None:
    game = _game(BLOCKED)
    run.tell(f"rules set {BLOCKED}", "position -1/0/1")
    run.expect_move(game, read_position(game, "-1/0/1"))


def _changes_rules(run: _Run) -> None:
    for text, where in ((_BATTLE, "1/7/1"), (BLOCKED, "-2/1/1"), (_BATTLE, "2/7/2")):
        run.tell(f"rules set {text}", f"position {where}")
        game = _game(text)
        run.expect_move(game, read_position(game, where))


def _game(rules: str) -> Game:
    return Game(Rulebook(id="", title="", summary="", rules=parse_rules(rules), words=Words()))
