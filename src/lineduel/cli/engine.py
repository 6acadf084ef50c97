"""`lineduel engine`: play as an engine for other programs (see docs/engine-protocol.md)."""

import argparse
import sys
from random import Random

from lineduel.cli.options import Parser, add_seed, examples
from lineduel.cli.terminal import hearing_signals
from lineduel.play import LONGEST_LINE, EngineDialogue
from lineduel.players import LEVELS


def configure(parser: Parser) -> None:
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--level",
        type=int,
        choices=LEVELS,
        metavar="N",
        help="play as this level, 1 to 8 (default: as --player says)",
    )
    who.add_argument(
        "--player",
        choices=("perfect",),
        default="perfect",
        help="play as this player (default: perfect)",
    )
    add_seed(parser)
    examples(parser, "lineduel engine --level 3", "lineduel engine --player perfect --seed 1")


def run(options: argparse.Namespace) -> int:
    name = f"level:{options.level}" if options.level else options.player
    engine = EngineDialogue(name, Random(options.seed))
    while not engine.over and (line := _read()) is not None:
        for answer in engine.answer(line):
            print(answer, flush=True)
    return 0


def _read() -> str | None:
    """The next line, or None at the end of input; a line that is too long is cut."""
    with hearing_signals():
        line = rest = sys.stdin.buffer.readline(5 * LONGEST_LINE)  # a character has up to 4 bytes
        while rest and not rest.endswith(b"\n"):
            rest = sys.stdin.buffer.readline(LONGEST_LINE)
    return line.decode(errors="replace").strip() if line else None
