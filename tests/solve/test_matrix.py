"""Matrix games: exact in fractions, and as good as a linear programme in floats."""

import random
from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import linprog

from lineduel.solve.stochastic.matrix import equalise, solve_matrix, widest_mixture

Rows = list[list[Fraction]]


@st.composite
def matrices(draw: st.DrawFn) -> Rows:
    """Small numbers, so that ties, equal rows and degenerate vertices are common."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    bound, below = draw(st.sampled_from([(1, 1), (3, 1), (20, 12)]))
    entry = st.integers(-bound, bound).map(lambda above: Fraction(above, below))
    row = st.lists(entry, min_size=width, max_size=width)
    return draw(st.lists(row, min_size=height, max_size=height))


def large_matrices(number: int) -> Iterator[Rows]:
    """Nine by nine, from nothing but ties to hardly any."""
    rng = random.Random(number)
    for turn in range(number):
        bound = 10 ** (turn % 4)
        yield [[Fraction(rng.randint(-bound, bound), 7) for _ in range(9)] for _ in range(9)]


def whole(*rows: Sequence[int]) -> Rows:
    return [[Fraction(entry) for entry in row] for row in rows]


def secured_by_rows(matrix: Rows, mixture: Sequence[Fraction]) -> Fraction:
    """What a mixture of rows brings against the column that suits it least."""
    return min(
        sum((p * entry for p, entry in zip(mixture, column, strict=True)), Fraction(0))
        for column in zip(*matrix, strict=True)
    )


def conceded_by_columns(matrix: Rows, mixture: Sequence[Fraction]) -> Fraction:
    return max(
        sum((q * entry for q, entry in zip(mixture, row, strict=True)), Fraction(0))
        for row in matrix
    )


def is_mixture(mixture: Sequence[Fraction]) -> bool:
    return sum(mixture) == 1 and min(mixture) >= 0


@given(matrices())
def test_in_fractions_both_mixtures_prove_the_value(matrix: Rows) -> None:
    """Player 1 makes sure of the value and player 2 of no more: neither can be improved."""
    value, rows, columns = solve_matrix(matrix)
    assert is_mixture(rows)
    assert is_mixture(columns)
    assert secured_by_rows(matrix, rows) == value == conceded_by_columns(matrix, columns)


def test_large_matrices_are_solved_exactly() -> None:
    for matrix in large_matrices(60):
        value, rows, columns = solve_matrix(matrix)
        assert is_mixture(rows)
        assert is_mixture(columns)
        assert secured_by_rows(matrix, rows) == value == conceded_by_columns(matrix, columns)


@given(matrices())
def test_the_mirrored_matrix_is_worth_the_opposite(matrix: Rows) -> None:
    mirrored = [[-entry for entry in column] for column in zip(*matrix, strict=True)]
    assert solve_matrix(mirrored).value == -solve_matrix(matrix).value


@given(matrices(), st.fractions(-5, 5, max_denominator=9), st.fractions("1/9", 9))
def test_the_value_moves_with_shift_and_scale(
    matrix: Rows, shift: Fraction, scale: Fraction
) -> None:
    moved = [[entry * scale + shift for entry in row] for row in matrix]
    assert solve_matrix(moved).value == solve_matrix(matrix).value * scale + shift


@given(matrices())
def test_floats_and_decimals_agree_with_fractions(matrix: Rows) -> None:
    value = solve_matrix(matrix).value
    floats = solve_matrix([[float(entry) for entry in row] for row in matrix])
    assert floats.value == pytest.approx(float(value), abs=1e-12)
    assert sum(floats.rows) == pytest.approx(1)
    with localcontext(prec=60):
        decimals = solve_matrix(
            [[Decimal(entry.numerator) / entry.denominator for entry in row] for row in matrix]
        )
        assert abs(Fraction(decimals.value) - value) < Fraction(1, 10**50)


def test_linear_programmes_agree() -> None:
    """scipy's solver finds the same values for matrices of every size up to 9 by 9."""
    rng = random.Random(9)
    for height in range(1, 10):
        for width in range(1, 10):
            matrix = [[rng.uniform(-1, 1) for _ in range(width)] for _ in range(height)]
            found = linprog(  # maximise v where each column brings at least v
                [0.0] * height + [-1.0],
                A_ub=[[-row[b] for row in matrix] + [1.0] for b in range(width)],
                b_ub=[0.0] * width,
                A_eq=[[1.0] * height + [0.0]],
                b_eq=[1.0],
                bounds=[(0, None)] * height + [(None, None)],
            )
            assert solve_matrix(matrix).value == pytest.approx(-found.fun, abs=1e-9)


@pytest.mark.parametrize(
    ("matrix", "value", "rows"),
    [
        (whole([7]), "7", ["1"]),
        (whole([0, 0], [0, 0]), "0", None),
        (whole([1, -1], [-1, 1]), "0", ["1/2", "1/2"]),
        (whole([3, 0], [1, 2]), "3/2", ["1/4", "3/4"]),
        (whole([0, -1, 1], [1, 0, -1], [-1, 1, 0]), "0", ["1/3", "1/3", "1/3"]),
        (whole([0, -2, 1], [2, 0, -3], [-1, 3, 0]), "0", ["1/2", "1/6", "1/3"]),
        (whole([4, 2, 3], [1, 0, 5]), "2", ["1", "0"]),
        (whole([1, 0, 0], [0, 2, 0], [0, 0, 4]), "4/7", ["4/7", "2/7", "1/7"]),
    ],
)
def test_games_that_are_known(matrix: Rows, value: str, rows: list[str] | None) -> None:
    """A single entry, nothing at stake, pennies, a mixture, two kinds of roshambo, a saddle."""
    solved = solve_matrix(matrix)
    assert solved.value == Fraction(value)
    if rows is not None:
        assert list(solved.rows) == [Fraction(part) for part in rows]


def test_entries_that_hardly_differ_are_told_apart() -> None:
    """A difference in the last bit of a float decides a mixture as any other does."""
    tiny = 2.0**-52
    value, rows, _ = solve_matrix([[1 + tiny, 1.0], [1.0, 1 + 2 * tiny]])
    assert value == pytest.approx(1)
    assert rows == pytest.approx((2 / 3, 1 / 3))


@settings(max_examples=50)
@given(matrices())
def test_the_widest_mixture_leaves_out_only_what_no_optimal_one_uses(matrix: Rows) -> None:
    """It is optimal; and of a row left out, a linear programme finds no optimal mixture either."""
    value = solve_matrix(matrix).value
    widest = widest_mixture(matrix, value)
    assert is_mixture(widest)
    assert secured_by_rows(matrix, widest) == value
    for row, part in enumerate(widest):
        found = linprog(
            [-float(other == row) for other in range(len(matrix))],
            A_ub=[[-float(entry) for entry in column] for column in zip(*matrix, strict=True)],
            b_ub=[-float(value)] * len(matrix[0]),
            A_eq=[[1.0] * len(matrix)],
            b_eq=[1.0],
        )
        assert (part > 0) == (-found.fun > 1e-6)


def test_more_than_the_value_cannot_be_secured() -> None:
    with pytest.raises(ValueError, match="more than the matrix is worth"):
        widest_mixture(whole([1, -1], [-1, 1]), Fraction(1, 10**6))


@given(matrices())
def test_equalising_mixtures_are_optimal_where_there_are_any(matrix: Rows) -> None:
    size = min(len(matrix), len(matrix[0]))
    square = [row[:size] for row in matrix[:size]]
    equal = equalise(square)
    if equal is not None:
        assert equal.value == solve_matrix(square).value
        assert secured_by_rows(square, equal.rows) == equal.value
        assert conceded_by_columns(square, equal.columns) == equal.value
