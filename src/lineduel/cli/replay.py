"""`lineduel replay`: a recorded game, shown as it was played."""

import argparse
from pathlib import Path

from lineduel.cli.game_printer import GamePrinter
from lineduel.cli.options import Parser, add_json, examples, print_json
from lineduel.cli.terminal import Terminal
from lineduel.engine import Game
from lineduel.match import load
from lineduel.session import Session, names_of, seats_of


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a saved game (.duel)")
    add_json(parser)
    examples(parser, "lineduel replay game.duel", "lineduel replay game.duel --json")


def run(options: argparse.Namespace) -> int:
    record = load(options.file)
    if options.json:
        from lineduel.documents import replay_document

        print_json(replay_document(record))
        return 0
    terminal = Terminal(options.colour)
    session = Session(Game(record.rulebook), record.start, seats_of(record), names=names_of(record))
    printer = GamePrinter(session, terminal)
    printer.open()
    for move in record.moves:
        printer.replay(session.play(move))
    if record.resigned is not None:
        printer.resigned(record.resigned)
    elif record.forfeited is not None:
        printer.forfeited(record.forfeited)
    elif session.winner is None:
        terminal.say(f"The game is not finished; player {session.position.side} is to move.")
    return 0
