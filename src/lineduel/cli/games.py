"""`lineduel games`: list the games and their variants."""

import argparse

from lineduel.cli.options import Parser, add_json, examples, print_json
from lineduel.errors import shown
from lineduel.rulebooks import OwnRulebook, catalogue, own_rulebooks


def configure(parser: Parser) -> None:
    add_json(parser)
    examples(parser, "lineduel games", "lineduel games --json")


def run(options: argparse.Namespace) -> int:
    entries = catalogue()
    if options.json:
        from lineduel.documents import games_document

        print_json(games_document(entries, own_rulebooks()))
        return 0
    for entry in entries:
        print(f"{entry.id:<15}{entry.summary}")
        for name, summary in entry.variants:
            print(f"  :{name:<19}{summary}")
    _print_own(own_rulebooks())
    print("\nPlay one with 'lineduel play cross-over', a variant of it")
    print("with 'lineduel play cross-over:no-jump'.")
    return 0


def _print_own(rulebooks: tuple[OwnRulebook, ...]) -> None:
    """Print the user's own rulebook files: those created, validated or played."""
    if not rulebooks:
        return
    print("\nYour rulebooks:")
    for one in rulebooks:
        print(f"  {shown(one.address, 300)}")
        print(f"    {one.title}: {one.summary}" if one.summary else f"    {one.title}")
        for name, summary in one.variants:
            print(f"    :{name:<17}{summary}")
