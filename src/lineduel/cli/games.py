"""`lineduel games`: what there is to play, one line each."""

import argparse

from lineduel.cli.options import Parser, add_json, examples, print_json
from lineduel.rulebooks import catalogue


def configure(parser: Parser) -> None:
    add_json(parser)
    examples(parser, "lineduel games", "lineduel games --json")


def run(options: argparse.Namespace) -> int:
    entries = catalogue()
    if options.json:
        from lineduel.documents import games_document

        print_json(games_document(entries))
        return 0
    for entry in entries:
        print(f"{entry.id:<15}{entry.summary}")
        for name, summary in entry.variants:
            print(f"  :{name:<19}{summary}")
    print("\nPlay one with 'lineduel play cross-over', a variant of it")
    print("with 'lineduel play cross-over:no-jump'.")
    return 0
