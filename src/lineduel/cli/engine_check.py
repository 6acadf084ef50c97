"""`lineduel engine-check`: test whether an engine follows the protocol."""

import argparse

from lineduel.cli.options import Parser, add_json, examples, print_json
from lineduel.cli.verdicts import GREEN, RED, Verdicts
from lineduel.quantities import counted
from lineduel.testing import look_at_engine

DONE, NO = 0, 1


def configure(parser: Parser) -> None:
    parser.add_argument("engine", metavar="COMMAND", help="the command that starts the engine")
    add_json(parser)
    examples(
        parser,
        "lineduel engine-check 'python my_engine.py'",
        "lineduel engine-check 'lineduel engine --level 3'",
        "lineduel engine-check ./my_engine --json",
    )


def run(options: argparse.Namespace) -> int:
    if options.json:
        from lineduel.documents import engine_check_document

        document = engine_check_document(options.engine, look_at_engine(options.engine))
        print_json(document)
        return DONE if document.passed else NO
    verdicts = Verdicts(options.colour)
    wrong = 0
    for finding in look_at_engine(options.engine):
        wrong += not finding.right
        mark, colon, told = str(finding).partition(":")
        print(f"{verdicts.paint(mark, GREEN if finding.right else RED)}{colon}{told}", flush=True)
    if not wrong:
        print(verdicts.paint("All checks passed.", GREEN), flush=True)
        return DONE
    failed = f"{counted(wrong, 'check')} failed."
    print(verdicts.paint(failed, RED), flush=True)
    return NO
