"""The exact ladder: results of policies computed, never sampled."""

import json
import re
import threading
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, permutations, product
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, settings, strategies as st

from lineduel.arena.ladder import (
    CLEARLY,
    COLD,
    EVEN,
    WARM,
    Ladder,
    climb,
    draw_heatmap_svg,
    draw_heatmap_text,
    everyone,
    longest_chain,
    shade,
)
from lineduel.engine import Game, Move, Position
from lineduel.errors import TooLarge
from lineduel.graph.chain import Result
from lineduel.graph.explore import explore_by_engine
from lineduel.players import Level, Perfect, Policy
from lineduel.quantities import percent
from lineduel.rulebooks import SHIPPED
from lineduel.rules import Rulebook, Side, rulebook_from_data
from lineduel.solve import Solution, solve
from support.program import Program
from support.solved import result_between, solution_of
from support.strategies import rulebooks

FEW = 60
"""Positions that exact fractions can take on."""


def tiny(**changes: object) -> Rulebook:
    """One piece each, steps of 1 or 2, on four cells at most; enemies block each other."""
    data = {
        "title": "Tiny",
        "summary": "A game to be solved by hand.",
        "track": {"first": 0, "last": 3},
        "player1": {"pieces": {"A": 0}, "goal": [2]},
        "player2": {"pieces": {"B": 3}, "goal": [0]},
        "turn": {"first": "player1"},
        "move": {"steps": [1, 2], "edge": "illegal", "jump": False},
        "meet": {"own": "blocked", "enemy": "blocked"},
    }
    return rulebook_from_data(data | changes, "tiny")


def random_against_random(rulebook: Rulebook) -> Result:
    solution = solve(Game(rulebook))
    return result_between(solution, Level(1, solution), Level(1, solution))


@lru_cache
def ladder_of(address: str) -> Ladder:
    return climb(solution_of(address))


def test_a_race_solved_by_hand() -> None:
    """Two cells to go each: 1/2 + 1/2 * 1/2 for who begins, in 1, 2 or 3 plies."""
    race = tiny(
        track={"first": 0, "last": 2},
        player2={"pieces": {"B": 2}, "goal": [0]},
        meet={"own": "blocked", "enemy": "shared"},
        move={"steps": [1, 2], "edge": "illegal", "jump": True},
    )
    assert random_against_random(race) == pytest.approx((3 / 4, 1 / 4, 0, 7 / 4), abs=1e-15)


def test_a_chain_that_is_endless_half_the_time() -> None:
    """A long first step wins; after a short one both stand in each other's way for ever."""
    assert random_against_random(tiny()) == (0.5, 0.0, 0.5, 1.0)


def test_a_chain_that_is_endless_from_the_start() -> None:
    """No end can be reached, and no length is made up."""
    shut = tiny(move={"steps": [1], "edge": "illegal", "jump": False})
    assert random_against_random(shut) == (0.0, 0.0, 1.0, None)


def test_a_game_that_is_over_has_its_result() -> None:
    """Nothing is played, nothing is sampled."""
    game = Game(tiny())
    start = Position((2,), (3,), Side.TWO)
    solution = solve(game, start)
    level = Level(1, solution)
    assert result_between(solution, level, level) == (1.0, 0.0, 0.0, 0.0)


@settings(max_examples=60)
@given(rulebook=rulebooks(), levels=st.tuples(st.integers(1, 8), st.integers(1, 8)))
def test_results_are_those_of_exact_fractions(rulebook: Rulebook, levels: tuple[int, int]) -> None:
    """Random rulebooks, every endless part among them, solved again by elimination."""
    game = Game(rulebook)
    try:
        explore_by_engine(game, game.start(), FEW)
    except TooLarge:
        assume(False)
    solution = solve(game)
    players = Level(levels[0], solution), Level(levels[1], solution)
    found = result_between(solution, *players)
    assert sum(found[:3]) == pytest.approx(1, abs=1e-9)
    wanted = by_fractions(solution, *players)
    assert found[:3] == pytest.approx([float(one) for one in wanted[:3]], abs=1e-9)
    if wanted[3] is None:
        assert found.plies is None
    else:
        assert found.plies == pytest.approx(float(wanted[3]), rel=1e-6)


Exact = tuple[Fraction, Fraction, Fraction, Fraction | None]


def by_fractions(solution: Solution, player1: Policy, player2: Policy) -> Exact:
    """The same result, position by position as they are met, in exact fractions."""
    game, start = solution.game, solution.start
    steps: dict[Position, dict[Position, Fraction]] = {}
    waiting = [start]
    for position in waiting:
        row: dict[Position, Fraction] = {}
        steps[position] = row
        for move, chance in choices(game, position, player1, player2):
            after = game.play(position, move)
            if chance:
                row[after] = row.get(after, Fraction(0)) + chance
                if after not in steps and after not in waiting:
                    waiting.append(after)
    ending = {one for one in steps if game.outcome(one)}
    while more := {one for one in steps if one not in ending and ending & steps[one].keys()}:
        ending |= more
    if start not in ending:
        return Fraction(0), Fraction(0), Fraction(1), None
    inner = [one for one in steps if one in ending and not game.outcome(one)]

    def solved(right: dict[Position, Fraction]) -> dict[Position, Fraction]:
        rows = {one: dict(steps[one]) for one in inner}
        right = dict(right)
        for at in inner:  # leave `at` out of every other equation
            stays = rows[at].pop(at, Fraction(0))
            rows[at] = {to: chance / (1 - stays) for to, chance in rows[at].items()}
            right[at] /= 1 - stays
            for other in inner:
                share = rows[other].pop(at, None) if other != at else None
                if share:
                    right[other] += share * right[at]
                    for to, chance in rows[at].items():
                        rows[other][to] = rows[other].get(to, Fraction(0)) + share * chance
        return right

    def into(winner: Side) -> dict[Position, Fraction]:
        return {
            one: sum(
                (chance for to, chance in steps[one].items() if game.outcome(to) is winner),
                Fraction(0),
            )
            for one in inner
        }

    if game.outcome(start):
        won = Fraction(game.outcome(start) is Side.ONE)
        return won, 1 - won, Fraction(0), Fraction(0)
    win1, win2 = solved(into(Side.ONE)), solved(into(Side.TWO))
    ends = {one: win1[one] + win2[one] for one in inner}
    plies = solved(ends)[start] / ends[start]
    return win1[start], win2[start], 1 - ends[start], plies


def choices(
    game: Game, position: Position, player1: Policy, player2: Policy
) -> list[tuple[Move, Fraction]]:
    """Each legal move, or pair of numbers, with its chance."""
    moves = game.moves(position)
    if not moves:
        return []
    if position.battle is None:
        mover = player1 if position.side is Side.ONE else player2
        return list(zip(moves, exact(mover, position, position.side), strict=True))
    pairs = product(exact(player1, position, Side.ONE), exact(player2, position, Side.TWO))
    return [(move, one * two) for move, (one, two) in zip(moves, pairs, strict=True)]


def exact(policy: Policy, position: Position, side: Side) -> list[Fraction]:
    """Chances as fractions that add up to 1."""
    chances = [Fraction(one).limit_denominator(10**6) for one in policy.chances(position, side)]
    return [one / sum(chances) for one in chances]


@pytest.mark.parametrize("address", SHIPPED)
def test_a_ladder_is_what_it_says(address: str) -> None:
    """Ten players, scores of a pair adding up to 1, Elo in their order, a chain that holds."""
    ladder = ladder_of(address)
    size = len(ladder.players)
    assert size == 10
    assert (ladder.players[0], ladder.players[-1]) == ("level:1", "perfect")
    for one, other in permutations(range(size), 2):
        assert ladder.score(one, other) + ladder.score(other, one) == pytest.approx(1)
    for row in ladder.results:
        for found in row:
            assert sum(found[:3]) == pytest.approx(1, abs=1e-9)
            assert min(found[:3]) >= 0
    assert ladder.elo[0] == 0
    assert all(b - a > -1e-6 for a, b in pairwise(ladder.elo))
    places = [ladder.players.index(name) for name in ladder.chain]
    for one, other in pairwise(places):
        assert ladder.score(one, other) >= CLEARLY


def test_perfect_play_among_equals_is_worth_what_the_solution_says() -> None:
    """Player 2 wins Cross Over in 20 plies; nobody wins Capture the Flag with soldiers."""
    found = {}
    for address in ("cross-over", "ctf-soldiers"):
        solution = solution_of(address)
        perfect = Perfect(solution)
        found[address] = result_between(solution, perfect, perfect)
    assert found["cross-over"] == pytest.approx((0, 1, 0, 20))
    assert found["ctf-soldiers"] == (0.0, 0.0, 1.0, None)


def test_the_longest_chain_may_leave_the_order_and_ends_in_a_cycle() -> None:
    """Rock, paper, scissors is a chain of three; whoever beats nobody is a chain alone."""
    rock = [[False, False, True], [True, False, False], [False, True, False]]
    assert len(longest_chain(rock)) == 3
    assert longest_chain([[False, False], [False, False]]) in ((0,), (1,))
    assert longest_chain([]) == ()


def test_scores_of_0_and_100_are_kept_for_those_who_always_lose_or_win() -> None:
    """Rounding never says never."""
    assert [percent(one) for one in (0, 1e-6, 0.5, 1 - 1e-6, 1)] == [
        "0%",
        "<1%",
        "50%",
        ">99%",
        "100%",
    ]


def test_the_map_is_coloured_only_when_it_is_asked_for() -> None:
    """The text is the same with and without colours."""
    ladder = ladder_of("flag-chase")
    plain, coloured = draw_heatmap_text(ladder), draw_heatmap_text(ladder, colour=True)
    assert "\x1b" not in plain
    assert "\x1b[48;2;" in coloured
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert bare.split() == plain.split()


def test_the_tables_name_players_and_columns_as_people_do(program: Program) -> None:
    """Levels by number and name; nobody has to guess who `fal` is."""
    heads, rows = program("ladder", "flag-chase").out.split("\n\n")[1:3]
    assert heads.splitlines()[1].split() == ["Elo", "1", "2", "fallible", *"345678", "perfect"]
    assert [line.split()[:2] for line in heads.splitlines()[2:4]] == [
        ["1", "random"],
        ["2", "beginner"],
    ]
    assert [line[:10].strip() for line in rows.splitlines()[4:6]] == ["fallible", "3 easy"]


def test_winning_and_losing_have_a_colour_each() -> None:
    """The more is won the more of one colour, the more is lost the more of the other."""
    assert [shade(score) for score in (0.0, 0.5, 1.0)] == [COLD, EVEN, WARM]
    blues = [shade(score / 20)[2] - shade(score / 20)[0] for score in range(21)]
    assert blues == sorted(blues)


def test_the_picture_is_whole() -> None:
    """One cell for each pairing, each telling its score."""
    root = ElementTree.fromstring(draw_heatmap_svg(ladder_of("flag-chase")))
    assert len(root.findall(".//{*}rect/{*}title")) == 90


def test_the_command_tells_the_ladder(program: Program) -> None:
    """As a table, as a document and as a picture, nothing else being printed."""
    told = program("ladder", "flag-chase", "--svg", "ladder.svg")
    assert (told.status, told.err) == (0, "")
    assert "From level 1 (random) to perfect: 1916 Elo.\n" in told.out
    assert "\x1b" not in told.out
    assert told.out.endswith("The picture is in ladder.svg.\n")
    assert ElementTree.parse(program.folder / "ladder.svg")
    document = json.loads(program("ladder", "flag-chase", "--json").out)
    assert len(document["results"]) == 100
    assert document["players"][0] == "level:1"
    assert document["chain"] == ["perfect", "fallible", "level:2", "level:1"]
    assert document["results"][0].keys() == {
        *("player1", "player2", "win1", "win2", "endless", "plies")
    }
    assert "\x1b[" in program("ladder", "ctf-tokens", "--color", "always").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ladder"], "Missing: GAME (a game's id"),
        (["ladder", "chess"], "There is no game called 'chess'."),
        (["ladder", "cross-over", "--position", "x"], "'x' is not a valid position."),
        (["ladder", "ctf-tokens", "--svg", "no/such\0/folder"], "There is no folder no/such."),
    ],
)
def test_bad_input_is_told_in_plain_words(
    program: Program, arguments: list[str], said: str
) -> None:
    """Exit status 2 and one or two lines."""
    if any("\0" in one for one in arguments):
        (program.folder / "no").write_text("a file, not a folder")
        arguments = [one.replace("\0", "") for one in arguments]
    done = program(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert said in done.err
    assert len(done.complaints) <= 2


def test_a_ladder_needs_neither_scipy_nor_numba(program: Program) -> None:
    """It says the same without them, only later."""
    hidden = (
        "import sys, importlib.util as util\n"
        "find, extras = util.find_spec, ('numba', 'scipy')\n"
        "for name in extras: sys.modules[name] = None\n"
        "util.find_spec = lambda name, *rest: None if name in extras else find(name, *rest)\n"
    )
    run = "import sys; from lineduel.cli.main import main; sys.exit(main(['ladder', 'flag-chase']))"
    without, told = (program.python("-c", f"{code}{run}") for code in (hidden, ""))
    assert (without.status, without.err) == (0, "")
    assert without.out == told.out


def test_every_player_of_the_ladder_has_a_name_of_its_own() -> None:
    """Ten names, no two alike."""
    solution = solution_of("ctf-tokens")
    assert len({player.name for player in everyone(solution)}) == 10


def test_a_thread_that_cannot_start_is_told_as_a_lack_of_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    solution = solve(Game(tiny()))
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(MemoryError):
        climb(solution)


def test_the_share_done_is_reported_to_the_end() -> None:
    shares: list[float] = []
    players = everyone(solve(Game(tiny())))
    climb(solve(Game(tiny())), report=shares.append)
    assert shares == [done / len(players) ** 2 for done in range(1, len(players) ** 2 + 1)]
