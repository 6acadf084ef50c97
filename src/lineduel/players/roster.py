"""Who can take a seat, by the name that is written on a command line."""

from collections.abc import Callable
from random import Random

from lineduel.engine import Game, Position
from lineduel.errors import UnknownPlayer
from lineduel.players.engine import USUAL, Engine, Limits, split
from lineduel.players.levels import LEVELS, Level, describe_level
from lineduel.players.perfect import Perfect
from lineduel.players.player import Drawing, Player
from lineduel.players.policy import Policy
from lineduel.players.search import Search
from lineduel.solve import Solution

HUMAN = "human"
PERFECT = "perfect"
SEARCH = "search"
_LEVEL = "level:"
_ENGINE = "engine:"


def check_player(name: str) -> str:
    """The name of a player there is, in its usual form; others are refused."""
    plain = name.strip().lower()
    if plain.startswith(_ENGINE) and name.isprintable():
        command = name.strip()[len(_ENGINE) :].strip()
        split(command)
        return f"{_ENGINE}{command}"
    if plain in (HUMAN, PERFECT, SEARCH) or plain in (f"{_LEVEL}{number}" for number in LEVELS):
        return plain
    levels = f"{_LEVEL}{LEVELS[0]} to {_LEVEL}{LEVELS[-1]}"
    raise UnknownPlayer(name, f"{HUMAN}, {levels}, {PERFECT}, {SEARCH}, or {_ENGINE}COMMAND")


def make_player(name: str, solution: Solution) -> Policy:
    """The player of that name, for the game that was solved; engines do not tell their chances."""
    name = check_player(name)
    if name == PERFECT:
        return Perfect(solution)
    if not name.startswith(_LEVEL):
        levels = f"{_LEVEL}{LEVELS[0]} to {_LEVEL}{LEVELS[-1]}"
        raise UnknownPlayer(name, f"{levels} and {PERFECT} whose chances are known")
    return Level(int(name.removeprefix(_LEVEL)), solution)


def seat_player(
    name: str,
    game: Game,
    start: Position,
    *,
    solved: Callable[[], Solution],
    rng: Random,
    limits: Limits = USUAL,
) -> Player:
    """The program of that name at a table; only for those that need it the game is solved."""
    name = check_player(name)
    if name.startswith(_ENGINE):
        return Engine(name.removeprefix(_ENGINE), game, start, limits)
    if name == SEARCH:
        return Drawing(Search(game, rng, seconds=limits.movetime / 1000), game, rng)
    return Drawing(make_player(name, solved()), game, rng)


def describe_players() -> tuple[tuple[str, str], ...]:
    """Every player a program can be, with how it thinks."""
    levels = tuple((f"{_LEVEL}{number}", describe_level(number)) for number in LEVELS)
    return (*levels, (PERFECT, Perfect.description), (SEARCH, Search.description))
