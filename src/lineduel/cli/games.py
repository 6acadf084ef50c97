"""`lineduel games` and `rules`: which games there are, and the rules of one in plain words."""

import argparse

from lineduel import documents
from lineduel.cli.options import Parser
from lineduel.errors import shown
from lineduel.rulebooks import START_HERE, catalogue, own_rulebooks

_WIDEST = 78


def configure(parser: Parser) -> None:
    parser.add_json()
    parser.examples("lineduel games", "lineduel games --json")


def configure_rules(parser: Parser) -> None:
    parser.add_game()
    parser.add_json()
    parser.examples(
        "lineduel rules flag-chase",
        "lineduel rules cross-over:no-jump",
        "lineduel rules ctf-tokens --set move.steps=1,2",
    )


def run(options: argparse.Namespace) -> int:
    entries, own = catalogue(), own_rulebooks()
    if options.json:
        from lineduel.cli.reports import print_json

        print_json(documents.games_document(entries, own))
        return 0
    for entry in entries:
        start = "  (start here)" if entry.address == START_HERE else ""
        print(f"{entry.address:<15}{entry.summary}{start}")
        for name, summary in entry.variants:
            print(f"  :{name:<19}{summary}")
    if own:
        print("\nYour rulebooks:")
    for one in own:
        print(f"  {shown(one.address, 300)}")
        print(f"    {one.title}: {one.summary}" if one.summary else f"    {one.title}")
        for name, summary in one.variants:
            print(f"    :{name:<17}{summary}")
    print("\nPlay one with 'lineduel play cross-over', a variant of it")
    print("with 'lineduel play cross-over:no-jump'.")
    return 0


def run_rules(options: argparse.Namespace) -> int:
    from shutil import get_terminal_size

    from lineduel.cli.choices import chosen_rulebook
    from lineduel.rules import rules_in_lines

    rulebook = chosen_rulebook(options)
    if options.json:
        from lineduel.cli.reports import print_json

        print_json(documents.rules_document(rulebook))
        return 0
    width = min(get_terminal_size((_WIDEST, 24)).columns, _WIDEST)
    print(*rules_in_lines(rulebook, width), sep="\n")
    return 0
