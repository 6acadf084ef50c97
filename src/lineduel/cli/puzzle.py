"""`lineduel puzzle`: find the only good move."""

import argparse
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from random import Random

from lineduel.cli.choices import chosen_rulebook
from lineduel.cli.options import Parser, add_colour, add_game, depth, examples
from lineduel.cli.stage import Stage
from lineduel.cli.terminal import Terminal
from lineduel.engine import Game
from lineduel.errors import LineduelError, TooLarge
from lineduel.practice import Practice
from lineduel.record import parse_position
from lineduel.rules.assignments import format_rules
from lineduel.session import Session, read_answer
from lineduel.session.puzzles import Puzzle, find_puzzles, is_right, puzzle_at, verdict
from lineduel.solve import PlainSolution, solve


def configure(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument("--count", type=depth, default=5, metavar="N", help="how many (5)")
    parser.add_argument("--seed", type=int, metavar="N", help="makes the choice repeatable")
    add_colour(parser)
    examples(parser, "lineduel puzzle cross-over", "lineduel puzzle ctf-tokens --count 1 --seed 7")


def run(options: argparse.Namespace) -> int:
    game = Game(chosen_rulebook(options))
    solution = solve(game)
    if not isinstance(solution, PlainSolution):
        raise TooLarge(
            solution.positions, 0, "Puzzles are made of rulebooks up to 60,000 positions."
        )
    terminal = Terminal(options.colour)
    practice = Practice.load()
    today = date.today()
    solved = asked = 0
    for puzzle in _chosen(solution, practice, options, today):
        right = _ask(solution, puzzle, terminal)
        if right is None:
            break
        asked += 1
        solved += right
        practice.note(_name(solution, puzzle), right, today)
    if asked:
        terminal.say(f"{solved} of {asked} solved. Those you missed will come back.")
    elif not terminal.left:
        terminal.say("This game has no position with exactly one good move.")
    return 0


def _chosen(
    solution: PlainSolution, practice: Practice, options: argparse.Namespace, today: date
) -> Iterator[Puzzle]:
    """First what is due again, then what is new."""
    count = options.count
    for name in practice.due(_game_key(solution), today)[:count]:
        puzzle = puzzle_at(solution, parse_position(name.partition(" ")[2]))
        if puzzle:
            count -= 1
            yield puzzle
    for puzzle in find_puzzles(solution, Random(options.seed)):
        if count <= 0:
            return
        if _name(solution, puzzle) not in practice.results:
            count -= 1
            yield puzzle


def _ask(solution: PlainSolution, puzzle: Puzzle, terminal: Terminal) -> bool | None:
    """Whether the puzzle was solved; None when nobody wants to go on."""
    session = Session(solution.game.rulebook, puzzle.position)
    stage = Stage(session, terminal)
    side = puzzle.position.side
    terminal.say(f"Puzzle, grade {puzzle.grade} of 8. {stage.voice.name(side)} to move.")
    terminal.say(stage.voice.board(puzzle.position))
    terminal.say(stage.voice.moves(puzzle.position))
    while True:
        answer = terminal.ask("The only good move (or quit): ")
        if answer is None or answer.strip().lower() in ("quit", "q"):
            terminal.left = True
            return None
        try:
            move = read_answer(solution.game, puzzle.position, answer)
        except LineduelError as error:
            terminal.complain(str(error))
            continue
        terminal.say(verdict(solution, puzzle, move))
        terminal.say()
        return is_right(solution, puzzle, move)


def _name(solution: PlainSolution, puzzle: Puzzle) -> str:
    return f"{_game_key(solution)}{puzzle.position}"


def _game_key(solution: PlainSolution) -> str:
    """A game by its rules, so that its puzzles stay its own whatever it is called."""
    return sha256(format_rules(solution.game.rules).encode()).hexdigest()[:12] + " "
