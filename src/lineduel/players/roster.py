"""The players that can take a seat, by their names on a command line, and the time engines get."""

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from lineduel.errors import TooLarge, UnknownPlayer, shown
from lineduel.players.skills import LEVEL_NAMES, LEVELS, describe_level, level_in_words

if TYPE_CHECKING:
    from lineduel.engine import Game, Position
    from lineduel.players.lookahead import Lookahead
    from lineduel.players.policy import Player, Policy
    from lineduel.players.process import EngineLog
    from lineduel.solve import Solution


HUMAN = "human"
PERFECT = "perfect"
SEARCH = "search"
_FALLIBLE = "fallible"
COMPUTER = "Computer"
PROGRAMS = "1 to 8 or a level's name, perfect, fallible, search, engine:COMMAND"
"""The players besides people, as the help of a command lists them."""
BUILT_IN = (*LEVEL_NAMES.values(), PERFECT, _FALLIBLE, SEARCH)
"""What the programs that come with lineduel are called."""
_LEVEL = "level:"
ENGINE_PREFIX = "engine:"
"""How the name of a player begins that is an engine program; its command follows."""
LEVELS_LISTED = (
    f"levels {LEVELS[0]} to {LEVELS[-1]} "
    f"({', '.join(f'{number} {name}' for number, name in LEVEL_NAMES.items())})"
)
"""The levels as a message lists them: `levels 1 to 8 (1 random, 2 beginner, …)`."""


class Limits(NamedTuple):
    """How long to wait for an engine."""

    start: float = 10.0
    """Seconds until it has named itself."""
    ready: float = 30.0
    """Seconds to get ready for a rulebook or a position."""
    movetime: int = 1000
    """Milliseconds that it has for a move."""
    grace: float = 2.0
    """Seconds that it may be late."""


DEFAULT_LIMITS = Limits()


def check_player_name(name: str) -> str:
    """The standard form of a player's name; unknown names are refused.

    A level may be given as `level:3`, `3` or `easy`.
    """
    plain = _plain(name)
    if plain.startswith(ENGINE_PREFIX) and name.isprintable():
        command = name.strip()[len(ENGINE_PREFIX) :].strip()
        from lineduel.players.engine_program import split

        split(command)
        return f"{ENGINE_PREFIX}{command}"
    if plain in (HUMAN, SEARCH):
        return plain
    if known := _with_known_chances(plain):
        return known
    others = f"{PERFECT}, {_FALLIBLE}, {SEARCH}, or {ENGINE_PREFIX}COMMAND"
    nearest = _nearest(plain, HUMAN, SEARCH) or _as_engine(name)
    raise UnknownPlayer(name, f"{HUMAN}, {LEVELS_LISTED}, {others}", nearest)


def check_policy_name(name: str) -> str:
    """The standard form of the name of a player with known chances; others are refused."""
    plain = _plain(name)
    if known := _with_known_chances(plain):
        return known
    listed = f"{LEVELS_LISTED}, {_FALLIBLE} and {PERFECT}"
    raise UnknownPlayer(name, listed, _nearest(plain), "whose chances are known")


def _as_engine(name: str) -> str | None:
    """An engine's name, quoted for a shell, if what was given could start one."""
    from shlex import quote
    from shutil import which

    words = name.split()
    if not words or not name.isprintable() or which(words[0]) is None:
        return None
    return quote(f"{ENGINE_PREFIX}{name.strip()}")


def _plain(name: str) -> str:
    return " ".join(name.lower().split())


def _with_known_chances(plain: str) -> str | None:
    """The standard form of the name of a level, the fallible or the perfect player."""
    if plain in (PERFECT, _FALLIBLE):
        return plain
    for number, called in LEVEL_NAMES.items():
        if plain in (f"{_LEVEL}{number}", f"level {number}", f"{number}", called):
            return f"{_LEVEL}{number}"
    return None


def _nearest(name: str, *others: str) -> str | None:
    """The most similar name of a player whose chances are known, or of one of the others."""
    from difflib import get_close_matches

    known = [*others, PERFECT, _FALLIBLE, *LEVEL_NAMES.values()]
    return next(iter(get_close_matches(name, known, n=1)), None)


def player_in_words(name: str) -> str:
    """A player in running text: `level 3 (easy)`, `perfect`, `the engine 'python mine.py'`."""
    if (number := level_number(name)) is not None:
        return level_in_words(number)
    if name.startswith(ENGINE_PREFIX):
        return f"the engine '{shown(name.removeprefix(ENGINE_PREFIX))}'"
    return shown(name)


def player_in_brackets(name: str) -> str:
    """A player as a remark: `(level 3, easy)`, `(perfect)`."""
    if (number := level_number(name)) is not None:
        return f"(level {number}, {LEVEL_NAMES[number]})"
    return f"({player_in_words(name)})"


def seat_names(
    seats: tuple[str, str],
    people: tuple[str, str],
    given: tuple[str | None, str | None] = (None, None),
) -> tuple[str, str]:
    """What both seats are called: by the name that was given, or people by these names.

    Programs without a name are `Computer`, or two of them `Computer 1` and `Computer 2`.
    """
    programs = [name != HUMAN for name in seats]
    unnamed = (f"{COMPUTER} 1", f"{COMPUTER} 2") if all(programs) else (COMPUTER, COMPUTER)
    one, two = (
        given[at] or (unnamed[at] if is_program else people[at])
        for at, is_program in enumerate(programs)
    )
    return one, two


def level_number(name: str) -> int | None:
    """The number of a level; None for all other players."""
    return {f"{_LEVEL}{number}": number for number in LEVELS}.get(name)


def solution_for_perfect(
    solved: "Callable[[], Solution]", game: "Game", start: "Position"
) -> "Solution":
    """The solution; if the game is too large, the error names players that do not need one."""
    try:
        return solved()
    except TooLarge as error:
        from lineduel.players.levels import fitting_level

        why = str(error).splitlines()[0]
        instead = f"level {fitting_level(game, start)}, the highest level that fits here, or search"
        why += f"\nPerfect needs the solution; choose {instead} instead."
        raise TooLarge(error.positions, error.most, why) from None


def engine_commands(players: Iterable[str]) -> list[str]:
    """The commands of those players that are engines."""
    return [name.removeprefix(ENGINE_PREFIX) for name in players if name.startswith(ENGINE_PREFIX)]


def make_player(name: str, known: "Solution | Lookahead") -> "Policy":
    """The player of that name, whose chances have to be known.

    In a game that has not been solved, all but the perfect player can look ahead instead.
    """
    name = check_policy_name(name)
    if (number := level_number(name)) is not None:
        from lineduel.players.levels import Level

        return Level(number, known)
    from lineduel.players.lookahead import Lookahead
    from lineduel.players.perfect import Fallible, Perfect

    if name == _FALLIBLE:
        return Fallible(known)
    assert not isinstance(known, Lookahead)  # see `searches`
    return Perfect(known)


def searches(name: str) -> bool:
    """Whether a player of known chances can do without the solution."""
    return name == _FALLIBLE or level_number(name) is not None


def seat_player(
    name: str,
    game: "Game",
    start: "Position",
    *,
    solved: "Callable[[], Solution]",
    rng: Random,
    limits: Limits = DEFAULT_LIMITS,
    log: "EngineLog | None" = None,
) -> "Player":
    """The program of that name, ready to play; only for perfect the game is solved.

    A level that cannot look as far as it should, at the start already, is refused.
    """
    from lineduel.players.policy import SamplingPlayer

    name = check_player_name(name)
    if name.startswith(ENGINE_PREFIX):
        from lineduel.players.engine_program import EngineProgram

        engine = EngineProgram(name.removeprefix(ENGINE_PREFIX), game, start, limits, log)
        engine.start()
        return engine
    if name == SEARCH:
        from lineduel.players.search import Search

        return SamplingPlayer(Search(game, rng, seconds=limits.movetime / 1000), game, rng)
    if searches(name):
        from lineduel.players.lookahead import Lookahead

        player = make_player(name, Lookahead(game))
        if game.outcome(start) is None:
            player.chances(start, start.side)
        return SamplingPlayer(player, game, rng)
    return SamplingPlayer(make_player(name, solution_for_perfect(solved, game, start)), game, rng)


def describe_players() -> tuple[tuple[str, str], ...]:
    """Every player a program can be, with how it thinks."""
    from lineduel.players.perfect import Fallible, Perfect
    from lineduel.players.search import Search

    levels = tuple((f"{_LEVEL}{number}", describe_level(number)) for number in LEVELS)
    others = (Perfect, Fallible, Search)
    return (*levels, *((one.name, one.description) for one in others))
