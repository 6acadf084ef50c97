"""What the shared options select, what is remembered, and whether a file is trusted."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from lineduel.cli.terminal import Terminal, says_yes
from lineduel.engine import Game, Position
from lineduel.errors import NotationError, NotTrusted, shown
from lineduel.play import UNNAMED, GivenNames, Seats
from lineduel.players import HUMAN, engine_commands
from lineduel.preferences import load_preferences
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, assign

if TYPE_CHECKING:
    from lineduel.solve import Cache

_LONGEST = 100_000
"""Most characters in a command; it has to be shown in full before anybody can agree to it."""


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


def trusts(players: Iterable[str], file: Path, terminal: Terminal, trust: bool) -> bool:
    """Whether to start the engines among these players, which are named in a file."""
    commands = [shown(command, _LONGEST) for command in engine_commands(players)]
    if trust or not commands:
        return True
    if not terminal.is_interactive:
        raise NotTrusted(
            f"{shown(file, 200)} starts a program: {', '.join(commands)}\n"
            "Add --trust if you trust the file."
        )
    terminal.say("\n  ".join((f"{shown(file, 200)} starts a program:", *commands)))
    return says_yes(terminal.ask("Do you trust it? (yes/no): "))


def kept_solutions() -> "Cache":
    """The user's cache of solutions; a wrong one is reported on standard error."""
    from lineduel.solve import Cache

    return Cache(note=_warn)


def _warn(sentence: str) -> None:  # a function with a name, which workers can be sent
    advice = "To use no kept solutions at all: lineduel solve --no-cache."
    print(f"{sentence}\n{advice}", file=sys.stderr, flush=True)
