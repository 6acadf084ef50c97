"""What rulebooks with battles are worth, in exact fractions where they have them."""

from fractions import Fraction

import pytest

from lineduel.engine import Game
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side, apply_changes
from lineduel.rules.assignments import parse_assignments
from lineduel.solve import Solution, solve
from lineduel.solve.stochastic.arena import Arena, Choice, Clash, Ended
from lineduel.solve.stochastic.concurrent import solve_arena

WIN, LOSS = Ended(1), Ended(-1)


def solution_of(address: str, *changes: str) -> Solution:
    rulebook = find_rulebook(address)
    game = Game(apply_changes(rulebook, parse_assignments(changes)) if changes else rulebook)
    return solve(game)


@pytest.mark.parametrize(
    ("address", "changes", "worth"),
    [
        ("flag-chase", (), "0"),
        ("flag-chase:may-stay", (), "0"),
        ("flag-chase", ("battle.wins=undercut",), "1/47"),
        ("flag-chase", ("battle.wins=cyclic",), "4/111"),
        ("flag-chase", ("battle.wins=cyclic", "battle.numbers=3"), "1/47"),
    ],
)
def test_flag_chase_is_worth_what_it_always_was(
    address: str, changes: tuple[str, ...], worth: str
) -> None:
    """Golden values; each comes with plans that prove it."""
    value = solution_of(address, *changes)
    exact = value.value(value.start).exact
    assert exact == Fraction(worth)


@pytest.mark.parametrize("numbers", range(2, 10))
@pytest.mark.parametrize("wins", ["higher", "undercut", "cyclic"])
def test_every_battle_rule_gives_a_proved_value(wins: str, numbers: int) -> None:
    """Narrow intervals, mixtures that are probabilities, and a first move that is never bad."""
    if wins == "cyclic" and numbers % 2 == 0:
        return
    solution = solution_of("flag-chase", f"battle.wins={wins}", f"battle.numbers={numbers}")
    value = solution.value(solution.start)
    assert 0 <= value.low <= value.high < 1
    assert value.high - value.low <= Fraction(1, 10**9)
    for position in solution.explored().positions:
        if position.battle is not None:
            for side in Side:
                mixture = solution.mixture(position, side)
                assert sum(mixture.values()) == 1
                assert min(mixture.values()) >= 0
                assert list(mixture) == list(range(1, numbers + 1))


def purgatory(terraces: int, numbers: int) -> Arena:
    """Climb by saying the same number; too high is lost, too low is back to the start."""
    won, lost = terraces, terraces + 1

    def after(terrace: int, mine: int, theirs: int) -> int:
        if mine == theirs:
            return terrace + 1
        return lost if mine > theirs else 0

    climb = [
        Clash(
            tuple(
                tuple(after(terrace, mine, theirs) for theirs in range(numbers))
                for mine in range(numbers)
            )
        )
        for terrace in range(terraces)
    ]
    assert won == len(climb)
    return Arena((*climb, WIN, LOSS))


@pytest.mark.parametrize(("terraces", "numbers"), [(1, 2), (2, 2), (3, 2), (4, 2), (2, 3)])
def test_purgatory_is_worth_1_though_iteration_seems_to_stop_far_below(
    terraces: int, numbers: int
) -> None:
    """What looks settled is no proof: the certified interval reaches up to 1."""
    arena = purgatory(terraces, numbers)
    bounds = solve_arena(arena)
    assert bounds.upper[0] == 1
    assert 1 - bounds.lower[0] < Fraction(1, 10**6)
    assert seeming_value(arena) < 0.9 or terraces == 1


def seeming_value(arena: Arena) -> float:
    """Where plain value iteration from 'nothing won yet' stops moving by more than 0.0001."""
    from lineduel.solve.stochastic.matrix import solve_matrix

    values = [float(node.payoff) if isinstance(node, Ended) else -1.0 for node in arena.nodes]
    while True:
        again = [
            float(solve_matrix([[values[to] for to in row] for row in node.after])[0])
            if isinstance(node, Clash)
            else values[at]
            for at, node in enumerate(arena.nodes)
        ]
        change = max(abs(new - old) for new, old in zip(again, values, strict=True))
        values = again
        if change < 1e-4:
            return values[0]


def test_a_value_that_no_play_attains_is_a_narrow_interval() -> None:
    """[[again, win], [win, loss]] is worth 1, but whatever player 1 does, he gets less."""
    arena = Arena((Clash(((0, 1), (1, 2))), WIN, LOSS))
    bounds = solve_arena(arena)
    low, high = bounds.lower[0], bounds.upper[0]
    assert low < high == 1
    assert high - low < Fraction(1, 10**6)


def test_nobody_has_to_leave_where_staying_is_best() -> None:
    """Two rooms: whoever leaves loses, so play is endless and worth 0."""
    arena = Arena((Choice(Side.ONE, (1, 3)), Choice(Side.TWO, (0, 2)), WIN, LOSS))
    bounds = solve_arena(arena)
    assert [*bounds.lower[:2], *bounds.upper[:2]] == [0, 0, 0, 0]


def test_a_defeat_can_be_better_than_a_victory() -> None:
    """Where winning the battle strands a piece, best play does not try to win it."""
    arena = Arena((Clash(((1, 1, 1), (2, 1, 1), (2, 2, 1))), WIN, LOSS))
    bounds = solve_arena(arena)
    assert bounds.lower[0] == bounds.upper[0] == 1
    assert bounds.player1[0] is not None
