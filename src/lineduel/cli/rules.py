"""`lineduel rules`: a rulebook in plain words."""

import argparse
import shutil
import textwrap
from collections.abc import Iterator

from lineduel.cli.choices import chosen_rulebook
from lineduel.cli.options import Parser, add_game, add_json, examples, print_json
from lineduel.rules import Rulebook, describe

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


def rules_in_lines(rulebook: Rulebook, width: int) -> Iterator[str]:
    """The rules of a game for a terminal of that width."""
    wrapper = textwrap.TextWrapper(
        width, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False
    )
    yield f"{rulebook.title} ({rulebook.id})"
    if rulebook.summary:
        yield textwrap.fill(rulebook.summary, width)
    for section in describe(rulebook):
        yield f"\n{section.heading}"
        for paragraph in section.paragraphs:
            yield wrapper.fill(paragraph)
