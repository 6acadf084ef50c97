"""A game as arrays says what the engine, the solver and each player say position by position."""

import subprocess
import sys
from array import array
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st
from numpy.typing import NDArray

from lineduel.engine import Game, Position
from lineduel.errors import TooLarge
from lineduel.graph.chain import Absorption, absorb, absorb_equals, absorb_pairs, joint_chances
from lineduel.graph.explore import explore_by_engine, explore_compiled
from lineduel.graph.game_graph import BATTLE, Columns, GameGraph
from lineduel.graph.retrograde import NOT_FORCED, forced_wins
from lineduel.players import Policy
from lineduel.players.levels import Level, table_of_level
from lineduel.players.perfect import Fallible, Perfect
from lineduel.players.policy import policy_table, written_out
from lineduel.players.skills import LEVELS
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Meeting, Movement, Piece, Rulebook, Side, Team, Track, apply_changes
from lineduel.solve.solver import solve_plainly
from oracles.sparse_chain import sparse_result
from support.repetition import for_games
from support.solved import graph_of
from support.strategies import ALL_GAMES, rulebooks

GAMES = tuple(game for game in ALL_GAMES if find_rulebook(game).rules.battle is None)
BATTLES = tuple(game for game in ALL_GAMES if find_rulebook(game).rules.battle is not None)
THREE = (1, 4, 8)
LARGE = 1500
"""More positions than a random rulebook may have here."""
FEW = 300
"""Positions up to which a random game with battles is solved here."""

random_games = settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


def small(rulebook: Rulebook, side: Side) -> GameGraph:
    game = Game(rulebook)
    try:
        return explore_by_engine(game, game.start(side), FEW if rulebook.rules.battle else LARGE)
    except TooLarge:
        assume(False)
        raise


def compiled(graph: GameGraph) -> GameGraph:
    """The same game, explored by compiled code where that can be done."""
    return explore_compiled(Game(graph.game.rulebook), graph.positions[0])


def assert_same_graph(graph: GameGraph) -> None:
    """Every position, its mover, its winner and where its moves lead, number by number."""
    made = compiled(graph)
    assert made.compiled
    assert list(made.positions) == graph.positions
    assert made.successors == graph.successors
    for name in ("first", "after", "origin", "mover", "winner", "battles"):
        assert np.array_equal(getattr(made, name), getattr(graph, name)), name


def assert_same_forced_wins(graph: GameGraph) -> None:
    """Plain and compiled code find what the solver says."""
    plain, by_compiler = graph.forced_wins, compiled(graph).forced_wins
    solution = solve_plainly(graph)
    for number, position in enumerate(graph.positions):
        value = solution.value(position)
        forced = value.winner or 0, NOT_FORCED if value.plies is None else value.plies
        assert (plain.winner[number], plain.plies[number]) == forced, position
        assert (by_compiler.winner[number], by_compiler.plies[number]) == forced, position


def assert_same_policies(graph: GameGraph, levels: tuple[int, ...]) -> None:
    """Written out at once, by plain and compiled code, and asked one by one: no digit differs."""
    made, solution = compiled(graph), solve_plainly(graph)
    policies: list[Policy] = [Level(level, solution) for level in levels]
    for policy in (*policies, Fallible(solution), Perfect(solution)):
        one_by_one = written_out(policy, graph)
        for at_once in (policy_table(policy, graph), policy_table(policy, made)):
            assert np.array_equal(at_once.moves, one_by_one.moves), policy.name
            assert np.array_equal(at_once.numbers, one_by_one.numbers), policy.name


def assert_same_result(
    graph: GameGraph, chances: NDArray[np.float64], start: int = 0
) -> Absorption:
    """A chain ends as the sparse linear system says."""
    found = absorb(graph.first, graph.after, graph.winner, chances, start)
    expected = sparse_result(graph, chances, start)
    assert found.result[:3] == pytest.approx(expected[:3], abs=1e-10)
    plies = found.result.plies
    if expected.plies is None or expected.win1 + expected.win2 < 1e-6:
        assert plies is None or expected.plies is not None
    else:
        assert plies == pytest.approx(expected.plies, rel=1e-7)
    return found


def assert_consistent(graph: GameGraph, chances: NDArray[np.float64], met: Absorption) -> None:
    """Wins and visits are those of a plain dense system."""
    size, over = len(graph.winner), graph.winner > 0
    step = np.zeros((size, size))
    np.add.at(step, (graph.origin, graph.after), chances)
    can_end = over.copy()
    reached = np.arange(size) == 0
    for _ in range(size):
        can_end |= (step[:, can_end] > 0).any(axis=1)
        reached |= (step[reached] > 0).any(axis=0)
    inside = np.flatnonzero(can_end & ~over & reached)
    system = np.eye(len(inside)) - step[np.ix_(inside, inside)]
    for number, row in enumerate(met.wins):
        ended = (graph.winner == number + 1).astype(float)
        wins = np.linalg.solve(system, step[inside] @ ended)
        assert row[inside] == pytest.approx(wins, abs=1e-9)
        assert np.array_equal(row[over & reached], ended[over & reached])
        assert not row[reached & ~can_end].any()
    visits = np.linalg.solve(system.T, (inside == 0).astype(float))
    assert met.visits[inside] == pytest.approx(visits, rel=1e-8, abs=1e-9)
    assert met.visits[over].sum() == pytest.approx(met.result.win1 + met.result.win2)
    assert not met.visits[~can_end].any()


# The graph


@pytest.mark.parametrize("name", ALL_GAMES)
def test_a_shipped_game_is_explored_alike_by_engine_and_compiled_code(name: str) -> None:
    """Numbers, moves and winners are the same, in the same order."""
    assert_same_graph(graph_of(name))


@random_games
@given(rulebooks(), st.sampled_from(list(Side)))
def test_a_random_game_is_explored_alike(rulebook: Rulebook, side: Side) -> None:
    assert_same_graph(small(rulebook, side))


@random_games
@given(rulebooks(), st.data())
def test_exploring_can_start_anywhere(rulebook: Rulebook, data: st.DataObject) -> None:
    """Also where the game is over, pieces are captured or like pieces have changed places."""
    graph = small(rulebook, Side.ONE)
    start = data.draw(st.sampled_from(graph.positions))
    swapped = start
    if rulebook.rules.meet.enemy not in (Meeting.SENT_HOME, Meeting.BATTLE):
        swapped = Position(start.player1[::-1], start.player2[::-1], start.side)
    assert_same_graph(explore_by_engine(graph.game, swapped, LARGE))


@pytest.mark.parametrize("name", ["cross-over", "flag-chase"])
def test_a_graph_that_is_too_large_is_refused(name: str) -> None:
    game = Game(find_rulebook(name))
    size = len(graph_of(name))
    for search in (explore_by_engine, explore_compiled):
        assert len(search(game, game.start(), size)) == size
        with pytest.raises(TooLarge):
            search(game, game.start(), size - 1)


def test_the_largest_armies_fit() -> None:
    """Eight pieces a side on 64 cells: a code for a position needs more bits than a number has."""
    rulebook = find_rulebook("cross-over")
    camps = range(-20, -12), range(43, 35, -1)
    teams = [
        Team(
            pieces=tuple(Piece(f"{name}{home}", home) for home in camp),
            goal=(goal,),
        )
        for name, camp, goal in (("A", camps[0], 43), ("B", camps[1], -20))
    ]
    changed = replace(
        rulebook.rules,
        track=Track(first=-20, last=43),
        player1=teams[0],
        player2=teams[1],
        movement=Movement(steps=(60,)),
    )
    game = Game(replace(rulebook, rules=changed))
    assert_same_graph(explore_by_engine(game, game.start(), 20_000))


# Forced wins and policies


@pytest.mark.parametrize("name", ALL_GAMES)
def test_forced_wins_of_a_shipped_game_are_the_solver_s(name: str) -> None:
    assert_same_forced_wins(graph_of(name))


@random_games
@given(rulebooks(), st.sampled_from(list(Side)))
def test_forced_wins_of_a_random_game_are_the_solver_s(rulebook: Rulebook, side: Side) -> None:
    assert_same_forced_wins(small(rulebook, side))


@pytest.mark.parametrize("name", ["blockade-duel", "ctf-soldiers", "flag-chase"])
def test_every_player_is_written_out_as_it_plays(name: str) -> None:
    assert_same_policies(graph_of(name), LEVELS)


@settings(random_games, max_examples=60)
@given(rulebooks())
def test_players_are_written_out_as_they_play_a_random_game(rulebook: Rulebook) -> None:
    assert_same_policies(small(rulebook, Side.ONE), LEVELS)


# Chains


@for_games("name")
def test_all_pairs_at_once_are_each_pair_alone(name: str) -> None:
    """Three levels against one another; the lengths are those of equals."""
    graph = compiled(graph_of(name))
    tables = [table_of_level(level, graph) for level in THREE]
    equals = [absorb_equals(graph, same) for same in tables]
    pairs = [(one, two) for one in range(len(tables)) for two in range(len(tables))]
    results = dict(zip(pairs, absorb_pairs(graph, tables, pairs), strict=True))
    assert absorb_pairs(graph, tables, pairs[:-2]) == [results[pair] for pair in pairs[:-2]]
    for at, (same, play) in enumerate(zip(tables, equals, strict=True)):
        alone = assert_same_result(graph, joint_chances(graph, same, same))
        assert play.result == results[at, at]
        assert play.visits == pytest.approx(alone.visits, abs=1e-9)
        assert play.wins == pytest.approx(alone.wins, abs=1e-12)
    for one, player1 in enumerate(tables):
        for two, player2 in enumerate(tables):
            alone = assert_same_result(graph, joint_chances(graph, player1, player2))
            assert results[one, two][:3] == pytest.approx(alone.result[:3], abs=1e-12)
            plies = alone.result.plies if one == two else None
            assert results[one, two].plies == pytest.approx(plies, rel=1e-12)


@random_games
@given(rulebooks(), st.integers(0, 1 << 16), st.sampled_from([0.0, 0.5, 0.9]))
def test_any_chain_ends_as_a_linear_system_says(
    rulebook: Rulebook, seed: int, never: float
) -> None:
    """Random play in which some moves are never made: recurrent classes, and loops."""
    graph = small(rulebook, Side.ONE)
    assume(len(graph) <= 400)
    chances = drawn(graph, seed, never)
    met = assert_same_result(graph, chances)
    assert_consistent(graph, chances, met)


@pytest.mark.parametrize("name", BATTLES)
def test_chains_through_battles_end_so_too(name: str) -> None:
    graph = graph_of(name)
    chances = drawn(graph, 7, 0.3)
    met = assert_same_result(graph, chances)
    if len(graph) < 1000:
        assert_consistent(graph, chances, met)


def test_a_chain_knows_what_cannot_come_up_only_when_asked() -> None:
    graph = graph_of("blockade-duel")
    chances = drawn(graph, 3, 0.6)
    arrays = graph.first, graph.after, graph.winner, chances
    near, far = absorb(*arrays), absorb(*arrays, everywhere=True)
    for number in range(len(graph)):
        there = absorb(*arrays, number).result
        assert far.wins[:, number].tolist() == pytest.approx([there.win1, there.win2])
    assert (near.wins <= far.wins).all()
    assert near.visits == pytest.approx(far.visits)


def test_an_end_that_is_too_unlikely_for_a_number_is_no_end() -> None:
    """Two chances of 1e-200 after each other are rounded to none at all."""
    first, after = np.array([0, 2, 3, 5, 5]), np.array([1, 2, 1, 1, 3])
    chances = np.array([1.0, 1e-200, 1.0, 1.0, 1e-200])
    winner = np.array([0, 0, 0, 1], np.int8)
    result = absorb(first, after, winner, chances).result
    assert (result.win1, result.win2, result.endless) == (0.0, 0.0, 1.0)


def test_long_play_loses_no_digits() -> None:
    """A walk that comes back nearly always: a million million plies, right to the last digits."""
    rare = 1e-12
    first, after = np.array([0, 2, 4, 4, 4]), np.array([1, 2, 0, 3])
    chances = np.array([1 - rare, rare, 1 - 3 * rare, 3 * rare])
    winner = np.array([0, 0, 1, 2], np.int8)
    result = absorb(first, after, winner, chances).result
    assert result.win1 == pytest.approx(1 / (4 - 3 * rare), rel=1e-14)
    assert result.plies == pytest.approx((2 - rare) / (rare * (4 - 3 * rare)), rel=1e-12)


def test_play_that_goes_round_for_ever_so_long_loses_no_digits() -> None:
    """Too many positions to be eliminated at once, and too long a play for iteration."""
    size, rare = 40, 1e-13
    first = np.append(np.arange(size), [size + 2] * 3)
    after = np.append(np.arange(1, size + 2), 0)
    chances = np.append(np.ones(size - 1), [rare, 3 * rare, 1 - 4 * rare])
    winner = np.append(np.zeros(size, np.int8), np.array([1, 2], np.int8))
    met = absorb(first, after, winner, chances)
    assert met.result[:2] == pytest.approx((0.25, 0.75), rel=1e-13)
    assert met.result.plies == pytest.approx(size / (4 * rare), rel=1e-13)
    assert met.visits[:size] == pytest.approx(1 / (4 * rare), rel=1e-13)


def test_who_cannot_win_has_no_chance_at_all() -> None:
    """Not even a rounding error's: positions go round, and all ends are wins of one side."""
    graph = graph_of("ctf-soldiers")
    chances = drawn(graph, 5, 0.0)
    for side in Side:
        winner = np.where(graph.winner > 0, np.int8(side), np.int8(0))
        met = absorb(graph.first, graph.after, winner, chances)
        assert met.result[:2] == ((1.0, 0.0) if side is Side.ONE else (0.0, 1.0))
        assert set(np.unique(met.wins).tolist()) == {0.0, 1.0}


def test_what_cannot_be_computed_is_refused() -> None:
    """A component that is too large, in which play stays too long for any bound on the error."""
    size, rare = 6000, 1e-15
    first = np.append(np.arange(size), [size + 1] * 2)
    after = np.append(np.arange(1, size + 1), 0)
    chances = np.append(np.ones(size - 1), [rare, 1 - rare])
    winner = np.append(np.zeros(size, np.int8), np.array([1], np.int8))
    with pytest.raises(TooLarge, match="come back"):
        absorb(first, after, winner, chances)


# What is imported


@pytest.mark.parametrize(
    ("doing", "absent"),
    [
        ("solve(game)", {"numpy", "numba"}),
        ("Perfect(solve(game)).moves(game.start())", {"numba"}),
    ],
)
def test_small_games_are_solved_without_the_compiler(doing: str, absent: set[str]) -> None:
    """A hint does not wait for Numba to be imported, nor a solution for NumPy."""
    program = f"""
import sys
from lineduel.engine import Game
from lineduel.players.perfect import Perfect
from lineduel.rulebooks import find_rulebook
from lineduel.solve import solve
game = Game(find_rulebook("blockade-duel:from-bases-no-jump"))
{doing}
print(*{absent!r} & set(sys.modules))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.returncode, run.stdout.strip()) == (0, ""), run.stderr


def test_all_of_it_works_without_numba() -> None:
    """Slowly, and with the same figures."""
    program = """
import sys, warnings
sys.modules["numba"] = None
import importlib.util as util
find = util.find_spec
util.find_spec = lambda name, *rest: None if name == "numba" else find(name, *rest)
warnings.simplefilter("error")
from tablebase.test_graph import figures
print(figures())
"""
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    assert (run.returncode, run.stdout.strip()) == (0, figures()), run.stderr


def figures() -> str:
    """What comes of two levels in a tiny game in which play goes round."""
    changes = {
        "track": {"last": 4},
        "player1": {"pieces": {"A": 0, "B": 0}, "goal": [4]},
        "player2": {"pieces": {"C": 4}, "goal": [0]},
    }
    graph = explore_compiled(Game(apply_changes(find_rulebook("ctf-soldiers"), changes)))
    tables = [table_of_level(level, graph) for level in (1, 4)]
    results = absorb_pairs(graph, tables, [(0, 0), (0, 1), (1, 0), (1, 1)])
    return str(np.array(results, float).round(9).tolist())


def drawn(graph: GameGraph, seed: int, never: float) -> NDArray[np.float64]:
    """Random chances of all choices, some of them 0 but never all of a position's."""
    rng = np.random.default_rng(seed)
    chances = rng.random(len(graph.after)) * (rng.random(len(graph.after)) >= never)
    opens = np.flatnonzero(np.diff(graph.first))
    chances[graph.first[opens]] += 0.01
    totals = np.bincount(graph.origin, chances, len(graph.winner))
    made: NDArray[np.float64] = chances / totals[graph.origin]
    return made


def forced_naively(
    first: list[int], after: list[int], mover: list[int], ended: list[int], numbers: int
) -> list[tuple[int, int]]:
    """The winner and the plies of each position, found by asking again until nothing changes."""
    found = [(winner, 0) if winner else (0, NOT_FORCED) for winner in ended]
    for plies in range(1, len(mover) + 2):
        new = list(found)
        for at, who in enumerate(mover):
            reached = [found[to] for to in after[first[at] : first[at + 1]]]
            rows = [reached[row * numbers : (row + 1) * numbers] for row in range(numbers)]
            for side in (1, 2):
                if who == BATTLE:
                    lines = rows if side == 1 else list(zip(*rows, strict=True))
                    wins = any(all(one[0] == side for one in line) for line in lines)
                else:
                    wins = bool(reached) and (any if who == side else all)(
                        one[0] == side for one in reached
                    )
                if found[at][0] == 0 and wins:
                    new[at] = side, plies
        found = new
    return found


@pytest.mark.parametrize("seed", range(40))
def test_forced_wins_of_any_graph_are_found(seed: int) -> None:
    """Also where a battle is no contest of numbers: each pair may lead anywhere."""
    chance, size, numbers = Random(seed), 14, 2
    first, after, mover, ended = [0], list[int](), list[int](), list[int]()
    for _ in range(size):
        kind = chance.choice((1, 2, BATTLE, "over", "over"))
        mover.append(chance.choice((1, 2)) if kind == "over" else int(kind))
        ended.append(chance.choice((1, 2)) if kind == "over" else 0)
        choices = {"over": 0, BATTLE: numbers * numbers}.get(kind, chance.randint(1, 3))
        after += [chance.randrange(size) for _ in range(choices)]
        first.append(len(after))
    columns = Columns(array("q", first), array("q", after), array("b", mover), array("b", ended))
    for compiled in (False, True):
        found = forced_wins(columns, numbers, compiled=compiled)
        pairs = [(int(one), int(plies)) for one, plies in zip(*found, strict=True)]
        assert pairs == forced_naively(first, after, mover, ended, numbers)
