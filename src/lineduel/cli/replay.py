"""`lineduel replay`: a recorded game, shown as it was played."""

import argparse

from lineduel import documents
from lineduel.cli.game_printer import GamePrinter
from lineduel.cli.options import Parser
from lineduel.cli.reports import print_json
from lineduel.cli.terminal import Terminal
from lineduel.engine import Game
from lineduel.errors import NotationError, RecordError, shown
from lineduel.match import load
from lineduel.play import Session, names_of, seats_of
from lineduel.record import Record

_TOURNAMENT = b'{"lineduel": "tournament"'
"""How the file of a tournament begins."""


def configure(parser: Parser) -> None:
    add_recorded_game(parser)
    parser.add_json()
    parser.examples(
        "lineduel replay game.duel",
        "lineduel replay game.duel --json",
        "lineduel replay tournament.jsonl --line 2",
    )


def run(options: argparse.Namespace) -> int:
    record = recorded_game(options)
    if options.json:
        print_json(documents.replay_document(record))
        return 0
    terminal = Terminal(options.colour)
    session = Session(Game(record.rulebook), record.start, seats_of(record), names=names_of(record))
    printer = GamePrinter(session, terminal)
    printer.open()
    for move in record.moves:
        printer.replay(session.play(move))
    session.resigned, session.forfeited = record.resigned, record.forfeited
    session.agreed = record.agreed
    printer.close()
    if not session.is_over:
        terminal.say(f"The game is not finished; player {session.position.side} is to move.")
    return 0


def add_recorded_game(parser: Parser) -> None:
    parser.add_file("file", "a saved game (.duel), or a tournament's file")
    parser.add_number(
        "--line",
        "the line of a tournament's file that holds the game (default: FILE is one game)",
    )


def recorded_game(options: argparse.Namespace) -> Record:
    """The game in a file of its own, or on a line of a tournament's file."""
    if options.line is not None:
        from lineduel.arena import record_on_line

        return record_on_line(options.file, options.line)
    try:
        return load(options.file)
    except RecordError:
        with options.file.open("rb") as file:
            begin = file.read(len(_TOURNAMENT))
        if begin != _TOURNAMENT:
            if begin.lstrip().startswith(b"["):
                raise
            raise NotationError(
                f"{shown(options.file, 300)} is not a saved game (.duel).\n"
                "The games you played are listed by: lineduel history"
            ) from None
    raise NotationError(
        f"{shown(options.file, 300)} holds the games of a tournament.\n"
        "Choose one by its line, as --line 2 for the first."
    )
