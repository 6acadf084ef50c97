"""The output files named on the command line."""

import argparse
from pathlib import Path

from lineduel.cli.options import Parser, add_flag
from lineduel.storage import Output

RECORD = '[Game "'


def add_force(parser: Parser) -> None:
    add_flag(parser, "--force", "replace files, even those that this command did not write")


def output(options: argparse.Namespace, path: Path, *heads: str) -> Output:
    """An output file; `heads` are the possible beginnings of one that this command wrote before."""
    return Output(path, tuple(head.encode() for head in heads), options.force)


def if_asked(options: argparse.Namespace, path: Path | None, *heads: str) -> list[Output]:
    """The output file of an option, if it was given."""
    return [output(options, path, *heads)] if path else []
