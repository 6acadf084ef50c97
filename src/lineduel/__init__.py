"""lineduel plays, solves and audits two-player duels on a line.

A rulebook ready to play is a `Game`; positions and moves are plain values:

>>> from lineduel import Game, find_rulebook
>>> game = Game(find_rulebook("cross-over"))
>>> position = game.start()
>>> [str(move) for move in game.moves(position)]
['P1-B+2', 'P1-C+1', 'P1-C+2']
>>> str(game.play(position, game.moves(position)[0]))
'0,3,2/10,9,8/2'

`solve` tells what every position is worth. It touches no file unless it is given a cache:

>>> from lineduel import solve
>>> solution = solve(game)
>>> value = solution.value(position)
>>> value.winner, value.plies
(<Side.TWO: 2>, 20)
>>> [str(move) for move in solution.line(position, 3)]
['P1-C+1', 'P2-C+1', 'P1-B+1']

`players` has everyone who can choose a move, `errors` everything that can go wrong:

>>> from lineduel import errors, parse_move, players
>>> level = players.make_player("level:3", solution)
>>> [round(chance, 3) for chance in level.chances(position, position.side)]
[0.333, 0.333, 0.333]
>>> try:
...     game.play(position, parse_move("P1-A+1"))
... except errors.IllegalMove as error:
...     print("Legal:", *error.legal)
Legal: P1-B+2 P1-C+1 P1-C+2

`audit` decides what a rulebook promises:

>>> from lineduel import audit
>>> found = audit(find_rulebook("ctf-tokens"))
>>> [str(one.ruling.verdict) for one in found.findings]
['proved', 'proved', 'proved', 'proved']
"""

TYPE_CHECKING = False  # as in `typing`, which would take a while to load

if TYPE_CHECKING:
    from lineduel import errors, players
    from lineduel.engine import Game, Move, Numbers, Pass, Position, Step
    from lineduel.errors import LineduelError
    from lineduel.lab import audit
    from lineduel.record import Record, parse_move, read_position, read_record, write_record
    from lineduel.rulebooks import find_rulebook
    from lineduel.rules import Rulebook, Side, write_rulebook
    from lineduel.session import Session
    from lineduel.solve import Solution, Value, solve

__version__ = "1.0.0rc1"

_MODULES = ("errors", "players", "solve")
"""Public names that are modules; `solve` can be called as well."""
_HOMES = {
    "engine": ("Game", "Move", "Numbers", "Pass", "Position", "Step"),
    "errors": ("LineduelError",),
    "lab": ("audit",),
    "record": ("Record", "parse_move", "read_position", "read_record", "write_record"),
    "rulebooks": ("find_rulebook",),
    "rules": ("Rulebook", "Side", "write_rulebook"),
    "session": ("Session",),
    "solve": ("Solution", "Value"),
}
"""The other public names, by where they live; each is imported on first use, to start fast."""

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
    "Solution",
    "Step",
    "Value",
    "audit",
    "errors",
    "find_rulebook",
    "parse_move",
    "players",
    "read_position",
    "read_record",
    "solve",
    "write_record",
    "write_rulebook",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    from lineduel.lazy_names import import_name

    if name in _MODULES:
        return import_module(f"lineduel.{name}")  # which makes it known here, too
    value = globals()[name] = import_name(__name__, _HOMES, name)
    return value
