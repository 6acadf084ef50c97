"""`lineduel engine` and `engine-check`: be an engine for other programs, and test engines.

The protocol is in docs/engine-protocol.md.
"""

import argparse
import sys
from dataclasses import replace
from random import Random

from lineduel import documents
from lineduel.cli.options import Parser
from lineduel.cli.reports import GREEN, RED, paint, print_json
from lineduel.cli.terminal import hearing_signals
from lineduel.play import LONGEST_LINE, EngineDialogue
from lineduel.players import LEVELS
from lineduel.quantities import counted


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
    parser.add_seed()
    parser.examples("lineduel engine --level 3", "lineduel engine --player perfect --seed 1")


_WITHOUT_PACKAGE = (
    "The Python that starts the engine does not have lineduel; what pipx or uv installs is for the "
    "command alone.\nInstall it into the engine's own environment: pip install '.[full]' in a "
    "checkout."
)


def configure_engine_check(parser: Parser) -> None:
    parser.add_argument("engine", metavar="COMMAND", help="the command that starts the engine")
    parser.add_json()
    parser.examples(
        "lineduel engine-check 'python my_engine.py'",
        "lineduel engine-check 'lineduel engine --level 3'",
        "lineduel engine-check ./my_engine --json",
    )


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


def run_engine_check(options: argparse.Namespace) -> int:
    from lineduel.testing import check_engine

    if options.json:
        document = documents.engine_check_document(options.engine, check_engine(options.engine))
        print_json(document)
        return 0 if document.passed else 1
    failed, reasons = 0, set[str]()
    for finding in check_engine(options.engine):
        failed += not finding.right
        told = finding
        if finding.wrong in reasons:
            told = replace(finding, wrong="The reason is the same as above.")
        elif finding.wrong is not None:
            reasons.add(finding.wrong)
        mark, colon, sentence = str(told).partition(":")
        painted = paint(options, mark, GREEN if finding.right else RED)
        print(f"{painted}{colon}{sentence}", flush=True)
    if failed:
        print(paint(options, f"{counted(failed, 'check')} failed.", RED))
        if any("No module named 'lineduel'" in reason for reason in reasons):
            print(_WITHOUT_PACKAGE)
        return 1
    print(paint(options, "All checks passed.", GREEN))
    return 0
