"""`lineduel audit`: does a rulebook keep its promises?"""

import argparse
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from lineduel.cli.choices import chosen_rulebook
from lineduel.cli.long_work import stoppable
from lineduel.cli.options import (
    Parser,
    add_file,
    add_flag,
    add_game,
    add_json,
    examples,
    print_json,
    rename_option,
)
from lineduel.cli.outputs import RECORD, add_force, if_asked, output
from lineduel.cli.progress import Bar
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.verdicts import Verdicts
from lineduel.errors import NotationError, shown
from lineduel.page import PAGE_HEAD
from lineduel.rulebooks import rulebook_file
from lineduel.rules import Rulebook, apply_variant
from lineduel.storage import Output, check_outputs, write_output

if TYPE_CHECKING:
    from lineduel.documents import AuditReport

_NOTHING_KEPT = (
    " before the audit was done, so there is no report.\n"
    "Run the same command again: games that were solved completely are not solved again."
)
"""How an interrupt is answered."""


def configure(parser: Parser) -> None:
    add_game(parser)
    add_flag(parser, "--variants", "compare all variants")
    rename_option(parser, "--readings", "--variants")
    add_flag(parser, "--all", "also check what the author does not promise")
    add_file(parser, "--html", "write the report to FILE as a web page")
    parser.add_argument(
        "--evidence",
        metavar="FOLDER",
        type=Path,
        help="write the games that prove each verdict to FOLDER, for 'lineduel replay'",
    )
    add_force(parser)
    add_flag(parser, "--strict", "exit with status 1 if a claim is refuted")
    add_flag(parser, "--no-cache", "compute everything again, and save nothing")
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
    pages = if_asked(options, options.html, PAGE_HEAD)
    check_outputs([*pages, *_line(options, 1)], [rulebook_file(options.game)])
    with Bar(f"auditing {rulebook.id}") as bar, stoppable(bar, lambda: _NOTHING_KEPT):
        from lineduel.documents import AuditCache, report_on

        report = report_on(
            rulebooks,
            options.all,
            page_of=date.today() if options.html else None,
            reports=None if options.no_cache else AuditCache(),
            solutions=None if options.no_cache else kept_solutions(),
            begin=lambda one: bar.stage(f"auditing {one.id}"),
            report=bar,
        )
    lines = _write(report, pages, options)
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


def _variants(rulebook: Rulebook, options: argparse.Namespace) -> list[Rulebook]:
    """The variants to compare a rulebook with."""
    if options.html or options.evidence:
        raise NotationError("--variants compares; --html and --evidence are for one rulebook.")
    if not rulebook.variants or rulebook.variant:
        raise NotationError(f"{rulebook.id} has no variants to compare.")
    return [apply_variant(rulebook, one.name) for one in rulebook.variants]


def _write(report: "AuditReport", pages: list[Output], options: argparse.Namespace) -> list[Output]:
    """Write the page, and a record for each finding whose evidence is a line of play."""
    records = [
        (line, finding.evidence.record)
        for number, finding in enumerate(report.audits[0].claims, start=1)
        for line in _line(options, number)
        if finding.evidence.record is not None
    ]
    lines = [line for line, _ in records]
    check_outputs([*pages, *lines], [rulebook_file(options.game)])
    for html in pages:
        write_output(html, report.page or "")
    for line, record in records:
        write_output(line, record)
    return lines


def _line(options: argparse.Namespace, number: int) -> list[Output]:
    """The record with the evidence for the claim of that number, if one was asked for."""
    folder = options.evidence
    return [output(options, folder / f"claim-{number}.duel", RECORD)] if folder else []
