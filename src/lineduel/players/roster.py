"""The players that can take a seat, by their names on a command line."""

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING

from lineduel.errors import TooLarge, UnknownPlayer
from lineduel.players.limits import USUAL, Limits
from lineduel.players.skills import LEVELS, describe_level

if TYPE_CHECKING:
    from lineduel.engine import Game, Position
    from lineduel.players.engine_log import EngineLog
    from lineduel.players.player import Player
    from lineduel.players.policy import Policy
    from lineduel.solve import Solution

HUMAN = "human"
PERFECT = "perfect"
SEARCH = "search"
_LEVEL = "level:"
_ENGINE = "engine:"


def check_player_name(name: str) -> str:
    """The name of a player there is, in its usual form; others are refused."""
    plain = name.strip().lower()
    if plain.startswith(_ENGINE) and name.isprintable():
        command = name.strip()[len(_ENGINE) :].strip()
        from lineduel.players.engine import split

        split(command)
        return f"{_ENGINE}{command}"
    if plain in (HUMAN, PERFECT, SEARCH) or plain in (f"{_LEVEL}{number}" for number in LEVELS):
        return plain
    levels = f"{_LEVEL}{LEVELS[0]} to {_LEVEL}{LEVELS[-1]}"
    raise UnknownPlayer(name, f"{HUMAN}, {levels}, {PERFECT}, {SEARCH}, or {_ENGINE}COMMAND")


def level_number(name: str) -> int | None:
    """The number of a level; None for all other players."""
    return int(name.removeprefix(_LEVEL)) if name.startswith(_LEVEL) else None


def solution_for_perfect(
    solved: "Callable[[], Solution]", game: "Game", start: "Position"
) -> "Solution":
    """The solution; if there can be none, the error names the players that need none."""
    try:
        return solved()
    except TooLarge as error:
        from lineduel.players.levels import fitting_level

        why = str(error).splitlines()[0]
        instead = f"level {fitting_level(game, start)}, the highest level that fits here, or search"
        told = f"{why}\nPerfect needs the solution; choose {instead} instead."
        raise TooLarge(error.positions, error.most, told) from None


def engine_commands(players: Iterable[str]) -> list[str]:
    """The commands of those players that are engines."""
    return [name.removeprefix(_ENGINE) for name in players if name.startswith(_ENGINE)]


def make_player(name: str, solution: "Solution") -> "Policy":
    """The player of that name, for the game that was solved; engines do not tell their chances."""
    name = check_player_name(name)
    number = level_number(name)
    if name == PERFECT:
        from lineduel.players.perfect import Perfect

        return Perfect(solution)
    if number is None:
        levels = f"{_LEVEL}{LEVELS[0]} to {_LEVEL}{LEVELS[-1]}"
        raise UnknownPlayer(name, f"{levels} and {PERFECT} whose chances are known")
    from lineduel.players.levels import Level

    return Level(number, solution)


def seat_player(
    name: str,
    game: "Game",
    start: "Position",
    *,
    solved: "Callable[[], Solution]",
    rng: Random,
    limits: Limits = USUAL,
    log: "EngineLog | None" = None,
) -> "Player":
    """The program of that name, ready to play; only for perfect the game is solved.

    A level that cannot look as far as it should, at the start already, is refused.
    """
    from lineduel.players.player import Drawing

    name = check_player_name(name)
    if name.startswith(_ENGINE):
        from lineduel.players.engine import Engine

        engine = Engine(name.removeprefix(_ENGINE), game, start, limits, log)
        engine.start()
        return engine
    if name == SEARCH:
        from lineduel.players.search import Search

        return Drawing(Search(game, rng, seconds=limits.movetime / 1000), game, rng)
    if (number := level_number(name)) is not None:
        from lineduel.players.levels import Level
        from lineduel.players.lookahead import Lookahead

        level = Level.searching(number, Lookahead(game))
        if game.outcome(start) is None:
            level.chances(start, start.side)
        return Drawing(level, game, rng)
    return Drawing(make_player(name, solution_for_perfect(solved, game, start)), game, rng)


def describe_players() -> tuple[tuple[str, str], ...]:
    """Every player a program can be, with how it thinks."""
    from lineduel.players.perfect import Perfect
    from lineduel.players.search import Search

    levels = tuple((f"{_LEVEL}{number}", describe_level(number)) for number in LEVELS)
    return (*levels, (PERFECT, Perfect.description), (SEARCH, Search.description))
