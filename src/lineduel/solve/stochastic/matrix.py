"""Matrix games: player 1 chooses a row, player 2 a column, and player 2 pays the entry.

Linear programs are solved in integer arithmetic, so there is no tolerance to choose and degenerate
cases need no special care. Results have the number type of the input.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Generic, NamedTuple, TypeVar

AnyNumber = TypeVar("AnyNumber", float, Decimal, Fraction)
Matrix = Sequence[Sequence[AnyNumber]]


class Solved(NamedTuple, Generic[AnyNumber]):
    """The value of a matrix game for player 1, and an optimal mixture for each side."""

    value: AnyNumber
    rows: tuple[AnyNumber, ...]
    columns: tuple[AnyNumber, ...]


def solve_matrix(matrix: Matrix[AnyNumber]) -> Solved[AnyNumber]:
    """The value and optimal mixtures: exact for fractions, otherwise rounded once at the end."""
    kind = type(matrix[0][0])
    whole, unit = _whole_numbers(matrix)
    lowest = min(map(min, whole))
    spread = max(map(max, whole)) - lowest
    shift = spread + 1 - lowest  # all entries are positive and of similar size
    positive = [[entry + shift for entry in row] for row in whole]
    # Player 2 maximises the sum of y subject to positive @ y <= 1; the value is one over that sum.
    best = _maximise(positive, [1] * len(whole), [1] * len(whole[0]))
    total = best.optimum
    return Solved(
        _ratio(kind, best.divisor - shift * total, total * unit),
        tuple([_ratio(kind, price, total) for price in best.prices]),
        tuple([_ratio(kind, part, total) for part in best.solution]),
    )


def equalise(matrix: Matrix[AnyNumber]) -> Solved[AnyNumber] | None:
    """Mixtures that make all rows, and all columns, of a square matrix worth the same.

    Such mixtures are optimal. Returns None if there are none, or if rounding leaves it in doubt.
    """
    lowest, highest = min(map(min, matrix)), max(map(max, matrix))
    spread = highest - lowest
    if not spread:
        return None
    lines = [[(entry - lowest) / spread + 1 for entry in row] for row in matrix]
    q = _against_ones(lines)
    p = q and _against_ones([list(column) for column in zip(*lines, strict=True)])
    if not p or not q or min(p) < 0 or min(q) < 0:
        return None
    total, other = sum(p, spread - spread), sum(q, spread - spread)
    return Solved(
        (1 / total - 1) * spread + lowest,
        tuple([part / total for part in p]),
        tuple([part / other for part in q]),
    )


def widest_mixture(matrix: Matrix[Fraction], value: Fraction) -> tuple[Fraction, ...]:
    """An optimal mixture of player 1 that uses every row that any optimal mixture uses."""
    exact = [[entry - value for entry in row] for row in matrix]
    whole, _ = _whole_numbers(exact)
    # Mixtures are scaled to a sum of at most 1; no column may give less than the value.
    limits = [[-entry for entry in column] for column in zip(*whole, strict=True)]
    limits.append([1] * len(whole))
    bounds = [0] * len(whole[0]) + [1]
    found: list[list[Fraction]] = []
    for row in range(len(whole)):
        if any(mixture[row] for mixture in found):
            continue
        wanted = [int(other == row) for other in range(len(whole))]
        best = _maximise(limits, bounds, wanted)
        if best.optimum > 0:
            total = sum(best.solution)
            found.append([Fraction(part, total) for part in best.solution])
    if not found:
        raise ValueError(f"{value} is more than the matrix is worth")
    return tuple(sum(parts, Fraction(0)) / len(found) for parts in zip(*found, strict=True))


def _against_ones(matrix: list[list[AnyNumber]]) -> list[AnyNumber] | None:
    """Solve matrix @ x = 1 by Gaussian elimination; None if the matrix is singular."""
    size = len(matrix)
    one: AnyNumber = matrix[0][0].__class__(1)
    lines = [list(entries) for entries in matrix]
    for line in lines:
        line.append(one)
    for place in range(size):
        sizes = [abs(line[place]) for line in lines[place:]]
        pivot = place + sizes.index(max(sizes))
        lines[place], lines[pivot] = lines[pivot], lines[place]
        top = lines[place]
        if not top[place]:
            return None
        for line in lines[place + 1 :]:
            factor = line[place] / top[place]
            if factor:
                for column in range(place + 1, size + 1):
                    line[column] -= factor * top[column]
    solution = [one] * size
    for place in reversed(range(size)):
        line = lines[place]
        rest = line[size]
        for column in range(place + 1, size):
            rest -= line[column] * solution[column]
        solution[place] = rest / line[place]
    return solution


def _whole_numbers(matrix: Matrix[AnyNumber]) -> tuple[list[list[int]], int]:
    """The entries multiplied by their common denominator, and that denominator."""
    ratios = [[entry.as_integer_ratio() for entry in row] for row in matrix]
    below = {denominator for row in ratios for _, denominator in row}
    unit = lcm(*below)
    return [[above * (unit // part) for above, part in row] for row in ratios], unit


def _ratio(kind: type[AnyNumber], above: int, below: int) -> AnyNumber:
    if issubclass(kind, Decimal):
        return kind(above) / kind(below)
    if issubclass(kind, float):
        return kind(above / below)
    return Fraction(above, below)


class _Optimum(NamedTuple):
    """The optimum, solution and dual prices of a linear program, all multiplied by `divisor`."""

    divisor: int
    optimum: int
    solution: list[int]
    prices: list[int]


def _maximise(limits: list[list[int]], bounds: list[int], gains: list[int]) -> _Optimum:
    """Maximise gains @ x subject to limits @ x <= bounds and x >= 0; no bound may be negative.

    Uses the simplex method on a condensed tableau, with Edmonds' integer pivoting.
    """
    height, width = len(limits), len(gains)
    table = [[*row, bound] for row, bound in zip(limits, bounds, strict=True)]
    table.append([*(-gain for gain in gains), 0])
    across = list(range(width))  # the variable of each column and of each row
    down = list(range(width, width + height))
    divisor, pivots = 1, 0
    while True:
        # The steepest column is fast but can cycle, so later pivots use Bland's rule, which cannot.
        bland = pivots > 2 * (height + width)
        column = _entering(table[-1], across, bland)
        if column is None:
            break
        row = _leaving(table, down, column)
        if row is None:
            raise ValueError("the linear programme has no largest value")
        divisor = _pivot(table, row, column, divisor)
        down[row], across[column] = across[column], down[row]
        pivots += 1
    solution, prices = [0] * width, [0] * height
    for row, variable in enumerate(down):
        if variable < width:
            solution[variable] = table[row][-1]
    for column, variable in enumerate(across):
        if variable >= width:
            prices[variable - width] = table[-1][column]
    return _Optimum(divisor, table[-1][-1], solution, prices)


def _entering(costs: list[int], across: list[int], bland: bool) -> int | None:
    falling = [column for column in range(len(across)) if costs[column] < 0]
    if not falling:
        return None
    if bland:
        return min(falling, key=across.__getitem__)
    return min(falling, key=costs.__getitem__)


def _leaving(table: list[list[int]], down: list[int], column: int) -> int | None:
    """The row that limits the entering variable most; ties go to the first variable."""
    best: int | None = None
    for row in range(len(down)):
        if table[row][column] > 0:
            if best is None:
                best = row
                continue
            ours = table[row][-1] * table[best][column]
            theirs = table[best][-1] * table[row][column]
            if ours < theirs or (ours == theirs and down[row] < down[best]):
                best = row
    return best


def _pivot(table: list[list[int]], row: int, column: int, divisor: int) -> int:
    """Exchange a row and a column; returns the pivot, which is the new divisor."""
    chosen = table[row]
    pivot = chosen[column]
    for other, line in enumerate(table):
        if other != row:
            factor = line[column]
            if factor:
                line[:] = [
                    (entry * pivot - factor * along) // divisor
                    for entry, along in zip(line, chosen, strict=True)
                ]
                line[column] = -factor
            elif pivot != divisor:
                line[:] = [entry * pivot // divisor for entry in line]
    chosen[column] = divisor
    return pivot
