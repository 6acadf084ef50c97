"""The recorded game that a command is about: a file of its own, or a line of a tournament's."""

import argparse
from pathlib import Path

from lineduel.cli.options import Parser
from lineduel.errors import NotationError, RecordError, shown
from lineduel.match import load
from lineduel.record import Record

_BEGIN = b'{"lineduel": "tournament"'


def add_recorded_game(parser: Parser) -> None:
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="a saved game (.duel), or a tournament's file"
    )
    parser.add_argument(
        "--line",
        metavar="N",
        type=int,
        help="the line of a tournament's file that holds the game (default: FILE is one game)",
    )


def recorded_game(options: argparse.Namespace) -> Record:
    """The game that was asked for."""
    if options.line is not None:
        from lineduel.arena import record_on_line

        return record_on_line(options.file, options.line)
    try:
        return load(options.file)
    except RecordError:
        if not _is_tournament(options.file):
            raise
    raise NotationError(
        f"{shown(options.file, 300)} holds the games of a tournament.\n"
        "Choose one by its line, as --line 2 for the first."
    )


def _is_tournament(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_BEGIN)) == _BEGIN
