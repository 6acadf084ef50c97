"""Small rulebooks as arrays say what the engine, the solver and the arena say one by one."""

import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lineduel.arena.atlas import Atlas, lay_out, survey, together, write_out
from lineduel.arena.chain import absorb
from lineduel.batch import ENDLESS, Chart, Meeting, chart, meet, sheet, study, values
from lineduel.engine import Game, Position
from lineduel.errors import TooLarge
from lineduel.players.levels import Level
from lineduel.players.skills import LEVELS, SKILLS
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Meeting as Word
from lineduel.rules import Movement, Piece, Rulebook, Side, Team, Track, apply_changes
from lineduel.solve.graph import Graph, explore
from lineduel.solve.solver import solve_plainly
from strategies import ALL_GAMES, rulebooks

GAMES = tuple(game for game in ALL_GAMES if find_rulebook(game).rules.battle is None)
BATTLES = tuple(game for game in ALL_GAMES if find_rulebook(game).rules.battle is not None)
THREE = (1, 4, 8)
LARGE = 1500
"""More positions than a random rulebook may have here."""

peaceful = rulebooks().filter(lambda rulebook: rulebook.rules.battle is None)
random_games = settings(
    max_examples=200, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@cache
def explored(name: str) -> Graph:
    game = Game(find_rulebook(name))
    return explore(game, game.start(), 50_000)


def small(rulebook: Rulebook, side: Side) -> Graph:
    game = Game(rulebook)
    try:
        return explore(game, game.start(side), LARGE)
    except TooLarge:
        assume(False)
        raise


def charted(graph: Graph) -> Chart:
    return chart(graph.game.rules, graph.positions[0])


def assert_same_chart(graph: Graph) -> None:
    """Every position, its mover, its winner and where its moves lead, number by number."""
    made, atlas = charted(graph), lay_out(graph)
    assert [made.position(number) for number in range(len(made))] == graph.positions
    for name in ("first", "after", "origin", "mover", "winner"):
        assert np.array_equal(getattr(made, name), getattr(atlas, name)), name


def assert_same_values(graph: Graph) -> None:
    made = values(charted(graph))
    solution = solve_plainly(graph)
    for number, position in enumerate(graph.positions):
        value = solution.value(position)
        assert made.winner[number] == (value.winner or 0), position
        assert made.plies[number] == (ENDLESS if value.plies is None else value.plies), position


def assert_same_levels(graph: Graph, levels: tuple[int, ...]) -> None:
    made, atlas, solution = charted(graph), lay_out(graph), solve_plainly(graph)
    known = values(made)
    for level in levels:
        skill = SKILLS[level]
        by_policy = write_out(Level(level, solution), atlas).turns
        by_batch = sheet(made, known, skill.sight, skill.haste)
        assert np.abs(by_batch - by_policy).max(initial=0.0) < 1e-12


def assert_same_result(atlas: Atlas, chances: NDArray[np.float64], start: int = 0) -> Meeting:
    """The pairing is what the arena's linear system says."""
    met = meet(atlas.first, atlas.after, atlas.winner, chances, start)
    expected = absorb(atlas, chances, start)
    for one, other in (
        (met.win1, expected.win1),
        (met.win2, expected.win2),
        (met.endless, expected.endless),
    ):
        assert one == pytest.approx(other, abs=1e-10)
    if expected.plies is None or expected.win1 + expected.win2 < 1e-6:
        assert met.plies is None or expected.plies is not None
    else:
        assert met.plies == pytest.approx(expected.plies, rel=1e-7)
    return met


def assert_consistent(atlas: Atlas, chances: NDArray[np.float64], met: Meeting) -> None:
    """Wins and visits are those of a plain dense system."""
    size, over = len(atlas.winner), atlas.winner > 0
    step = np.zeros((size, size))
    np.add.at(step, (atlas.origin, atlas.after), chances)
    can_end = over.copy()
    reached = np.arange(size) == 0
    for _ in range(size):
        can_end |= (step[:, can_end] > 0).any(axis=1)
        reached |= (step[reached] > 0).any(axis=0)
    inside = np.flatnonzero(can_end & ~over & reached)
    system = np.eye(len(inside)) - step[np.ix_(inside, inside)]
    for number, row in enumerate(met.wins):
        ended = (atlas.winner == number + 1).astype(float)
        wins = np.linalg.solve(system, step[inside] @ ended)
        assert row[inside] == pytest.approx(wins, abs=1e-9)
        assert np.array_equal(row[over & reached], ended[over & reached])
        assert not row[reached & ~can_end].any()
    visits = np.linalg.solve(system.T, (inside == 0).astype(float))
    assert met.visits[inside] == pytest.approx(visits, rel=1e-8, abs=1e-9)
    assert met.visits[over].sum() == pytest.approx(met.win1 + met.win2)
    assert not met.visits[~can_end].any()


# The chart


@pytest.mark.parametrize("name", GAMES)
def test_a_shipped_game_is_charted_as_it_is_explored(name: str) -> None:
    """Numbers, moves and winners are those of the engine, in the same order."""
    assert_same_chart(explored(name))


@random_games
@given(peaceful, st.sampled_from(list(Side)))
def test_a_random_game_is_charted_as_it_is_explored(rulebook: Rulebook, side: Side) -> None:
    assert_same_chart(small(rulebook, side))


@random_games
@given(peaceful, st.data())
def test_a_chart_can_start_anywhere(rulebook: Rulebook, data: st.DataObject) -> None:
    """Also where the game is over, pieces are captured or like pieces have changed places."""
    graph = small(rulebook, Side.ONE)
    start = data.draw(st.sampled_from(graph.positions))
    swapped = Position(start.player1, start.player2, start.side)
    if rulebook.rules.meet.enemy is not Word.SENT_HOME:
        swapped = Position(start.player1[::-1], start.player2[::-1], start.side)
    assert_same_chart(explore(graph.game, swapped, LARGE))


def test_a_chart_that_is_too_large_is_refused() -> None:
    rules = find_rulebook("cross-over").rules
    start = Game(find_rulebook("cross-over")).start()
    size = len(chart(rules, start))
    assert len(chart(rules, start, size)) == size
    for refuse in (lambda: chart(rules, start, size - 1), lambda: study(rules, start, [], 100)):
        with pytest.raises(TooLarge):
            refuse()


def test_battles_are_refused() -> None:
    game = Game(find_rulebook("flag-chase"))
    with pytest.raises(ValueError, match="Battles"):
        chart(game.rules, game.start())


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
    assert_same_chart(explore(game, game.start(), 20_000))


# Values and levels


@pytest.mark.parametrize("name", GAMES)
def test_a_shipped_game_is_solved_as_by_the_solver(name: str) -> None:
    assert_same_values(explored(name))


@settings(random_games, max_examples=100)
@given(peaceful, st.sampled_from(list(Side)))
def test_a_random_game_is_solved_as_by_the_solver(rulebook: Rulebook, side: Side) -> None:
    assert_same_values(small(rulebook, side))


@pytest.mark.parametrize("name", ["blockade-duel", "ctf-soldiers"])
def test_every_level_plays_as_it_does_elsewhere(name: str) -> None:
    assert_same_levels(explored(name), LEVELS)


@settings(random_games, max_examples=60)
@given(peaceful)
def test_levels_play_a_random_game_as_they_do_elsewhere(rulebook: Rulebook) -> None:
    assert_same_levels(small(rulebook, Side.ONE), LEVELS)


# Pairings


@pytest.mark.parametrize("name", GAMES)
def test_a_study_of_a_shipped_game_is_its_ladder(name: str) -> None:
    """Three levels against one another, as in the arena."""
    graph = explored(name)
    atlas, solution = lay_out(graph), solve_plainly(graph)
    skills = [(SKILLS[level].sight, SKILLS[level].haste) for level in THREE]
    made = study(graph.game.rules, graph.positions[0], skills)
    sheets = [write_out(Level(level, solution), atlas) for level in THREE]
    for one, sheet1 in enumerate(sheets):
        for two, sheet2 in enumerate(sheets):
            met = assert_same_result(atlas, together(atlas, sheet1, sheet2))
            again = made.pairings.meeting(one, two)
            for field in ("win1", "win2", "endless"):
                assert getattr(again, field) == pytest.approx(getattr(met, field), abs=1e-12)
            assert again.visits == pytest.approx(met.visits, abs=1e-9)
            assert again.wins == pytest.approx(met.wins, abs=1e-12)


@settings(random_games, max_examples=100)
@given(peaceful, st.integers(0, 1 << 16), st.sampled_from([0.0, 0.5, 0.9]))
def test_any_chances_meet_as_in_the_arena(rulebook: Rulebook, seed: int, never: float) -> None:
    """Random play in which some moves are never made: parts that never end, and loops."""
    atlas = lay_out(small(rulebook, Side.ONE))
    assume(len(atlas) <= 400)
    chances = drawn(atlas, seed, never)
    met = assert_same_result(atlas, chances)
    assert_consistent(atlas, chances, met)


@pytest.mark.parametrize("name", BATTLES)
def test_battles_can_be_met_too(name: str) -> None:
    """A pairing needs no more than arrays, wherever they come from."""
    atlas = survey(Game(find_rulebook(name)))
    chances = drawn(atlas, 7, 0.3)
    met = assert_same_result(atlas, chances)
    if len(atlas) < 1000:
        assert_consistent(atlas, chances, met)


def test_a_meeting_knows_what_cannot_come_up_only_when_asked() -> None:
    atlas = survey(Game(find_rulebook("blockade-duel")))
    chances = drawn(atlas, 3, 0.6)
    arrays = atlas.first, atlas.after, atlas.winner, chances
    near, far = meet(*arrays), meet(*arrays, everywhere=True)
    for number in range(len(atlas)):
        there = meet(*arrays, number)
        assert far.wins[:, number].tolist() == pytest.approx([there.win1, there.win2])
    assert (near.wins <= far.wins).all()
    assert near.visits == pytest.approx(far.visits)


def test_long_play_loses_no_digits() -> None:
    """A walk that comes back nearly always: a million million plies, told to the last digits."""
    rare = 1e-12
    first, after = np.array([0, 2, 4, 4, 4]), np.array([1, 2, 0, 3])
    chances = np.array([1 - rare, rare, 1 - 3 * rare, 3 * rare])
    winner = np.array([0, 0, 1, 2], np.int8)
    met = meet(first, after, winner, chances)
    assert met.win1 == pytest.approx(1 / (4 - 3 * rare), rel=1e-14)
    assert met.plies == pytest.approx((2 - rare) / (rare * (4 - 3 * rare)), rel=1e-12)


def test_play_that_goes_round_for_ever_so_long_loses_no_digits() -> None:
    """Too many positions for the shortest way, and too long a play for the quickest."""
    size, rare = 40, 1e-13
    first = np.append(np.arange(size), [size + 2] * 3)
    after = np.append(np.arange(1, size + 2), 0)
    chances = np.append(np.ones(size - 1), [rare, 3 * rare, 1 - 4 * rare])
    winner = np.append(np.zeros(size, np.int8), np.array([1, 2], np.int8))
    met = meet(first, after, winner, chances)
    assert (met.win1, met.win2) == pytest.approx((0.25, 0.75), rel=1e-13)
    assert met.plies == pytest.approx(size / (4 * rare), rel=1e-13)
    assert met.visits[:size] == pytest.approx(1 / (4 * rare), rel=1e-13)


def test_who_cannot_win_has_no_chance_at_all() -> None:
    """Not even a rounding error's: positions go round, and all ends are wins of one side."""
    atlas = survey(Game(find_rulebook("ctf-soldiers")))
    chances = drawn(atlas, 5, 0.0)
    for side in Side:
        winner = np.where(atlas.winner > 0, np.int8(side), np.int8(0))
        met = meet(atlas.first, atlas.after, winner, chances)
        assert (met.win1, met.win2) == ((1.0, 0.0) if side is Side.ONE else (0.0, 1.0))
        assert set(np.unique(met.wins).tolist()) == {0.0, 1.0}


def test_what_cannot_be_computed_is_refused() -> None:
    """A part that is too large, in which play stays too long for any bound on the error."""
    size, rare = 6000, 1e-15
    first = np.append(np.arange(size), [size + 1] * 2)
    after = np.append(np.arange(1, size + 1), 0)
    chances = np.append(np.ones(size - 1), [rare, 1 - rare])
    winner = np.append(np.zeros(size, np.int8), np.array([1], np.int8))
    with pytest.raises(TooLarge, match="come back"):
        meet(first, after, winner, chances)


# Without the compiler


def test_all_of_it_works_without_numba() -> None:
    """Slowly, and with the same figures."""
    program = """
import sys, warnings
sys.modules["numba"] = None
import importlib.util as util
find = util.find_spec
util.find_spec = lambda name, *rest: None if name == "numba" else find(name, *rest)
warnings.simplefilter("error")
from test_batch import figures
print(figures())
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parent
    )
    assert (run.returncode, run.stdout.strip()) == (0, figures()), run.stderr


def figures() -> str:
    """What comes of two levels in a tiny game in which play goes round."""
    changes = {
        "track": {"last": 4},
        "player1": {"pieces": {"A": 0, "B": 0}, "goal": [4]},
        "player2": {"pieces": {"C": 4}, "goal": [0]},
    }
    game = Game(apply_changes(find_rulebook("ctf-soldiers"), changes))
    made = study(game.rules, game.start(), [(0, 0.0), (3, 0.2)])
    return str(made.pairings.scores.round(9).tolist())


def drawn(atlas: Atlas, seed: int, never: float) -> NDArray[np.float64]:
    """Random chances of all choices, some of them 0 but never all of a position's."""
    rng = np.random.default_rng(seed)
    chances = rng.random(len(atlas.after)) * (rng.random(len(atlas.after)) >= never)
    opens = np.flatnonzero(np.diff(atlas.first))
    chances[atlas.first[opens]] += 0.01
    totals = np.bincount(atlas.origin, chances, len(atlas.winner))
    made: NDArray[np.float64] = chances / totals[atlas.origin]
    return made
