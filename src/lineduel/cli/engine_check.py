"""`lineduel engine-check`: what another's engine does right and wrong, line by line."""

import argparse

from lineduel.cli.options import Parser, examples
from lineduel.testing import look_at_engine

DONE, NO = 0, 1


def configure(parser: Parser) -> None:
    parser.add_argument("engine", metavar="COMMAND", help="the command that starts the engine")
    examples(
        parser,
        "lineduel engine-check 'python my_engine.py'",
        "lineduel engine-check 'lineduel engine --level 3'",
    )


def run(options: argparse.Namespace) -> int:
    wrong = 0
    for finding in look_at_engine(options.engine):
        wrong += not finding.right
        print(finding, flush=True)
    print("All is right." if not wrong else f"{wrong} of these are wrong.", flush=True)
    return NO if wrong else DONE
