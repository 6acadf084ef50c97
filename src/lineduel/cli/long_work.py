"""What commands for long work share: their workers, their files, and what Ctrl-C says."""

import argparse
import shlex
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count, dropwhile, islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from lineduel.cli.main import CommandInterrupted
from lineduel.cli.options import Parser
from lineduel.cli.progress import Bar, show_compiling
from lineduel.errors import LedgerExists, NotationError, NoWorkers, original_errors, shown

if TYPE_CHECKING:
    from lineduel.jobs import LongRun, LongWork, Pool

_Work = TypeVar("_Work", bound="LongWork")
_TRIES = 1000
"""How many names are tried that others take at the same moment."""
_NOT_IN_FILE = (
    *("csv", "parquet", "plot", "svg", "heat_map", "html"),
    *("force", "engine_log", "json"),
)
"""Options that say what to do with the results; the file of the work has the rest."""


class Left(NamedTuple):
    """What a stopped command leaves behind."""

    kept: str
    """As a sentence: `12 of 40 rows are kept in sweep.jsonl`."""
    command: str
    """Goes on with it."""

    def __str__(self) -> str:
        return f"; {self.kept}.\nResume with: {self.command}"


@contextmanager
def stoppable(bar: Bar, answer: Callable[[], Left | str]) -> Iterator[None]:
    """Answer an interrupt with what is kept and how to go on, then leave the command."""
    try:
        with original_errors():
            yield
    except KeyboardInterrupt:
        bar.close()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # ignore further interrupts while leaving
        print(f"\nStopped{answer()}", file=sys.stderr)
        raise CommandInterrupted from None


def run_work(
    running: "LongRun[_Work]", pool: "Pool", bar: Bar, left: Callable[[], Left | None]
) -> None:
    """Do what is left to do; if the workers are lost, the error says how to go on."""
    try:
        running.run(pool, bar.show)
    except NoWorkers as error:
        if (found := left()) is None:
            raise
        raise NoWorkers(f"{error}\nFinished work is saved. Resume with: {found.command}") from None


def pool_for(options: argparse.Namespace, bar: Bar) -> "Pool":
    """The pool of workers selected by the options."""
    from lineduel.jobs import Pool

    if options.cores is not None and options.cores < 1:
        raise NotationError("--cores takes a number of 1 or more.")
    return Pool(options.cores, options.cluster, bar.note, show_compiling)


def add_ledger(parser: Parser, default: Path, what: str) -> None:
    names = f"{default}, or {_numbered(default, 2)} and so on"
    parser.add_file("--file", f"keep the {what} in FILE (default: {names})")
    parser.add_flag("--resume", f"resume the {what} in FILE (default: the last)")


def choose_ledger(options: argparse.Namespace, default: Path) -> None:
    """Choose the file to resume, or the first unused one, if `--file` was not given."""
    if options.file is None:
        options.file = last_used(default) if options.resume else next(unused(default))
        if options.resume and options.file != default:
            _say_file(options)


def begin_ledger(
    options: argparse.Namespace, default: Path, work: "_Work", named: bool
) -> "LongRun[_Work]":
    """Keep new work in its file; unless that was `named`, the next one if it is just being used."""
    from lineduel.jobs import LongRun

    for path in (options.file, *(() if named else islice(unused(default), _TRIES))):
        with suppress(LedgerExists):
            running = LongRun.begin(path, work)
            options.file = path
            if not named:
                _say_file(options)
            return running
    raise LedgerExists(options.file)


def _say_file(options: argparse.Namespace) -> None:
    """Say where the work is kept, since nobody named the file."""
    where = f"{shown(options.file, 300)} in {shown(Path.cwd(), 300)}"
    print(f"Using the file {where}.", file=sys.stderr, flush=True)


def last_used(default: Path) -> Path:
    """The last path that is used of the default and numbered ones, or the default."""
    paths = takewhile(Path.exists, _numbered_paths(default))
    return deque(paths, maxlen=1).pop() if default.exists() else default


def unused(default: Path) -> Iterator[Path]:
    """The paths that are not used, of the default and numbered ones."""
    return dropwhile(Path.exists, _numbered_paths(default))


def left_in_file(options: argparse.Namespace, kept: str) -> Left:
    """What is left if the results are in a file."""
    where = shown(options.file, 300)
    return Left(f"{kept} in {where}", resume_command(options, "--file", where))


def resume_command(options: argparse.Namespace, *where: str) -> str:
    """The command that goes on with work: where it is, and what its file does not keep."""
    words = ["lineduel", options.command, "--resume", *where]
    for name in _NOT_IN_FILE:
        given = getattr(options, name, None)
        option = f"--{name.replace('_', '-')}"
        if given is True:
            words.append(option)
        elif given:
            values = given if isinstance(given, list) else [given]
            words += [option, *(shown(value, 300) for value in values)]
    return shlex.join(words)


def _numbered_paths(default: Path) -> Iterator[Path]:
    return map(partial(_numbered, default), count(1))


def _numbered(default: Path, number: int) -> Path:
    return default if number == 1 else default.with_stem(f"{default.stem}-{number}")
