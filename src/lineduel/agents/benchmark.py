"""The benchmark: an exam whose rule sets, positions and settings never change within a version.

Its rule sets all belong to the split "test" of `random_rulebooks`, so that whatever was trained on
the split "train" has not seen them.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec

from lineduel import documents
from lineduel.agents.exam import Exam
from lineduel.agents.exam_report import exam_document
from lineduel.agents.exam_settings import ExamSettings
from lineduel.agents.exam_text import estimate_text
from lineduel.agents.rule_sets import Group, RuleSet
from lineduel.errors import NotationError, shown
from lineduel.page import write_page

BENCHMARK_VERSION = 1
PART_OF_AGENT = ("retries", "seconds", "model", "key_variable")
"""The settings of an exam that an agent chooses for itself."""
_LONGEST_NAME = 40


@cache
def _definition() -> Any:
    return json.loads(_file(f"benchmark-{BENCHMARK_VERSION}.json"))


def _file(name: str) -> bytes:
    return files("lineduel").joinpath("agents", name).read_bytes()


def benchmark_hash() -> str:
    """A hash over everything that defines this version."""
    plain = json.dumps(_definition(), sort_keys=True, separators=(",", ":"))
    return sha256(plain.encode()).hexdigest()


def benchmark_strata() -> dict[str, tuple[RuleSet, ...]]:
    """The rule sets, by the stratum that they were drawn for."""
    return {
        stratum["name"]: tuple(
            RuleSet(one["id"], Group.UNSEEN, one["rules"]) for one in stratum["rule_sets"]
        )
        for stratum in _definition()["strata"]
    }


def benchmark_settings(agent: str, seed: int = 1, **others: Any) -> ExamSettings:
    """The benchmark as an exam of an agent; the seed decides only what opponents draw.

    `others` are settings that are part of the agent.
    """
    settings: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in _definition()["settings"].items()
    }
    sets = tuple(one for stratum in benchmark_strata().values() for one in stratum)
    return ExamSettings(
        agent=agent, rule_sets=sets, seed=seed, benchmark=BENCHMARK_VERSION, **settings, **others
    )


# Results


def benchmark_row(
    exams: Sequence[Exam], command: Callable[[Exam], str]
) -> "documents.BenchmarkRowDocument":
    """The result of one agent, over one exam or over several with different seeds.

    `command` is what to type to repeat one of them.
    """
    for exam in exams:
        check_benchmark(exam)
    found = exam_document(*exams)
    return documents.BenchmarkRowDocument(
        agent=found.agent,
        commands=[command(exam) for exam in exams],
        seeds=[exam.settings.seed for exam in exams],
        regret=found.positions.regret,
        game_regret=found.games.regret,
        scores={f"level:{one.level}": one.score for one in found.scores},
        matches=found.matches,
        illegal=found.failures.illegal.rate or 0.0,
        unreadable=found.failures.unreadable.rate or 0.0,
    )


def check_benchmark(exam: Exam) -> None:
    """Refuse an exam that is not this benchmark, or not done."""
    settings = exam.settings
    theirs = {name: getattr(settings, name) for name in PART_OF_AGENT}
    if settings != benchmark_settings(settings.agent, settings.seed, **theirs):
        raise NotationError(
            f"The exam of {shown(settings.agent)} is not benchmark version {BENCHMARK_VERSION}."
        )
    if not exam.is_done:
        raise NotationError(f"The benchmark of {shown(settings.agent)} is not finished.")


def shipped_baselines() -> list["documents.BenchmarkRowDocument"]:
    """What was measured before, with the command that repeats each."""
    text = _file(f"baselines-{BENCHMARK_VERSION}.json")
    return msgspec.json.decode(text, type=list[documents.BenchmarkRowDocument])


def benchmark_document(
    rows: Iterable["documents.BenchmarkRowDocument"],
) -> "documents.BenchmarkDocument":
    """A table of results, the smallest regret first."""
    return documents.BenchmarkDocument(
        version=BENCHMARK_VERSION,
        rule_sets=sum(map(len, benchmark_strata().values())),
        hash=benchmark_hash(),
        rows=sorted(rows, key=lambda row: row.regret.mean or 0.0),
    )


def benchmark_lines(found: "documents.BenchmarkDocument") -> Iterator[str]:
    """The table for people."""
    yield f"Benchmark version {found.version}: {found.rule_sets} rule sets, {found.hash[:12]}"
    levels = list(dict.fromkeys(level for row in found.rows for level in row.scores))
    heads = "".join(f"{level:>19}" for level in levels)
    width = max((min(len(row.agent), _LONGEST_NAME) for row in found.rows), default=0) + 1
    yield f"{'agent':<{width}}{'regret in positions':>25}{'in games':>25}{heads}"
    for row in found.rows:
        scores = "".join(
            f"{estimate_text(row.scores[level], share=True) if level in row.scores else '-':>19}"
            for level in levels
        )
        regrets = "".join(f"{estimate_text(one):>25}" for one in (row.regret, row.game_regret))
        yield f"{shown(row.agent, _LONGEST_NAME):<{width}}{regrets}{scores}"
    yield "Means with 95% intervals. Where intervals overlap, neither agent ranks above the other."


def benchmark_page(found: "documents.BenchmarkDocument") -> str:
    """The table as one HTML page that loads nothing."""
    levels = list(dict.fromkeys(level for row in found.rows for level in row.scores))
    return write_page(
        "benchmark.html",
        title=f"Benchmark, version {found.version}",
        found=found,
        levels=levels,
        estimate=estimate_text,
        shown=partial(shown, most=200),
    )
