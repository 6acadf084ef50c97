"""What is asked in an exam, and what is kept of each answer."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lineduel.agents.answers import NO_USAGE, AnswerCost
from lineduel.agents.question import (
    Failure,
    PositionForm,
    ReadingRule,
)
from lineduel.agents.rule_sets import (
    LimitedText,
    RuleSet,
)
from lineduel.errors import NotationError
from lineduel.jobs import LEDGER_KIND
from lineduel.players import LEVELS
from lineduel.rules import Phrasing

EXAM = "exam"
EXAM_VERSION = 1
MOST_RULE_SETS = 1000
_Count = Annotated[int, Meta(ge=0, le=100_000)]
How = Literal["asked", "rephrased", "mirrored", "repeated"]
"""Asked as the settings say; or again, in other words, from the other end, or just again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamSettings:
    """Everything that an exam depends on, except the agent's own mind."""

    agent: LimitedText
    rule_sets: Annotated[tuple[RuleSet, ...], Meta(min_length=1, max_length=MOST_RULE_SETS)]
    levels: tuple[int, ...] = (1, 3, 5, 8)
    """The opponents."""
    pairs: _Count = 1
    """Games in both seats, for each rule set and opponent."""
    positions: _Count = 10
    """Fixed positions of each rule set."""
    variations: _Count = 2
    """How many of them are also asked in other words and from the other end."""
    repeats: _Count = 8
    """How often a battle among them is asked in all."""
    plies: Annotated[int, Meta(ge=1, le=100_000)] = 100
    """A game is unfinished after this many."""
    seed: int = 1
    phrasing: Phrasing = Phrasing.PLAIN
    form: PositionForm = PositionForm.TEXT
    reading: ReadingRule = ReadingRule.LAST
    show_moves: bool = True
    """Whether the question lists the legal moves."""
    history: bool = False
    """Whether the question lists the moves played so far, in games."""
    retries: _Count = 0
    """How often it may answer again after a failure."""
    seconds: Annotated[float, Meta(gt=0, le=86_400)] = 60.0
    """How long an answer may take."""
    model: LimitedText = ""
    """Sent to an endpoint."""
    key_variable: LimitedText = ""
    """The environment variable with an endpoint's key."""
    language: Literal["en"] = "en"
    """Of the rules in words."""
    benchmark: int | None = None
    """The version of the benchmark that this is, if it is one."""

    def check(self) -> None:
        """Refuse what cannot be an exam, although each setting alone could."""
        if not set(self.levels) <= set(LEVELS) or len(set(self.levels)) != len(self.levels):
            raise NotationError("Levels are different numbers from 1 to 8.")
        if not self.positions and not (self.pairs and self.levels):
            raise NotationError("An exam needs positions, or games against levels.")

    @property
    def games(self) -> int:
        """Games of each rule set."""
        return 2 * self.pairs * len(self.levels)

    @property
    def items(self) -> int:
        return self.each * len(self.rule_sets)

    @property
    def each(self) -> int:
        """Items of each rule set: what levels score there, its positions, its games."""
        return 1 + self.positions + self.games

    def header(self) -> dict[str, Any]:
        """The first line of the ledger."""
        return {LEDGER_KIND: EXAM, "version": EXAM_VERSION, **asdict(self)}


class AskedLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A question, and what the answer was worth."""

    how: How = "asked"
    ply: Annotated[int, Meta(ge=0)] = 0
    position: str = ""
    side: Literal[1, 2]
    choice: str = ""
    """Empty after a failure."""
    failure: Failure | None = None
    why: str = ""
    """Of a failure, in a few words."""
    said: str = ""
    """The beginning of an answer that failed."""
    failures: list[Failure] = []
    """Of earlier tries at the same question."""
    regret: Annotated[float, Meta(ge=0, le=2 + 1e-9)] = 0.0
    """What the choice gives away; after a failure, what losing at once would."""
    same: bool | None = None
    """Whether it is the choice of the question as it was first asked."""
    kinds: list[str] = []
    """The kinds of reasons why it is a mistake."""
    sentence: str = ""
    """The reasons in words."""
    usage: AnswerCost = NO_USAGE


class ItemLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An item as the ledger writes it."""

    item: Annotated[int, Meta(ge=0)]
    asked: list[AskedLine] = []
    random: float | None = None
    """What a choice at random gives away in a fixed position, on average: exact."""
    best: list[float] = []
    """In a battle, how often best play chooses each number."""
    moves: str = ""
    result: Literal["", "1", "2", "*"] = ""
    """Of a game."""
    why: str = ""
    """What the agent did wrong, if it forfeited the game."""
    scores: list[list[float]] = []
    """What each level scores against each opponent of the exam, over both seats: exact."""
