"""What the shared options select: a rulebook, a position; and the names and solutions kept."""

import argparse
import sys
from random import Random
from typing import TYPE_CHECKING

from lineduel.cli.terminal import Terminal
from lineduel.engine import Game, Position
from lineduel.errors import NotationError
from lineduel.play import UNNAMED, GivenNames, Seats
from lineduel.players import HUMAN
from lineduel.preferences import load_preferences
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, assign

if TYPE_CHECKING:
    from lineduel.solve import Cache


def chosen_rulebook(options: argparse.Namespace) -> Rulebook:
    """The rulebook selected by GAME and --set."""
    rulebook = find_rulebook(options.game)
    return assign(rulebook, options.set) if options.set else rulebook


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


def _first(options: argparse.Namespace) -> Side | None:
    if options.first == "random":
        return Random(options.seed).choice(tuple(Side))
    return None if options.first is None else Side(int(options.first))


def remembered_names(terminal: Terminal, seats: Seats) -> GivenNames:
    """The remembered names of the people at a terminal; no names in a pipe."""
    if not terminal.is_interactive:
        return UNNAMED
    return load_preferences().names_for((seats[0] == HUMAN, seats[1] == HUMAN))


def kept_solutions() -> "Cache":
    """The user's cache of solutions; a wrong one is reported on standard error."""
    from lineduel.solve import Cache

    return Cache(note=_warn)


def _warn(sentence: str) -> None:  # a function with a name, which workers can be sent
    advice = "To use no kept solutions at all: lineduel solve --no-cache."
    print(f"{sentence}\n{advice}", file=sys.stderr, flush=True)
