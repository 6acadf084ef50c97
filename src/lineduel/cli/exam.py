"""`lineduel exam`: an agent that reads and writes text, judged by exact solutions."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from lineduel import agents, jobs
from lineduel.cli.choices import trusts
from lineduel.cli.long_work import (
    Left,
    add_ledger,
    begin_ledger,
    choose_ledger,
    left_in_file,
    pool_for,
    run_work,
    stoppable,
)
from lineduel.cli.options import Parser, whole_number
from lineduel.cli.progress import Bar
from lineduel.cli.reports import asked_output, print_json, print_place
from lineduel.cli.terminal import Terminal
from lineduel.errors import LedgerError, NotationError, shown
from lineduel.page import PAGE_HEAD
from lineduel.players import ENGINE_PREFIX
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Phrasing
from lineduel.storage import write_output

_FILE = Path("exam.jsonl")
_MOST = 100_000
_UNSEEN = 20
AGENT_FORMS = "a command, a URL, python:FILE.py:FUNCTION or player:NAME"


def configure(parser: Parser) -> None:
    number = partial(parser.add_number, read=whole_number(0, _MOST))
    parser.add_argument("agent", metavar="AGENT", nargs="?", help=AGENT_FORMS)
    parser.add_argument(
        "--games",
        nargs="+",
        metavar="GAME",
        help="ask about these games (default: the shipped games and all their variants)",
    )
    number("--unseen", "new rule sets, drawn by the seed", named=_UNSEEN)
    number("--positions", "fixed positions of each rule set", named=10)
    number("--pairs", "pairs of games for each rule set and level, one in each seat", named=1)
    parser.add_argument(
        "--levels",
        type=_levels,
        metavar="N,N",
        help="the levels to play against (default: 1,3,5,8)",
    )
    number("--variations", "positions of each rule set to ask again, put differently", named=2)
    number("--repeats", "how often to ask about a battle", named=8)
    number("--max-turns", "stop a game after N turns", named=100, dest="plies")
    number("--max-plies", argparse.SUPPRESS, dest="plies")  # its name of old, for scripts
    parser.add_seed(default=1)
    parser.add_argument(
        "--phrasing",
        choices=[str(one) for one in Phrasing],
        help="the words of the rules (default: plain)",
    )
    parser.add_argument(
        "--form", choices=("text", "json"), help="how a position is shown (default: text)"
    )
    parser.add_argument(
        "--reading",
        choices=("last", "marked"),
        help="read the last choice in an answer, or only one behind 'ANSWER:' (default: last)",
    )
    parser.add_flag("--hide-moves", "do not list the legal moves")
    parser.add_flag("--history", "list the moves played so far")
    add_agent_options(parser)
    parser.add_argument(
        "--compare",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="compare finished exams instead, by their files",
    )
    add_ledger(parser, _FILE, "answers")
    parser.add_trust()
    parser.add_file("--html", "write the report as a page to FILE")
    parser.add_force()
    parser.add_workers()
    parser.add_json()
    parser.examples(
        "lineduel exam 'python my_agent.py'",
        "lineduel exam http://127.0.0.1:8000/v1/chat/completions --model my-model",
        "lineduel exam python:my_agent.py:answer --unseen 5 --positions 4",
        "lineduel exam player:easy --games cross-over flag-chase --unseen 0",
        "lineduel exam --resume",
        "lineduel exam --compare exam.jsonl exam-2.jsonl",
    )


def add_agent_options(parser: Parser) -> None:
    """What an agent of any exam may need."""
    parser.add_number(
        "--retries",
        "how often it may answer again after a failure",
        named=0,
        read=whole_number(0, 100),
    )
    parser.add_number(
        "--seconds",
        "how many seconds an answer may take",
        named=60,
        metavar="S",
        read=whole_number(1, 86_400),
    )
    parser.add_argument("--model", metavar="NAME", help="the model that an endpoint is to use")
    parser.add_argument(
        "--key-variable",
        metavar="NAME",
        help="the environment variable that holds an endpoint's key",
    )


def run(options: argparse.Namespace) -> int:
    if options.compare:
        return _compare(options)
    page = asked_output(options, options.html, PAGE_HEAD)
    with _opened(options) as running:
        if options.resume and not is_trusted(options, running.work):
            return 0
        run_exam(options, running)
        found = agents.exam_document(running.work)
    if page is not None:
        write_output(page, agents.exam_page(found))
    if options.json:
        print_json(found)
    else:
        print(*agents.exam_lines(found), sep="\n")
        print_place("page", options.html)
    return 0


def run_exam(options: argparse.Namespace, running: "jobs.LongRun[agents.Exam]") -> None:
    """Ask what has not been asked yet, with a bar."""

    def left() -> Left:
        return left_in_file(options, running.work.kept)

    with Bar("asking") as bar, stoppable(bar, left), pool_for(options, bar) as pool:
        run_work(running, pool, bar, left)


def _opened(options: argparse.Namespace) -> "jobs.LongRun[agents.Exam]":
    """A new exam with its file, or the one to resume."""
    given, named = _given(options), options.file is not None
    choose_ledger(options, _FILE)
    if options.resume:
        return jobs.LongRun.go_on(options.file, agents.EXAM, partial(_resumed, options, given))
    if options.agent is None:
        raise NotationError(f"An exam needs an AGENT: {AGENT_FORMS}.")
    agents.make_agent(options.agent).close()
    seed = given.get("seed", 1)
    unseen = _UNSEEN if options.unseen is None else options.unseen
    games = (
        agents.shipped_rule_sets()
        if options.games is None
        else map(agents.rule_set_of, map(find_rulebook, options.games))
    )
    settings = agents.ExamSettings(
        agent=options.agent,
        rule_sets=(*games, *agents.unseen_rule_sets(unseen, seed)),
        **given,
    )
    settings.check()
    return begin_ledger(options, _FILE, agents.Exam(settings), named)


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """The settings given on the command line."""
    kinds = {
        "phrasing": Phrasing,
        "form": agents.PositionForm,
        "reading": agents.ReadingRule,
        "levels": tuple,
        "seconds": float,
    }
    names = (
        *("levels", "pairs", "positions", "variations", "repeats", "plies", "seed"),
        *("phrasing", "form", "reading", "retries", "seconds", "model", "key_variable"),
    )
    given: dict[str, Any] = {}
    for name in names:
        value = getattr(options, name)
        if value is not None:
            given[name] = kinds[name](value) if name in kinds else value
    if given.get("plies") == 0:
        raise NotationError("--max-turns takes a number of 1 or more.")
    if options.hide_moves:
        given["show_moves"] = False
    if options.history:
        given["history"] = True
    return given


def _resumed(
    options: argparse.Namespace, given: dict[str, Any], ledger: "jobs.Ledger"
) -> "agents.Exam":
    """The exam in a file; raises if the options ask for another one."""
    exam = agents.Exam.resumed(ledger)
    if options.agent is not None:
        given = given | {"agent": options.agent}
    for name, value in given.items():
        kept = getattr(exam.settings, name)
        if kept != value:
            raise LedgerError(
                f"{shown(options.file, 200)} is an exam with another {name}: "
                f"{shown(kept)}, not {shown(value)}.\n"
                "Leave that out to resume it, or begin another with --file."
            )
    return exam


def is_trusted(options: argparse.Namespace, exam: "agents.Exam") -> bool:
    """Whether to run what a file names; what was named on the command line is."""
    name = exam.settings.agent
    if exam.is_done or options.agent is not None or not agents.starts_code(name):
        return True
    return trusts([f"{ENGINE_PREFIX}{name}"], options.file, Terminal(), options.trust)


def _compare(options: argparse.Namespace) -> int:
    if len(options.compare) < 2:
        raise NotationError("--compare takes the files of two exams or more.")
    exams = []
    for path in options.compare:
        with jobs.Ledger.go_on(path, agents.EXAM) as ledger:
            exams.append(agents.Exam.resumed(ledger))
    found = agents.compare_exams(exams)
    if options.json:
        print_json(found)
    else:
        print(*agents.comparison_lines(found), sep="\n")
    return 0


def _levels(text: str) -> tuple[int, ...]:
    """Parse different levels, as 1,3,8."""
    parts = text.split(",")
    if not all(part in "12345678" and len(part) == 1 for part in parts):
        raise argparse.ArgumentTypeError(f"'{shown(text)}' is not a list of levels, as 1,3,8")
    return tuple(map(int, parts))
