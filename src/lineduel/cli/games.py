"""`lineduel games`: what there is to play, one line each."""

import argparse

from lineduel.cli.options import Parser, add_json, examples, print_json
from lineduel.rulebooks import shipped_rulebooks


def configure(parser: Parser) -> None:
    add_json(parser)
    examples(parser, "lineduel games", "lineduel games --json")


def run(options: argparse.Namespace) -> int:
    rulebooks = tuple(shipped_rulebooks())
    if options.json:
        print_json(
            [
                {
                    "game": rulebook.id,
                    "title": rulebook.title,
                    "summary": rulebook.summary,
                    "readings": [
                        {"game": f"{rulebook.id}:{one.name}", "summary": one.summary}
                        for one in rulebook.readings
                    ],
                }
                for rulebook in rulebooks
            ]
        )
        return 0
    for rulebook in rulebooks:
        print(f"{rulebook.id:<15}{rulebook.summary}")
        for reading in rulebook.readings:
            print(f"  :{reading.name:<19}{reading.summary}")
    print("\nPlay one with 'lineduel play cross-over', a reading of it")
    print("with 'lineduel play cross-over:no-jump'.")
    return 0
