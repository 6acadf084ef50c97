"""Solutions of large games with battles: bounds in arrays over the graph, and their certificates.

A certificate of this kind begins with lines of text and goes on with columns of numbers:

    lineduel bounds 1
    rules track.first=1; …
    start 1,2,3/9,10,11/1
    counts 113527 1098 0 0
    2 0,1/3,1/3,1/3,0 0,1/3,1/3,1/3,0
    …

`counts` has the number of positions, of lines with mixtures, of battles with mixtures in doubles,
and of positions that can come up again. `docs/explanation/certificates.md` describes the columns.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from math import prod
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import CellRow, Threads, compiled, row_of
from lineduel.engine import Game, Move, Position, valid_position
from lineduel.errors import CertificateError, LineduelError, TooLarge
from lineduel.graph import (
    BATTLE,
    MOST_POSITIONS,
    NOT_FORCED,
    CellRows,
    ChanceArray,
    FoundPositions,
    GameGraph,
    NumberArray,
    SideArray,
    explore_compiled,
    found_of_rows,
    number_of_row,
)
from lineduel.record import parse_position
from lineduel.rules import Rulebook, Side, Words, format_rules, parse_rules
from lineduel.solve.best_play import BestPlay
from lineduel.solve.graph_bounds import (
    GraphBounds,
    bounds_of_levels,
    exact_value,
    levels,
    mixtures_for,
)
from lineduel.solve.graph_cycles import bounds_of_components, where_endless
from lineduel.solve.sealed_file import SEAL_BYTES, after_word, check_seal, head_line, sealed
from lineduel.solve.solution import Mixture, PlainSolution, Plan
from lineduel.solve.value import Endless, Number, Value

BOUNDS_HEAD = "lineduel bounds 1"
_COUNTS = re.compile(r"counts ([0-9]{1,10}) ([0-9]{1,4}) ([0-9]{1,10}) ([0-9]{1,10})")
_MIXTURES = re.compile(r"([0-9]{1,4}) ([0-9/,]{1,20000}) ([0-9/,]{1,20000})")
_CHUNK = 1 << 20
"""Positions whose mixtures are written at once."""
_MOST_SMALL = 20_000
"""Up to this many positions, forecasts and traps are computed in Python."""
_ALIGNED = 64
"""The columns begin at a multiple of this, so that they can be used where they are."""
_WHAT = "certificate"

_Item = TypeVar("_Item", bound=np.generic)


class PositionColumns(NamedTuple):
    """The positions of a graph as rows of cells, with the side to move."""

    rows: CellRow
    side: SideArray


class GraphSolution(PlainSolution):
    """Bounds for every position of a graph, in arrays in the order of the graph."""

    def __init__(
        self,
        game: Game,
        columns: PositionColumns,
        bounds: GraphBounds,
        graph: GameGraph | None = None,
        file: "BoundsFile | None" = None,
    ) -> None:
        positions = CellRows(game.rules, *columns)
        super().__init__(game, positions[0], {}, graph=graph)
        self.columns, self.bounds, self.file = columns, bounds, file
        self.is_small = self.positions <= _MOST_SMALL
        self._positions = positions

    @property
    def positions(self) -> int:
        return len(self.bounds.low)

    @property
    def longest(self) -> int | None:
        return int(self.bounds.plies.max()) or None

    def items(self) -> Iterator[tuple[Position, Value]]:
        return ((position, self.value(position)) for position in self._positions)

    def explored(self, *, compiled: bool = False) -> GameGraph:
        if self.positions > MOST_POSITIONS:
            why = f"There are more than {MOST_POSITIONS:,} positions, too many to compute with all."
            raise TooLarge(self.positions, MOST_POSITIONS, why)
        return super().explored(compiled=compiled)

    def whole_graph(self) -> GameGraph:
        """The graph for compiled code, however large it is."""
        if self.graph is None:
            self.graph = explore_compiled(self.game, self.start, self.positions)
        return self.graph.in_compiled_code

    @cached_property
    def best_play(self) -> BestPlay:
        return BestPlay(self.game, self.likeness, dict(self.items()))

    @cached_property
    def _found(self) -> FoundPositions:
        return found_of_rows(*self.columns)

    def number(self, standing: Position) -> int:
        """The number of a position with its like pieces in order; KeyError if it is unknown."""
        row = row_of(self.game.rules, standing)
        number = number_of_row(self._found, row, int(standing.side))
        if number < 0:
            raise KeyError(standing)
        return number

    def _look_up(self, standing: Position) -> Value:
        at, bounds = self.number(standing), self.bounds
        plies = int(bounds.plies[at])
        low, high = bound_pair(bounds, at)
        if plies != NOT_FORCED:
            return Value(low, high, plies, Endless.NEVER)
        endless = self._endless_column[at] if self.bounds.returning else 0
        return Value(low, high, None, tuple(Endless)[int(endless)])

    @cached_property
    def _endless_column(self) -> SideArray:
        """For each position, the place of its answer in `Endless`."""
        graph = self.whole_graph()
        return where_endless(*graph.arrays, self.bounds.low, self.bounds.high)

    def plan(self, position: Position, side: Side) -> Plan | None:
        position = self.likeness.standing_for(position)
        rank = int(self.bounds.rank[self.number(position)])
        if self.game.outcome(position) is not None:
            return Plan((), rank)
        if position.battle is not None:
            return Plan(self._numbers(position, side), rank)
        if position.side is not side:
            return Plan((), rank)
        after = self.outlook(position)
        keys = [one.for_side(side) for one in after]
        return Plan(_pure(keys.index(max(keys)), len(keys)), rank)

    def _numbers(self, position: Position, side: Side) -> Mixture:
        """The probability of each of a side's numbers in a battle.

        If a single number is sure of the bound, it is the one that wins the cell most often.
        """
        battle = self.game.rules.battle
        assert battle is not None
        size, value, after = battle.numbers, self.value(position), self.outlook(position)
        rows = [after[row * size : (row + 1) * size] for row in range(size)]
        choices = rows if side is Side.ONE else list(zip(*rows, strict=True))
        if value.winner is not None:
            keys = [min(one.for_side(side) for one in choice) for choice in choices]
            return _pure(keys.index(max(keys)), size)
        bound, numbers = value.sure(side), range(1, size + 1)

        def won(own: int) -> int:
            pairs = [(own, other) if side is Side.ONE else (other, own) for other in numbers]
            keepers = [battle.keeper(*pair, attacker=position.side.other) for pair in pairs]
            return keepers.count(side) - keepers.count(side.other)

        keeping = [
            number
            for number, choice in zip(numbers, choices, strict=True)
            if all(one.sure(side) >= bound for one in choice)
        ]
        if keeping:
            return _pure(max(keeping, key=won) - 1, size)
        form = int(self.bounds.form[self.number(position)])
        if form > 0:
            return self.bounds.exact[form][side - 1]
        standing, game = self.likeness.standing_for, self.game
        reached = [
            self.number(standing(game.play(position, move))) for move in game.moves(position)
        ]
        here, mixtures = [self.number(position), *reached], np.empty((1, len(Side), size))
        fill_mixtures_of(
            np.zeros(1, np.int64),
            np.array([0, len(reached)]),
            np.arange(1, len(here)),
            self.bounds.low[here],
            self.bounds.high[here],
            mixtures,
        )
        return tuple(map(Fraction, mixtures[0, side - 1].tolist()))

    def _is_progress(self, plan: Plan, position: Position, move: Move, after: Value) -> bool:
        side = position.side
        return after.sure(side) > self.value(position).sure(side) or super()._is_progress(
            plan, position, move, after
        )


def bound_pair(bounds: GraphBounds, at: int) -> tuple[Number, Number]:
    """The bounds of a position as exact numbers."""
    low, high = float(bounds.low[at]), float(bounds.high[at])
    if low == high:
        exact = exact_value(low)
        worth = int(exact) if exact.denominator == 1 else exact
        return worth, worth
    return Fraction(low), Fraction(high)


def _pure(choice: int, size: int) -> Mixture:
    return tuple(Fraction(number == choice) for number in range(size))


def position_columns(graph: GameGraph) -> PositionColumns:
    """The positions of a graph as rows."""
    if isinstance(graph.positions, CellRows):
        return PositionColumns(graph.positions.rows, graph.positions.side)
    rows = np.array([row_of(graph.game.rules, position) for position in graph.positions], np.int8)
    return PositionColumns(rows, np.array([one.side for one in graph.positions], np.int8))


def solve_graph(graph: GameGraph, report: Callable[[float], None]) -> GraphSolution:
    """The solution of a graph with battles, by compiled code."""
    order, cuts = levels(graph.first, graph.after)
    limited = False
    with Threads(report) as threads:
        if len(order) == len(graph):
            bounds = bounds_of_levels(graph, order, cuts, threads)
        else:
            bounds, limited = bounds_of_components(graph, threads)
    solution = GraphSolution(graph.game, position_columns(graph), bounds, graph)
    solution.limited = limited
    return solution


# The certificate


def write_bounds(solution: GraphSolution) -> Iterator[bytes]:
    """The bytes of a certificate, in pieces."""
    return sealed(_pieces(solution))


def _pieces(solution: GraphSolution) -> Iterator[bytes]:
    bounds, graph = solution.bounds, solution.whole_graph()
    rounded = np.flatnonzero(
        (graph.mover == BATTLE) & (bounds.plies == NOT_FORCED) & (bounds.form == 0)
    )
    used = sorted(set(np.unique(bounds.form).tolist()) & bounds.exact.keys())
    head = [
        BOUNDS_HEAD,
        f"rules {format_rules(solution.game.rules)}",
        f"start {solution.start}",
        f"counts {len(graph)} {len(used)} {len(rounded)} {bounds.returning}",
        *(
            " ".join([str(form), *(",".join(map(str, side)) for side in bounds.exact[form])])
            for form in used
        ),
    ]
    text = "".join(f"{line}\n" for line in head).encode()
    yield text + _padding(len(text))
    yield from _in_chunks(bounds.low)
    yield from _in_chunks(bounds.high)
    for begin in range(0, len(rounded), _CHUNK):
        battles = rounded[begin : begin + _CHUNK]
        mixtures = np.empty((len(battles), len(Side), graph.numbers))
        fill_mixtures_of(battles, graph.first, graph.after, bounds.low, bounds.high, mixtures)
        yield from _in_chunks(mixtures)
    for column in (bounds.plies, bounds.form, bounds.rank, *solution.columns):
        yield from _in_chunks(column)


def _in_chunks(column: NDArray[_Item]) -> Iterator[bytes]:
    little = column.dtype.newbyteorder("<")
    for begin in range(0, len(column), _CHUNK):
        yield column[begin : begin + _CHUNK].astype(little, copy=False).tobytes()


def _padding(size: int) -> bytes:
    """A line of spaces that ends where doubles can begin."""
    return b" " * (-(size + 1) % _ALIGNED) + b"\n"


@compiled
def fill_mixtures_of(
    battles: NumberArray,
    first: NumberArray,
    after: NumberArray,
    low: ChanceArray,
    high: ChanceArray,
    mixtures: ChanceArray,
) -> None:
    """Fill in the mixtures of both sides that are sure of the bounds of some battles."""
    numbers = mixtures.shape[2]
    lows, highs = np.empty((numbers, numbers)), np.empty((numbers, numbers))
    for place in range(len(battles)):
        mixtures_for(
            battles[place],
            first,
            after,
            low,
            high,
            lows,
            highs,
            mixtures[place, 0],
            mixtures[place, 1],
        )


class BoundsFile(NamedTuple):
    """What a certificate contains; nothing of it has been checked but its form."""

    game: Game
    start: Position
    columns: PositionColumns
    bounds: GraphBounds
    mixtures: ChanceArray
    """The mixtures of battles that have form 0, in the order of their positions."""

    def solution(self, game: Game) -> GraphSolution:
        """The solution of a game with the same rules."""
        return GraphSolution(game, self.columns, self.bounds, file=self)


def read_bounds(path: Path) -> BoundsFile:
    """Read what `write_bounds` wrote; the columns stay in the file until they are used."""
    try:
        with path.open("rb") as file:
            if head_line(file, _WHAT) != BOUNDS_HEAD:
                raise CertificateError(f"This certificate does not begin with '{BOUNDS_HEAD}'.")
            rules = parse_rules(after_word(head_line(file, _WHAT), "rules", _WHAT))
            start = after_word(head_line(file, _WHAT), "start", _WHAT)
            first = valid_position(rules, parse_position(start))
            found = _COUNTS.fullmatch(head_line(file, _WHAT))
            if not found or rules.battle is None:
                raise CertificateError("The counts of the certificate are wrong.")
            size, lines, rounded, returning = map(int, found.groups())
            numbers = rules.battle.numbers
            exact = dict(_mixtures(head_line(file, _WHAT), numbers) for _ in range(lines))
            if head_line(file, _WHAT).strip(" ") or file.tell() % _ALIGNED:
                raise CertificateError("The columns of the certificate begin at a wrong place.")
            begin = file.tell()
        width = len(rules.player1.pieces) + len(rules.player2.pieces) + 1
        whole = (size,)
        shapes = (
            *(("<f8", shape) for shape in (whole, whole, (rounded, len(Side), numbers))),
            *(("<i4", whole) for _ in range(3)),
            *(("<i1", shape) for shape in ((size, width), whole)),
        )
        sizes = [prod(shape) * int(kind[2]) for kind, shape in shapes]
        if not size or path.stat().st_size != begin + sum(sizes) + SEAL_BYTES:
            raise CertificateError("The size of the certificate does not match its counts.")
        check_seal(path, _WHAT)
        body = np.memmap(path, np.uint8, "c", begin, (sum(sizes),)).view(np.ndarray)
    except (OSError, UnicodeDecodeError):
        raise CertificateError("The certificate cannot be read.") from None
    except CertificateError:
        raise
    except LineduelError as error:
        raise CertificateError(f"The certificate is wrong. {error}") from None
    low, high, mixtures, plies, form, rank, rows, side = (
        body[sum(sizes[:at]) : sum(sizes[: at + 1])].view(kind).reshape(shape)
        for at, (kind, shape) in enumerate(shapes)
    )
    rulebook = Rulebook(id="certificate", title="", summary="", rules=rules, words=Words())
    bounds = GraphBounds(low, high, plies, form, rank, exact, returning)
    return BoundsFile(Game(rulebook), first, PositionColumns(rows, side), bounds, mixtures)


def _mixtures(line: str, numbers: int) -> tuple[int, tuple[Mixture, Mixture]]:
    found = _MIXTURES.fullmatch(line)
    try:
        if found:
            one, two = (tuple(map(Fraction, found[side].split(","))) for side in (2, 3))
            if len(one) == len(two) == numbers:
                return int(found[1]), (one, two)
    except (ValueError, ZeroDivisionError):
        pass
    raise CertificateError("The mixtures of the certificate are wrong.")
