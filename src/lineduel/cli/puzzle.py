"""`lineduel puzzle`: find the only good move."""

import argparse
from datetime import date
from itertools import islice
from random import Random

from lineduel.cli.choices import chosen_rulebook
from lineduel.cli.game_printer import GamePrinter
from lineduel.cli.options import Parser, add_game, add_seed, depth, examples
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.terminal import Terminal
from lineduel.coach import Puzzle, Training, is_right, verdict
from lineduel.engine import Game
from lineduel.errors import LineduelError
from lineduel.session import Session, read_answer
from lineduel.solve import Solution


def configure(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument(
        "--count", type=depth, default=5, metavar="N", help="number of puzzles (default: 5)"
    )
    add_seed(parser)
    examples(parser, "lineduel puzzle cross-over", "lineduel puzzle ctf-tokens --count 1 --seed 7")


def run(options: argparse.Namespace) -> int:
    training = Training(Game(chosen_rulebook(options)), cache=kept_solutions())
    terminal = Terminal(options.colour)
    today = date.today()
    solved = asked = 0
    found = False
    for puzzle in islice(training.puzzles(Random(options.seed), today), options.count):
        found = True
        right = _ask(training.solution, puzzle, terminal)
        if right is None:
            break
        asked += 1
        solved += right
        training.note(puzzle, right, today)
    if asked:
        terminal.say(f"{solved} of {asked} solved. Those you missed will come back.")
    elif not found:
        terminal.say("This game has no position with exactly one good move.")
    return 0


def _ask(solution: Solution, puzzle: Puzzle, terminal: Terminal) -> bool | None:
    """Whether the puzzle was solved; None when nobody wants to go on."""
    session = Session(solution.game, puzzle.position)
    printer = GamePrinter(session, terminal)
    side = puzzle.position.side
    terminal.say(f"Puzzle, grade {puzzle.grade} of 8. {printer.narrator.name(side)} to move.")
    terminal.say(printer.narrator.board(puzzle.position))
    terminal.say(printer.narrator.moves(puzzle.position))
    while True:
        answer = terminal.ask("The only good move (or quit): ")
        if answer is None or answer.strip().lower() in ("quit", "q"):
            return None
        try:
            move = read_answer(solution.game, puzzle.position, answer)
        except LineduelError as error:
            terminal.complain(str(error))
            continue
        terminal.say(verdict(solution, puzzle, move))
        terminal.say()
        return is_right(solution, puzzle, move)
