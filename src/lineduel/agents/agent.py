"""Who can be examined: a command that speaks lines, an HTTP endpoint, a Python function, a player.

An agent gets a question as text and answers as text. It may also say what the answer cost: tokens,
seconds, money.
"""

import math
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from queue import Empty
from typing import Any, Protocol, TypeGuard

from lineduel.agents.answers import (
    LONGEST_ANSWER,
    NO_USAGE,
    AgentAnswer,
    in_time,
    late_answer,
    shortened,
    usage_of,
)
from lineduel.arena import RandomStream
from lineduel.engine import Game, Move, Position
from lineduel.errors import (
    AgentError,
    EngineError,
    EngineSilent,
    EngineTooLong,
    LineduelError,
    shown,
)
from lineduel.players import (
    Policy,
    Process,
    SamplingPlayer,
    Search,
    check_policy_name,
    make_player,
    split,
)
from lineduel.rules import Side
from lineduel.solve import Solution

END_OF_QUESTION = "answer?"
"""The line after the last line of a question to a command."""
END_OF_ANSWER = "done"
"""The line after the last line of its answer."""
USAGE = "usage"
"""How a line of an answer begins that says what the answer cost."""
PLAYER_PREFIX, FUNCTION_PREFIX = "player:", "python:"
HTTP_PREFIXES = ("http://", "https://")
GREEDY = "greedy"
_SEARCH = "search"
_RANDOM = "level:1"
_PLAYOUTS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentQuestion:
    """A question as text; stand-ins look at the position itself."""

    text: str
    game: Game
    position: Position
    side: Side
    """For whom to choose."""
    seed: int
    """For stand-ins that choose at random."""
    exam_seed: int
    """The same in the whole exam, for agents that learn."""
    solution: Callable[[], Solution]


class Agent(Protocol):
    """What an exam asks."""

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        """The answer, waited for as long as this; AgentError if no exam is possible."""
        ...

    def close(self, hasty: bool = False) -> None:
        """Release its resources; it starts afresh if it is asked again."""
        ...


def make_agent(name: str, model: str = "", key: str = "") -> Agent:
    """The agent of that name: a URL, `python:FILE.py:FUNCTION`, `player:NAME`, or a command.

    `model` and `key` are for endpoints.
    """
    if name.startswith(HTTP_PREFIXES):
        from lineduel.agents.endpoint import ChatAgent

        return ChatAgent(name, model, key)
    if name.startswith(FUNCTION_PREFIX):
        found = load_function(name.removeprefix(FUNCTION_PREFIX))
        return ObjectAgent(found) if _makes_agents(found) else FunctionAgent(found)
    if name.startswith(PLAYER_PREFIX):
        return PlayerAgent(name.removeprefix(PLAYER_PREFIX))
    return CommandAgent(name)


def may_learn(name: str) -> bool:
    """Whether the agent is a class, whose objects may keep what they learn about a rule set."""
    return name.startswith(FUNCTION_PREFIX) and _makes_agents(
        load_function(name.removeprefix(FUNCTION_PREFIX))
    )


def _makes_agents(found: Callable[..., Any]) -> TypeGuard[type[Agent]]:
    """Whether it is a class of agents, and not a function."""
    return isinstance(found, type) and callable(getattr(found, "answer", None))


def starts_code(name: str) -> bool:
    """Whether to examine an agent means to run code that its name points to."""
    return not name.startswith((*HTTP_PREFIXES, PLAYER_PREFIX))


# A command


class CommandAgent:
    """A program that reads the lines of a question, and writes the lines of an answer.

    After the question comes the line `answer?`, after the answer the line `done`. A line that
    begins with `usage` says what the answer cost: `usage input_tokens 200 output_tokens 12`.
    """

    def __init__(self, command: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._words, self._clock = split(command), clock
        self._process: Process | None = None

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        deadline = self._clock() + seconds
        if self._process is None:
            try:
                self._process = Process(
                    self._words, clock=self._clock, longest_line=4 * LONGEST_ANSWER
                )
            except EngineError as error:
                raise AgentError(str(error)) from None
        try:
            return self._talk(self._process, question.text, deadline)
        except EngineSilent:
            self.close(hasty=True)
            return late_answer(seconds)
        except EngineError as error:
            self.close(hasty=True)
            problem = "too long" if isinstance(error, EngineTooLong) else "failed"
            detail = str(error).replace("The engine", "The agent")
            return AgentAnswer("", problem=problem, detail=detail)
        except BaseException:  # after an interrupt, too, the dialogue cannot be continued
            self.close(hasty=True)
            raise

    def _talk(self, process: Process, text: str, deadline: float) -> AgentAnswer:
        for line in (*text.splitlines(), END_OF_QUESTION):
            process.send(line)
        lines, length, usage = list[str](), 0, NO_USAGE
        while (line := process.receive(deadline - self._clock())) != END_OF_ANSWER:
            words = line.split()
            if words[:1] == [USAGE]:
                usage = usage_of(dict(zip(words[1::2], words[2::2], strict=False)))
                continue
            length += len(line)
            if length <= LONGEST_ANSWER:
                lines.append(line)
        return shortened(AgentAnswer("\n".join(lines), usage), length)

    def close(self, hasty: bool = False) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close(hasty)


def run_agent(answer: Callable[[str], str]) -> None:
    """For authors: answer the questions on standard input until it ends.

    `answer` gets the text of a question and returns the text of the answer.
    """
    lines: list[str] = []
    for line in sys.stdin:
        if line.rstrip("\n") != END_OF_QUESTION:
            lines.append(line)
            continue
        print(answer("".join(lines)), END_OF_ANSWER, sep="\n", flush=True)
        lines.clear()


# Python code


class FunctionAgent:
    """A function from the text of a question to the text of an answer."""

    def __init__(self, function: Callable[[str], object]) -> None:
        self._function = function

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        def ask() -> object:
            try:
                return self._function(question.text)
            except BaseException as error:  # whatever the agent's own code raises
                return _failed(error)

        try:
            return _returned(in_time(ask, seconds))
        except Empty:
            return late_answer(seconds)

    def close(self, hasty: bool = False) -> None:
        pass


class ObjectAgent:
    """An object of a class that has `answer` and `close` itself."""

    def __init__(self, make: Callable[[], Agent]) -> None:
        try:
            self._made = make()
        except Exception as error:
            raise AgentError(f"The agent cannot be made: {_raised(error)}.") from None

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        try:
            return _returned(self._made.answer(question, seconds))
        except LineduelError:
            raise
        except Exception as error:
            return _failed(error)

    def close(self, hasty: bool = False) -> None:
        self._made.close(hasty)


def _returned(found: object) -> AgentAnswer:
    """What the agent's code returned, as an answer."""
    if isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], Mapping):
        found = AgentAnswer(str(found[0]), usage_of(found[1]))
    if isinstance(found, str):
        found = AgentAnswer(found)
    if not isinstance(found, AgentAnswer):
        detail = f"It returned {shown(type(found).__name__)}, not text."
        return AgentAnswer("", problem="failed", detail=detail)
    return shortened(found, len(found.text))


def _failed(error: BaseException) -> AgentAnswer:
    return AgentAnswer("", problem="failed", detail=f"It raised {_raised(error)}.")


def _raised(error: BaseException) -> str:
    """An exception of the agent's code, which may not even have a text."""
    try:
        why = shown(" ".join(str(error).split()), 200).removesuffix(".")
    except Exception:
        why = ""
    return f"{type(error).__name__}{why and f': {why}'}"


@cache  # what a module remembers is kept from one part of an exam to the next
def load_function(address: str) -> Callable[..., Any]:
    """The function or class at `FILE.py:NAME` or `MODULE:NAME`."""
    place, _, name = address.rpartition(":")
    try:
        found = _loaded(place, name)
    except Exception as error:  # whatever the agent's own code raises
        raise AgentError(
            f"There is no function at '{shown(address, 200)}': {_raised(error)}.\n"
            "Write python:FILE.py:FUNCTION or python:MODULE:FUNCTION."
        ) from None
    if not callable(found):
        raise AgentError(f"'{shown(address, 200)}' is not a function.")
    return found  # type: ignore[no-any-return]


def _loaded(place: str, name: str) -> Any:
    with redirect_stdout(sys.stderr):  # standard output is for the report
        if place.endswith(".py"):
            path = Path(place)
            spec = spec_from_file_location(path.stem, path)
            assert spec is not None
            assert spec.loader is not None
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = import_module(place)
        return getattr(module, name)


# A player


class PlayerAgent:
    """One of lineduel's own players, which answers as an agent does: to measure the exam itself."""

    def __init__(self, name: str) -> None:
        self._name = name if name in (GREEDY, _SEARCH) else check_policy_name(name)
        self._known: tuple[Solution, Policy] | None = None
        """The last solution, and the player that knows it."""

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        game, position, side = question.game, question.position, question.side
        rng = RandomStream(question.seed)
        if self._name == GREEDY and position.battle is None:
            return AgentAnswer(f"ANSWER: {_greedy(game, position)}")
        player = SamplingPlayer(self._policy(question, rng), game, rng)
        if position.battle is not None:
            return AgentAnswer(f"ANSWER: {player.choose_number(position, side)}")
        return AgentAnswer(f"ANSWER: {player.choose_move(position)}")

    def _policy(self, question: AgentQuestion, rng: RandomStream) -> Policy:
        if self._name == _SEARCH:
            return Search(question.game, rng, games=_PLAYOUTS)
        solution = question.solution()
        if self._known is None or self._known[0] is not solution:
            name = _RANDOM if self._name == GREEDY else self._name  # its numbers are random
            self._known = solution, make_player(name, solution)
        return self._known[1]

    def close(self, hasty: bool = False) -> None:
        pass


def _greedy(game: Game, position: Position) -> Move:
    """The first move after which the side's nearest piece is nearest to a goal; a win if any."""
    side = position.side

    def distance(move: Move) -> float:
        after = game.play(position, move)
        if (winner := game.outcome(after)) is not None:
            return -1.0 if winner is side else math.inf
        goal = game.rules.team(side).goal
        cells = [cell for cell in after.cells(side) if cell is not None]
        return min((abs(cell - one) for cell in cells for one in goal), default=math.inf)

    return min(game.moves(position), key=distance)
