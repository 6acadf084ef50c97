"""`lineduel help`: show the help of a command."""

import argparse

from lineduel.cli.options import Parser, examples

TOPIC = "topic"
"""The name of the argument that holds the command."""


def configure(parser: Parser) -> None:
    parser.add_argument(TOPIC, metavar="COMMAND", nargs="?", help="a command of lineduel")
    examples(parser, "lineduel help", "lineduel help tournament")


def run(options: argparse.Namespace) -> int:
    from lineduel.cli.main import main

    return main([*([options.topic] if options.topic else []), "--help"])
