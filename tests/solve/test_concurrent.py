"""Arenas with simultaneous choices: every bound is proved, and known games have their values."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial
from itertools import product
from operator import mul
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from lineduel.cli.main import main
from lineduel.engine import Game, Numbers, Position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side, apply_changes
from lineduel.rules.assignments import parse_assignments
from lineduel.solve import Cache, Value, solve
from lineduel.solve.stochastic.arena import Arena, Choice, Clash, Ended, Node
from lineduel.solve.stochastic.concurrent import Bounds, StationaryPlan, solve_arena
from lineduel.solve.stochastic.network import network_of
from lineduel.solve.stochastic.proof_chain import Real, WorkLimit, solve_rows
from lineduel.solve.stochastic.replies import Precision, guarantee_of
from lineduel.solve.stochastic.stopped import Guess

WIN, LOSS, NOTHING = Ended(1), Ended(-1), Ended(0)
PRECISION = Fraction(1, 10**9)


# What a proof is, written without a glance at the solver


class Unproved(Exception):
    """A node at which a certificate does not hold."""


def check(arena: Arena, bounds: Bounds) -> None:
    """Both ends of every interval are proved."""
    check_lower(arena, bounds.lower, bounds.player1, bounds.ranks1)
    negated = [-value for value in bounds.upper]
    check_lower(arena.mirrored(), negated, bounds.player2, bounds.ranks2)
    for low, high in zip(bounds.lower, bounds.upper, strict=True):
        assert low <= high


def check_lower(
    arena: Arena, lower: Sequence[Fraction], plan: StationaryPlan, ranks: Sequence[int]
) -> None:
    """Player 1's plan makes sure of the lower bounds: a submartingale that does not linger."""
    assert len(arena.nodes) == len(lower) == len(plan) == len(ranks)
    for number, node in enumerate(arena.nodes):
        bound, rank = lower[number], ranks[number]

        def gets_on(target: int, bound: Fraction = bound, rank: int = rank) -> bool:
            ended = isinstance(arena.nodes[target], Ended)
            return bound <= 0 or ended or lower[target] <= 0 or ranks[target] < rank

        match node:
            case Ended(payoff):
                holds = bound <= payoff
            case Choice(side, after):
                chosen = plan[number]
                assert isinstance(chosen, int) == (side is Side.ONE)
                targets = [after[chosen]] if isinstance(chosen, int) else after
                holds = all(lower[target] >= bound and gets_on(target) for target in targets)
            case Clash(rows):
                mixture = plan[number]
                assert isinstance(mixture, tuple)
                assert len(mixture) == len(rows)
                assert sum(mixture) == 1
                assert min(mixture) >= 0
                holds = all(
                    sum(p * lower[target] for p, target in zip(mixture, column, strict=True))
                    >= bound
                    and any(p and gets_on(to) for p, to in zip(mixture, column, strict=True))
                    for column in zip(*rows, strict=True)
                )
        if not holds:
            raise Unproved(number)


def solved(arena: Arena) -> Bounds:
    """The bounds, checked."""
    bounds = solve_arena(arena)
    check(arena, bounds)
    return bounds


def value_of(arena: Arena, node: int = 0) -> Fraction:
    """The exact value of a node."""
    bounds = solved(arena)
    assert bounds.lower[node] == bounds.upper[node]
    return bounds.lower[node]


def test_the_check_refuses_what_is_not_proved() -> None:
    """A bound too high, a rank that does not fall and a worse mixture are each found."""
    arena = Arena((Choice(Side.ONE, (0, 1)), Clash(((2, 3), (3, 2), (0, 0))), WIN, NOTHING))
    bounds = solved(arena)
    assert bounds.lower[:2] == bounds.upper[:2] == (Fraction(1, 2), Fraction(1, 2))
    for changed in (
        replace(bounds, lower=(Fraction(2, 3), *bounds.lower[1:])),
        replace(bounds, upper=(*bounds.upper[:1], Fraction(1, 3), *bounds.upper[2:])),
        replace(bounds, ranks1=(0, 0, 0, 0)),
        replace(bounds, player1=(0, *bounds.player1[1:])),
        replace(bounds, player1=(1, (Fraction(1), Fraction(0), Fraction(0)), *bounds.player1[2:])),
    ):
        with pytest.raises(Unproved):
            check(arena, changed)


# Rulebooks


def arena_of(game: Game) -> Arena:
    """All that can come up from the start, which is node 0."""
    start = game.start()
    numbers = {start: 0}
    waiting = [start]
    nodes: list[Node] = []

    def number(position: Position) -> int:
        if position not in numbers:
            numbers[position] = len(numbers)
            waiting.append(position)
        return numbers[position]

    for position in waiting:
        winner = game.outcome(position)
        if winner is not None:
            nodes.append(WIN if winner is Side.ONE else LOSS)
        elif position.battle is not None:
            assert game.rules.battle is not None
            choices = range(1, game.rules.battle.numbers + 1)
            nodes.append(
                Clash(
                    tuple(
                        tuple(number(game.play(position, Numbers(a, b))) for b in choices)
                        for a in choices
                    )
                )
            )
        else:
            after = tuple(number(game.play(position, move)) for move in game.moves(position))
            nodes.append(Choice(position.side, after))
    return Arena(tuple(nodes))


def rulebook_arena(address: str, *changes: str) -> Arena:
    rulebook = find_rulebook(address)
    return arena_of(Game(apply_changes(rulebook, parse_assignments(changes))))


def track(last: int) -> tuple[str, ...]:
    return f"track.last={last}", f"player1.goal={last}", f"player2.pieces=P2:{last}"


def battle(wins: str, numbers: int) -> tuple[str, ...]:
    return f"battle.wins={wins}", f"battle.numbers={numbers}"


TWO_PIECES = (
    "track.last=7",
    "player1.pieces=A:1,B:1",
    "player2.pieces=C:7,D:7",
    "player1.goal=7",
    "meet.own=shared",
)

GOLDEN: list[tuple[tuple[str, ...], str]] = [
    *((battle("higher", numbers), "0") for numbers in range(2, 10)),
    (battle("undercut", 2), "0"),
    *((battle("undercut", numbers), "1/47") for numbers in range(3, 10)),
    (battle("cyclic", 3), "1/47"),
    (battle("cyclic", 5), "4/111"),
    (battle("cyclic", 7), "27/617"),
    (battle("cyclic", 9), "32/661"),
    ((*battle("higher", 5), "move.steps=1"), "0"),
    ((*battle("undercut", 3), "move.steps=1"), "1/23"),
    ((*battle("cyclic", 3), "move.steps=1"), "1/23"),
    ((*battle("cyclic", 5), "move.steps=1"), "1/19"),
    ((*battle("cyclic", 7), "move.steps=1"), "3/53"),
    ((*battle("cyclic", 9), "move.steps=1"), "1/17"),
    ((*battle("undercut", 5), *track(2)), "1/5"),
    ((*battle("undercut", 5), *track(3)), "1/11"),
    ((*battle("undercut", 5), *track(4)), "0"),
    ((*battle("undercut", 5), *track(9)), "1/155"),
    ((*battle("undercut", 5), *track(16)), "0"),
    ((*battle("cyclic", 5), *track(2)), "1/4"),
    ((*battle("cyclic", 5), *track(3)), "1/9"),
    ((*battle("cyclic", 5), *track(4)), "0"),
    ((*battle("cyclic", 5), *track(9)), "8/597"),
    ((*battle("cyclic", 5), *track(16)), "0"),
    ((*battle("undercut", 4), *TWO_PIECES), "5/1123"),
    ((*battle("cyclic", 5), *TWO_PIECES), "128/16817"),
]
"""What the start of flag-chase is worth with some keys changed; all other nodes are exact too."""


@pytest.mark.parametrize(("address"), ["flag-chase", "flag-chase:may-stay"])
def test_flag_chase_is_endless(address: str) -> None:
    assert value_of(rulebook_arena(address)) == 0


@pytest.mark.parametrize(("changes", "value"), GOLDEN)
def test_battle_rulebooks_are_worth_what_they_were(changes: tuple[str, ...], value: str) -> None:
    arena = rulebook_arena("flag-chase", *changes)
    bounds = solved(arena)
    assert bounds.lower[0] == bounds.upper[0] == Fraction(value)
    assert all(bounds.exact)


@pytest.mark.parametrize("numbers", range(4, 10))
def test_without_steps_back_an_undercut_is_worth_no_fraction(numbers: int) -> None:
    """From four numbers on, nothing exact is found; the interval is the same and narrow."""
    arena = rulebook_arena("flag-chase", *battle("undercut", numbers), "move.steps=1")
    bounds = solved(arena)
    assert bounds.lower[0] < Fraction("0.042458938407") + PRECISION
    assert bounds.upper[0] > Fraction("0.042458938407") - PRECISION
    assert 0 < bounds.gap < PRECISION


def test_a_rulebook_of_thousands_of_positions() -> None:
    """Exact throughout, with denominators of up to 35 digits."""
    arena = rulebook_arena("flag-chase", *battle("undercut", 4), *TWO_PIECES, "move.steps=1,2")
    bounds = solved(arena)
    assert len(arena.nodes) == 3228
    assert bounds.lower[0] == bounds.upper[0] == Fraction(1, 35)
    assert all(bounds.exact)


def test_a_small_arena_needs_no_numpy() -> None:
    """What starts fast imports nothing heavy."""
    code = (
        "import sys\n"
        "from lineduel.solve.stochastic.arena import *\n"
        "from lineduel.solve.stochastic.concurrent import solve_arena\n"
        "solve_arena(Arena((Clash(((1, 2), (2, 0))), Ended(1), Ended(-1))))\n"
        "sys.exit('numpy' in sys.modules or 'scipy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Recursive games that are known


def purgatory(numbers: int, terraces: int) -> Arena:
    """Guess right to climb; guess too high and be lost, too low and begin again."""

    def after(terrace: int, mine: int, theirs: int) -> int:
        if mine == theirs:
            return terrace + 1  # above the last terrace is the win
        return terraces + 1 if mine > theirs else 0

    choices = range(numbers)
    climb = (
        Clash(tuple(tuple(after(terrace, a, b) for b in choices) for a in choices))
        for terrace in range(terraces)
    )
    return Arena((*climb, WIN, LOSS))


@pytest.mark.parametrize(
    ("numbers", "terraces"),
    [
        *((2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (4, 1), (4, 2), (9, 1)),
        pytest.param(3, 3, marks=pytest.mark.long),
    ],
)
def test_purgatory_is_left_almost_surely_by_the_patient(numbers: int, terraces: int) -> None:
    """Worth 1, though no play makes sure of it and value iteration seems to settle far below.

    Hansen, Koucky and Miltersen: probabilities doubly exponentially small are needed.
    """
    bounds = solved(purgatory(numbers, terraces))
    assert bounds.upper[0] == 1
    assert 1 - PRECISION < bounds.lower[0] < 1


def test_value_iteration_would_stop_far_below() -> None:
    """After a hundred rounds purgatory with four terraces looks like 0.25, and hardly moves."""
    from lineduel.solve.stochastic.matrix import solve_matrix

    arena = purgatory(2, 4)
    values = [0.0] * 4 + [1.0, -1.0]
    for _ in range(100):
        before = values
        values = [
            solve_matrix([[values[to] for to in row] for row in node.after]).value
            if isinstance(node, Clash)
            else values[number]
            for number, node in enumerate(arena.nodes)
        ]
    assert values[0] < 0.5
    assert values[0] - before[0] < 0.005


def test_who_hides_must_run_some_time() -> None:
    """Everett's game without optimal play: hide or run, throw or wait; worth 1, never quite sure.

    Running is safe unless the snowball is thrown just then; hiding is safe for ever.
    """
    arena = Arena((Clash(((0, 1), (1, 2))), WIN, NOTHING))
    bounds = solved(arena)
    assert bounds.upper[0] == 1
    assert 1 - PRECISION < bounds.lower[0] < 1


def test_two_games_that_lead_to_each_other() -> None:
    """Everett's kind of game of two elements, each with the other as an entry."""
    arena = Arena(
        (Clash(((1, 3), (3, 2))), Clash(((0, 2), (2, 3))), WIN, LOSS)
    )  # x = val [[y, -1], [-1, 1]], y = val [[x, 1], [1, -1]]
    bounds = solved(arena)
    assert bounds.gap < PRECISION
    x, y = ((bounds.lower[node] + bounds.upper[node]) / 2 for node in (0, 1))
    assert abs(x - (y - 1) / (y + 3)) < PRECISION
    assert abs(y - (-x - 1) / (x - 3)) < PRECISION


def test_a_quadratic_value_is_enclosed() -> None:
    """x = val [[1, -1], [-1, y]] and y = (x + 1) / 2: then x² + 6x + 1 = 0, x = -3 + 2√2."""
    arena = Arena((Clash(((2, 3), (3, 1))), Clash(((0, 2), (2, 0))), WIN, LOSS))
    bounds = solved(arena)
    low, high = bounds.lower[0], bounds.upper[0]
    assert low * low + 6 * low + 1 < 0 < high * high + 6 * high + 1
    assert high - low < PRECISION
    assert not bounds.exact[0]
    assert bounds.exact[2]


@pytest.mark.parametrize("precision", [1e-3, 1e-6, 1e-12, 1e-30])
def test_bounds_are_as_close_as_is_asked(precision: float) -> None:
    arena = Arena((Clash(((2, 3), (3, 1))), Clash(((0, 2), (2, 0))), WIN, LOSS))
    bounds = solve_arena(arena, precision)
    check(arena, bounds)
    assert bounds.gap <= precision


@pytest.mark.parametrize(
    ("nodes", "value"),
    [
        ((Choice(Side.ONE, (0,)),), 0),
        ((Choice(Side.ONE, (0, 1)), LOSS), 0),
        ((Choice(Side.TWO, (0, 1)), WIN), 0),
        ((Choice(Side.ONE, (1, 3)), Choice(Side.TWO, (0, 2)), WIN, LOSS), 0),
        ((Clash(((0, 1), (1, 0))), WIN), 1),
        ((Clash(((0, 1), (2, 0))), WIN, LOSS), 0),
        ((Clash(((0,),)),), 0),
    ],
)
def test_endless_play_is_worth_0(nodes: tuple[Node, ...], value: int) -> None:
    """Where it is best for a side, or where nothing else is left."""
    assert value_of(Arena(nodes)) == value


def test_the_winner_gets_on() -> None:
    """Of two moves worth the same, the one that keeps going round wins nothing."""
    arena = Arena((Choice(Side.ONE, (0, 1)), Choice(Side.ONE, (0, 2, 1)), WIN))
    bounds = solved(arena)
    assert bounds.lower[:2] == (Fraction(1), Fraction(1))
    assert bounds.player1[:2] == (1, 1)


def test_a_mixture_is_widened_where_that_is_needed_to_get_on() -> None:
    """All entries are worth 1 in the end, but only the last two rows together get there."""
    arena = Arena((Clash(((0, 0), (1, 0), (0, 1))), WIN, LOSS))
    bounds = solved(arena)
    assert bounds.lower[0] == 1
    mixture = bounds.player1[0]
    assert isinstance(mixture, tuple)
    assert mixture[1] > 0 < mixture[2]


def test_chances_meant_for_the_stop_alone_can_be_left_out() -> None:
    """A risk too small to matter in one round is certain to go wrong in endless play."""
    network = network_of(Arena((Clash(((0, 1), (3, 2))), NOTHING, WIN, LOSS)))
    tiny = Decimal("1e-30")
    with localcontext(prec=100):
        risky = Guess([0] * 4, [((0, 1 - tiny), (1, tiny)), (), (), ()], [()] * 4, [Decimal(0)] * 4)
        noise, aim = Decimal("1e-90"), Decimal("1e-12")
        limit = WorkLimit(10**6)
        with_risk = guarantee_of(network, risky, Precision(noise, aim), limit)
        least = Decimal("1e-25")
        without = guarantee_of(network, risky, Precision(noise, aim, least=least), limit)
    assert with_risk is not None
    assert without is not None
    assert with_risk.values[0] < -1 + PRECISION
    assert without.values[0] > -PRECISION
    assert list(without.mixtures[0]) == [1, 0]


def test_payoffs_need_not_be_1() -> None:
    """A fair lottery, a choice between two prizes, and a threat that is never carried out."""
    arena = Arena(
        (Clash(((1, 2), (2, 1))), Ended(7), Ended(-2), Choice(Side.TWO, (0, 4)), Ended(3))
    )
    bounds = solved(arena)
    assert bounds.lower == bounds.upper
    assert bounds.lower[0] == Fraction(5, 2)
    assert bounds.lower[3] == Fraction(5, 2)


# Any arena


@st.composite
def arenas(draw: st.DrawFn, most: int = 9, clashes: int = 4) -> Arena:
    """Small arenas in which all kinds of nodes lead to each other at random."""
    size = draw(st.integers(1, most))
    target = st.integers(0, size - 1)
    ended = st.sampled_from([WIN, LOSS, WIN, LOSS, NOTHING])
    choice = st.builds(
        Choice, st.sampled_from(Side), st.lists(target, min_size=1, max_size=3).map(tuple)
    )

    @st.composite
    def clash(draw: st.DrawFn) -> Clash:
        height, width = draw(st.integers(1, clashes)), draw(st.integers(1, clashes))
        row = st.lists(target, min_size=width, max_size=width).map(tuple)
        return Clash(tuple(draw(st.lists(row, min_size=height, max_size=height))))

    node: st.SearchStrategy[Node] = ended | choice | clash() | clash()
    return Arena(tuple(draw(st.lists(node, min_size=size, max_size=size))))


@given(arenas())
def test_every_bound_is_proved_and_close(arena: Arena) -> None:
    assert solved(arena).gap < PRECISION


@given(arenas())
def test_the_mirrored_arena_is_worth_the_opposite(arena: Arena) -> None:
    """The intervals meet, and what is exact is exactly the opposite."""
    bounds, mirrored = solved(arena), solved(arena.mirrored())
    for number in range(len(arena.nodes)):
        low = max(bounds.lower[number], -mirrored.upper[number])
        high = min(bounds.upper[number], -mirrored.lower[number])
        assert low <= high
        if bounds.exact[number] and mirrored.exact[number]:
            assert low == high


@settings(max_examples=60)
@given(arenas(most=7), st.data())
def test_more_to_choose_from_never_hurts(arena: Arena, data: st.DataObject) -> None:
    """A new row, a new move or a better end for player 1 does not lower any value."""
    number = data.draw(st.integers(0, len(arena.nodes) - 1))
    target = data.draw(st.integers(0, len(arena.nodes) - 1))
    better: Node
    match arena.nodes[number]:
        case Ended():
            better = WIN
        case Choice(Side.ONE, after):
            better = Choice(Side.ONE, (*after, target))
        case Choice(Side.TWO, after):
            better = Choice(Side.TWO, after[:1])
        case Clash(rows):
            better = Clash((*rows, (target,) * len(rows[0])))
    nodes = (*arena.nodes[:number], better, *arena.nodes[number + 1 :])
    before, after_it = solved(arena), solved(Arena(nodes))
    for low, high in zip(before.lower, after_it.upper, strict=True):
        assert low <= high


def test_the_same_arena_has_the_same_bounds() -> None:
    arena = rulebook_arena("flag-chase", *battle("undercut", 4), "move.steps=1")
    assert solve_arena(arena) == solve_arena(arena)


def test_an_arena_without_nodes_has_no_bounds() -> None:
    assert solve_arena(Arena(())).lower == ()


@pytest.mark.parametrize(
    "node",
    [
        Choice(Side.ONE, ()),
        Choice(Side.ONE, (1,)),
        Choice(Side.TWO, (-1,)),
        Clash(()),
        Clash(((),)),
        Clash(((0, 0), (0,))),
    ],
)
def test_an_arena_leads_only_to_its_own_nodes(node: Node) -> None:
    with pytest.raises(ValueError, match="node 0"):
        Arena((node,))


# The work limit


@settings(max_examples=60)
@given(arenas(most=7), st.integers(0, 2000))
def test_out_of_work_the_bounds_are_still_proved(arena: Arena, steps: int) -> None:
    """A limit that is soon reached leaves wider intervals around the same values."""
    hasty = solve_arena(arena, most_steps=steps)
    check(arena, hasty)
    patient = solve_arena(arena)
    assert not patient.limited
    assert hasty.limited or (hasty.lower, hasty.upper) == (patient.lower, patient.upper)
    for number in range(len(arena.nodes)):
        assert hasty.lower[number] <= patient.upper[number]
        assert patient.lower[number] <= hasty.upper[number]


def test_more_work_makes_the_bounds_no_wider_and_the_same_work_makes_the_same_bounds() -> None:
    """At every node, up to a limit that is not reached, where all is exact."""
    arena = rulebook_arena("flag-chase", *battle("undercut", 4), *TWO_PIECES)
    before = solve_arena(arena, most_steps=0)
    for steps in (10_000, 100_000, 500_000, 2_000_000):
        bounds = solve_arena(arena, most_steps=steps)
        assert bounds == solve_arena(arena, most_steps=steps)
        assert bounds.limited == (bounds.gap > 0)
        assert bounds.gap < before.gap
        assert all(new >= old for new, old in zip(bounds.lower, before.lower, strict=True))
        assert all(new <= old for new, old in zip(bounds.upper, before.upper, strict=True))
        before = bounds
    assert before.gap == 0


def test_decimals_and_linear_systems_are_counted_by_their_size() -> None:
    """Longer numbers, and more states that hang together, are more work."""

    def work(size: int, one: Real) -> int:
        limit = WorkLimit(0)
        rows = [{(state + 1) % size: one / 2, (state + 7) % size: one / 4} for state in range(size)]
        solve_rows(rows, [one] * size, [one / 4] * size, limit)
        return limit.done

    assert work(40, 1.0) < work(80, 1.0) < work(2000, 1.0)
    with localcontext(prec=100):
        short = work(40, Decimal(1))
    with localcontext(prec=1000):
        long = work(40, Decimal(1))
    assert work(40, 1.0) < short < long


def test_no_clock_is_read_to_solve_a_game() -> None:
    """So no figure depends on how fast the machine is, or how busy."""
    code = (
        "import sys, time\n"
        "import numpy, scipy.sparse.linalg\n"
        "def clock(): raise SystemExit('a clock was read')\n"
        "for name in ('monotonic', 'perf_counter', 'process_time', 'thread_time', 'time'):\n"
        "    setattr(time, name, clock)\n"
        "    setattr(time, name + '_ns', clock)\n"
        "from lineduel.engine import Game\n"
        "from lineduel.rulebooks import find_rulebook\n"
        "from lineduel.rules import apply_changes\n"
        "from lineduel.rules.assignments import parse_assignments\n"
        "from lineduel.solve import solve\n"
        "for address in ('flag-chase', 'ctf-tokens'):\n"
        "    rulebook = apply_changes(find_rulebook(address), parse_assignments(sys.argv[1:]))\n"
        "    solve(Game(rulebook))\n"
        "    sys.argv[1:] = []\n"
    )
    changes = (*battle("undercut", 4), *TWO_PIECES, "move.steps=1,2")
    done = subprocess.run([sys.executable, "-c", code, *changes], check=False)
    assert done.returncode == 0


def hasty(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game, and a solver that reaches its work limit there."""
    few = partial(solve_arena, most_steps=1000)
    monkeypatch.setattr("lineduel.solve.battles.solve_arena", few)
    changes = parse_assignments((*battle("undercut", 4), *TWO_PIECES))
    return Game(apply_changes(find_rulebook("flag-chase"), changes))


def test_what_reached_the_limit_is_solved_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is not kept as if it were the last word; what did not reach it is kept."""
    cache = Cache(tmp_path)
    with monkeypatch.context() as patched:
        game = hasty(patched)
        cut_short = solve(game, cache=cache)
        assert cut_short.limited
        assert cut_short.value(game.start()).high > Fraction(5, 1123)
    whole = solve(game, cache=cache)
    assert not whole.limited
    assert whole.value(game.start()) == Value(Fraction(5, 1123), Fraction(5, 1123))
    hasty(monkeypatch)
    assert solve(game, cache=cache).value(game.start()) == whole.value(game.start())


def test_solve_says_that_the_limit_was_reached(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = "The work limit was reached: tighter bounds may exist."
    command = ["solve", "flag-chase", "--no-cache"]
    for change in (*battle("undercut", 4), *TWO_PIECES):
        command += ["--set", change]
    for reached in (False, True):
        if reached:
            hasty(monkeypatch)
        main(command)
        assert (sentence in capsys.readouterr().out.splitlines()) == reached
        main([*command, "--json"])
        assert json.loads(capsys.readouterr().out).get("limited") == (True if reached else None)


# Brute force


@st.composite
def tiny_arenas(draw: st.DrawFn) -> Arena:
    """One clash of two by two, one choice of each side, and two ends."""
    target = st.integers(0, 4)
    pair = st.tuples(target, target)
    return Arena(
        (
            Clash(draw(st.tuples(pair, pair))),
            Choice(Side.ONE, draw(pair)),
            Choice(Side.TWO, draw(pair)),
            WIN,
            draw(st.sampled_from([LOSS, NOTHING])),
        )
    )


GRID = [Fraction(part, 8) for part in range(9)]


def secured(arena: Arena) -> list[Fraction]:
    """The most that player 1 makes sure of at each node with probabilities from a grid."""
    clash, *choices = arena.nodes[:3]
    assert isinstance(clash, Clash)
    menus = {
        node.side: (number, node.after)
        for number, node in enumerate(choices, start=1)
        if isinstance(node, Choice)
    }
    (mine, moves), (theirs, replies) = menus[Side.ONE], menus[Side.TWO]
    best = [Fraction(-1)] * len(arena.nodes)
    for p, move in product(GRID, moves):
        worst = [Fraction(1)] * len(arena.nodes)
        for column, reply in product(zip(*clash.after, strict=True), replies):
            chain = [[Fraction(0)] * len(arena.nodes) for _ in range(3)]
            chain[0][column[0]] += p
            chain[0][column[1]] += 1 - p
            chain[mine][move] = chain[theirs][reply] = Fraction(1)
            worst = list(map(min, worst, paid(arena, chain)))
        best = list(map(max, best, worst))
    return best


def paid(arena: Arena, chain: list[list[Fraction]]) -> list[Fraction]:
    """What a chain pays on average from each state; states are struck out one by one."""
    ends = [Fraction(node.payoff) for node in arena.nodes if isinstance(node, Ended)]
    for state, line in enumerate(chain):
        stays, line[state] = line[state], Fraction(0)
        if stays != 1:
            line[:] = [chance / (1 - stays) for chance in line]
        for other in chain:
            along = other[state]
            other[state] = Fraction(0)
            for target, chance in enumerate(line):
                other[target] += along * chance
    paid_there = [sum(map(mul, line[len(chain) :], ends), Fraction(0)) for line in chain]
    return [*paid_there, *ends]


@given(tiny_arenas())
def test_brute_force_agrees(arena: Arena) -> None:
    """All play with probabilities in eighths, against all pure replies, on both sides."""
    bounds = solved(arena)
    most, least = secured(arena), secured(arena.mirrored())
    for number in range(len(arena.nodes)):
        assert most[number] <= bounds.upper[number]
        assert bounds.lower[number] <= -least[number]
        if most[number] == -least[number]:
            assert bounds.lower[number] == bounds.upper[number] == most[number]
