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

from lineduel.compiled import NO_BATTLE, CellRow, Threads, row_of, row_width, rule_numbers
from lineduel.engine import Game, Move, Position, valid_position
from lineduel.errors import CertificateError, LineduelError, TooLarge
from lineduel.graph import (
    MOST_POSITIONS,
    NOT_FORCED,
    CellRows,
    ChanceArray,
    FoundPositions,
    GameGraph,
    NumberArray,
    OneWayPositions,
    SideArray,
    by_level,
    explore_compiled,
    found_of_rows,
    levels_of_graph,
    number_of_row,
)
from lineduel.record import parse_position
from lineduel.rules import Rulebook, Side, Words, format_rules, parse_rules
from lineduel.solve.best_play import BestPlay
from lineduel.solve.graph_bounds import GraphBounds
from lineduel.solve.graph_cycles import bounds_of_components, where_endless
from lineduel.solve.known_battles import exact_value
from lineduel.solve.level_bounds import bounds_of_graph, bounds_of_rows, fill_mixtures_of
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
        value, after, size = self.value(position), self.outlook(position), battle.numbers
        numbers, others = (self.game.hand(position, one) for one in (side, side.other))
        columns = len(self.game.hand(position, Side.TWO))
        rows = [after[begin : begin + columns] for begin in range(0, len(after), columns)]
        choices = rows if side is Side.ONE else list(zip(*rows, strict=True))
        if value.winner is not None:
            keys = [min(one.for_side(side) for one in choice) for choice in choices]
            return _pure(numbers[keys.index(max(keys))] - 1, size)
        bound = value.sure(side)

        def won(own: int) -> int:
            pairs = [(own, other) if side is Side.ONE else (other, own) for other in others]
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
            return _folded(self.bounds.exact[form][side - 1], numbers)
        mixtures = self.mixtures_of(np.array([self.number(position)]))
        return _folded(tuple(map(Fraction, mixtures[0, side - 1].tolist())), numbers)

    def mixtures_of(self, battles: NumberArray) -> ChanceArray:
        """The mixtures in doubles of some battles, for each side."""
        ruling = rule_numbers(self.game.rules)
        mixtures = np.empty((len(battles), len(Side), ruling.numbers))
        low, high = self.bounds[:2]
        fill_mixtures_of(battles, ruling, self._found, low, high, mixtures)
        return mixtures

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


def _folded(mixture: Mixture, hand: tuple[int, ...]) -> Mixture:
    """A mixture over a hand from one in which other numbers stand for the lowest in hand."""
    chances = [Fraction(0)] * len(mixture)
    for number, chance in enumerate(mixture, start=1):
        chances[(number if number in hand else hand[0]) - 1] += chance
    return tuple(chances)


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
    columns, limited = position_columns(graph), False
    ruling = rule_numbers(graph.game.rules)
    levels = levels_of_graph(ruling, columns.rows, graph.first, graph.after, graph.mover)
    with Threads(report) as threads:
        if levels:
            bounds = bounds_of_graph(graph, levels, threads)
        else:
            bounds, limited = bounds_of_components(graph, threads)
    solution = GraphSolution(graph.game, columns, bounds, graph)
    solution.limited = limited
    return solution


def solve_one_way(
    game: Game, positions: OneWayPositions, report: Callable[[float], None]
) -> GraphSolution:
    """The solution of a game in which nothing can repeat, without a graph."""
    found, level = positions
    levels, size = by_level(level), len(level)
    del positions, level
    with Threads(report) as threads:
        bounds = bounds_of_rows(rule_numbers(game.rules), found, levels, threads)
    rows = found.rows.reshape(len(found.sides), -1)
    solution = GraphSolution(game, PositionColumns(rows[:size], found.sides[:size]), bounds)
    solution._found = found
    return solution


# The certificate


def write_bounds(solution: GraphSolution) -> Iterator[bytes]:
    """The bytes of a certificate, in pieces."""
    return sealed(_pieces(solution))


def _pieces(solution: GraphSolution) -> Iterator[bytes]:
    bounds, (rows, side) = solution.bounds, solution.columns
    fights = rows[:, -1] != NO_BATTLE
    rounded = np.flatnonzero(fights & (bounds.plies == NOT_FORCED) & (bounds.form == 0))
    used = sorted(set(np.unique(bounds.form).tolist()) & bounds.exact.keys())
    head = [
        BOUNDS_HEAD,
        f"rules {format_rules(solution.game.rules)}",
        f"start {solution.start}",
        f"counts {len(side)} {len(used)} {len(rounded)} {bounds.returning}",
        *(
            " ".join([str(form), *(",".join(map(str, side)) for side in bounds.exact[form])])
            for form in used
        ),
    ]
    text = "".join(f"{line}\n" for line in head).encode()
    yield text + _padding(len(text))
    yield from _in_chunks(bounds.low, "<f8")
    yield from _in_chunks(bounds.high, "<f8")
    for begin in range(0, len(rounded), _CHUNK):
        yield from _in_chunks(solution.mixtures_of(rounded[begin : begin + _CHUNK]), "<f8")
    for column in (bounds.plies, bounds.form, bounds.rank):
        yield from _in_chunks(column, "<i4")
    for cells in (rows, side):
        yield from _in_chunks(cells, "<i1")


def _in_chunks(column: NDArray[_Item], kind: str) -> Iterator[bytes]:
    for begin in range(0, len(column), _CHUNK):
        yield column[begin : begin + _CHUNK].astype(kind, copy=False).tobytes()


def _padding(size: int) -> bytes:
    """A line of spaces that ends where doubles can begin."""
    return b" " * (-(size + 1) % _ALIGNED) + b"\n"


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
        width = row_width(rules)
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
