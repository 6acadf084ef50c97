"""`lineduel solve`, `check` and `perft`: best play, proofs of it, and counts of move sequences."""

import argparse

from lineduel import documents
from lineduel.cli.choices import chosen_rulebook, chosen_start, kept_solutions
from lineduel.cli.error_advice import advised
from lineduel.cli.options import Parser, whole_number
from lineduel.cli.progress import Bar
from lineduel.cli.reports import GREEN, RED, YELLOW, asked_output, paint, print_json, print_place
from lineduel.cli.terminal import BOLD
from lineduel.engine import Game, perft
from lineduel.errors import CertificateError, shown
from lineduel.rulebooks import rulebook_file
from lineduel.solve import check_proof, proof_of, solve
from lineduel.storage import check_readable, write_output

PROOFS = ("lineduel certificate ", "lineduel table ", "lineduel bounds ")
"""The first bytes of the files that prove a solution."""
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def configure(parser: Parser) -> None:
    parser.add_game()
    parser.add_start()
    parser.add_json("where the length after a move does not count that move")
    parser.add_file(
        "--certificate", "write the solution to FILE with its proof, for 'lineduel check'"
    )
    parser.add_force()
    parser.add_flag("--no-cache", "solve again, and save nothing")
    memory = "memory to use at most, as 4G or 500M (default: most of what is free)"
    parser.add_number("--memory", memory, read=_memory, metavar="SIZE")
    _add_gpu(parser, "solve")
    parser.examples(
        "lineduel solve cross-over",
        "lineduel solve ctf-tokens --first 2 --json",
        "lineduel solve flag-chase --position 3/3/1*",
        "lineduel solve cross-over --certificate proof.txt",
    )


def configure_check(parser: Parser) -> None:
    parser.add_file("file", "a certificate, as 'lineduel solve --certificate' writes it")
    parser.add_json()
    _add_gpu(parser, "check")
    parser.examples("lineduel check proof.txt")


def configure_perft(parser: Parser) -> None:
    parser.add_game()
    depth = whole_number(0, 9999)
    parser.add_number(
        "depth", "the largest number of turns, 0 to 9999", read=depth, metavar="DEPTH"
    )
    parser.add_start()
    parser.add_json()
    parser.examples("lineduel perft cross-over 6", "lineduel perft ctf-tokens 4 --first 2 --json")


def _add_gpu(parser: Parser, what: str) -> None:
    parser.add_argument(
        "--gpu",
        nargs="?",
        choices=("auto", "always", "never"),
        const="always",
        default="auto",
        help=f"{what} a large table on a GPU (default: auto, if there is one and it is faster)",
    )


def _memory(text: str) -> int:
    """Parse a number of bytes."""
    number, unit = (text[:-1], text[-1:].upper()) if text[-1:].isalpha() else (text, "")
    if not (number.isascii() and number.isdigit() and len(number) < 16 and unit in ("", *_UNITS)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; write 500M or 4G")
    return int(number) * _UNITS.get(unit, 1)


def run(options: argparse.Namespace) -> int:
    game = Game(chosen_rulebook(options))
    position = chosen_start(options, game)
    inputs = (rulebook_file(options.game),)
    certificate = asked_output(options, options.certificate, *PROOFS, inputs=inputs)
    cache = None if options.no_cache else kept_solutions()
    with Bar("solving") as bar:
        solution = solve(
            game, position, memory=options.memory, cache=cache, report=bar, gpu=options.gpu
        )
    if certificate:
        write_output(certificate, proof_of(solution))
    if options.json:
        print_json(documents.solve_document(solution, position))
        return 0
    from lineduel.coach import Emphasis, solution_lines

    colours = {
        Emphasis.VERDICT: BOLD,
        Emphasis.WON: GREEN,
        Emphasis.LOST: RED,
        Emphasis.NEITHER: YELLOW,
    }
    for line in solution_lines(
        solution, position, lambda text, kind: paint(options, text, colours[kind])
    ):
        print(line)
    print_place("proof", options.certificate)
    if options.certificate:
        print(f"Check it with: lineduel check {shown(options.certificate, 300)}")
    return 0


def run_check(options: argparse.Namespace) -> int:
    check_readable(options.file)
    positions, start, why = 0, None, None
    try:
        with Bar("checking") as bar:
            positions, start = check_proof(options.file, bar, gpu=options.gpu)
    except CertificateError as error:
        why = " ".join(advised(error, options).splitlines())
    if options.json:
        print_json(documents.CheckDocument(accepted=why is None, positions=positions, why=why))
    elif why is None:
        accepted = paint(options, "Accepted", GREEN)
        print(f"{accepted}: all {positions:,} positions hold, from {start} on.")
    else:
        print(f"{paint(options, 'Refused', RED)}. {why}")
    return 0 if why is None else 1


def run_perft(options: argparse.Namespace) -> int:
    rulebook = chosen_rulebook(options)
    game = Game(rulebook)
    counts = perft(game, chosen_start(options, game), options.depth)
    if options.json:
        print_json(documents.PerftDocument(game=rulebook.id, perft=list(counts)))
        return 0
    for length, count in enumerate(counts, start=1):
        print(f"{length:>4}  {count:,}", flush=True)
    return 0
