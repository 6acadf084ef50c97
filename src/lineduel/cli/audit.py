"""`lineduel audit`: does a rulebook keep its promises?"""

import argparse
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from lineduel.cli.choices import chosen_rulebook
from lineduel.cli.options import (
    Parser,
    add_game,
    add_json,
    examples,
    print_json,
    rename_option,
)
from lineduel.cli.outputs import RECORD, add_force, output
from lineduel.cli.progress import Bar
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.verdicts import Verdicts
from lineduel.cli.workers import ignore_interrupts
from lineduel.errors import NotationError, original_errors, shown
from lineduel.page import PAGE_HEAD
from lineduel.rulebooks import rulebook_file
from lineduel.rules import Rulebook, apply_variant
from lineduel.storage import Output, check_outputs, write_output

if TYPE_CHECKING:
    from lineduel.documents import AuditReport
    from lineduel.lab import Audit

_INTERRUPTED = 130


def configure(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument("--variants", action="store_true", help="compare all variants")
    rename_option(parser, "--readings", "--variants")
    parser.add_argument(
        "--all", action="store_true", help="also check what the author does not promise"
    )
    parser.add_argument(
        "--html", metavar="FILE", type=Path, help="write the report to FILE as a web page"
    )
    parser.add_argument(
        "--evidence",
        metavar="FOLDER",
        type=Path,
        help="write the games that prove each verdict to FOLDER, for 'lineduel replay'",
    )
    add_force(parser)
    parser.add_argument(
        "--strict", action="store_true", help="exit with status 1 if a claim is refuted"
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="compute everything again, and save nothing"
    )
    add_json(parser)
    examples(
        parser,
        "lineduel audit cross-over",
        "lineduel audit cross-over --variants",
        "lineduel audit ctf-soldiers --html audit.html --evidence lines",
        "lineduel audit my-duel.toml --strict --json",
    )


def run(options: argparse.Namespace) -> int:
    rulebook = chosen_rulebook(options)
    rulebooks = [rulebook]
    if options.variants:
        rulebooks += _variants(rulebook, options)
    check_outputs([*_page(options), *_line(options, 1)], [rulebook_file(options.game)])
    try:
        with original_errors():
            report = _report(rulebooks, options)
    except KeyboardInterrupt:
        return _interrupted()
    lines = _write(report, options)
    if options.json:
        print_json(report.audits if options.variants else report.audits[0])
        return int(options.strict and report.is_refuted)
    verdicts = Verdicts(options.colour)
    for line in report.text:
        print(verdicts.report(line))
    if lines:
        print(f"\nReplay the evidence with: lineduel replay {shown(lines[0].path, 300)}")
    if options.html:
        print(f"\nThe page is in {shown(options.html, 300)}.")
    return int(options.strict and report.is_refuted)


def _interrupted() -> int:
    """Tell what was saved, and how to go on."""
    ignore_interrupts()
    print(
        "\nStopped before the audit was done, so there is no report.\n"
        "Run the same command again: games that were solved completely are not solved again.",
        file=sys.stderr,
    )
    return _INTERRUPTED


def _variants(rulebook: Rulebook, options: argparse.Namespace) -> list[Rulebook]:
    """The variants to compare a rulebook with."""
    if options.html or options.evidence:
        raise NotationError("--variants compares; --html and --evidence are for one rulebook.")
    if not rulebook.variants or rulebook.variant:
        raise NotationError(f"{rulebook.id} has no variants to compare.")
    return [apply_variant(rulebook, one.name) for one in rulebook.variants]


def _report(rulebooks: list[Rulebook], options: argparse.Namespace) -> "AuditReport":
    """The stored report of an identical audit, or the report of a new one."""
    from lineduel.documents import AuditCache, audit_question, audit_report

    cache = None if options.no_cache else AuditCache()
    question = audit_question(rulebooks, options.all)
    if cache and (known := cache.load(question)) and (known.page or not options.html):
        return known
    audits = [_audit(one, options) for one in rulebooks]
    report = audit_report(audits, date.today() if options.html else None)
    if cache:
        cache.store(question, report)
    return report


def _audit(rulebook: Rulebook, options: argparse.Namespace) -> "Audit":
    from lineduel.lab import audit

    solutions = None if options.no_cache else kept_solutions()
    with Bar(f"auditing {rulebook.id}") as bar:
        return audit(rulebook, options.all, bar, solutions)


def _write(report: "AuditReport", options: argparse.Namespace) -> list[Output]:
    """Write the page, and a record for each finding whose evidence is a line of play."""
    records = [
        (line, finding.evidence.record)
        for number, finding in enumerate(report.audits[0].claims, start=1)
        for line in _line(options, number)
        if finding.evidence.record is not None
    ]
    lines = [line for line, _ in records]
    check_outputs([*_page(options), *lines], [rulebook_file(options.game)])
    for html in _page(options):
        write_output(html, report.page or "")
    for line, record in records:
        write_output(line, record)
    return lines


def _page(options: argparse.Namespace) -> list[Output]:
    """The page to write, if one was asked for."""
    return [output(options, options.html, PAGE_HEAD)] if options.html else []


def _line(options: argparse.Namespace, number: int) -> list[Output]:
    """The record with the evidence for the claim of that number, if one was asked for."""
    folder = options.evidence
    return [output(options, folder / f"claim-{number}.duel", RECORD)] if folder else []
