"""`lineduel solve`: who wins with best play, in how many plies, with which moves."""

import argparse

from lineduel.cli.choices import chosen_rulebook, chosen_start
from lineduel.cli.options import (
    Parser,
    add_file,
    add_flag,
    add_game,
    add_gpu,
    add_json,
    add_start,
    examples,
    print_json,
)
from lineduel.cli.outputs import add_force, if_asked
from lineduel.cli.progress import Bar
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.terminal import BOLD
from lineduel.cli.verdicts import GREEN, RED, YELLOW, Verdicts
from lineduel.coach import Emphasis, solution_lines
from lineduel.engine import Game
from lineduel.errors import shown
from lineduel.rulebooks import rulebook_file
from lineduel.solve import proof_of, solve
from lineduel.storage import check_outputs, write_output

PROOFS = ("lineduel certificate ", "lineduel table ")
"""The first bytes of the files that prove a solution."""
_COLOURS = {
    Emphasis.VERDICT: BOLD,
    Emphasis.WON: GREEN,
    Emphasis.LOST: RED,
    Emphasis.NEITHER: YELLOW,
}
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def configure(parser: Parser) -> None:
    add_game(parser)
    add_start(parser)
    add_json(parser)
    add_file(
        parser, "--certificate", "write the solution to FILE with its proof, for 'lineduel check'"
    )
    add_force(parser)
    add_flag(parser, "--no-cache", "solve again, and save nothing")
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        type=memory,
        help="memory to use at most, as 4G or 500M (default: most of what is free)",
    )
    add_gpu(parser, "solve")
    examples(
        parser,
        "lineduel solve cross-over",
        "lineduel solve ctf-tokens --first 2 --json",
        "lineduel solve flag-chase --position 3/3/1*",
        "lineduel solve cross-over --certificate proof.txt",
    )


def memory(text: str) -> int:
    """Parse a number of bytes."""
    number, unit = (text[:-1], text[-1:].upper()) if text[-1:].isalpha() else (text, "")
    if not (number.isascii() and number.isdigit() and len(number) < 16 and unit in ("", *_UNITS)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; write 500M or 4G")
    return int(number) * _UNITS.get(unit, 1)


def run(options: argparse.Namespace) -> int:
    game = Game(chosen_rulebook(options))
    position = chosen_start(options, game)
    outputs = if_asked(options, options.certificate, *PROOFS)
    check_outputs(outputs, [rulebook_file(options.game)])
    cache = None if options.no_cache else kept_solutions()
    with Bar("solving") as bar:
        solution = solve(
            game, position, memory=options.memory, cache=cache, report=bar, gpu=options.gpu
        )
    for certificate in outputs:
        write_output(certificate, proof_of(solution))
    if options.json:
        from lineduel.documents import solve_document

        print_json(solve_document(solution, position))
    else:
        verdicts = Verdicts(options.colour)
        for line in solution_lines(
            solution, position, lambda text, kind: verdicts.paint(text, _COLOURS[kind])
        ):
            print(line)
        if options.certificate:
            print(f"\nThe proof is in {shown(options.certificate, 300)}.")
            print(f"Check it with: lineduel check {shown(options.certificate, 300)}")
    return 0
