"""`lineduel audit` and `compare`: does a rulebook keep its promises, alone and beside others?"""

import argparse
from datetime import date
from typing import TYPE_CHECKING

from lineduel import documents
from lineduel.cli.choices import chosen_rulebook, kept_solutions
from lineduel.cli.long_work import stoppable
from lineduel.cli.options import Parser
from lineduel.cli.progress import Bar
from lineduel.cli.reports import asked_output, output, paint_verdicts, print_json, print_place
from lineduel.errors import NotationError, shown
from lineduel.page import PAGE_HEAD
from lineduel.rulebooks import find_rulebook, rulebook_file
from lineduel.rules import Rulebook, apply_variant
from lineduel.storage import Output, check_folder, check_outputs, write_output

if TYPE_CHECKING:
    from lineduel.documents import AuditReport

_NO_REPORT = " before the audit was done, so there is no report."
_RUN_AGAIN = "\nRun the same command again: games that were solved completely are not solved again."
"""How an interrupt is answered; the second part only where solutions are kept."""
_RECORD = '[Game "'
_MOST = 12
"""The most rulebooks in a comparison."""


def _stopped(options: argparse.Namespace) -> str:
    return _NO_REPORT if getattr(options, "no_cache", False) else _NO_REPORT + _RUN_AGAIN


def configure(parser: Parser) -> None:
    parser.add_game()
    parser.add_flag("--variants", "compare all variants")
    parser.rename_option("--readings", "--variants")
    parser.add_flag("--all", "also check what the author does not promise")
    parser.add_file("--html", "write the report to FILE as a web page")
    evidence = "write the games that prove each verdict to FOLDER, for 'lineduel replay'"
    parser.add_file("--evidence", evidence, "FOLDER")
    parser.add_force()
    parser.add_flag("--strict", "exit with status 1 if a claim is refuted")
    parser.add_flag("--no-cache", "compute everything again, and save nothing")
    parser.add_json()
    parser.examples(
        "lineduel audit cross-over",
        "lineduel audit cross-over --variants",
        "lineduel audit ctf-soldiers --html audit.html --evidence lines",
        "lineduel audit my-duel.toml --strict --json",
    )


def configure_compare(parser: Parser) -> None:
    parser.add_argument(
        "games",
        nargs="+",
        metavar="GAME",
        help="two or more games: an id, id:variant, or the path of a .toml file",
    )
    parser.add_file("--html", "write the comparison to FILE as a web page")
    parser.add_force()
    parser.add_json()
    parser.examples(
        "lineduel compare cross-over ctf-tokens blockade-duel",
        "lineduel compare flag-chase flag-chase:may-stay --json",
        "lineduel compare cross-over my-duel.toml --html compare.html",
    )


def run(options: argparse.Namespace) -> int:
    rulebook = chosen_rulebook(options)
    rulebooks = [rulebook]
    if options.variants:
        rulebooks += _variants(rulebook, options)
    _check_files(options, _claim_files(options, 1))
    with Bar(f"auditing {rulebook.id}") as bar, stoppable(bar, lambda: _stopped(options)):
        report = documents.report_on(
            rulebooks,
            options.all,
            page_of=date.today() if options.html else None,
            reports=None if options.no_cache else documents.AuditCache(),
            solutions=None if options.no_cache else kept_solutions(),
            begin=lambda one: bar.stage(f"auditing {one.id}"),
            report=bar,
        )
    lines = _write(report, options)
    if options.json:
        print_json(report.audits if options.variants else report.audits[0])
    else:
        print(*(paint_verdicts(options, line) for line in report.text), sep="\n")
        if lines:
            print(f"\nReplay the evidence with: lineduel replay {shown(lines[0].path, 300)}")
        print_place("page", options.html)
    return int(options.strict and report.is_refuted)


def _variants(rulebook: Rulebook, options: argparse.Namespace) -> list[Rulebook]:
    """The variants to compare a rulebook with."""
    if options.html or options.evidence:
        raise NotationError("--variants compares; --html and --evidence are for one rulebook.")
    if not rulebook.variants or rulebook.variant:
        raise NotationError(f"{rulebook.id} has no variants to compare.")
    return [apply_variant(rulebook, one.name) for one in rulebook.variants]


def _write(report: "AuditReport", options: argparse.Namespace) -> list[Output]:
    """Write the page, and a record for each finding whose evidence is a line of play."""
    records = [
        (line, finding.evidence.record)
        for number, finding in enumerate(report.audits[0].claims, start=1)
        for line in _claim_files(options, number)
        if finding.evidence.record is not None
    ]
    lines = [line for line, _ in records]
    for page in _check_files(options, lines):
        write_output(page, report.page or "")
    for line, record in records:
        write_output(line, record)
    return lines


def _claim_files(options: argparse.Namespace, number: int) -> list[Output]:
    """The record with the evidence for the claim of that number, if one was asked for."""
    folder = options.evidence
    if folder is None:
        return []
    check_folder(folder)  # which is made itself
    return [Output(folder / f"claim-{number}.duel", (_RECORD.encode(),), options.force)]


def _check_files(options: argparse.Namespace, lines: list[Output]) -> list[Output]:
    """The page, if one was asked for; raises if it or the records may not be written."""
    pages = [output(options, options.html, PAGE_HEAD)] if options.html else []
    check_outputs([*pages, *lines], [rulebook_file(options.game)])
    return pages


def run_compare(options: argparse.Namespace) -> int:
    from lineduel.lab import audit, compare_page, side_by_side

    if not 2 <= len(options.games) <= _MOST:
        raise NotationError(f"Name 2 to {_MOST} games to compare.")
    rulebooks = [find_rulebook(game) for game in options.games]
    inputs = tuple(map(rulebook_file, options.games))
    page = asked_output(options, options.html, PAGE_HEAD, inputs=inputs)
    audits = []
    with Bar("auditing") as bar:
        for number, rulebook in enumerate(rulebooks):
            bar.stage(f"auditing {shown(rulebook.title)}", number, len(rulebooks))
            audits.append(audit(rulebook, everything=True, cache=kept_solutions()))
    if page:
        write_output(page, compare_page(audits, date.today()))
    if options.json:
        print_json([documents.audit_document(one) for one in audits])
        return 0
    for line in side_by_side([one.rulebook.id for one in audits], audits):
        print(paint_verdicts(options, line))
    print_place("page", options.html)
    return 0
