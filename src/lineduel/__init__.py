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

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel import errors as errors, players as players
    from lineduel.engine import (
        Game as Game,
        Move as Move,
        Numbers as Numbers,
        Pass as Pass,
        Position as Position,
        Step as Step,
    )
    from lineduel.errors import LineduelError as LineduelError
    from lineduel.lab import audit as audit
    from lineduel.play import Session as Session
    from lineduel.record import (
        Record as Record,
        parse_move as parse_move,
        read_position as read_position,
        read_record as read_record,
        write_record as write_record,
    )
    from lineduel.rulebooks import find_rulebook as find_rulebook
    from lineduel.rules import (
        Rulebook as Rulebook,
        Side as Side,
        write_rulebook as write_rulebook,
    )
    from lineduel.solve import Solution as Solution, Value as Value, solve as solve

__version__ = "1.0.0rc1"

offer(__name__)
