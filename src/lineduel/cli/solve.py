"""`lineduel solve`: who wins with best play, in how many plies, with which moves."""

import argparse
from fractions import Fraction
from functools import partial
from pathlib import Path
from textwrap import fill

from lineduel.cli.choices import chosen_rulebook, chosen_start
from lineduel.cli.options import (
    Parser,
    add_game,
    add_gpu,
    add_json,
    add_start,
    examples,
    print_json,
)
from lineduel.cli.outputs import add_force, output
from lineduel.cli.progress import Bar
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.terminal import BOLD
from lineduel.cli.verdicts import GREEN, RED, YELLOW, Verdicts
from lineduel.engine import Game, Position
from lineduel.errors import shown
from lineduel.players import endless_chance
from lineduel.rulebooks import rulebook_file
from lineduel.rules import Side
from lineduel.solve import LIMITED, Solution, Value, as_verdict, move_in_words, proof_of, solve
from lineduel.storage import check_outputs, write_output

PROOFS = ("lineduel certificate ", "lineduel table ")
"""The first bytes of the files that prove a solution."""
_WIDTH = 60
MOST_PLIES, FIRST_PLIES = 500, 8
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def configure(parser: Parser) -> None:
    add_game(parser)
    add_start(parser)
    add_json(parser)
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        type=Path,
        help="write the solution to FILE with its proof, for 'lineduel check'",
    )
    add_force(parser)
    parser.add_argument("--no-cache", action="store_true", help="solve again, and save nothing")
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        type=memory,
        help="memory to use at most, as 4G or 500M (default: most of what is free)",
    )
    add_gpu(parser, "solve")
    examples(
        parser,
        "lineduel solve cross-over",
        "lineduel solve ctf-tokens --first 2 --json",
        "lineduel solve flag-chase --position 3/3/1*",
        "lineduel solve cross-over --certificate proof.txt",
    )


def memory(text: str) -> int:
    """Parse a number of bytes."""
    number, unit = (text[:-1], text[-1:].upper()) if text[-1:].isalpha() else (text, "")
    if not (number.isascii() and number.isdigit() and len(number) < 16 and unit in ("", *_UNITS)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; write 500M or 4G")
    return int(number) * _UNITS.get(unit, 1)


def run(options: argparse.Namespace) -> int:
    game = Game(chosen_rulebook(options))
    position = chosen_start(options, game)
    outputs = [output(options, options.certificate, *PROOFS)] if options.certificate else []
    check_outputs(outputs, [rulebook_file(options.game)])
    cache = None if options.no_cache else kept_solutions()
    with Bar("solving") as bar:
        solution = solve(
            game, position, memory=options.memory, cache=cache, report=bar, gpu=options.gpu
        )
    for certificate in outputs:
        write_output(certificate, proof_of(solution))
    if options.json:
        from lineduel.documents import solve_document

        print_json(solve_document(solution, position))
    else:
        _print(solution, position, Verdicts(options.colour))
        if options.certificate:
            print(f"\nThe proof is in {shown(options.certificate, 300)}.")
            print(f"Check it with: lineduel check {shown(options.certificate, 300)}")
    return 0


def _print(solution: Solution, position: Position, verdicts: Verdicts) -> None:
    game = solution.game
    print(f"{game.rulebook.title} ({game.rulebook.id}), {position}")
    print(verdicts.paint(_verdict(solution, position), BOLD))
    if game.outcome(position) is not None:
        return
    what = "can come up" if solution.counted == "reachable" else "were solved"
    print(f"{solution.positions:,} positions {what}{_longest(solution.longest)}.")
    if solution.limited:
        print(LIMITED)
    if position.battle is not None:
        for side in Side:
            print(f"\nPlayer {side} chooses")
            for number, chance in solution.mixture(position, side).items():
                print(f"  {number}  {_percent(chance)}")
        return
    moves = solution.moves(position)
    best = solution.best(position)
    print(f"\nPlayer {position.side} to move:")
    width = max(len(str(move)) for move, _ in moves)
    for move, value in moves:
        star = "*" if move in best else " "
        told = verdicts.paint(move_in_words(value, position.side), _colour(value, position.side))
        print(f"{star} {move!s:<{width}}  {told}")
    print(f"\n{_best_play(solution, position)}")


def _longest(plies: int | None) -> str:
    if not plies:
        return ""
    count = "1 ply" if plies == 1 else f"{plies} plies"
    return f"; the longest forced win from any of them takes {count}"


def _colour(value: Value, side: Side) -> str:
    """The colour of a value for a side: won, lost, or neither."""
    if value.winner is None:
        return YELLOW
    return GREEN if value.winner is side else RED


def _verdict(solution: Solution, position: Position) -> str:
    if (over := solution.game.outcome(position)) is not None:
        return f"The game is over: player {over} has won."
    return as_verdict(solution.value(position), partial(endless_chance, solution, position))


def _best_play(solution: Solution, position: Position) -> str:
    """The line of best play; only its beginning if it comes to a battle or nobody can win."""
    value = solution.value(position)
    line = solution.line(position, FIRST_PLIES if value.winner is None else MOST_PLIES)
    shown = [*map(str, line), *(() if len(line) == value.plies else ("…",))]
    return fill(f"Best play: {' '.join(shown)}", _WIDTH, break_on_hyphens=False)


def _percent(chance: Fraction) -> str:
    exact = f"  ({chance})" if 1 < chance.denominator <= 100_000 else ""
    return f"{float(chance) * 100:6.2f} %{exact}"
