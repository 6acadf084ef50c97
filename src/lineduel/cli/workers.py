"""The options for long work: CPU cores of this machine, or a cluster."""

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lineduel.cli.options import Parser
from lineduel.errors import NotationError

if TYPE_CHECKING:
    from lineduel.jobs import Pool


def add_workers(parser: Parser) -> None:
    parser.add_argument("--cores", type=int, metavar="N", help="CPU cores to use (default: all)")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="work on the Dask cluster at ADDRESS, as tcp://host:8786",
    )


@contextmanager
def pool_for(
    options: argparse.Namespace, notice: Callable[[str], None] | None = None
) -> "Iterator[Pool]":
    """The pool of workers selected by the options."""
    from lineduel.jobs import Pool

    if options.cores is not None and options.cores < 1:
        raise NotationError("--cores takes a number from 1 on.")
    with Pool(options.cores, options.cluster, notice or _print_notice) as pool:
        yield pool


def _print_notice(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def ignore_interrupts() -> None:
    """Ignore further interrupts while leaving."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
