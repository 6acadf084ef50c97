"""Where long work is done: on the cores of this machine, or on a cluster."""

import argparse
import signal
from typing import TYPE_CHECKING

from lineduel.cli.options import Parser
from lineduel.errors import NotationError

if TYPE_CHECKING:
    from lineduel.arena.pool import Pool


def add_workers(parser: Parser) -> None:
    parser.add_argument("--cores", type=int, metavar="N", help="of this machine (all)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="work on the Dask cluster there")


def pool_for(options: argparse.Namespace) -> "Pool":
    from lineduel.arena.pool import Pool

    if options.cores is not None and options.cores < 1:
        raise NotationError("--cores takes a number from 1 on.")
    return Pool(options.cores, options.cluster)


def ignore_interrupts() -> None:
    """Whoever is leaving is not told so again."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
