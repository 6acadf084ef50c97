"""Who can take a seat, by the name that is written on a command line."""

from lineduel.errors import UnknownPlayer
from lineduel.players.levels import LEVELS, Level, describe_level
from lineduel.players.perfect import Perfect
from lineduel.players.policy import Policy
from lineduel.solve import Solution

HUMAN = "human"
PERFECT = "perfect"
_LEVEL = "level:"


def check_player(name: str) -> str:
    """The name of a player there is, in its usual form; others are refused."""
    plain = name.strip().lower()
    if plain in (HUMAN, PERFECT) or plain in (f"{_LEVEL}{number}" for number in LEVELS):
        return plain
    levels = f"{_LEVEL}{LEVELS[0]} to {_LEVEL}{LEVELS[-1]}"
    raise UnknownPlayer(name, f"{HUMAN}, {levels}, or {PERFECT}")


def make_player(name: str, solution: Solution) -> Policy:
    """The player of that name, for the game that was solved."""
    if name == PERFECT:
        return Perfect(solution)
    return Level(int(name.removeprefix(_LEVEL)), solution)


def describe_players() -> tuple[tuple[str, str], ...]:
    """Every player a program can be, with how it thinks."""
    levels = tuple((f"{_LEVEL}{number}", describe_level(number)) for number in LEVELS)
    return (*levels, (PERFECT, Perfect.description))
