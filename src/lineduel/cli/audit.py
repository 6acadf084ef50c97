"""`lineduel audit`: does a rulebook keep its promises?"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lineduel.cli.choices import chosen_rulebook
from lineduel.cli.options import Parser, add_game, add_json, examples, print_json
from lineduel.cli.progress import Bar
from lineduel.errors import NotationError
from lineduel.rules import Rulebook, apply_reading
from lineduel.storage import write_atomically

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
    found = _audit(rulebook, options.all)
    if options.html:
        from lineduel.lab.page import page

        write_atomically(options.html, page(found))
    lines = _write_evidence(found, options.evidence) if options.evidence else []
    from lineduel.lab.telling import document, told

    if options.json:
        print_json(document(found))
    else:
        for line in told(found):
            print(line)
        if lines:
            print(f"\nReplay the evidence with: lineduel replay {lines[0]}")
        if options.html:
            print(f"\nThe page is in {options.html}.")
    return int(options.strict and bool(found.refuted))


def _audit(rulebook: Rulebook, everything: bool) -> "Audit":
    from lineduel.lab.audit import audit

    with Bar(f"auditing {rulebook.id}") as bar:
        return audit(rulebook, everything, bar)


def _compare(rulebook: Rulebook, options: argparse.Namespace) -> int:
    if options.html or options.evidence:
        raise NotationError("--readings compares; --html and --evidence are for one rulebook.")
    if not rulebook.readings or rulebook.reading:
        raise NotationError(f"{rulebook.id} has no readings to compare.")
    from lineduel.lab.telling import compared, document

    rulebooks = [rulebook, *(apply_reading(rulebook, one.name) for one in rulebook.readings)]
    audits = [_audit(one, options.all) for one in rulebooks]
    if options.json:
        print_json([document(one) for one in audits])
    else:
        for line in compared(audits):
            print(line)
    return int(options.strict and any(one.refuted for one in audits))


def _write_evidence(found: "Audit", folder: Path) -> list[Path]:
    """A record for each finding that rests on a line of play."""
    from lineduel.record import write_record

    written = []
    for number, finding in enumerate(found.findings, start=1):
        if finding.evidence.record is not None:
            path = folder / f"claim-{number}.duel"
            write_atomically(path, write_record(finding.evidence.record))
            written.append(path)
    return written
