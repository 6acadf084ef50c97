"""`lineduel rules`: a rulebook in plain words."""

import argparse
import shutil

from lineduel.cli.choices import chosen_rulebook
from lineduel.cli.options import Parser, add_game, add_json, examples, print_json
from lineduel.rules import rules_in_lines

_WIDEST = 78


def configure(parser: Parser) -> None:
    add_game(parser)
    add_json(parser)
    examples(
        parser,
        "lineduel rules flag-chase",
        "lineduel rules cross-over:no-jump",
        "lineduel rules ctf-tokens --set move.steps=1,2",
    )


def run(options: argparse.Namespace) -> int:
    rulebook = chosen_rulebook(options)
    if options.json:
        from lineduel.documents import rules_document

        print_json(rules_document(rulebook))
        return 0
    width = min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)
    for line in rules_in_lines(rulebook, width):
        print(line)
    return 0
