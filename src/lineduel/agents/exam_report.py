"""What an exam comes to: estimates with their intervals, as a document, as text and as a page.

The unit of games is the pair with swapped seats. Intervals of means come from a bootstrap over
whole rule sets, since answers about one rule set are alike; those of rates are Wilson's.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from textwrap import fill
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel import documents
from lineduel.agents.agent import NO_USAGE
from lineduel.agents.exam import AskedLine, Exam, ExamSettings, ItemLine
from lineduel.agents.question import Failure
from lineduel.arena import Points, rate
from lineduel.errors import NotationError, shown
from lineduel.page import write_page
from lineduel.players import LEVELS, level_in_words
from lineduel.quantities import counted

CONFIDENCE = 0.95
TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
_RESAMPLES = 2000
_RATED_RESAMPLES = 400
_WORST = 10
_WIDTH = 76


class Sums(NamedTuple):
    """A sum over one rule set, and of how many numbers."""

    total: float
    size: int


def resampled(clusters: int, times: int = _RESAMPLES) -> NDArray[np.int64]:
    """The clusters of each resample, drawn with replacement; the same every time."""
    return np.random.default_rng(0).integers(clusters, size=(times, clusters))


def cluster_mean(clusters: Iterable[Sums]) -> "documents.EstimateDocument":
    """The mean over all numbers, with the interval of a bootstrap that draws whole clusters."""
    kept = [one for one in clusters if one.size]
    totals, counts = (
        (np.array(one, np.float64) for one in zip(*kept, strict=True))
        if kept
        else (
            np.zeros(0),
            np.zeros(0),
        )
    )
    count = int(counts.sum())
    mean = float(totals.sum() / count) if count else None
    low = high = None
    if len(kept) > 1:
        drawn = resampled(len(kept))
        means = totals[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
        low, high = (float(one) for one in np.quantile(means, TAILS))
    return documents.EstimateDocument(mean=mean, low=low, high=high, count=count)


def wilson(count: int, total: int) -> "documents.RateDocument":
    """A rate with Wilson's interval (Journal of the American Statistical Association 22, 1927)."""
    if not total:
        return documents.RateDocument(count=count, total=total, rate=None, low=None, high=None)
    z, share = NormalDist().inv_cdf((1 + CONFIDENCE) / 2), count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return documents.RateDocument(
        count=count,
        total=total,
        rate=share,
        low=max(0.0, middle - half),
        high=min(1.0, middle + half),
    )


# The document


def exam_document(exam: Exam, *others: Exam) -> "documents.ExamDocument":
    """The report of an exam, or of several that differ only in their seed, taken together."""
    settings = exam.settings
    found = _Answers(settings, (exam, *others))
    matches, matches_low, matches_high = found.matched_level()
    return documents.ExamDocument(
        agent=settings.agent,
        benchmark=settings.benchmark,
        settings=documents.ExamSettingsDocument.of(settings, levels=list(settings.levels)),
        rule_sets=[
            documents.RuleSetDocument.of(one, group=str(one.group), regret=found.mean_regret(at))
            for at, one in enumerate(settings.rule_sets)
        ],
        positions=found.answers(found.positions),
        games=found.answers(found.games),
        scores=found.level_scores(),
        matches=matches,
        matches_low=matches_low,
        matches_high=matches_high,
        failures=found.failures(),
        consistency=documents.ConsistencyDocument(
            rephrased=found.same("rephrased"), mirrored=found.same("mirrored")
        ),
        mixing=found.mixing(),
        mistakes=found.mistakes(),
        usage=found.usage(),
    )


Asked = list[tuple[int, AskedLine]]
"""Questions, each with the number of its rule set."""


class _Answers:
    """The lines of exams in the ways that a report needs them."""

    def __init__(self, settings: ExamSettings, exams: Sequence[Exam]) -> None:
        self._settings = settings
        self._lines = [exam.lines[item] for exam in exams for item in sorted(exam.lines)]
        self._size = len(settings.rule_sets)
        self.positions: Asked = []
        self.games: Asked = []
        self._other: Asked = []
        self._random: list[float] = []
        for line in self._lines:
            of = line.item // settings.each
            if line.random is not None and line.asked:
                self._random.append(line.random)
            for one in line.asked:
                place = self.games if line.result else self.positions
                (place if one.how == "asked" else self._other).append((of, one))

    def _clusters(
        self, asked: Asked, only: Callable[[AskedLine], bool] = lambda one: True
    ) -> list[Sums]:
        totals, counts = [0.0] * self._size, [0] * self._size
        for at, one in asked:
            if only(one):
                totals[at] += one.regret
                counts[at] += 1
        return [Sums(*one) for one in zip(totals, counts, strict=True)]

    def mean_regret(self, rule_set: int) -> float | None:
        asked = [one.regret for at, one in (*self.positions, *self.games) if at == rule_set]
        return sum(asked) / len(asked) if asked else None

    def answers(self, asked: Asked) -> "documents.AnswersDocument":
        clusters = self._clusters(asked)
        groups = defaultdict[str, list[Sums]](list)
        for one, sums in zip(self._settings.rule_sets, clusters, strict=True):
            groups[str(one.group)].append(sums)
        random = self._random if asked is self.positions else []
        return documents.AnswersDocument(
            regret=cluster_mean(clusters),
            of_legal=cluster_mean(self._clusters(asked, lambda one: one.failure is None)),
            random=sum(random) / len(random) if random else None,
            groups={name: cluster_mean(sums) for name, sums in groups.items()},
        )

    def _games_against(self, opponent: int) -> Iterator[tuple[int, int, ItemLine]]:
        """Each game against an opponent: its rule set, its number there, its line."""
        settings = self._settings
        for line in self._lines:
            of, at = divmod(line.item, settings.each)
            number = at - 1 - settings.positions
            if line.result and number // (2 * settings.pairs) == opponent:
                yield of, number, line

    def level_scores(self) -> list["documents.LevelScoreDocument"]:
        levels = range(len(self._settings.levels)) if self._settings.games else ()
        return [self.level_score(at) for at in levels]

    def _points(self, opponent: int) -> Iterator[tuple[int, int, float]]:
        """Each game against an opponent: its rule set, its pair, the points."""
        for of, number, line in self._games_against(opponent):
            points = 0.5
            if line.result != "*":
                points = float((line.result == "1") == (number % 2 == 0))
            yield of, number // 2, points

    def pair_scores(self, opponent: int) -> list[Sums]:
        """By rule set, the scores of whole pairs; a game that waits for its twin does not count."""
        pairs = defaultdict[tuple[int, int], list[float]](list)
        for of, pair, points in self._points(opponent):
            pairs[of, pair].append(points)
        totals, counts = [0.0] * self._size, [0] * self._size
        for (of, _), points_of in pairs.items():
            if len(points_of) % 2 == 0:
                totals[of] += sum(points_of) / 2
                counts[of] += len(points_of) // 2
        return [Sums(*one) for one in zip(totals, counts, strict=True)]

    def level_score(self, opponent: int) -> "documents.LevelScoreDocument":
        results = Counter(points for *_, points in self._points(opponent))
        return documents.LevelScoreDocument(
            level=self._settings.levels[opponent],
            won=results[1.0],
            lost=results[0.0],
            unfinished=results[0.5],
            score=cluster_mean(self.pair_scores(opponent)),
        )

    def matched_level(self) -> tuple[int | None, int | None, int | None]:
        """The level whose exact scores against the same opponents are nearest to these.

        Then the lowest and the highest level that are nearest in resamples of the rule sets.
        """
        each = self._settings.each
        known = {line.item // each: line.scores for line in self._lines if line.scores}
        of_sets = [self.pair_scores(at) for at in range(len(self._settings.levels))]
        sets = [of for of in sorted(known) if all(scores[of].size for scores in of_sets)]
        if not sets:
            return None, None, None
        expected = np.array([known[of] for of in sets])
        sums = np.array([[scores[of] for scores in of_sets] for of in sets], np.float64)

        def nearest(drawn: NDArray[np.int64]) -> int:
            mine = sums[drawn, :, 0].sum(axis=0) / sums[drawn, :, 1].sum(axis=0)
            gaps = ((expected[drawn].mean(axis=0) - mine) ** 2).sum(axis=1)
            return LEVELS[int(gaps.argmin())]

        level = nearest(np.arange(len(sets)))
        if len(sets) == 1:
            return level, None, None
        found = [nearest(one) for one in resampled(len(sets))]
        low, high = np.quantile(found, TAILS, method="nearest").tolist()
        return level, int(low), int(high)

    def failures(self) -> "documents.FailuresDocument":
        everything = [one for _, one in (*self.positions, *self.games, *self._other)]
        tries = sum(1 + len(one.failures) for one in everything)
        kinds = Counter(kind for one in everything for kind in one.failures)
        kinds.update(one.failure for one in everything if one.failure is not None)
        why = Counter(
            str(one.failure) if one.failure is Failure.ILLEGAL else one.why
            for one in everything
            if one.failure is not None
        )
        return documents.FailuresDocument(
            illegal=wilson(kinds[Failure.ILLEGAL], tries),
            unreadable=wilson(kinds[Failure.UNREADABLE], tries),
            why=dict(sorted(why.items(), key=lambda item: (-item[1], item[0]))),
        )

    def same(self, how: str) -> "documents.RateDocument":
        known = [one.same for _, one in self._other if one.how == how and one.same is not None]
        return wilson(sum(known), len(known))

    def mixing(self) -> "documents.MixingDocument":
        battles = [line for line in self._lines if line.best and line.asked]
        chosen = [[one.choice for one in line.asked if one.choice] for line in battles]
        mixed = [
            (line, numbers)
            for line, numbers in zip(battles, chosen, strict=True)
            if sum(one > 1e-9 for one in line.best) > 1 and len(numbers) > 1
        ]
        distinct = [len(set(numbers)) for _, numbers in mixed]
        best = [sum(1 - (1 - one) ** len(numbers) for one in line.best) for line, numbers in mixed]
        return documents.MixingDocument(
            battles=len(battles),
            choices=sum(map(len, chosen)),
            always_same=distinct.count(1),
            mixed=len(mixed),
            distinct=sum(distinct) / len(mixed) if mixed else None,
            distinct_best=sum(best) / len(mixed) if mixed else None,
        )

    def mistakes(self) -> "documents.MistakesDocument":
        judged = [one for one in (*self.positions, *self.games) if one[1].failure is None]
        made = [(at, one) for at, one in judged if one.regret > 0]
        worst = sorted(made, key=lambda item: -item[1].regret)[:_WORST]
        kinds = Counter(kind for _, one in made for kind in dict.fromkeys(one.kinds))
        return documents.MistakesDocument(
            count=wilson(len(made), len(judged)),
            reasons=dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
            worst=[
                documents.MistakeDocument.of(
                    one, rule_set=self._settings.rule_sets[at].id, reasons=one.kinds
                )
                for at, one in worst
            ],
        )

    def usage(self) -> "documents.ExamUsageDocument":
        everything = [one for _, one in (*self.positions, *self.games, *self._other)]
        total = NO_USAGE
        for one in everything:
            total += one.usage
        asked = sum(1 + len(one.failures) for one in everything)
        return documents.ExamUsageDocument.of(total, answers=asked)


# Several exams


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
        found = _Answers(settings, [exam])
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


# Text


def exam_lines(found: "documents.ExamDocument") -> Iterator[str]:
    """The report for people."""
    settings = found.settings
    yield f"Exam of {shown(found.agent, 200)}"
    groups = Counter(one.group for one in found.rule_sets)
    sets = ", ".join(f"{number} {name}" for name, number in groups.items())
    yield f"{counted(len(found.rule_sets), 'rule set')}: {sets}; seed {settings.seed}."
    yield ""
    yield "What a choice gives away (0 is best play, 2 turns a sure win into a sure loss)"
    for name, part in (("fixed positions", found.positions), ("games", found.games)):
        if part.regret.count:
            yield f"  {name:<18}{estimate_text(part.regret)}   {part.regret.count:,} questions"
            if part.of_legal.count < part.regret.count:
                yield f"  {'  legal answers':<18}{estimate_text(part.of_legal)}"
            for group, one in part.groups.items() if len(part.groups) > 1 else ():
                yield f"    {group:<16}{estimate_text(one)}"
            if part.random is not None:
                yield f"  {'  by chance':<18}{part.random:.4f} (exact, in the same positions)"
    if found.scores:
        yield ""
        yield "Score against each level, over both seats (unfinished games count half)"
        for row in found.scores:
            score = estimate_text(row.score, share=True)
            results = f"{row.won} won, {row.lost} lost, {row.unfinished} unfinished"
            yield f"  {level_in_words(row.level):<18}{score}   {results}"
        if found.matches is not None:
            yield f"  {match_text(found)}"
    yield ""
    failures = found.failures
    yield f"Illegal answers:    {rate_text(failures.illegal)}"
    yield f"Unreadable answers: {rate_text(failures.unreadable)}"
    if failures.why:
        yield fill(
            "  " + ", ".join(f"{shown(why)}: {count}" for why, count in failures.why.items()),
            _WIDTH,
            subsequent_indent="  ",
        )
    for name, same in (
        ("Same choice with the rules in other words", found.consistency.rephrased),
        ("Same choice from the other end of the line", found.consistency.mirrored),
    ):
        if same.total:
            yield f"{name}: {rate_text(same)}"
    yield from _mixing_lines(found.mixing)
    yield from _mistake_lines(found.mistakes)
    yield from _usage_lines(found.usage)
    yield ""
    yield fill(f"Settings: {settings_text(settings)}", _WIDTH, subsequent_indent="  ")


def _mixing_lines(mixing: "documents.MixingDocument") -> Iterator[str]:
    if not mixing.mixed or mixing.distinct is None or mixing.distinct_best is None:
        return
    battles = counted(mixing.mixed, "battle")
    yield (
        f"Battles: in {battles} where best play mixes, it used {mixing.distinct:.1f} different "
        f"numbers on average;"
    )
    yield (
        f"  best play would use {mixing.distinct_best:.1f}. "
        f"In {mixing.always_same} it always chose the same number."
    )


def _mistake_lines(mistakes: "documents.MistakesDocument") -> Iterator[str]:
    if not mistakes.count.total:
        return
    yield f"Mistakes: {rate_text(mistakes.count)}"
    if mistakes.reasons:
        kinds = ", ".join(f"{kind} {count}" for kind, count in mistakes.reasons.items())
        yield fill(f"  Reasons: {kinds}", _WIDTH, subsequent_indent="  ")
    for one in mistakes.worst[:3]:
        said = one.sentence or "No short reason is known."
        where = f"{shown(one.rule_set)}, {one.position}, player {one.side}: {one.choice}"
        yield fill(
            f"  {where} gives away {one.regret:.3f}. {said}", _WIDTH, subsequent_indent="    "
        )


def _usage_lines(usage: "documents.ExamUsageDocument") -> Iterator[str]:
    told = [f"{usage.answers:,} answers"]
    if usage.input_tokens or usage.output_tokens:
        told.append(f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out")
    if usage.seconds:
        told.append(f"{usage.seconds:,.1f} seconds")
    if usage.cost:
        told.append(f"cost {usage.cost:,.4f}")
    yield f"Used: {'; '.join(told)}."


def settings_text(settings: "documents.ExamSettingsDocument") -> str:
    """The settings in one sentence."""
    reading = {
        "last": "the last choice behind the last 'ANSWER:' counts, or without it the last choice",
        "marked": "only the last choice behind the last 'ANSWER:' counts",
    }[settings.reading]
    told = [
        f"legal moves {'shown' if settings.show_moves else 'not shown'}",
        f"history {'shown' if settings.history else 'not shown'}",
        f"{counted(settings.retries, 'retry', 'retries')}",
        f"positions as {settings.form}",
        f"rules in English, {settings.phrasing} phrasing",
        reading,
        f"up to {settings.seconds:g} seconds for an answer",
        f"games stopped after {settings.plies} turns",
        f"seed {settings.seed}",
    ]
    if settings.model:
        told.append(f"model {shown(settings.model)}")
    return "; ".join(told) + "."


def match_text(found: "documents.ExamDocument") -> str:
    """Which level an agent matches, with the levels that fit as well."""
    if found.matches is None:
        return ""
    text = f"Its scores are nearest to those of {level_in_words(found.matches)}"
    low, high = found.matches_low, found.matches_high
    if low is None or high is None or low == high:
        return f"{text}."
    return f"{text}; levels {low} to {high} fit."


def estimate_text(one: "documents.EstimateDocument", share: bool = False) -> str:
    """A mean with its interval: `0.123 [0.101, 0.144]`, `54% [50%, 59%]`."""
    if one.mean is None:
        return "-"
    form = "{:.0%}" if share else "{:.4f}"
    mean = form.format(one.mean)
    if one.low is None or one.high is None:
        return f"{mean} (no interval: one rule set)"
    return f"{mean} [{form.format(one.low)}, {form.format(one.high)}]"


def rate_text(one: "documents.RateDocument") -> str:
    """A rate with its interval: `3 of 200, 1.5% [0.5%, 4.3%]`."""
    if one.rate is None:
        return "none asked"
    return f"{one.count:,} of {one.total:,}, {one.rate:.1%} [{one.low:.1%}, {one.high:.1%}]"


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


# The page


def exam_page(found: "documents.ExamDocument") -> str:
    """The report as one HTML page that loads nothing."""
    return write_page(
        "exam.html",
        title=f"Exam of {found.agent}",
        found=found,
        estimate=estimate_text,
        rate=rate_text,
        level=level_in_words,
        matches=match_text(found),
        settings=settings_text(found.settings),
    )
