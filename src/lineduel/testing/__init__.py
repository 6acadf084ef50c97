"""Checks that you can run on your own rulebook, player or engine.

>>> from lineduel import Game, find_rulebook, solve
>>> from lineduel.players import make_player
>>> from lineduel.testing import check_player
>>> game = Game(find_rulebook("ctf-tokens"))
>>> for finding in check_player(make_player("level:3", solve(game)), game):
...     print(finding)
passed: it gives one chance for each choice
passed: its chances are not negative and add up to 1
passed: asked again, it gives the same answer
>>> from lineduel.testing import check_rulebook
>>> all(finding.right for finding in check_rulebook(find_rulebook("ctf-tokens")))
True
"""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.testing.checks import (
        Finding as Finding,
        check_player as check_player,
        check_rulebook as check_rulebook,
    )
    from lineduel.testing.engine_check import check_engine as check_engine

offer(__name__)
