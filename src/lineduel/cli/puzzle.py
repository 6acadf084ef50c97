"""`lineduel puzzle`: find the only good move."""

import argparse
from datetime import date
from itertools import islice
from random import Random

from lineduel import coach
from lineduel.cli.choices import chosen_rulebook, kept_solutions
from lineduel.cli.game_printer import GamePrinter
from lineduel.cli.options import Parser, whole_number
from lineduel.cli.terminal import Terminal
from lineduel.engine import Game
from lineduel.errors import LineduelError
from lineduel.narration import read_answer
from lineduel.play import Session
from lineduel.solve import Solution


def configure(parser: Parser) -> None:
    parser.add_game()
    parser.add_number("--count", "number of puzzles", 5, read=whole_number(1, 9999))
    parser.add_seed()
    parser.examples("lineduel puzzle cross-over", "lineduel puzzle ctf-tokens --count 1 --seed 7")


def run(options: argparse.Namespace) -> int:
    training = coach.Training(Game(chosen_rulebook(options)), cache=kept_solutions())
    terminal = Terminal(options.colour)
    today = date.today()
    solved = asked = 0
    found = False
    rating: coach.PuzzleRating | None = None
    for puzzle in islice(training.puzzles(Random(options.seed), today), options.count):
        found = True
        right = _ask(training.solution, puzzle, terminal)
        if right is None:
            break
        asked += 1
        solved += right
        rating = training.note(puzzle, right, today)
    if rating is not None:
        terminal.say(f"{solved} of {asked} solved; {rating}. Those you missed will come back.")
    elif not found:
        terminal.say(str(training.none_left(today)))
    return 0


def _ask(solution: Solution, puzzle: "coach.Puzzle", terminal: Terminal) -> bool | None:
    """Ask until the puzzle is solved; returns whether the first try was right, or None to quit."""
    session = Session(solution.game, puzzle.position)
    printer = GamePrinter(session, terminal)
    side = puzzle.position.side
    terminal.say(f"Puzzle, grade {puzzle.grade} of 8. {printer.narrator.name(side)} to move.")
    terminal.say(printer.narrator.board(puzzle.position))
    terminal.say(printer.narrator.moves(puzzle.position, effects=False))
    first: bool | None = None
    while True:
        more = "or quit" if first is None else "or answer, or quit"
        answer = terminal.ask(f"The only good move ({more}): ")
        word = "quit" if answer is None else answer.strip().lower()
        if word in ("quit", "q") and first is None:
            return None
        if word in ("answer", "quit", "q") and first is not None:
            terminal.say(f"{coach.judge(solution, puzzle, puzzle.answer).as_answer()}\n")
            return first
        assert answer is not None
        try:
            move = read_answer(solution.game, puzzle.position, answer)
        except LineduelError as error:
            terminal.complain(str(error))
            continue
        verdict = coach.judge(solution, puzzle, move)
        if verdict.right:
            terminal.say(f"{verdict}\n")
            return first is None
        terminal.say(f"{verdict}\nTry again.")
        first = False
