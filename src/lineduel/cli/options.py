"""The options that several commands share, and what they mean."""

import argparse
import json
from collections.abc import Callable
from random import Random

from lineduel.engine import Game, Position
from lineduel.errors import NotationError
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, apply_changes
from lineduel.rules.assignments import parse_assignments

Parser = argparse.ArgumentParser


def examples(parser: Parser, *lines: str) -> None:
    parser.epilog = "\n  ".join(("examples:", *lines))


def add_game(parser: Parser, optional: bool = False) -> None:
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?" if optional else None,
        help="an id, id:reading, or the path of a .toml file",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change a rule, as --set move.steps=1,2,3; may be given again",
    )


def add_start(parser: Parser, lot: bool = False) -> None:
    choices = ("1", "2", "random") if lot else ("1", "2")
    parser.add_argument("--first", choices=choices, help="who begins")
    if lot:
        parser.add_argument("--seed", type=int, metavar="N", help="makes --first random repeatable")
    parser.add_argument("--position", metavar="P", help="begin there, as 0,1,2/10,9,8/1")


def add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON document and nothing else")


def add_colour(parser: Parser) -> None:
    parser.add_argument(
        "--color",
        dest="colour",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour names (auto: only on a terminal, and not with NO_COLOR)",
    )


def depth(text: str) -> int:
    """A number of plies."""
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 4):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 to 9999")
    return int(text)


def chosen_rulebook(options: argparse.Namespace) -> Rulebook:
    """The rulebook that GAME and --set name."""
    rulebook = find_rulebook(options.game)
    if not options.set:
        return rulebook
    return apply_changes(rulebook, parse_assignments(options.set))


def chosen_start(options: argparse.Namespace, game: Game) -> Position:
    """The position that --position and --first name, else the rulebook's start."""
    first = _first(options)
    if options.position is None:
        return game.start(first)
    from lineduel.record import read_position

    position = read_position(game, options.position)
    if first not in (None, position.side):
        raise NotationError(
            f"--first {first} contradicts --position {options.position}, "
            f"where player {position.side} is to move. Give one of them."
        )
    return position


def _first(options: argparse.Namespace) -> Side | None:
    match options.first:
        case None:
            return None
        case "random":
            return Random(options.seed).choice(tuple(Side))
        case number:
            return Side(int(number))


def print_json(document: object, write: Callable[[str], object] = print) -> None:
    write(json.dumps(document, ensure_ascii=False))
