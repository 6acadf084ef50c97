"""What commands for long work share: their workers, their files, and what Ctrl-C says."""

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count, takewhile
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from lineduel.cli.main import CommandInterrupted
from lineduel.cli.options import Parser
from lineduel.cli.progress import Bar, show_compiling
from lineduel.errors import NotationError, original_errors, shown

if TYPE_CHECKING:
    from lineduel.jobs import Pool


@contextmanager
def stoppable(bar: Bar, answer: Callable[[], str]) -> Iterator[None]:
    """Answer an interrupt with what is kept and how to go on, then leave the command."""
    try:
        with original_errors():
            yield
    except KeyboardInterrupt:
        bar.close()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # ignore further interrupts while leaving
        print(f"\nStopped{answer()}", file=sys.stderr)
        raise CommandInterrupted from None


def pool_for(options: argparse.Namespace, bar: Bar) -> "Pool":
    """The pool of workers selected by the options."""
    from lineduel.jobs import Pool

    if options.cores is not None and options.cores < 1:
        raise NotationError("--cores takes a number of 1 or more.")
    return Pool(options.cores, options.cluster, bar.note, show_compiling)


def add_ledger(parser: Parser, default: Path, what: str) -> None:
    names = f"{default}, or {_numbered(default, 2)} and so on"
    parser.add_file("--file", f"keep the {what} in FILE (default: {names})")
    parser.add_flag("--resume", f"go on with the {what} in FILE (default: the last)")


def choose_ledger(options: argparse.Namespace, default: Path) -> None:
    """Choose a file if `--file` was not given, and print its name if it is not the default."""
    if options.file is not None:
        return
    options.file = first_free(default, options.resume)
    if options.file != default:
        print(f"Using the file {shown(options.file, 300)}.", file=sys.stderr, flush=True)


def first_free(default: Path, resume: bool) -> Path:
    """The first unused path among the default and numbered ones; to resume, the last used one."""
    taken = len(list(takewhile(Path.exists, map(partial(_numbered, default), count(1)))))
    return _numbered(default, max(taken, 1) if resume else taken + 1)


def in_file(options: argparse.Namespace, default: Path, kept: str) -> str:
    """How an interrupt is answered if the results are in a file."""
    where = shown(options.file, 300)
    file = "" if options.file == default else f" --file {quote(where)}"
    return f"; {kept} in {where}.\nGo on with: lineduel {options.command} --resume{file}"


def _numbered(default: Path, number: int) -> Path:
    return default if number == 1 else default.with_stem(f"{default.stem}-{number}")
