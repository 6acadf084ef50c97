"""Who can be examined: a command that speaks lines, an HTTP endpoint, a Python function, a player.

An agent gets a question as text and answers as text. It may also say what the answer cost: tokens,
seconds, money.
"""

import json
import math
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any, NamedTuple, Protocol, TypeGuard, TypeVar

from lineduel.arena import RandomStream
from lineduel.engine import Game, Move, Position
from lineduel.errors import AgentError, EngineError, EngineSilent, shown
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
LONGEST_ANSWER = 100_000
"""Characters of an answer; a longer one is not read."""
PLAYER_PREFIX, FUNCTION_PREFIX = "player:", "python:"
HTTP_PREFIXES = ("http://", "https://")
GREEDY = "greedy"
_SEARCH = "search"
_RANDOM = "level:1"
_PLAYOUTS = 200
_LARGEST_REPLY = 4 << 20
_PAUSES = (1.0, 4.0)
"""Seconds before an endpoint that is busy is asked again."""
_BUSY = (429, 500, 502, 503, 504)
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class AnswerCost:
    """What an answer cost, as far as the agent tells."""

    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    """In whatever currency the agent counts."""

    def __add__(self, other: "AnswerCost") -> "AnswerCost":
        return AnswerCost(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
            self.cost + other.cost,
        )


NO_USAGE = AnswerCost()


class AgentAnswer(NamedTuple):
    """What an agent said; if it said nothing that can be read, why."""

    text: str
    usage: AnswerCost = NO_USAGE
    problem: str = ""
    """`late`, `too long` or `failed`; empty if there is an answer."""
    detail: str = ""
    """What went wrong, as a sentence."""


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
        return ChatAgent(name, model, key)
    if name.startswith(FUNCTION_PREFIX):
        found = load_function(name.removeprefix(FUNCTION_PREFIX))
        return found() if _makes_agents(found) else FunctionAgent(found)
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
            return _late(seconds)
        except EngineError as error:
            self.close(hasty=True)
            why = str(error).replace("The engine", "The agent")
            too_long = "more than" in why
            return AgentAnswer("", problem="too long" if too_long else "failed", detail=why)
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


# A Python function


class FunctionAgent:
    """A function from the text of a question to the text of an answer."""

    def __init__(self, function: Callable[[str], object]) -> None:
        self._function = function

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        def ask() -> object:
            try:
                return self._function(question.text)
            except BaseException as error:  # whatever the agent's own code raises
                detail = f"It raised {type(error).__name__}: {shown(error, 200)}."
                return AgentAnswer("", problem="failed", detail=detail)

        try:
            found = _in_time(ask, seconds)
        except Empty:
            return _late(seconds)
        if isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], Mapping):
            found = AgentAnswer(str(found[0]), usage_of(found[1]))
        if isinstance(found, str):
            found = AgentAnswer(found)
        if not isinstance(found, AgentAnswer):
            detail = f"It returned {shown(type(found).__name__)}, not text."
            return AgentAnswer("", problem="failed", detail=detail)
        return shortened(found, len(found.text))

    def close(self, hasty: bool = False) -> None:
        pass


@cache  # what a module remembers is kept from one part of an exam to the next
def load_function(address: str) -> Callable[..., Any]:
    """The function or class at `FILE.py:NAME` or `MODULE:NAME`."""
    place, _, name = address.rpartition(":")
    try:
        if place.endswith(".py"):
            path = Path(place)
            spec = spec_from_file_location(path.stem, path)
            assert spec is not None
            assert spec.loader is not None
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = import_module(place)
        found = getattr(module, name)
    except (ImportError, OSError, AttributeError, ValueError, SyntaxError) as error:
        why = shown(" ".join(str(error).split()), 200).removesuffix(".")
        raise AgentError(
            f"There is no function at '{shown(address, 200)}': {why}.\n"
            "Write python:FILE.py:FUNCTION or python:MODULE:FUNCTION."
        ) from None
    if not callable(found):
        raise AgentError(f"'{shown(address, 200)}' is not a function.")
    return found  # type: ignore[no-any-return]


# An endpoint


class ChatAgent:
    """An HTTP endpoint in the common chat form; a question is one message of a user.

    Without an answer of the endpoint there is no exam: what failed on the way is no answer.
    """

    def __init__(
        self,
        url: str,
        model: str = "",
        key: str = "",
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._url, self._model, self._key = url, model, key
        self._clock, self._pause = clock, pause

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        body: dict[str, object] = {"messages": [{"role": "user", "content": question.text}]}
        if self._model:
            body["model"] = self._model
        try:
            reply = self._post(json.dumps(body).encode(), seconds)
        except (TimeoutError, Empty):
            return _late(seconds)
        try:
            text = reply["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError):
            raise AgentError(
                f"{shown(self._url, 200)} did not answer in the form of chat completions: "
                f"{shown(json.dumps(reply), 200)}"
            ) from None
        told = reply.get("usage")
        usage = usage_of(told) if isinstance(told, Mapping) else NO_USAGE
        found = AgentAnswer(text if isinstance(text, str) else "", usage)
        return shortened(found, len(found.text))

    def _post(self, body: bytes, seconds: float) -> Any:
        from http.client import HTTPException
        from urllib.error import HTTPError, URLError
        from urllib.request import Request, urlopen

        def ask() -> Any:
            with urlopen(Request(self._url, body, headers), timeout=seconds) as reply:
                return json.loads(self._read(reply, self._clock() + seconds))

        headers = {"Content-Type": "application/json", "User-Agent": "lineduel"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        for pause in (*_PAUSES, None):
            try:
                return _in_time(ask, seconds)  # it may send its headers in drops, too
            except HTTPError as error:
                said = shown(error.read(500).decode(errors="replace").strip(), 200)
                why = f"status {error.code}" + (f', "{said}"' if said else "")
                again = error.code in _BUSY
            except TimeoutError:
                raise
            except (URLError, OSError, ValueError, HTTPException) as error:
                if isinstance(getattr(error, "reason", None), TimeoutError):
                    raise TimeoutError from None
                why, again = shown(getattr(error, "reason", error), 200), False
            if not again or pause is None:
                break
            self._pause(pause)
        raise AgentError(f"{shown(self._url, 200)} cannot be asked: {why}.")

    def _read(self, reply: Any, deadline: float) -> bytes:
        """A whole reply; TimeoutError for one that comes in drops."""
        found = b""
        while len(found) < _LARGEST_REPLY and (part := reply.read1(_LARGEST_REPLY - len(found))):
            found += part
            if self._clock() > deadline:
                raise TimeoutError
        return found

    def close(self, hasty: bool = False) -> None:
        pass


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


# What an answer cost


def usage_of(told: Mapping[Any, Any]) -> AnswerCost:
    """What an agent says about costs; anything but a number of 0 or more is left out."""

    def number(*names: str) -> float:
        for name in names:
            try:
                found = float(told[name])
            except (KeyError, TypeError, ValueError):
                continue
            if math.isfinite(found) and found >= 0:
                return found
        return 0.0

    return AnswerCost(
        int(number("input_tokens", "prompt_tokens")),
        int(number("output_tokens", "completion_tokens")),
        number("seconds"),
        number("cost"),
    )


def _in_time(ask: Callable[[], _Found], seconds: float) -> _Found:
    """What a call gives or raises; Empty if that takes longer than this.

    A call cannot be stopped; one that hangs is left alone, and ends with the process.
    """
    heard: Queue[tuple[_Found | None, BaseException | None]] = Queue(1)

    def work() -> None:
        try:
            heard.put((ask(), None))
        except BaseException as error:  # raised where somebody waits
            heard.put((None, error))

    Thread(target=work, daemon=True).start()
    found, error = heard.get(timeout=seconds)
    if error is not None:
        raise error
    return found  # type: ignore[return-value]  # there is one or the other


def _late(seconds: float) -> AgentAnswer:
    return AgentAnswer("", problem="late", detail=f"No answer within {seconds:g} seconds.")


def shortened(answer: AgentAnswer, length: int) -> AgentAnswer:
    """The answer, unless it is too long to be read."""
    if length <= LONGEST_ANSWER:
        return answer
    detail = f"The answer has {length:,} characters; {LONGEST_ANSWER:,} are read."
    return answer._replace(text="", problem="too long", detail=detail)
