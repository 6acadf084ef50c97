"""`lineduel replay`: a recorded game, shown as it was played."""

import argparse

from lineduel.cli.game_printer import GamePrinter
from lineduel.cli.options import Parser, add_json, examples, print_json
from lineduel.cli.recorded_game import add_recorded_game, recorded_game
from lineduel.cli.terminal import Terminal
from lineduel.engine import Game
from lineduel.play import Session, names_of, seats_of


def configure(parser: Parser) -> None:
    add_recorded_game(parser)
    add_json(parser)
    examples(
        parser,
        "lineduel replay game.duel",
        "lineduel replay game.duel --json",
        "lineduel replay tournament.jsonl --line 2",
    )


def run(options: argparse.Namespace) -> int:
    record = recorded_game(options)
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
