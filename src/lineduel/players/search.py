"""A player that needs no solution: Monte-Carlo tree search.

It simulates games and remembers how they ended. A turn is a bandit problem for the side to move
(UCT). A battle is one for both sides at once: each learns its own chances by regret matching, since
the best play there is a mixture.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import log, sqrt
from random import Random
from time import monotonic
from typing import ClassVar

from lineduel.engine import Game, Numbers, Position
from lineduel.players.policy import Chances
from lineduel.rules import Side
from lineduel.solve import Plan, Solution, Value

EXPLORATION = 1.4
CURIOSITY = 0.1
"""The share of choices in a battle that are made only to learn about them."""
LONGEST_PLAYOUT = 60
"""Plies after which a simulated game counts as endless."""

SAMPLED_GAMES = 200
SPREAD = 2.0
"""Standard errors to either side of the average: about 95 in 100 such intervals hold the truth."""

_Clock = Callable[[], float]


@dataclass(slots=True)
class _Choices:
    """What the search has learned about one side's choices in one position."""

    tried: list[int]
    gained: list[float]
    regret: list[float]
    played: list[float]

    @classmethod
    def of(cls, size: int) -> "_Choices":
        return cls([0] * size, [0.0] * size, [0.0] * size, [0.0] * size)

    def by_bounds(self) -> int:
        """The choice with the highest upper confidence bound."""
        for choice, times in enumerate(self.tried):
            if times == 0:
                return choice
        total = log(sum(self.tried))
        return max(
            range(len(self.tried)),
            key=lambda one: (
                self.gained[one] / self.tried[one] + EXPLORATION * sqrt(total / self.tried[one])
            ),
        )

    def by_regret(self, rng: Random) -> tuple[int, float]:
        """A random choice in proportion to the regrets, and the chance it had."""
        size = len(self.regret)
        missed = [max(one, 0.0) for one in self.regret]
        total = sum(missed)
        mixture = [one / total for one in missed] if total else [1 / size] * size
        for choice, chance in enumerate(mixture):
            self.played[choice] += chance
        shaken = [(1 - CURIOSITY) * chance + CURIOSITY / size for chance in mixture]
        choice = rng.choices(range(size), shaken)[0]
        return choice, shaken[choice]

    def learn(self, choice: int, gain: float) -> None:
        self.tried[choice] += 1
        self.gained[choice] += gain

    def regret_of(self, choice: int, chance: float, gain: float) -> None:
        """Update the estimate of what the other choices would have gained."""
        self.learn(choice, gain)
        estimate = gain / chance
        self.regret = [
            regret + (estimate if one == choice else 0.0) - gain
            for one, regret in enumerate(self.regret)
        ]


@dataclass
class Search:
    """A seeded search, limited by simulated games, by seconds, or by both."""

    name: ClassVar[str] = "search"
    description: ClassVar[str] = "Simulates games before each choice; it needs no solution."

    game: Game
    rng: Random
    games: int = 2000
    seconds: float | None = None
    clock: _Clock = monotonic
    _tree: dict[tuple[Position, Side], _Choices] = field(default_factory=dict)

    def chances(self, position: Position, side: Side) -> Chances:
        """How often each choice was simulated: nearly always the one that did best."""
        self._tree.clear()
        end = None if self.seconds is None else self.clock() + self.seconds
        for _ in range(self.games):
            if end is not None and self.clock() > end and self._tree:
                break
            self._play_out(position)
        known = self._tree[position, side]
        if position.battle is not None:
            total = sum(known.played)
            return tuple(one / total for one in known.played)
        most = max(known.tried)
        best = [choice for choice, times in enumerate(known.tried) if times == most]
        return tuple(1 / len(best) if one in best else 0.0 for one in range(len(known.tried)))

    def worth(self, position: Position) -> tuple[float, int]:
        """The average result of player 1, and the number of simulated games."""
        self._tree.clear()
        results = [self._play_out(position) for _ in range(self.games)]
        return sum(_gain(winner, Side.ONE) for winner in results) / len(results), len(results)

    def _play_out(self, position: Position) -> Side | None:
        """One simulated game: through the known tree, one new node, then random moves."""
        game, path = self.game, []
        plies = 0
        while game.outcome(position) is None and plies < LONGEST_PLAYOUT:
            new = (position, position.side) not in self._tree
            step = self._clash if position.battle is not None else self._turn
            position, notes = step(position)
            path += notes
            plies += 1
            if new:
                break
        winner = self._at_random(position, LONGEST_PLAYOUT - plies)
        for note in path:
            note(winner)
        return winner

    def _turn(self, position: Position) -> "tuple[Position, list[_Note]]":
        moves = self.game.moves(position)
        side = position.side
        known = self._known(position, side, len(moves))
        choice = known.by_bounds()

        def note(winner: Side | None) -> None:
            known.learn(choice, _gain(winner, side))

        return self.game.play(position, moves[choice]), [note]

    def _clash(self, position: Position) -> "tuple[Position, list[_Note]]":
        numbers: list[int] = []
        notes: list[_Note] = []
        for side in Side:
            hand = self.game.hand(position, side)
            known = self._known(position, side, len(hand))
            choice, chance = known.by_regret(self.rng)
            numbers.append(hand[choice])

            def note(
                winner: Side | None,
                known: _Choices = known,
                choice: int = choice,
                chance: float = chance,
                side: Side = side,
            ) -> None:
                known.regret_of(choice, chance, _gain(winner, side))

            notes.append(note)
        return self.game.play(position, Numbers(*numbers)), notes

    def _known(self, position: Position, side: Side, size: int) -> _Choices:
        key = position, side
        if key not in self._tree:
            self._tree[key] = _Choices.of(size)
        return self._tree[key]

    def _at_random(self, position: Position, plies: int) -> Side | None:
        game, draw = self.game, self.rng.random
        for _ in range(plies):
            moves = game.moves(position)
            if not moves:
                break
            position = game.play(position, moves[int(draw() * len(moves))])
        return game.outcome(position)


_Note = Callable[[Side | None], None]


def _gain(winner: Side | None, side: Side) -> float:
    """1 for a win, -1 for a loss, 0 for neither."""
    if winner is None:
        return 0.0
    return 1.0 if winner is side else -1.0


class ValueEstimate(Solution):
    """A stand-in for a solution: its intervals are sampled by search, not proved."""

    counted = "estimated"

    def __init__(
        self,
        game: Game,
        start: Position,
        rng: Random,
        games: int = SAMPLED_GAMES,
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

    def mixture(self, position: Position, side: Side) -> dict[int, Fraction]:
        chances = [Fraction(one) for one in self._search.chances(position, side)]
        total = sum(chances)
        hand = self.game.hand(position, side)
        return {number: one / total for number, one in zip(hand, chances, strict=True)}

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
