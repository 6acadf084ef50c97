"""An estimate of a position's value where there is no solution: sampled, and labelled as such."""

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from random import Random

from lineduel.engine import Game, Position
from lineduel.errors import NotSolved
from lineduel.players.search import Search
from lineduel.rules import Side
from lineduel.solve import Plan, Solution, Value, ValueArrays

GAMES = 200
SPREAD = 2.0
"""Standard errors to either side of the average: about 95 in 100 such intervals hold the truth."""


class ValueEstimate(Solution):
    """A stand-in for a solution: its intervals are sampled by search, not proved."""

    counted = "estimated"

    def __init__(
        self,
        game: Game,
        start: Position,
        rng: Random,
        games: int = GAMES,
        keep_going: Callable[[], None] = lambda: None,
    ) -> None:
        """`keep_going` is called before each position is sampled; what it raises ends the work."""
        super().__init__(game, start)
        self._keep_going = keep_going
        self._search = Search(game, rng, games=games)
        self._known: dict[Position, Value] = {}

    @property
    def positions(self) -> int:
        return len(self._known)

    @property
    def longest(self) -> int | None:
        return None

    def plan(self, position: Position, side: Side) -> Plan | None:
        return None

    def arrays(self) -> ValueArrays:
        raise NotSolved("An estimate is made position by position; there is no table of it.")

    def mixture(self, position: Position, side: Side) -> dict[int, Fraction]:
        chances = [Fraction(one) for one in self._search.chances(position, side)]
        total = sum(chances)
        return {number: one / total for number, one in enumerate(chances, start=1)}

    def _look_up(self, standing: Position) -> Value:
        winner = self.game.outcome(standing)
        if winner is not None:
            return Value.won(winner, 0)
        if standing not in self._known:
            self._keep_going()
            average, games = self._search.worth(standing)
            error = SPREAD * sqrt(max(1 - average * average, 1 / games) / games)
            low, high = (Fraction(max(-1.0, min(1.0, average + side * error))) for side in (-1, 1))
            self._known[standing] = Value(low, high)
        return self._known[standing]
