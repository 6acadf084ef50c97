"""Agents that tests examine: functions from the text of a question to the text of an answer."""

import itertools
import os
from pathlib import Path

from lineduel.agents import AgentAnswer, AgentQuestion
from lineduel.errors import AgentError

LESSONS = "LINEDUEL_TEST_LESSONS"
"""Names the file in which each `Learner` writes what it learns."""

BAD_ANSWERS = (
    "I would go forward with my first piece.",
    "",
    "ANSWER: X9+1",
    "ANSWER: 99",
    "Sorry, I cannot take part in battles.",
    "x" * 200_000,
    "late",
    "raise",
    "```json\n{}\n```",
    None,
)
_turn = itertools.count()


def legal_moves(text: str) -> list[str]:
    """The moves that a question offers; the number 1 in a battle."""
    found = [line for line in text.splitlines() if line.startswith("Your legal moves: ")]
    return found[0].split()[3:] if found else ["1"]


def first_legal(text: str) -> str:
    return f"ANSWER: {legal_moves(text)[0]}"


def by_the_words(text: str) -> str:
    """Chooses by the length of the question."""
    moves = legal_moves(text)
    return f"ANSWER: {moves[len(text) % len(moves)]}"


def bad(text: str) -> object:
    """One bad answer after the other."""
    said = BAD_ANSWERS[next(_turn) % len(BAD_ANSWERS)]
    if said == "raise":
        raise RuntimeError("on purpose")
    if said == "late":
        return AgentAnswer("", problem="late")
    return said


def corrects_itself(text: str) -> str:
    """Illegal at first, legal once it is told so."""
    return first_legal(text) if "is not legal" in text else "ANSWER: X9+1, 99"


def notes_history(text: str) -> str:
    """Chooses a legal move, after a look at the history, which must be there."""
    assert "Moves so far: " in text or "Choose your number" in text or "The position" in text
    return first_legal(text)


class Learner:
    """Learns a rule set when it is first asked about it, and writes that down."""

    def __init__(self) -> None:
        self._learned: set[str] = set()

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        rules = question.game.rulebook.id
        if rules not in self._learned:
            self._learned.add(rules)
            with Path(os.environ[LESSONS]).open("a", encoding="utf-8") as file:
                file.write(f"{rules}\n")
        return AgentAnswer(first_legal(question.text))

    def close(self, hasty: bool = False) -> None:
        pass


class Breaks(Learner):
    """Has a mistake in its code."""

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        raise ValueError("on purpose")


class SaysNothing(Learner):
    """Forgets to return its answer."""

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        return None  # type: ignore[return-value]


class Textless(Exception):
    """Cannot be told."""

    def __str__(self) -> str:
        raise ValueError("on purpose")


def raises_without_text(text: str) -> str:
    raise Textless


class Unmade(Learner):
    """Cannot be made."""

    def __init__(self) -> None:
        raise ValueError("no licence")


class Unable(Learner):
    """Cannot be examined."""

    def answer(self, question: AgentQuestion, seconds: float) -> AgentAnswer:
        raise AgentError("No machine to learn on.")
