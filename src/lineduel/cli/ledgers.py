"""The files in which long runs store their results: a new one, or one to resume."""

import argparse
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from lineduel.cli.options import Parser
from lineduel.errors import shown


def add_ledger(parser: Parser, usual: Path, what: str) -> None:
    parser.add_argument(
        "--file",
        metavar="FILE",
        type=Path,
        help=f"keep the {what} in FILE (default: {usual}, or {_numbered(usual, 2)} and so on)",
    )
    parser.add_argument(
        "--resume", action="store_true", help=f"go on with the {what} in FILE (default: the last)"
    )


def choose_ledger(options: argparse.Namespace, usual: Path) -> None:
    """Choose a file if `--file` was not given, and print its name if it is not the default.

    A new run takes the first unused name, `--resume` the last used one.
    """
    if options.file is not None:
        return
    *taken, free = _up_to_free(usual)
    options.file = (taken or [usual])[-1] if options.resume else free
    if options.file != usual:
        print(f"Using the file {shown(options.file, 300)}.", file=sys.stderr, flush=True)


def _up_to_free(usual: Path) -> Iterator[Path]:
    """The default name and numbered ones, up to the first that is unused."""
    for number in count(1):
        path = usual if number == 1 else _numbered(usual, number)
        yield path
        if not path.exists():
            return


def _numbered(usual: Path, number: int) -> Path:
    return usual.with_stem(f"{usual.stem}-{number}")
