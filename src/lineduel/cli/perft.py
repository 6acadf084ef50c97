"""`lineduel perft`: the number of move sequences of each length."""

import argparse

from lineduel.cli.choices import chosen_rulebook, chosen_start
from lineduel.cli.options import (
    Parser,
    add_game,
    add_json,
    add_start,
    examples,
    print_json,
    whole_number,
)
from lineduel.engine import Game, perft


def configure(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument(
        "depth",
        metavar="DEPTH",
        type=whole_number(0, 9999),
        help="the largest number of plies, 0 to 9999",
    )
    add_start(parser)
    add_json(parser)
    examples(parser, "lineduel perft cross-over 6", "lineduel perft ctf-tokens 4 --first 2 --json")


def run(options: argparse.Namespace) -> int:
    rulebook = chosen_rulebook(options)
    game = Game(rulebook)
    counts = perft(game, chosen_start(options, game), options.depth)
    if options.json:
        from lineduel.documents import perft_document

        print_json(perft_document(rulebook, counts))
        return 0
    for length, count in enumerate(counts, start=1):
        print(f"{length:>4}  {count:,}", flush=True)
    return 0
