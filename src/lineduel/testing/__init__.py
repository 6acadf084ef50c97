"""Checks that others can run on what they wrote: a player, or an engine in any language.

>>> from lineduel import Game, find_rulebook
>>> from lineduel.players import make_player
>>> from lineduel.solve import solve
>>> from lineduel.testing import check_player
>>> game = Game(find_rulebook("ctf-tokens"))
>>> for finding in check_player(make_player("level:3", solve(game)), game):
...     print(finding)
right: its chances fit the choices there are
right: its chances are none below 0 and add up to 1
right: asked again, it says the same
"""

from lineduel.testing.engine import check_engine
from lineduel.testing.finding import Finding
from lineduel.testing.player import check_player

__all__ = ["Finding", "check_engine", "check_player"]
