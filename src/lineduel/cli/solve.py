"""`lineduel solve`: who wins with best play, in how many plies, with which moves."""

import argparse
from fractions import Fraction
from pathlib import Path
from textwrap import fill

from lineduel.cli.choices import chosen_rulebook, chosen_start
from lineduel.cli.options import Parser, add_game, add_json, add_start, examples, print_json
from lineduel.cli.progress import Bar
from lineduel.cli.values import value_document
from lineduel.engine import Game, Position
from lineduel.errors import MemoryLimit
from lineduel.rules import Side
from lineduel.solve import Solution, in_words, proof_of, solve
from lineduel.storage import write_atomically

WIDTH = 60
MOST_PLIES, FIRST_PLIES = 500, 8
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def configure(parser: Parser) -> None:
    add_game(parser)
    add_start(parser)
    add_json(parser)
    parser.add_argument(
        "--certificate", metavar="FILE", type=Path, help="write the whole solution, to be checked"
    )
    parser.add_argument("--no-cache", action="store_true", help="solve anew, keep nothing")
    parser.add_argument(
        "--memory", metavar="SIZE", type=memory, help="the most memory to use, as 4G or 500M"
    )
    examples(
        parser,
        "lineduel solve cross-over",
        "lineduel solve ctf-tokens --first 2 --json",
        "lineduel solve flag-chase --position 3/3/1*",
        "lineduel solve cross-over --certificate proof.txt",
    )


def memory(text: str) -> int:
    """A number of bytes."""
    number, unit = (text[:-1], text[-1:].upper()) if text[-1:].isalpha() else (text, "")
    if not (number.isascii() and number.isdigit() and len(number) < 16 and unit in ("", *_UNITS)):
        raise argparse.ArgumentTypeError(f"'{text}' is no size; write 500M or 4G")
    return int(number) * _UNITS.get(unit, 1)


def run(options: argparse.Namespace) -> int:
    game = Game(chosen_rulebook(options))
    position = chosen_start(options, game)
    try:
        with Bar("solving") as bar:
            solution = solve(
                game, position, memory=options.memory, cached=not options.no_cache, report=bar
            )
    except MemoryLimit as error:
        raise MemoryLimit(
            error.positions,
            error.most,
            f"{error}\nSet another limit with --memory, as --memory 8G.",
        ) from None
    if options.certificate:
        write_atomically(options.certificate, proof_of(solution))
    if options.json:
        print_json(_document(solution, position))
    else:
        _print(solution, position)
        if options.certificate:
            print(f"\nThe proof is in {options.certificate}.")
            print(f"Check it with: lineduel check {options.certificate}")
    return 0


def _document(solution: Solution, position: Position) -> dict[str, object]:
    document: dict[str, object] = {
        "game": solution.game.rulebook.id,
        "position": str(position),
        "positions": solution.positions,
        "counted": solution.counted,
        **value_document(solution.value(position)),
        "longest": solution.longest,
    }
    if position.battle is not None:
        document["battle"] = {
            f"player{side}": {
                str(number): float(chance)
                for number, chance in solution.mixture(position, side).items()
            }
            for side in Side
        }
    else:
        document["moves"] = [
            {"move": str(move), **value_document(value)} for move, value in solution.moves(position)
        ]
    return document


def _print(solution: Solution, position: Position) -> None:
    game = solution.game
    print(f"{game.rulebook.title} ({game.rulebook.id}), {position}")
    print(_verdict(solution, position))
    if game.outcome(position) is not None:
        return
    what = "can come up" if solution.counted == "reachable" else "were solved"
    longest = f"; the longest forced win takes {solution.longest}" if solution.longest else ""
    print(f"{solution.positions:,} positions {what}{longest}.")
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
        print(f"{star} {move!s:<{width}}  {in_words(value, position.side)}")
    print(f"\n{_best_play(solution, position)}")


def _verdict(solution: Solution, position: Position) -> str:
    value = solution.value(position)
    if (over := solution.game.outcome(position)) is not None:
        return f"The game is over: player {over} has won."
    if value.winner is not None:
        return f"Player {value.winner} wins in {value.plies} plies."
    if value.endless:
        return "Neither player can force a win: with best play it never ends."
    return f"Player 1 can expect {in_words(value, Side.ONE)} (win 1, loss -1, endless 0)."


def _best_play(solution: Solution, position: Position) -> str:
    """The best line; where nobody wins by force only how it begins."""
    forced = solution.value(position).winner is not None
    line = solution.line(position, MOST_PLIES if forced else FIRST_PLIES)
    shown = [*map(str, line), *(() if forced else ("…",))]
    return fill(f"Best play: {' '.join(shown)}", WIDTH, break_on_hyphens=False)


def _percent(chance: Fraction) -> str:
    exact = f"  ({chance})" if 1 < chance.denominator <= 100_000 else ""
    return f"{float(chance) * 100:6.2f} %{exact}"
