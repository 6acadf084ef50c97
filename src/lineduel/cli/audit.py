"""`lineduel audit`: does a rulebook keep its promises?"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lineduel.cli.choices import chosen_rulebook
from lineduel.cli.options import Parser, add_game, add_json, examples, print_json
from lineduel.cli.outputs import RECORD, add_force, output
from lineduel.cli.progress import Bar
from lineduel.cli.solutions import kept_solutions
from lineduel.errors import NotationError, shown
from lineduel.rulebooks import rulebook_file
from lineduel.rules import Rulebook, apply_reading
from lineduel.storage import Output, check_outputs, write_output

if TYPE_CHECKING:
    from lineduel.lab.audit import Audit


def configure(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument("--readings", action="store_true", help="all readings side by side")
    parser.add_argument("--all", action="store_true", help="also what the author does not promise")
    parser.add_argument("--html", metavar="FILE", type=Path, help="a page with pictures")
    parser.add_argument(
        "--evidence", metavar="FOLDER", type=Path, help="write the lines of play, to be replayed"
    )
    add_force(parser)
    parser.add_argument("--strict", action="store_true", help="exit status 1 if a claim is refuted")
    add_json(parser)
    examples(
        parser,
        "lineduel audit cross-over",
        "lineduel audit cross-over --readings",
        "lineduel audit ctf-soldiers --html audit.html --evidence lines",
        "lineduel audit my-duel.toml --strict --json",
    )


def run(options: argparse.Namespace) -> int:
    rulebook = chosen_rulebook(options)
    if options.readings:
        return _compare(rulebook, options)
    check_outputs([*_page(options), *_line(options, 1)], [rulebook_file(options.game)])
    found = _audit(rulebook, options.all)
    lines = _write(found, options)
    from lineduel.lab.telling import told

    if options.json:
        from lineduel.documents import audit_document

        print_json(audit_document(found))
    else:
        for line in told(found):
            print(line)
        if lines:
            print(f"\nReplay the evidence with: lineduel replay {shown(lines[0].path, 300)}")
        if options.html:
            print(f"\nThe page is in {shown(options.html, 300)}.")
    return int(options.strict and bool(found.refuted))


def _audit(rulebook: Rulebook, everything: bool) -> "Audit":
    from lineduel.lab.audit import audit

    with Bar(f"auditing {rulebook.id}") as bar:
        return audit(rulebook, everything, bar, kept_solutions())


def _compare(rulebook: Rulebook, options: argparse.Namespace) -> int:
    if options.html or options.evidence:
        raise NotationError("--readings compares; --html and --evidence are for one rulebook.")
    if not rulebook.readings or rulebook.reading:
        raise NotationError(f"{rulebook.id} has no readings to compare.")
    from lineduel.lab.telling import compared

    rulebooks = [rulebook, *(apply_reading(rulebook, one.name) for one in rulebook.readings)]
    audits = [_audit(one, options.all) for one in rulebooks]
    if options.json:
        from lineduel.documents import audit_document

        print_json([audit_document(one) for one in audits])
    else:
        for line in compared(audits):
            print(line)
    return int(options.strict and any(one.refuted for one in audits))


def _write(found: "Audit", options: argparse.Namespace) -> list[Output]:
    """Write the page, and a record for each finding that rests on a line of play."""
    from lineduel.lab.page import page
    from lineduel.record import write_record

    records = [
        (line, finding.evidence.record)
        for number, finding in enumerate(found.findings, start=1)
        for line in _line(options, number)
        if finding.evidence.record is not None
    ]
    lines = [line for line, _ in records]
    check_outputs([*_page(options), *lines], [rulebook_file(options.game)])
    for html in _page(options):
        write_output(html, page(found))
    for line, record in records:
        write_output(line, write_record(record))
    return lines


def _page(options: argparse.Namespace) -> list[Output]:
    """The page, if one is wanted."""
    if not options.html:
        return []
    from lineduel.lab.page import HEAD

    return [output(options, options.html, HEAD)]


def _line(options: argparse.Namespace, number: int) -> list[Output]:
    """The evidence for the claim of that number, if it is wanted."""
    folder = options.evidence
    return [output(options, folder / f"claim-{number}.duel", RECORD)] if folder else []
