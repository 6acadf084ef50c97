"""`lineduel help`: what a command does, and what it takes."""

import argparse

from lineduel.cli.options import Parser, examples

TOPIC = "topic"
"""Where the command that is asked about stands among the options."""


def configure(parser: Parser) -> None:
    parser.add_argument(TOPIC, metavar="COMMAND", nargs="?", help="a command of lineduel")
    examples(parser, "lineduel help", "lineduel help tournament")


def run(options: argparse.Namespace) -> int:
    from lineduel.cli.main import main

    return main([*([options.topic] if options.topic else []), "--help"])
