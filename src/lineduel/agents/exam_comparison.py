"""Several agents that sat the same exam, compared position by position and by their games."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from lineduel import documents
from lineduel.agents.exam import Exam
from lineduel.agents.exam_report import ExamAnswers
from lineduel.agents.exam_statistics import TAILS, Sums, cluster_mean, resampled
from lineduel.agents.exam_text import estimate_text
from lineduel.arena import Points, rate
from lineduel.errors import NotationError, shown

_RATED_RESAMPLES = 400


def compare_exams(exams: Sequence[Exam]) -> "documents.ExamComparisonDocument":
    """Agents in pairs on the fixed positions that both were asked; three or more also rated.

    Ratings are by Bradley and Terry over the pairs of games against levels; an unfinished game
    counts half.
    """
    names = [exam.settings.agent for exam in exams]
    if len(set(names)) != len(names):
        raise NotationError("Each agent is compared once; two of these exams have the same agent.")
    pairs = [
        documents.ComparedPairDocument(
            agent=names[one], other=names[other], difference=_difference(exams[one], exams[other])
        )
        for one, other in combinations(range(len(exams)), 2)
    ]
    return documents.ExamComparisonDocument(
        agents=names, pairs=pairs, ratings=_ratings(exams) if len(exams) > 2 else []
    )


def _difference(one: Exam, other: Exam) -> "documents.EstimateDocument":
    mine, theirs = _fixed(one), _fixed(other)
    clusters = [
        Sums(
            sum(regrets[where] - theirs[rules][where] for where in both),
            len(both),
        )
        for rules, regrets in mine.items()
        if rules in theirs
        for both in [sorted(regrets.keys() & theirs[rules].keys())]
    ]
    found = cluster_mean(clusters)
    if not found.count:
        raise NotationError(
            f"{shown(one.settings.agent)} and {shown(other.settings.agent)} were not asked about "
            "the same positions.\nExams are compared if they have the same games, unseen rule "
            "sets and seed."
        )
    return found


def _fixed(exam: Exam) -> Mapping[str, dict[tuple[str, int], float]]:
    """The regret in each fixed position, by rule set."""
    settings = exam.settings
    found: dict[str, dict[tuple[str, int], float]] = defaultdict(dict)
    for item in sorted(exam.lines):
        line = exam.lines[item]
        rules = settings.rule_sets[item // settings.each].rules
        if not line.result and line.asked:
            first = line.asked[0]
            found[rules][first.position, first.side] = first.regret
    return found


def _ratings(exams: Sequence[Exam]) -> list["documents.RatedAgentDocument"]:
    levels = sorted({level for exam in exams for level in exam.settings.levels})
    rule_sets = {one.rules: None for exam in exams for one in exam.settings.rule_sets}
    at_rules = {rules: at for at, rules in enumerate(rule_sets)}
    players = [exam.settings.agent for exam in exams] + [f"level:{level}" for level in levels]
    met = np.zeros((len(exams), len(levels), len(rule_sets), 2))
    """Points and games of each agent against each level, by rule set; a pair is two games."""
    for at, exam in enumerate(exams):
        settings = exam.settings
        found = ExamAnswers(settings, [exam])
        for opponent, level in enumerate(settings.levels if settings.games else ()):
            for one, sums in zip(settings.rule_sets, found.pair_scores(opponent), strict=True):
                met[at, levels.index(level), at_rules[one.rules]] += 2 * np.array(sums)

    def rated(drawn: NDArray[np.int64]) -> list[float]:
        sums = met[:, :, drawn].sum(axis=2)
        points = [
            Points(at, len(exams) + against, scored, games - scored)
            for at, row in enumerate(sums)
            for against, (scored, games) in enumerate(row)
            if games
        ]
        return [one.elo for one in rate(len(players), points)]

    ratings = rated(np.arange(len(rule_sets)))
    lows: Sequence[float | None] = [None] * len(players)
    highs = lows
    if len(rule_sets) > 1:
        drawn = [rated(one) for one in resampled(len(rule_sets), _RATED_RESAMPLES)]
        lows, highs = np.quantile(drawn, TAILS, axis=0).tolist()
    rows = [
        documents.RatedAgentDocument(player=player, elo=elo, low=low, high=high)
        for player, elo, low, high in zip(players, ratings, lows, highs, strict=True)
    ]
    return sorted(rows, key=lambda row: -row.elo)


def comparison_lines(found: "documents.ExamComparisonDocument") -> Iterator[str]:
    """Several exams side by side, for people."""
    yield "Difference of what a choice gives away, on the same fixed positions"
    for one in found.pairs:
        difference = one.difference
        verdict = "not decided"
        if difference.low is not None and difference.high is not None:
            if difference.high < 0:
                verdict = f"{shown(one.agent)} is better"
            elif difference.low > 0:
                verdict = f"{shown(one.other)} is better"
        yield f"  {shown(one.agent)} - {shown(one.other)}: {estimate_text(difference)}: {verdict}"
    if found.ratings:
        yield ""
        yield "Elo by the games against levels (Bradley-Terry; unfinished games count half)"
        for row in found.ratings:
            between = "(no interval: one rule set)"
            if row.low is not None and row.high is not None:
                between = f"[{row.low:+.0f}, {row.high:+.0f}]"
            yield f"  {shown(row.player, 40):<40} {row.elo:+6.0f} {between}"
