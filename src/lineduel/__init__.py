"""lineduel plays, solves and audits two-player duels on a line.

>>> from lineduel import Game, find_rulebook
>>> game = Game(find_rulebook("cross-over"))
>>> position = game.start()
>>> [str(move) for move in game.moves(position)]
['P1-B+2', 'P1-C+1', 'P1-C+2']
>>> str(game.play(position, game.moves(position)[0]))
'0,3,2/10,9,8/2'
"""

TYPE_CHECKING = False  # as in `typing`, which would take a while to load

if TYPE_CHECKING:
    from lineduel.engine import Game, Move, Numbers, Pass, Position, Step
    from lineduel.errors import LineduelError
    from lineduel.record import Record, parse_move, read_position, read_record, write_record
    from lineduel.rulebooks import find_rulebook
    from lineduel.rules import Rulebook, Side
    from lineduel.session import Session

__version__ = "0.1.0"

_HOMES = {
    "Game": "engine",
    "LineduelError": "errors",
    "Move": "engine",
    "Numbers": "engine",
    "Pass": "engine",
    "Position": "engine",
    "Record": "record",
    "Rulebook": "rules",
    "Session": "session",
    "Side": "rules",
    "Step": "engine",
    "find_rulebook": "rulebooks",
    "parse_move": "record",
    "read_position": "record",
    "read_record": "record",
    "write_record": "record",
}
"""Where each public name lives; it is imported when it is first used, to start fast."""

__all__ = [
    "Game",
    "LineduelError",
    "Move",
    "Numbers",
    "Pass",
    "Position",
    "Record",
    "Rulebook",
    "Session",
    "Side",
    "Step",
    "find_rulebook",
    "parse_move",
    "read_position",
    "read_record",
    "write_record",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'lineduel' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"lineduel.{_HOMES[name]}"), name)
