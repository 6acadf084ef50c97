"""The files that a command writes under names that it is given."""

import argparse
from pathlib import Path

from lineduel.cli.options import Parser
from lineduel.storage import Output

RECORD = '[Game "'


def add_force(parser: Parser) -> None:
    parser.add_argument(
        "--force",
        action="store_true",
        help="replace files, even those that this command did not write",
    )


def output(options: argparse.Namespace, path: Path, *heads: str) -> Output:
    """A file to write, and what one begins with that the same command wrote before."""
    return Output(path, tuple(head.encode() for head in heads), options.force)
