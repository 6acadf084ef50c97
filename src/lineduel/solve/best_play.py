"""Best play by both sides as a graph, and whether it can go on for ever.

Best play is a strategy that guarantees its side the value. A side that can expect more than 0 has
to make progress, because endless play pays 0. So best play by both sides can go on for ever only
among positions worth 0. In a battle, any optimal mixture is best play. If only an interval is known
for a value, every choice that is not proved worse counts as best play. The answers 'never' and
'always' are therefore proved in that case too.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import compress
from typing import NamedTuple

from lineduel.engine import Game, Likeness, Move, Position
from lineduel.rules import Side
from lineduel.solve.mistakes import kept
from lineduel.solve.stochastic.matrix import widest_mixture
from lineduel.solve.value import Endless, Number, Value

Interval = tuple[Number, Number]
Support = tuple[int, ...]
"""The choices that a mixture uses with positive probability."""


class _Battle(NamedTuple):
    """An open battle: its distinct successors, and which of them each pair of numbers leads to."""

    reached: tuple[int, ...]
    pattern: tuple[tuple[int, ...], ...]


class BestPlay:
    """The choices of both sides, in every position of a solution, that are not mistakes."""

    def __init__(self, game: Game, likeness: Likeness, values: Mapping[Position, Value]) -> None:
        self._game, self._likeness = game, likeness
        self._positions = tuple(values)
        self._numbers = {position: at for at, position in enumerate(self._positions)}
        self._values = tuple(values.values())
        self._battles: dict[int, _Battle] = {}
        self._supports: dict[object, tuple[tuple[Support, Support], ...]] = {}
        self._moves: list[tuple[Move, ...]] = []
        self._after: list[tuple[int, ...]] = []
        """The position that each of those moves leads to."""
        for at, position in enumerate(self._positions):
            moves, after = self._best_choices(at, position)
            self._moves.append(moves)
            self._after.append(after)
        self._before = predecessors(self._after)
        self._staying = self._where_both_can_stay()
        self._may_stay = reached_backward(self._before, self._staying)
        ended = [at for at, after in enumerate(self._after) if not after]
        self._may_end = reached_backward(self._before, ended)
        self._can_end = self._where_an_end_can_be_sure(ended)

    def endless(self, position: Position) -> Endless:
        """Whether best play by both sides from a position goes on for ever."""
        at = self._number(position)
        if at not in self._may_stay:
            return Endless.NEVER
        return Endless.POSSIBLE if at in self._may_end else Endless.ALWAYS

    def can_end(self, position: Position) -> bool:
        """Whether some best play by both sides ends with probability 1; False is a proof."""
        return self._number(position) in self._can_end

    def moves(self, position: Position) -> tuple[Move, ...]:
        """The choices of best play: moves, or pairs of numbers in an open battle."""
        return self._moves[self._number(position)]

    def loop(self, position: Position) -> tuple[tuple[Move, Position], ...]:
        """Best play from a position into a loop that both sides can repeat for ever.

        The result ends when a position comes up again. Each move is paired with the position it
        leads to; like pieces are not distinguished. Returns () if there is no such play.
        """
        start = self._number(position)
        if start not in self._may_stay:
            return ()
        steps = self._way(start, self._staying)
        seen = [start, *(to for _, to in steps)]
        while True:
            step = next(self._inside(seen[-1], self._staying.__contains__))
            steps.append(step)
            if step[1] in seen:
                return tuple((move, self._positions[at]) for move, at in steps)
            seen.append(step[1])

    # The choices of best play

    def _best_choices(
        self, at: int, position: Position
    ) -> tuple[tuple[Move, ...], tuple[int, ...]]:
        game = self._game
        moves = game.moves(position)
        reached = [
            self._numbers[self._likeness.standing_for(game.play(position, move))] for move in moves
        ]
        if position.battle is not None:
            return self._best_numbers(at, moves, reached)
        if not moves:
            return (), ()
        keeps = kept(self._values[at], [self._values[to] for to in reached], position.side)
        return tuple(compress(moves, keeps)), tuple(compress(reached, keeps))

    def _best_numbers(
        self, at: int, moves: Sequence[Move], reached: list[int]
    ) -> tuple[tuple[Move, ...], tuple[int, ...]]:
        size = len(self._game.hand(self._positions[at], Side.TWO))
        places: dict[int, int] = {}
        pattern = tuple(
            tuple(
                places.setdefault(to, len(places)) for to in reached[row * size : row * size + size]
            )
            for row in range(len(reached) // size)
        )
        self._battles[at] = _Battle(tuple(places), pattern)
        [(rows, columns)] = self._pairs(at, lambda _: True)
        chosen = [row * size + column for row in rows for column in columns]
        return tuple(moves[one] for one in chosen), tuple(reached[one] for one in chosen)

    def _pairs(
        self, at: int, allowed: Callable[[int], bool]
    ) -> tuple[tuple[Support, Support], ...]:
        """The maximal pairs of supports of optimal mixtures that lead only to allowed positions.

        Every other such pair is contained in one of them.
        """
        reached, pattern = self._battles[at]
        value = self._values[at]
        worth = tuple((self._values[to].low, self._values[to].high) for to in reached)
        open_ = tuple(allowed(to) for to in reached)
        key = pattern, worth, value.low, value.high, open_
        if key not in self._supports:
            self._supports[key] = tuple(
                _optimal_pairs(pattern, worth, (value.low, value.high), open_)
            )
        return self._supports[key]

    # The positions that best play leads to

    def _number(self, position: Position) -> int:
        return self._numbers[self._likeness.standing_for(position)]

    def _steps(self, at: int) -> Iterable[tuple[Move, int]]:
        return zip(self._moves[at], self._after[at], strict=True)

    def _inside(self, at: int, allowed: Callable[[int], bool]) -> Iterator[tuple[Move, int]]:
        """The steps of best play that cannot leave the allowed positions."""
        if at not in self._battles:
            yield from ((move, to) for move, to in self._steps(at) if allowed(to))
            return
        moves = self._game.moves(self._positions[at])
        reached, pattern = self._battles[at]
        size = len(pattern[0])
        for rows, columns in self._pairs(at, allowed):
            for row in reversed(rows):  # of equal numbers people would choose the highest
                for column in reversed(columns):
                    yield moves[row * size + column], reached[pattern[row][column]]

    def _where_both_can_stay(self) -> set[int]:
        """The largest set of positions worth 0 in which best play by both can stay for ever."""
        staying = {at for at, value in enumerate(self._values) if value.low <= 0 <= value.high} - {
            at for at, after in enumerate(self._after) if not after
        }
        waiting = deque(staying)
        while waiting:
            at = waiting.popleft()
            if at in staying and not any(True for _ in self._inside(at, staying.__contains__)):
                staying.discard(at)
                waiting.extend(one for one in self._before[at] if one in staying)
        return staying

    def _where_an_end_can_be_sure(self, ended: list[int]) -> set[int]:
        """The positions from which some best play by both sides ends with probability 1."""
        kept = set(range(len(self._positions)))
        while True:
            allowed = kept.__contains__
            steps = [
                tuple({to for _, to in self._inside(at, allowed)}) if at in kept else ()
                for at in range(len(self._positions))
            ]
            found = leading_to(steps, ended) & kept
            if found == kept:
                return kept
            kept = found

    def _way(self, start: int, targets: set[int]) -> list[tuple[Move, int]]:
        """The shortest path of best play to one of the targets; at least one must be reachable."""
        came: dict[int, tuple[int, Move]] = {}
        waiting = deque([start])
        while (at := waiting.popleft()) not in targets:
            for move, to in self._steps(at):
                if to != start and to not in came:
                    came[to] = at, move
                    waiting.append(to)
        way = []
        while at != start:
            before, move = came[at]
            way.append((move, at))
            at = before
        return way[::-1]


def _optimal_pairs(
    pattern: Sequence[Sequence[int]],
    worth: Sequence[Interval],
    value: Interval,
    open_: Sequence[bool],
) -> Iterator[tuple[Support, Support]]:
    """Supports of optimal mixtures, a pair for both sides, that lead only to open outcomes.

    A mixture of player 1 counts as optimal if it may be worth at least the lower bound against
    everything player 2 can do, and the same with the sides exchanged. Each support holds all the
    numbers that such mixtures use.
    """
    width = len(pattern[0])
    fits = [frozenset(b for b in range(width) if open_[row[b]]) for row in pattern]
    closed = {frozenset(range(width))}
    for row in fits:
        closed |= {row & other for other in closed}
    high = [[Fraction(worth[outcome][1]) for outcome in row] for row in pattern]
    low = [
        [-Fraction(worth[outcome][0]) for outcome in column]
        for column in zip(*pattern, strict=True)
    ]
    for columns in closed:
        rows = [a for a, fit in enumerate(fits) if columns <= fit]
        if not rows or not columns:
            continue
        ones = _support(rows, high, Fraction(value[0]))
        twos = ones and _support(sorted(columns), low, -Fraction(value[1]))
        if ones and twos:
            yield ones, twos


def _support(choices: Sequence[int], matrix: list[list[Fraction]], wanted: Fraction) -> Support:
    """The choices used by mixtures that guarantee the wanted value; () if there are none."""
    try:
        mixture = widest_mixture([matrix[choice] for choice in choices], wanted)
    except ValueError:
        return ()
    return tuple(choice for choice, part in zip(choices, mixture, strict=True) if part)


def leading_to(after: Sequence[Iterable[int]], targets: Iterable[int]) -> set[int]:
    """Every node from which a target can be reached, the targets included."""
    return reached_backward(predecessors(after), targets)


def predecessors(after: Sequence[Iterable[int]]) -> list[list[int]]:
    """For each node, the nodes with an edge to it, each listed once."""
    before: list[list[int]] = [[] for _ in after]
    for at, reached in enumerate(after):
        for to in set(reached):
            before[to].append(at)
    return before


def reached_backward(before: Sequence[Sequence[int]], targets: Iterable[int]) -> set[int]:
    """Like `leading_to`, for a graph given by its predecessors."""
    found = set(targets)
    waiting = list(found)
    for at in waiting:
        for one in before[at]:
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found
