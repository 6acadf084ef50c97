"""How an agent did: the JSON of `exam` and `benchmark`."""

from lineduel.documents.document import Document


class EstimateDocument(Document, frozen=True, kw_only=True):
    """A mean with its 95 % interval, by a bootstrap over whole rule sets."""

    mean: float | None
    """Null if there is nothing to take the mean of."""
    low: float | None
    """Null with fewer than two rule sets."""
    high: float | None
    count: int
    """What the mean is taken over: questions, or pairs of games."""


class RateDocument(Document, frozen=True, kw_only=True):
    """How often something happened, with its 95 % interval by Wilson."""

    count: int
    total: int
    rate: float | None
    low: float | None
    high: float | None


class RuleSetDocument(Document, frozen=True, kw_only=True):
    """A rule set of the exam."""

    id: str
    group: str
    """`shipped`, `variant`, `unseen` or `given`."""
    rules: str
    """As assignments in one line."""
    regret: float | None
    """On average over its fixed positions and its games; null if nothing was asked."""


class ExamSettingsDocument(Document, frozen=True, kw_only=True):
    """What decides results beside the agent itself."""

    levels: list[int]
    pairs: int
    positions: int
    variations: int
    repeats: int
    plies: int
    seed: int
    phrasing: str
    """`plain`, `formal` or `brief`: the words of the rules."""
    form: str
    """`text` or `json`: how a position is shown."""
    reading: str
    """`last`: the last choice behind the last `ANSWER:` counts, or without that word the last
    choice. `marked`: without that word nothing counts."""
    show_moves: bool
    history: bool
    retries: int
    seconds: float
    model: str
    language: str


class AnswersDocument(Document, frozen=True, kw_only=True):
    """The answers to some of the questions."""

    regret: EstimateDocument
    """What a choice gives away; a failure counts as losing at once."""
    of_legal: EstimateDocument
    """The same without failures."""
    random: float | None
    """What a choice at random would give away in the same fixed positions: exact. Null in games."""
    groups: dict[str, EstimateDocument]
    """The regret by where the rule sets come from."""


class LevelScoreDocument(Document, frozen=True, kw_only=True):
    """The games against one level."""

    level: int
    won: int
    lost: int
    unfinished: int
    """They count half."""
    score: EstimateDocument
    """From 0 to 1; its unit is the pair of games with swapped seats."""


class FailuresDocument(Document, frozen=True, kw_only=True):
    """Answers that are no choice, over all tries."""

    illegal: RateDocument
    """A choice was read, and the rules do not allow it."""
    unreadable: RateDocument
    """No choice could be read."""
    why: dict[str, int]
    """The last failures of questions, by what was wrong."""


class ConsistencyDocument(Document, frozen=True, kw_only=True):
    """How often it chose the same move when the same question was put differently."""

    rephrased: RateDocument
    mirrored: RateDocument


class MixingDocument(Document, frozen=True, kw_only=True):
    """How it chose numbers in battles that it was asked about several times."""

    battles: int
    choices: int
    """Numbers that it chose there."""
    always_same: int
    """Battles in which it chose one number all the time, though best play mixes."""
    mixed: int
    """Battles in which best play mixes."""
    distinct: float | None
    """Different numbers that it chose in a battle, on average where best play mixes."""
    distinct_best: float | None
    """Different numbers that best play would choose in as many tries, on average: exact."""


class MistakeDocument(Document, frozen=True, kw_only=True):
    """A mistake and why it is one."""

    rule_set: str
    position: str
    side: int
    choice: str
    regret: float
    reasons: list[str]
    """The kinds of reasons."""
    sentence: str


class MistakesDocument(Document, frozen=True, kw_only=True):
    """The mistakes among the choices that could be judged."""

    count: RateDocument
    reasons: dict[str, int]
    """By the kind of reason."""
    worst: list[MistakeDocument]


class ExamUsageDocument(Document, frozen=True, kw_only=True):
    """What the answers cost, as far as the agent says."""

    answers: int
    """How often it was asked."""
    input_tokens: int
    output_tokens: int
    seconds: float
    cost: float


class ExamDocument(Document, frozen=True, kw_only=True):
    """The report of an exam: its settings, and how the agent did."""

    agent: str
    benchmark: int | None
    """The version of the benchmark, if the exam is one."""
    settings: ExamSettingsDocument
    rule_sets: list[RuleSetDocument]
    positions: AnswersDocument
    """In fixed positions."""
    games: AnswersDocument
    """In games."""
    scores: list[LevelScoreDocument]
    matches: int | None
    """The level whose exact scores against the same opponents are nearest; null without games."""
    matches_low: int | None
    matches_high: int | None
    """The lowest and highest level that fit, by the bootstrap; null with only one rule set."""
    failures: FailuresDocument
    consistency: ConsistencyDocument
    mixing: MixingDocument
    mistakes: MistakesDocument
    usage: ExamUsageDocument


class ComparedPairDocument(Document, frozen=True, kw_only=True):
    """Two agents on the same fixed positions, question by question."""

    agent: str
    other: str
    difference: EstimateDocument
    """The first one's regret less the other's: below 0 if the first one is better."""


class RatedAgentDocument(Document, frozen=True, kw_only=True):
    """A strength by Bradley and Terry, over the games against levels."""

    player: str
    """An agent, or a level that they all met."""
    elo: float
    low: float | None
    high: float | None
    """The 95 % interval, by a bootstrap over rule sets; null with only one rule set."""


class ExamComparisonDocument(Document, frozen=True, kw_only=True):
    """Several exams of the same kind side by side."""

    agents: list[str]
    pairs: list[ComparedPairDocument]
    ratings: list[RatedAgentDocument]
    """The strongest first; empty for fewer than three agents."""


class BenchmarkRowDocument(Document, frozen=True, kw_only=True):
    """One agent's results on the benchmark, for one seed or over several."""

    agent: str
    commands: list[str]
    """Repeat it, one for each seed."""
    seeds: list[int]
    regret: EstimateDocument
    """In fixed positions."""
    game_regret: EstimateDocument
    scores: dict[str, EstimateDocument]
    """Against each level."""
    matches: int | None
    illegal: float
    unreadable: float


class BenchmarkDocument(Document, frozen=True, kw_only=True):
    """A version of the benchmark, and what was measured on it."""

    version: int
    rule_sets: int
    hash: str
    """Over everything that defines this version."""
    rows: list[BenchmarkRowDocument]
    """The smallest regret first; intervals that overlap rank nobody."""
