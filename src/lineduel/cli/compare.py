"""`lineduel compare`: several rulebooks side by side."""

import argparse
from datetime import date

from lineduel.cli.options import Parser, add_file, add_json, examples, print_json
from lineduel.cli.outputs import add_force, if_asked
from lineduel.cli.progress import Bar
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.verdicts import Verdicts
from lineduel.errors import NotationError, shown
from lineduel.page import PAGE_HEAD
from lineduel.rulebooks import find_rulebook, rulebook_file
from lineduel.storage import check_outputs, write_output

_MOST = 12
"""The most rulebooks in a table."""


def configure(parser: Parser) -> None:
    parser.add_argument(
        "games",
        nargs="+",
        metavar="GAME",
        help="two or more games: an id, id:variant, or the path of a .toml file",
    )
    add_file(parser, "--html", "write the comparison to FILE as a web page")
    add_force(parser)
    add_json(parser)
    examples(
        parser,
        "lineduel compare cross-over ctf-tokens blockade-duel",
        "lineduel compare flag-chase flag-chase:may-stay --json",
        "lineduel compare cross-over my-duel.toml --html compare.html",
    )


def run(options: argparse.Namespace) -> int:
    from lineduel.lab import audit, compare_page, side_by_side

    if not 2 <= len(options.games) <= _MOST:
        raise NotationError(f"Name 2 to {_MOST} games to compare.")
    rulebooks = [find_rulebook(game) for game in options.games]
    pages = if_asked(options, options.html, PAGE_HEAD)
    check_outputs(pages, map(rulebook_file, options.games))
    audits = []
    with Bar("auditing") as bar:
        for number, rulebook in enumerate(rulebooks):
            bar.stage(f"auditing {shown(rulebook.title)}", number, len(rulebooks))
            audits.append(audit(rulebook, everything=True, cache=kept_solutions()))
    for page in pages:
        write_output(page, compare_page(audits, date.today()))
    if options.json:
        from lineduel.documents import audit_document

        print_json([audit_document(one) for one in audits])
        return 0
    verdicts = Verdicts(options.colour)
    for line in side_by_side([one.rulebook.id for one in audits], audits):
        print(verdicts.report(line))
    if options.html:
        print(f"\nThe page is in {shown(options.html, 300)}.")
    return 0
