"""What follows from the values of positions, worked out slowly and apart from the program.

The values themselves are proved elsewhere. From them and from the rules it is computed which moves
are best, which are mistakes, and how likely a win is against a level.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property

from lineduel.coach import Adviser, Forecast
from lineduel.engine import Move, Numbers, Position
from lineduel.players import Level
from lineduel.rules import Side
from lineduel.solve import PlainSolution, Value

Pair = tuple[float, float]
"""The chance to win and the chance to lose."""


class Truth:
    """A solved game, and what follows from the values of its positions."""

    def __init__(self, solution: PlainSolution) -> None:
        self.solution = solution
        self.game = solution.game
        self.adviser = Adviser(solution.game, lambda: solution)
        self.forecast = Forecast(solution)

    def numbers(self, position: Position, side: Side) -> list[int]:
        """The numbers that a side can choose from in an open battle."""
        pairs = [one for one in self.game.moves(position) if isinstance(one, Numbers)]
        own = (one.player1 if side is Side.ONE else one.player2 for one in pairs)
        return list(dict.fromkeys(own))

    def value(self, position: Position) -> Value:
        return self.solution.value(position)

    def after(self, position: Position, move: Move) -> Value:
        """What a move leads to, counted from the position before it."""
        value = self.value(self.game.play(position, move))
        return value if value.plies is None else replace(value, plies=value.plies + 1)

    def afters(self, position: Position) -> dict[Move, Value]:
        return {move: self.after(position, move) for move in self.game.moves(position)}

    def proved_worse(self, position: Position) -> set[Move]:
        """The moves that are proved to be worth less than another."""
        side, afters = position.side, self.afters(position)
        sure = max(self.value(position).sure(side), *(one.sure(side) for one in afters.values()))
        return {move for move, value in afters.items() if value.hoped(side) < sure}

    def best(self, position: Position) -> set[Move]:
        """The moves that keep the value; then the winner hurries and the loser delays."""
        side, afters, value = position.side, self.afters(position), self.value(position)
        bound = value.sure(side)
        keeping = {move for move, one in afters.items() if one.sure(side) >= bound}
        hopeful = {
            move for move in keeping if min(afters[move].hoped(side), value.hoped(side)) > bound
        }
        keeping = hopeful or keeping
        won = {move: afters[move].plies or 0 for move in keeping if afters[move].winner is side}
        if won:
            return {move for move, plies in won.items() if plies == min(won.values())}
        lost = {
            move: afters[move].plies or 0 for move in keeping if afters[move].winner is side.other
        }
        if len(lost) < len(keeping):
            return keeping - set(lost)
        return {move for move, plies in lost.items() if plies == max(lost.values())}

    def alike(self, position: Position, move: Move) -> set[Move]:
        """The moves that lead to the same as a move, pieces that are alike not told apart."""
        standing, play = self.solution.likeness.standing_for, self.game.play
        reached = standing(play(position, move))
        return {
            one for one in self.game.moves(position) if standing(play(position, one)) == reached
        }

    def is_only(self, position: Position, move: Move) -> bool:
        """Whether a move is the only one that is not proved to be worse, and not the only one."""
        others = set(self.game.moves(position)) - self.alike(position, move)
        worse = self.proved_worse(position)
        return bool(others) and others <= worse and move not in worse

    def middle(self, position: Position, side: Side = Side.ONE) -> Fraction:
        value = self.value(position)
        return (Fraction(value.sure(side)) + Fraction(value.hoped(side))) / 2

    def paid(self, position: Position, side: Side, own: int, other: int) -> Position:
        """Where a battle leads, by the side's own number and the other's."""
        pair = Numbers(own, other) if side is Side.ONE else Numbers(other, own)
        return self.game.play(position, pair)

    def worth_of_number(self, position: Position, side: Side, number: int) -> Fraction:
        mixture = self.solution.mixture(position, side.other)
        return sum(
            (
                chance * self.middle(self.paid(position, side, number, other), side)
                for other, chance in mixture.items()
            ),
            Fraction(0),
        )

    # The chances against a level, from its policy and the rules alone

    def chances(self, position: Position, side: Side, level: int, turns: int) -> Pair:
        """How likely a side is to win and to lose within some turns, at its best."""
        return self._chances(self._number(position), side, level, turns)

    def _chances(self, at: int, side: Side, level: int, turns: int) -> Pair:
        key = at, side, level, turns
        if key not in self._known:
            self._known[key] = self._worked_out(*key)
        return self._known[key]

    def _worked_out(self, at: int, side: Side, level: int, turns: int) -> Pair:
        position, reached = self._reached[at]
        winner = self.game.outcome(position)
        if winner is not None or not turns:
            return float(winner is side), float(winner is side.other)
        ahead = [self._chances(to, side, level, turns - 1) for to in reached]
        if position.battle is None and position.side is side:
            return best_of(ahead)
        policy = self._level(level).chances(position, side.other)
        if position.battle is None:
            return averaged(ahead, policy)
        led = dict(zip(self.game.moves(position), ahead, strict=True))
        pairs = Numbers if side is Side.ONE else lambda own, other: Numbers(other, own)
        rows = [
            [led[pairs(own, other)] for other in self.numbers(position, side.other)]
            for own in self.numbers(position, side)
        ]
        return best_of([averaged(row, policy) for row in rows])

    def _number(self, position: Position) -> int:
        return self._numbers[self.solution.likeness.standing_for(position)]

    @cached_property
    def _known(self) -> dict[tuple[int, Side, int, int], Pair]:
        return {}

    @cached_property
    def _numbers(self) -> dict[Position, int]:
        return {position: at for at, (position, _) in enumerate(self.solution.items())}

    @cached_property
    def _reached(self) -> list[tuple[Position, list[int]]]:
        return [
            (one, [self._number(self.game.play(one, move)) for move in self.game.moves(one)])
            for one in self._numbers
        ]

    @cache  # noqa: B019 - a truth lives as long as the tests
    def _level(self, number: int) -> Level:
        return Level(number, self.solution)


def best_of(chances: list[Pair]) -> Pair:
    """The largest lead; of equal ones the smallest risk."""
    lead = max(win - lose for win, lose in chances)
    return min((one for one in chances if one[0] - one[1] >= lead - 1e-11), key=lambda one: one[1])


def averaged(chances: list[Pair], policy: tuple[float, ...]) -> Pair:
    win, lose = (
        sum(one[part] * share for one, share in zip(chances, policy, strict=True))
        for part in (0, 1)
    )
    return win, lose


def as_good(one: Pair, other: Pair) -> bool:
    """Whether the first chances are not worse than the second."""
    lead, others = one[0] - one[1], other[0] - other[1]
    return lead > others + 1e-9 or (lead > others - 1e-9 and one[1] < other[1] + 1e-9)
