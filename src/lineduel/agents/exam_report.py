"""What an exam comes to, as a document.

The unit of games is the pair with swapped seats.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from lineduel import documents
from lineduel.agents.answers import NO_USAGE
from lineduel.agents.exam import Exam
from lineduel.agents.exam_settings import AskedLine, ExamSettings, ItemLine
from lineduel.agents.exam_statistics import TAILS, Sums, cluster_mean, resampled, wilson
from lineduel.agents.question import Failure
from lineduel.players import LEVELS

_WORST = 10


def exam_document(exam: Exam, *others: Exam) -> "documents.ExamDocument":
    """The report of an exam, or of several that differ only in their seed, taken together."""
    settings = exam.settings
    found = ExamAnswers(settings, (exam, *others))
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


class ExamAnswers:
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
