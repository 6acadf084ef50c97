"""The rulebook and the position that the shared options select."""

import argparse
from random import Random

from lineduel.cli.terminal import Terminal
from lineduel.engine import Game, Position
from lineduel.errors import NotationError
from lineduel.play import UNNAMED, GivenNames, Seats
from lineduel.players import HUMAN
from lineduel.preferences import load_preferences
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, assign


def chosen_rulebook(options: argparse.Namespace) -> Rulebook:
    """The rulebook selected by GAME and --set."""
    rulebook = find_rulebook(options.game)
    if not options.set:
        return rulebook
    return assign(rulebook, options.set)


def chosen_start(options: argparse.Namespace, game: Game) -> Position:
    """The position selected by --position and --first (default: the rulebook's start)."""
    first = _first(options)
    if options.position is None:
        return game.start(first)
    position = read_position(game, options.position)
    if first not in (None, position.side):
        raise NotationError(
            f"--first {first} contradicts --position {options.position}, "
            f"where player {position.side} is to move. Give one of them."
        )
    return position


def remembered_names(terminal: Terminal, seats: Seats) -> GivenNames:
    """The names of the people at a terminal, as they are remembered; nobody's in a pipe."""
    if not terminal.is_interactive:
        return UNNAMED
    return load_preferences().names_for((seats[0] == HUMAN, seats[1] == HUMAN))


def _first(options: argparse.Namespace) -> Side | None:
    match options.first:
        case None:
            return None
        case "random":
            return Random(options.seed).choice(tuple(Side))
        case number:
            return Side(int(number))
