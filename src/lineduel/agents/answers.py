"""What an agent said, and what that cost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

LONGEST_ANSWER = 100_000
"""Characters of an answer; a longer one is not read."""
_LARGEST_USAGE = 1e15
"""More than anything can cost."""
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


def usage_of(told: Mapping[Any, Any]) -> AnswerCost:
    """What an agent says about costs; what is no number, or an absurd one, is left out."""

    def number(*names: str) -> float:
        for name in names:
            try:
                found = float(told[name])
            except (KeyError, TypeError, ValueError, OverflowError):
                continue
            if 0 <= found <= _LARGEST_USAGE:
                return found
        return 0.0

    return AnswerCost(
        int(number("input_tokens", "prompt_tokens")),
        int(number("output_tokens", "completion_tokens")),
        number("seconds"),
        number("cost"),
    )


def late_answer(seconds: float) -> AgentAnswer:
    """No answer in time."""
    return AgentAnswer("", problem="late", detail=f"No answer within {seconds:g} seconds.")


def shortened(answer: AgentAnswer, length: int) -> AgentAnswer:
    """The answer, unless it is too long to be read."""
    if length <= LONGEST_ANSWER:
        return answer
    detail = f"The answer has {length:,} characters; {LONGEST_ANSWER:,} are read."
    return answer._replace(text="", problem="too long", detail=detail)


def in_time(ask: Callable[[], _Found], seconds: float) -> _Found:
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
