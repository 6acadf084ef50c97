"""Where long work is done: on the cores of this machine, or on a cluster."""

import argparse
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lineduel.cli.options import Parser
from lineduel.errors import NotationError, NoWorkers

if TYPE_CHECKING:
    from lineduel.arena.pool import Pool


def add_workers(parser: Parser) -> None:
    parser.add_argument("--cores", type=int, metavar="N", help="of this machine (all)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="work on the Dask cluster there")


@contextmanager
def pool_for(
    options: argparse.Namespace, notice: Callable[[str], None] | None = None
) -> "Iterator[Pool]":
    """The workers that were asked for; when they are lost, the error says how to resume."""
    from lineduel.arena.pool import Pool

    if options.cores is not None and options.cores < 1:
        raise NotationError("--cores takes a number from 1 on.")
    with Pool(options.cores, options.cluster, notice or _print_notice) as pool:
        try:
            yield pool
        except NoWorkers as error:
            file: Path | None = getattr(options, "file", None)
            if file is None or not file.exists():
                raise
            resume = f"lineduel {options.command} --resume --file {shlex.quote(str(file))}"
            raise NoWorkers(f"{error}\nFinished work is saved. Resume with: {resume}") from None


def _print_notice(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def ignore_interrupts() -> None:
    """Whoever is leaving is not told so again."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
