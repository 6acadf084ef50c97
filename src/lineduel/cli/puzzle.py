"""`lineduel puzzle`: find the only good move."""

import argparse
from collections.abc import Iterator
from datetime import date
from itertools import islice
from random import Random
from textwrap import fill

from lineduel import coach
from lineduel.cli.choices import chosen_rulebook, kept_solutions
from lineduel.cli.game_printer import GamePrinter
from lineduel.cli.options import Parser, whole_number
from lineduel.cli.terminal import Terminal
from lineduel.engine import Game
from lineduel.errors import LineduelError, NotationError
from lineduel.narration import read_answer
from lineduel.play import Session
from lineduel.solve import Solution

_WIDTH = 60


def configure(parser: Parser) -> None:
    parser.add_game(optional=True)
    parser.add_number("--count", "number of puzzles", 5, read=whole_number(1, 9999))
    parser.add_flag("--mistakes", "positions in which you went wrong in your own games")
    parser.add_argument(
        "--kind",
        choices=[str(kind) for kind in coach.PUZZLE_KINDS],
        help="only puzzles whose answer takes a piece, sends it home or wins (gain), saves one "
        "(escape), guards a cell (new guard), wins a race, leaves the enemy no good move "
        "(zugzwang), or finds the only safe cell (default: all)",
    )
    parser.add_flag("--today", "the puzzle of the day, the same for everyone; without GAME")
    parser.add_seed()
    parser.examples(
        "lineduel puzzle cross-over",
        "lineduel puzzle cross-over --mistakes",
        "lineduel puzzle cross-over --kind zugzwang",
        "lineduel puzzle --today",
        "lineduel puzzle ctf-tokens --count 1 --seed 7",
    )


def run(options: argparse.Namespace) -> int:
    terminal, today = Terminal(options.colour), date.today()
    training, puzzles = _chosen(options, today)
    solved = asked = 0
    found = False
    rating: coach.PuzzleRating | None = None
    for puzzle in islice(puzzles, options.count):
        found = True
        right = _ask(training.solution, puzzle, terminal)
        if right is None:
            break
        asked += 1
        solved += right
        rating = training.note(puzzle, right, today)
    if rating is not None:
        terminal.say(f"{solved} of {asked} solved; {rating}. Those you missed will come back.")
    elif not found and options.mistakes:
        terminal.say("None of your mistakes in this game is due. Play, or come back later.")
    elif not found and options.kind:
        terminal.say(f"There is no puzzle of the kind '{options.kind}' left in this game.")
    elif not found:
        terminal.say(str(training.none_left(today)))
    return 0


def _chosen(
    options: argparse.Namespace, today: date
) -> "tuple[coach.Training, Iterator[coach.Puzzle]]":
    """The training of the game, and the puzzles that the options ask for."""
    if options.today:
        if options.game or options.set or options.mistakes or options.kind:
            raise NotationError("--today goes without GAME, --set, --mistakes and --kind.")
        training, puzzle = coach.training_of_the_day(today, kept_solutions())
        return training, iter((puzzle,))
    if options.game is None:
        raise NotationError("Name a game, or ask for the puzzle of the day with --today.")
    if options.mistakes and options.kind:
        raise NotationError("--mistakes and --kind: give one of them.")
    training = coach.Training(Game(chosen_rulebook(options)), cache=kept_solutions())
    if options.mistakes:
        from lineduel.history import own_mistakes, read_history
        from lineduel.match import Saves

        mistaken = own_mistakes(read_history(Saves()), training.solution)
        return training, training.own_mistakes(mistaken, today)
    kind = coach.ReasonKind(options.kind) if options.kind else None
    return training, training.puzzles(Random(options.seed), today, kind)


def _ask(solution: Solution, puzzle: "coach.Puzzle", terminal: Terminal) -> bool | None:
    """Ask until the puzzle is solved; returns whether the first try was right, or None to quit."""
    position = puzzle.position
    session = Session(solution.game, position)
    printer = GamePrinter(session, terminal)
    title = f"{solution.game.rulebook.title}. {printer.narrator.name(position.side)} to move."
    terminal.say(f"Puzzle, grade {puzzle.grade} of 8. {title}")
    terminal.say(printer.narrator.board(position))
    terminal.say(printer.narrator.moves(position, effects=False))
    first: bool | None = None
    wanted = "The only good move" if puzzle.is_only else "A good move"
    while True:
        more = "or quit" if first is None else "or answer, or quit"
        answer = terminal.ask(f"{wanted} ({more}): ")
        word = "quit" if answer is None else answer.strip().lower()
        if word in ("quit", "q") and first is None:
            return None
        if word in ("answer", "quit", "q") and first is not None:
            verdict = coach.judge(solution, position, puzzle.answer)
            _say(terminal, verdict.as_answer(), verdict.why(solution.game, position), "")
            return first
        assert answer is not None
        try:
            move = read_answer(solution.game, position, answer)
        except LineduelError as error:
            terminal.complain(str(error))
            continue
        verdict = coach.judge(solution, position, move)
        why = verdict.why(solution.game, position)
        if verdict.right:
            _say(terminal, str(verdict), why, "")
            return first is None
        _say(terminal, str(verdict), why)
        terminal.say("Try again.")
        first = False


def _say(terminal: Terminal, verdict: str, why: str, *more: str) -> None:
    for line in (verdict, *((fill(why, _WIDTH, break_on_hyphens=False),) if why else ()), *more):
        terminal.say(line)
