"""`lineduel benchmark`: an exam that never changes, and the table of its results."""

import argparse
import shlex
from collections import defaultdict
from functools import partial
from pathlib import Path

from lineduel import agents, documents, jobs
from lineduel.cli.exam import AGENT_FORMS, add_agent_options, is_trusted, run_exam
from lineduel.cli.long_work import add_ledger, begin_ledger, choose_ledger
from lineduel.cli.options import Parser
from lineduel.cli.reports import asked_output, print_json, print_place
from lineduel.errors import NotationError
from lineduel.page import PAGE_HEAD
from lineduel.storage import write_output

_FILE = Path("benchmark.jsonl")


def configure(parser: Parser) -> None:
    parser.add_argument(
        "agent",
        metavar="AGENT",
        nargs="?",
        help=f"{AGENT_FORMS}; without one, the table of results is shown",
    )
    parser.add_seed(default=1)
    add_agent_options(parser)
    parser.add_argument(
        "--results",
        nargs="+",
        type=Path,
        default=[],
        metavar="FILE",
        help="add these finished benchmarks to the table; several seeds of an agent make one row",
    )
    add_ledger(parser, _FILE, "answers")
    parser.add_trust()
    parser.add_file("--html", "write the table as a page to FILE")
    parser.add_force()
    parser.add_workers()
    parser.add_json()
    parser.examples(
        "lineduel benchmark",
        "lineduel benchmark 'python my_agent.py'",
        "lineduel benchmark --results benchmark.jsonl --html table.html",
    )


def run(options: argparse.Namespace) -> int:
    page = asked_output(options, options.html, PAGE_HEAD)
    rows = agents.shipped_baselines()
    if options.agent is not None or options.resume:
        with _opened(options) as running:
            if options.resume and not is_trusted(options, running.work):
                return 0
            run_exam(options, running)
            rows.append(agents.benchmark_row([running.work], repeating))
    rows += _read(options.results)
    found = agents.benchmark_document(rows)
    if page is not None:
        write_output(page, agents.benchmark_page(found))
    if options.json:
        print_json(found)
    else:
        print(*agents.benchmark_lines(found), sep="\n")
        print_place("page", options.html)
    return 0


def repeating(exam: "agents.Exam") -> str:
    """The command that repeats one benchmark."""
    return f"lineduel benchmark {shlex.quote(exam.settings.agent)} --seed {exam.settings.seed}"


def _opened(options: argparse.Namespace) -> "jobs.LongRun[agents.Exam]":
    named = options.file is not None
    choose_ledger(options, _FILE)
    if options.resume:
        return jobs.LongRun.go_on(options.file, agents.EXAM, partial(_resumed, options))
    agents.make_agent(options.agent).close()
    given = {
        name: getattr(options, name)
        for name in agents.PART_OF_AGENT
        if getattr(options, name) is not None
    }
    seed = 1 if options.seed is None else options.seed
    settings = agents.benchmark_settings(options.agent, seed, **given)
    return begin_ledger(options, _FILE, agents.Exam(settings), named)


def _resumed(options: argparse.Namespace, ledger: "jobs.Ledger") -> "agents.Exam":
    exam = agents.Exam.resumed(ledger)
    if exam.settings.benchmark is None:
        raise NotationError(
            "That file is an exam, not a benchmark: resume it with lineduel exam --resume."
        )
    return exam


def _read(paths: list[Path]) -> list["documents.BenchmarkRowDocument"]:
    """The rows of finished benchmarks, the seeds of an agent together."""
    found = defaultdict[str, list[agents.Exam]](list)
    for path in paths:
        with jobs.Ledger.go_on(path, agents.EXAM) as ledger:
            exam = agents.Exam.resumed(ledger)
        found[exam.settings.agent].append(exam)
    return [agents.benchmark_row(exams, repeating) for exams in found.values()]
