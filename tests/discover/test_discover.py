"""The search for duels: what it says was tried was tried, and what it keeps is proved."""

import json
import re
import signal
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, strategies as st
from markupsafe import escape
from playwright.sync_api import Browser

from lineduel.discover import (
    DISCOVER,
    Design,
    DesignCandidate,
    DesignSearch,
    DesignSpace,
    Discovery,
    Goal,
    Proved,
    SearchAmounts,
    SearchQuestion,
    design_of,
    generation,
    read_goal,
    resumed,
    rulebook_of_design,
    search_header,
    space_around,
)
from lineduel.discover.design_search import (
    GENERATION,
    Archive,
    LeftOut,
    impossible_goals,
    measure_designs,
    possible_goals,
)
from lineduel.discover.discovery import generation_line
from lineduel.discover.found import best_on_front, kept_duels, proved_designs
from lineduel.discover.glances import glances
from lineduel.discover.qualities import QUALITIES, all_figures
from lineduel.engine import Game
from lineduel.errors import LedgerError, RulebookError, TooLarge
from lineduel.graph import approximate_values, explore_compiled
from lineduel.graph.matrix_game import solve_square
from lineduel.jobs import Ledger, LongRun, Pool, Progress, ProgressReport
from lineduel.lab import ApproximateAnalysis
from lineduel.lab.analysis import Analysis
from lineduel.lab.changes import identity
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Hand, Meeting, Property, Rulebook, Tie, rulebook_from_data
from lineduel.solve import solve, solve_matrix
from support.browser_pages import opened_file
from support.program import PATIENCE, Program, wait_for
from support.strategies import rulebooks
from support.terminal import Sitting

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"
TINY = DesignSpace(
    pieces=range(1, 2), cells=range(4, 5), steps=range(1, 3), meetings=(Meeting.CAPTURED,)
)
BATTLES = DesignSpace(
    pieces=range(1, 2), cells=range(4, 7), numbers=range(2, 4), meetings=(Meeting.BATTLE,)
)
GOALS = (read_goal("no draw"), read_goal("value<=0.3"), read_goal("turns<=60"))


def question(space: DesignSpace = BATTLES, **more: Any) -> SearchQuestion:
    return SearchQuestion(
        space=space, goals=more.pop("goals", GOALS), preferred=("elo_range",), seed=3, **more
    )


def measured_here(search: DesignSearch, most: int) -> list[DesignCandidate]:
    """A generation without other processes."""
    designs = search.next_generation(most)
    measured = measure_designs(search.tasks(designs))
    search.too_large += measured.count(LeftOut.TOO_LARGE)
    search.measured += measured.count(LeftOut.HOPELESS)
    return search.take(designs, [one for one in measured if isinstance(one, DesignCandidate)])


# Values in floats


@given(st.integers(2, 5), st.randoms(use_true_random=False))
def test_a_matrix_solved_in_floats_has_the_exact_value(size: int, chance: Random) -> None:
    """And both mixtures are worth it against every answer."""
    np = pytest.importorskip("numpy")
    entries = [-1.0, 0.0, 1.0, chance.uniform(-1, 1)]
    matrix = [[chance.choice(entries) for _ in range(size)] for _ in range(size)]
    one, two = np.empty(size), np.empty(size)
    value = solve_square(np.array(matrix), one, two)
    assert value == pytest.approx(float(solve_matrix(matrix)[0]), abs=1e-6)
    assert sum(one) == pytest.approx(1) == pytest.approx(sum(two))
    assert min(one @ np.array(matrix)) >= value - 1e-6
    assert max(np.array(matrix) @ two) <= value + 1e-6


@pytest.mark.parametrize("game", SHIPPED)
def test_values_in_floats_lie_within_what_is_proved(game: str) -> None:
    check_values(find_rulebook(game))


@given(rulebooks())
def test_values_of_random_rulebooks_lie_within_what_is_proved(rulebook: Rulebook) -> None:
    check_values(rulebook)


def check_values(rulebook: Rulebook) -> None:
    game = Game(rulebook)
    try:
        graph = explore_compiled(game, most=10_000 if rulebook.rules.battle is None else 60)
    except TooLarge:
        return
    known, solution = approximate_values(graph), solve(game)
    if not known.converged:
        return
    for position, found in zip(graph.positions, known.values.tolist(), strict=True):
        value = solution.value(position)
        assert float(value.low) - 1e-4 <= found <= float(value.high) + 1e-4, position


# Designs


@given(st.randoms(use_true_random=False))
def test_a_design_is_the_same_after_a_way_through_its_rulebook(chance: Random) -> None:
    space = DesignSpace()
    design = space.draw(chance)
    other = space.cross(chance, design, space.change(chance, design))
    for one in (design, other):
        assert one in space
        assert one == one.in_normal_form()
        try:
            rules = rulebook_of_design(one).rules
        except RulebookError:
            continue
        assert design_of(rules) == one


@pytest.mark.parametrize("game", SHIPPED)
def test_a_shipped_game_is_a_design(game: str) -> None:
    """The same game comes out of its design."""
    rules = find_rulebook(game).rules
    design = design_of(rules)
    assert design is not None
    again = rulebook_of_design(design).rules
    assert identity(again).key[:2] == identity(rules).key[:2]
    assert identity(again).key[3:] == identity(rules).key[3:]  # who begins may be left open


def test_a_space_holds_every_game_once() -> None:
    """As many as it says, no two of them the same game, those with fewer words first."""
    designs = list(TINY)
    assert len(designs) == len(TINY) == len(set(designs))
    assert [one.words for one in designs] == sorted(one.words for one in designs)
    keys = []
    for design in designs:
        try:
            keys.append(identity(rulebook_of_design(design).rules).key)
        except RulebookError:
            continue
    assert len(set(keys)) == len(keys) > 50


@pytest.mark.parametrize("words", [5, 6, 7])
def test_a_space_with_few_words_counts_and_holds_exactly_those(words: int) -> None:
    """So a search of them can be complete, however many there are with more words."""
    meetings, steps = (Meeting.BLOCKED, Meeting.BATTLE), range(1, 2)
    space = DesignSpace(pieces=range(1, 3), cells=range(4, 5), steps=steps, meetings=meetings)
    few = replace(space, words=words)
    assert list(few) == [one for one in space if one.words <= words]
    assert 0 < len(few) == len(list(few)) < len(space)


@given(st.integers(3, 8), st.randoms(use_true_random=False))
def test_a_design_never_has_more_words_than_asked_for(words: int, chance: Random) -> None:
    space = DesignSpace(words=words, meetings=(Meeting.BLOCKED, Meeting.BATTLE))
    design = space.draw(chance)
    for one in (design, space.change(chance, design), space.cross(chance, design, design)):
        assert one in space


@pytest.mark.parametrize("meeting", [Meeting.BATTLE, Meeting.CAPTURED])
@given(st.randoms(use_true_random=False))
def test_a_candidate_is_dropped_only_for_goals_that_it_misses(
    meeting: Meeting, chance: Random
) -> None:
    """Each glance at it says no more than all of its figures do, and later ones no less."""
    design = DesignSpace(pieces=range(1, 3), cells=range(4, 7), meetings=(meeting,)).draw(chance)
    texts = [f"{name}{sign}{chance.random():.3f}" for name in QUALITIES for sign in ("<=", ">=")]
    goals = tuple(map(read_goal, (*texts, *sorted(Property))))
    try:
        analysis = ApproximateAnalysis(rulebook_of_design(design), most=2000)
        figures = analysis.quick_figures
    except (RulebookError, TooLarge):
        return
    asked = all_figures(figures, design.words)
    missed = [goal.missed_by(figures, asked) for goal in goals]
    before = [0.0] * len(goals)
    for bounds in glances(analysis, design.words):
        surely = [goal.surely_missed_by(bounds) for goal in goals]
        assert all(
            one <= now + 1e-9 and now <= most + 1e-9
            for one, now, most in zip(before, surely, missed, strict=True)
        )
        before = surely
    for name in ("words", "positions", "value", "turns", "decisions", "skill", "longest_turns"):
        goal = read_goal(f"{name}<=0")
        assert goal.surely_missed_by(bounds) == pytest.approx(goal.missed_by(figures, asked))


def test_few_candidates_are_too_large() -> None:
    """Of those that are drawn from the whole space with battles, by a rough count."""
    space = DesignSpace(meetings=(Meeting.BATTLE,))
    search = DesignSearch(question(space, battle_positions=2_000))
    designs = search.next_generation(200)
    assert any(len(design.homes) > 1 for design in designs)
    too_large = 0
    for design in designs:
        with suppress(RulebookError):
            try:
                explore_compiled(Game(rulebook_of_design(design)), most=2_000)
            except TooLarge:
                too_large += 1
    assert too_large < 0.05 * len(designs)


# The search


def test_a_complete_search_finds_what_brute_force_finds() -> None:
    """By exact figures of every rulebook of the space, one after another."""
    goals = (read_goal("decisions>=0.2"), read_goal("always ends"))
    search = DesignSearch(question(TINY, goals=goals, complete=True))
    while measured_here(search, 100) or search.tried < len(TINY):
        pass
    assert search.tried == len(TINY)
    expected = {design for design in TINY if brute_force_meets(design, goals)}
    assert {one.design for one in search.best_first()} == expected != set()


def brute_force_meets(design: Design, goals: tuple[Goal, ...]) -> bool:
    try:
        figures = Analysis(rulebook_of_design(design)).quick_figures
    except RulebookError:
        return False
    asked = all_figures(figures, design.words)
    return all(goal.missed_by(figures, asked) == 0 for goal in goals)


def test_a_planted_game_is_found() -> None:
    """Goals that only one of thousands of designs meets lead to it."""
    space = DesignSpace(
        pieces=range(1, 3), cells=range(5, 9), steps=range(1, 4), meetings=(Meeting.CAPTURED,)
    )
    planted = next(
        design for design in space if design.words == 7 and len(design.homes) == 2 and fits(design)
    )
    figures = ApproximateAnalysis(rulebook_of_design(planted), most=3000).quick_figures
    bounds = {"positions": figures.positions, "words": planted.words}
    goals = tuple(
        read_goal(f"{name}{sign}{number}")
        for name, number in bounds.items()
        for sign in ("<=", ">=")
    )
    assert len(space) > 5000
    search = DesignSearch(question(space, goals=goals))
    while search.tried < 4000 and not search.best_first():
        measured_here(search, 500)
    assert search.best_first()
    for one in search.best_first():
        assert one.figures["positions"] == figures.positions
        assert one.design.words == planted.words


def fits(design: Design) -> bool:
    """Whether a design is a rulebook."""
    try:
        rulebook_of_design(design)
    except RulebookError:
        return False
    return True


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[DesignSearch, Path]:
    """A search of four generations, and its file."""
    path = tmp_path_factory.mktemp("searched") / "search.jsonl"
    search = DesignSearch(question())
    with Ledger.begin(path, search_header(search.question, SearchAmounts())) as ledger:
        for _ in range(4):
            ledger.append(generation_line(search, measured_here(search, 60)))
    return search, path


def test_the_same_seed_gives_the_same_archive_with_two_workers(
    searched: tuple[DesignSearch, Path],
) -> None:
    other = DesignSearch(question())
    with Pool(2) as pool:
        for _ in range(4):
            generation(other, pool, 60)
    assert list(other.archive) == list(searched[0].archive)


@pytest.mark.parametrize("cut", [0, 1, 2, 3, 4])
def test_a_killed_search_goes_on_as_if_nothing_had_happened(
    searched: tuple[DesignSearch, Path], tmp_path: Path, cut: int
) -> None:
    """Whatever line its file ends in, whole or not."""
    whole, path = searched
    lines = path.read_bytes().splitlines(keepends=True)
    left = tmp_path / "search.jsonl"
    left.write_bytes(b"".join(lines[: cut + 1]) + b"".join(lines[cut + 1 : cut + 2])[:40])
    with Ledger.go_on(left, DISCOVER) as ledger:
        search = resumed(ledger).search
        assert search.tried == 60 * cut
        while search.tried < whole.tried:
            ledger.append(generation_line(search, measured_here(search, 60)))
    assert list(search.archive) == list(whole.archive)
    assert (search.tried, search.measured) == (whole.tried, whole.measured)
    assert search.too_large == whole.too_large
    assert left.read_bytes() == path.read_bytes()


def test_a_line_of_another_search_is_refused(
    searched: tuple[DesignSearch, Path], tmp_path: Path
) -> None:
    head, first, *_ = searched[1].read_text().splitlines()
    left = tmp_path / "search.jsonl"
    for wrong in ('{"tried":1}', "{", first + "x"):
        left.write_text(f"{head}\n{wrong}\n")
        with Ledger.go_on(left, DISCOVER) as ledger, pytest.raises(LedgerError, match="line 2"):
            resumed(ledger)
    other = json.loads(first)
    other["kept"][0]["number"] += 1
    left.write_text(f"{head}\n{json.dumps(other)}\n")
    with Ledger.go_on(left, DISCOVER) as ledger, pytest.raises(LedgerError, match="not a gen"):
        resumed(ledger)


def test_what_is_kept_is_proved(searched: tuple[DesignSearch, Path]) -> None:
    """By the exact figures of the audit; what floats got wrong is left out."""
    search = searched[0]
    with Pool(1) as pool:
        proved = list(proved_designs(search.best_first(), GOALS, 2, pool))
    for found in kept_duels(proved, ("elo_range", "words")):
        analysis = Analysis(found.rulebook)
        value = analysis.figures.value
        assert max(abs(float(value.low)), abs(float(value.high))) <= 0.3
        for claim in found.rulebook.claims:
            assert found.rulings[claim.property].verdict == "proved"


def test_no_duel_of_the_front_is_beaten_everywhere() -> None:
    """One that another equals by one preferred figure and beats by the other is not on it."""
    designs = [design for design in TINY if fits(design)]
    figures = Analysis(rulebook_of_design(designs[0])).figures
    others = [replace(figures, elo_range=elo, drama=drama) for elo, drama in FIGURES]
    proved = [
        Proved(at, one, of, {}, (), (), rulebook_of_design(one), "")
        for at, (one, of) in enumerate(zip(designs, others, strict=False))
    ]
    found = kept_duels(proved, ("elo_range", "drama"))
    assert [one.on_front for one in found] == [True, False, True]
    alike = kept_duels([*proved, proved[0]._replace(number=3)], ("elo_range", "drama"))
    assert [one.on_front for one in alike] == [True, False, True, True], "equals beat neither"
    assert len({one.rulebook.title for one in found}) == 3
    assert best_on_front(found, ("elo_range", "drama")) == {
        "elo_range": (found[0],),
        "drama": (found[2],),
    }


FIGURES = ((100.0, 0.2), (100.0, 0.1), (90.0, 0.3))
"""Elo range and drama of three duels; the second is beaten by the first."""


# At the command line

SMALL = ("--pieces", "1", "--cells", "4", "--steps", "1..2", "--meet", "captured", "--cores", "1")


def test_a_small_space_is_searched_completely(program: Program) -> None:
    done = program("discover", *SMALL, "--goal", "decisions>=0.2", "--keep", "2")
    assert done.status == 0, done.err
    assert f"Tried {len(TINY)} candidates (all there are)" in done.out
    assert "Play the first with: lineduel play found/01.toml" in done.out
    front = done.out.split("The front: ")[1]
    assert front.count("best: ") >= 1
    for name in ("Elo range", "decisions per turn", "words to learn"):
        assert re.search(rf"best: .*{name}", front)
    assert program("check", "found/01.certificate").status == 0
    assert program("validate", "found/01.toml").status == 0
    assert program("audit", "found/01.toml", "--strict").status == 0
    assert sorted(one.name for one in (program.folder / "found").iterdir()) == [
        *(f"0{number}.{kind}" for number in (1, 2) for kind in ("certificate", "toml")),
        "gallery.html",
        "search.jsonl",
    ]
    again = program("discover", "--resume", "--cores", "1", "--keep", "1")
    assert f"Tried {len(TINY)} candidates (all there are)" in again.out


def test_where_nothing_is_found_it_says_what_was_tried(program: Program) -> None:
    """Of all rulebooks with up to so many words, where all were tried."""
    done = program("discover", *SMALL, "--goal", "decisions>=0.9", "--words", "5")
    assert "\nNo duel within these bounds with up to 5 words meets all goals.\n" in done.out
    assert "Not counted" not in done.out
    assert "floats" not in done.out
    assert not any(
        one.words <= 5 and brute_force_meets(one, (read_goal("decisions>=0.9"),)) for one in TINY
    )


def test_a_complete_search_says_what_it_could_not_judge(program: Program) -> None:
    """Candidates that are too large, and values in floats."""
    large = ("--pieces", "3", "--cells", "7", "--steps", "1", "--meet", "battle", "--words", "7")
    all_of_them = ("--numbers", "2", "--candidates", "200", "--cores", "1")
    done = program("discover", *large, "--goal", "decisions>=1", *all_of_them)
    assert "Tried 140 candidates (all there are)" in done.out
    assert "\nNo duel within these bounds with up to 7 words meets all goals.\n" in done.out
    told = re.search(r"Not counted: (\d+) that are too large to be proved\.", done.out)
    assert told is not None
    assert int(told[1]) > 0
    assert "values in floats, which is not a proof" in done.out


def test_larger_candidates_are_judged_where_they_are_asked_for(program: Program) -> None:
    """With --positions, none of these is too large any more."""
    some = ("--pieces", "2", "--cells", "6", "--steps", "1", "--meet", "battle", "--numbers", "2")
    asked = ("discover", *some, "--words", "6", "--goal", "decisions>=1", "--cores", "1")
    few = json.loads(program(*asked, "--json", "--folder", "few").out)
    all_ = json.loads(program(*asked, "--json", "--folder", "all", "--positions", "5000").out)
    assert few["too_large"] > 0
    assert (all_["tried"], all_["too_large"]) == (few["tried"], 0)


def test_a_search_near_a_game_keeps_what_it_is_about(program: Program) -> None:
    """What an enemy's cell does stays, and size changes little."""
    near = design_of(find_rulebook("flag-chase").rules)
    assert near is not None
    asked = ("--like", "flag-chase", "--goal", "positions>=1", "--candidates", "120", "--keep", "4")
    done = program("discover", *asked, "--cores", "1", "--json")
    found = json.loads(done.out)["found"]
    assert len(found) == 4
    for one in found:
        design = design_of(rulebook_from_data(one["rulebook"], one["id"]).rules)
        assert design is not None
        assert design.enemy is near.enemy
        assert abs(design.cells - near.cells) <= 3
        assert abs(len(design.homes) - len(near.homes)) <= 1


def test_a_search_near_a_game_begins_with_its_neighbours() -> None:
    near = design_of(find_rulebook("cross-over").rules)
    assert near is not None
    search = DesignSearch(question(space_around(near, {}), near=near))
    values = [one.name for one in fields(Design)]
    for design in search.next_generation(100):
        changed = [name for name in values if getattr(design, name) != getattr(near, name)]
        assert len(changed) <= 4, (design, near)  # three, and what has to fit them


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("tortoise-and-hare.toml", {"goal_needs": 2, "own_steps": ((-1, 3), (1,))}),
        ("last-card.toml", {"hand": Hand.SPENT, "tie": Tie.NOBODY}),
    ],
)
def test_a_search_near_a_game_keeps_its_words(address: str, kept: dict[str, Any]) -> None:
    """Each word stays in most of its neighbours, in a rulebook as in the design, and can go."""
    near = design_of(find_rulebook(str(EXAMPLES / address)).rules)
    assert near is not None
    space = space_around(near, {})
    assert near in space
    changed = [space.change(Random(seed), near) for seed in range(200)]
    for name, value in kept.items():
        assert getattr(near, name) == value
        assert 120 < sum(getattr(one, name) == value for one in changed) < 200
    for design in changed:
        assert design_of(rulebook_of_design(design).rules) == design


@pytest.mark.parametrize("name", ["convoy", "hare-and-hounds"])
def test_no_search_begins_at_a_game_with_unlike_sides(program: Program, name: str) -> None:
    done = program("discover", "--like", str(EXAMPLES / f"{name}.toml"))
    assert done.status == 2
    assert "the two sides are not alike" in done.err


def test_the_gallery_can_be_sorted_and_filtered(program: Program, browser: Browser) -> None:
    program("discover", *SMALL, "--goal", "decisions>=0.2", "--keep", "3", "--prefer", "elo_range")
    with opened_file(browser, program.folder / "found" / "gallery.html") as shown:
        titles = shown.locator(".duel:visible h2")
        before = titles.all_inner_texts()
        assert len(before) == 3
        shown.locator("#sort").select_option("words")
        figures = shown.locator(".duel").evaluate_all(
            "all => all.map(one => JSON.parse(one.dataset.figures).words)"
        )
        assert figures == sorted(figures)
        shown.locator("#front").check()
        assert shown.locator("#shown").inner_text() == f"{titles.count()} of 3 shown"
        assert titles.count() == shown.locator(".front tbody tr").count()
        shown.locator("#front").uncheck()
        about = shown.locator("#property option").last.get_attribute("value") or ""
        shown.locator("#property").select_option(about)
        proved = shown.locator(".duel:visible").evaluate_all(
            "all => all.map(one => JSON.parse(one.dataset.proved))"
        )
        assert all(about in one for one in proved)
        assert shown.locator(".designer").count() == 3
        link = shown.locator(".designer").first.get_attribute("href") or ""
        assert link.startswith("http://127.0.0.1:8000/design#")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--goal", "fun"), "fun is not a goal."),
        (("--goal", "turns<=3", "--goal", "turns>=5"), "at least 5 and at most 3"),
        (("--goal", "skill>=1.2"), "skill is always from 0 to 1"),
        (("--meet", "captured", "--goal", "no draw", "--goal", "value<=0.5"), "by force"),
        (("--meet", "wins", "--goal", "no number is always best"), "no numbers to choose"),
        (("--meet", "hugs"), "hugs is not a way to meet an enemy. Choose from: blocked, shared"),
        (("--meet", ","), "at least one way"),
        (("--prefer", "fun"), "There is no figure fun"),
        (("--prefer", ","), "at least one figure"),
        (("--pieces", "0"), "pieces: 0..0 is not a range within 1..8"),
        (("--pieces", "many"), "--pieces takes a number or a range"),
        (("--cells", "9..4"), "from the smaller to the larger"),
        (("--cells", "1..4"), "within 2..64"),
        (("--cells", "4..65"), "4..65 is not a range within 2..64"),
        (("--cells", "4..1000000"), "4..1000000 is not a range within 2..64"),
        (("--steps", "-3..0"), "no step forward"),
        (("--words", "0"), "No duel within these bounds has so few words; the simplest has 3."),
        (("--words", "5", "--pieces", "3", "--meet", "wins"), "the simplest has 6."),
        (("--candidates", "0"), "--candidates takes a number of 1 or more"),
        (("--minutes", "nan"), "--minutes takes a number above 0"),
        (("--candidates", "5", "--minutes", "5"), "Give one of them"),
        (("--positions", "0"), "--positions takes a number from 1 to 200000"),
        (("--keep", "0"), "--keep takes a number"),
        (("--like", "nowhere"), "no game called 'nowhere'"),
        (("--like", "cross-over", "--cells", "4..5"), "outside the bounds"),
        (("--resume",), "no file found/search.jsonl to resume"),
    ],
)
def test_what_cannot_be_searched_for_is_said(
    program: Program, arguments: tuple[str, ...], said: str
) -> None:
    done = program("discover", *arguments)
    assert done.status == 2
    assert said in done.err, done.err
    assert "Traceback" not in done.err
    assert not (program.folder / "found").exists()


def test_what_is_proved_to_be_impossible_is_not_searched(program: Program) -> None:
    """Without battles one side wins by force where play ends, so no such duel is tried."""
    asked = ("--meet", "captured,battle", "--goal", "no draw", "--goal", "value<=0.9")
    small = ("--pieces", "1", "--cells", "5", "--candidates", "40", "--keep", "1", "--cores", "1")
    done = program("discover", *asked, *small, "--json")
    assert "Only some ways to meet an enemy are searched: battle.\nNo game can meet" in done.err
    document = json.loads(done.out)
    assert document["tried"] == document["with_battles"] == 40


def test_a_default_goal_that_nothing_can_meet_is_dropped_aloud(program: Program) -> None:
    """Before the search, beside its result, in JSON and on the page, and when it is resumed."""
    space = ("--pieces", "2", "--cells", "6", "--steps", "1..2", "--meet", "captured")
    asked = (*space, "--keep", "1", "--cores", "1")
    done = program("discover", *asked)
    assert done.status == 0, done.err
    told = (
        "The default goal 'neither seat favoured' was dropped. No game can meet both 'no draw' and "
        "'neither seat favoured' without battles: where there is neither chance nor secrets and "
        "play ends, one side wins by force."
    )
    assert told in done.err
    assert told in " ".join(done.out.split())
    assert "All other goals are proved for these." in done.out
    assert "All goals are proved" not in done.out
    page = (program.folder / "found" / "gallery.html").read_text(encoding="utf-8")
    assert f"<p>{escape(told)}</p>" in page
    for more in ((), space):
        again = program("discover", "--resume", *more, "--keep", "1", "--cores", "1", "--json")
        assert told in again.err
        document = json.loads(again.out)
        assert document["goals"] == ["no draw", "skill wins", "choices matter"]
        (dropped,) = document["dropped"]
        assert dropped["goal"] == "neither seat favoured"
        assert dropped["why"] in told
    (duel,) = document["found"]
    assert duel["verdicts"]["neither seat favoured"] == "refuted"


def test_no_goal_is_dropped_where_it_is_asked_for_or_can_be_met(program: Program) -> None:
    """Who asks for what nothing can meet is refused; with battles everything is searched for."""
    for asked in (("--meet", "battle"), (*SMALL, "--goal", "decisions>=0.2")):
        small = ("--pieces", "1", "--cells", "4", "--candidates", "500", "--cores", "1")
        done = program("discover", *asked, *small, "--keep", "1", "--folder", asked[1], "--json")
        assert json.loads(done.out)["dropped"] == []
        assert "dropped" not in done.err


@given(st.lists(st.sampled_from(sorted(Property)), unique=True), st.sampled_from([TINY, BATTLES]))
def test_goals_are_dropped_exactly_where_the_rest_can_be_met(
    names: list[Property], space: DesignSpace
) -> None:
    goals = tuple(map(read_goal, names))
    kept, dropped = possible_goals(space, goals)
    assert sorted([*(one.text for one in kept), *(one.goal for one in dropped)]) == sorted(names)
    assert impossible_goals(space, kept) is None
    assert bool(dropped) is (impossible_goals(space, goals) is not None)


def test_a_search_file_from_before_goals_were_dropped_can_be_resumed(
    searched: tuple[DesignSearch, Path], tmp_path: Path
) -> None:
    head, *lines = searched[1].read_text().splitlines()
    older = json.loads(head)
    assert older.pop("dropped") == []
    assert older.pop("amounts")
    path = tmp_path / "search.jsonl"
    path.write_text("".join(f"{line}\n" for line in (json.dumps(older), *lines)))
    with Ledger.go_on(path, DISCOVER) as ledger:
        assert resumed(ledger).search.tried == searched[0].tried


def test_a_folder_that_is_not_empty_is_left_alone(program: Program) -> None:
    folder = program.folder / "mine"
    folder.mkdir()
    (folder / "letter.txt").write_text("dear")
    done = program("discover", *SMALL, "--folder", "mine")
    assert (done.status, "is not empty" in done.err) == (2, True)
    assert [one.name for one in folder.iterdir()] == ["letter.txt"]


# Side by side


def test_rulebooks_are_compared_side_by_side(program: Program, browser: Browser) -> None:
    done = program("compare", "flag-chase", "flag-chase:may-stay", "--html", "compare.html")
    assert done.status == 0, done.err
    heads, *rows = done.out.splitlines()
    assert heads.split() == ["flag-chase", "flag-chase:may-stay"]
    assert any(row.split()[0] == "Positions" for row in rows)
    assert any(row.startswith("no draw") for row in rows)
    with opened_file(browser, program.folder / "compare.html") as shown:
        assert shown.locator("th").nth(1).inner_text() == "Flag Chase"
        assert shown.locator("svg").count() == 2
    one = program("compare", "flag-chase")
    assert (one.status, "Name 2 to 12 games" in one.err) == (2, True)


def test_a_search_says_how_it_stands(program: Program) -> None:
    """How fast it is, how much of the archive is filled, and the best so far."""
    asked = ("--meet", "battle", "--pieces", "1", "--goal", "turns<=60", "--cores", "1")
    with Sitting(program, "discover", *asked, plain=False) as sitting:
        sitting.see("searching: ")
        sitting.see(" of 120 kinds, ")
        sitting.see(" good, Elo range ")
        assert sitting.interrupt() == 130


def test_a_search_that_is_interrupted_says_how_to_go_on(program: Program) -> None:
    """What was tried is kept."""
    ledger = program.folder / "found" / "search.jsonl"
    with program.started("discover", "--meet", "battle", "--cores", "1") as process:
        wait_for(ledger, 1, process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Resume with: lineduel discover --resume --folder found" in said
    kept = json.loads(ledger.read_text().splitlines()[-1])["tried"]
    assert f"{kept:,} candidates are kept in found." in said


def test_a_search_by_time_goes_on_for_the_time_that_is_left(tmp_path: Path) -> None:
    """Seconds that it took before it was stopped count."""
    path, now = tmp_path / "search.jsonl", [0.0]

    def clock() -> float:
        now[0] += 1.0
        return now[0]

    def stop_after(left: int) -> ProgressReport:
        def report(_: Progress) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise KeyboardInterrupt

        return report

    amounts = SearchAmounts(keep=1, seconds=6.5)
    impossible = question(goals=(read_goal("turns<=0"),))
    with Pool(0) as pool:
        with (
            LongRun.begin(path, Discovery(DesignSearch(impossible), amounts, clock)) as first,
            pytest.raises(KeyboardInterrupt),
        ):
            first.run(pool, stop_after(2))
        tried = first.work.search.tried
        now[0] = 1000.0
        with LongRun.go_on(path, DISCOVER, partial(resumed, clock=clock)) as second:
            assert second.work.amounts == amounts
            second.run(pool)
    assert tried == 2 * GENERATION
    assert second.work.search.tried == 7 * GENERATION
    assert second.work.spent == 7.0


def test_of_equals_the_first_is_kept_in_whatever_order_they_come() -> None:
    chance = Random(1)
    designs = [TINY.draw(chance) for _ in range(9)]
    figures = dict.fromkeys(QUALITIES, 1.0)
    candidates = [
        DesignCandidate(number=number, design=design, figures=figures, missed=0.0)
        for number, design in enumerate(designs)
    ]
    for _ in range(5):
        archive = Archive(["elo_range"])
        for one in chance.sample(candidates, len(candidates)):
            archive.add(one)
        assert [one.number for one in archive] == [0]


def test_candidates_are_proved_until_enough_of_them_meet_the_goals() -> None:
    """Those that turn out not to are no reason to stop."""

    class Here(Pool):
        def __init__(self) -> None: ...

        def run(self, work: Any, items: Any, **_: object) -> Any:
            yield [
                SimpleNamespace(number=n, unmet=() if n % 3 == 2 else ("x",)) for n, _, _ in items
            ]

    candidates: list[Any] = [SimpleNamespace(number=n, design=None) for n in range(30)]
    found = list(proved_designs(candidates, (), 4, Here()))
    assert [one.number for one in found if not one.unmet][:4] == [2, 5, 8, 11]
    assert len(found) == 12, "in whole batches, and in none after the last that was needed"


def test_what_was_asked_for_last_is_written_down_once(tmp_path: Path) -> None:
    """However often the search is resumed as it is."""
    asked = question(TINY, goals=(read_goal("turns<=60"),))
    path, more = tmp_path / "search.jsonl", SearchAmounts(candidates=2, keep=2)
    begun = Discovery(DesignSearch(asked), SearchAmounts(candidates=2, keep=1))
    with Pool(0) as pool:
        with Ledger.begin(path, begun.header) as ledger:
            LongRun(begun, ledger).run(pool)
        for changes in ({"amounts": more}, {}, {}):
            before = path.read_bytes()
            with Ledger.go_on(path, DISCOVER) as ledger:
                discovery = resumed(ledger)
                assert (discovery.amounts == more) is not bool(changes)
                for name, value in changes.items():
                    setattr(discovery, name, value)
                LongRun(discovery, ledger).run(pool)
            assert (path.read_bytes() == before) is not bool(changes)


def test_nothing_is_tried_twice_while_there_is_something_else() -> None:
    search = DesignSearch(question())
    designs = [one for _ in range(4) for one in search.next_generation(30)]
    assert len(set(designs)) == len(designs) < len(BATTLES) / 2


def test_as_many_duels_are_found_as_are_to_be_kept() -> None:
    """Though more of them are proved."""
    asked = question(TINY, goals=(read_goal("turns<=60"),))
    discovery = Discovery(DesignSearch(asked), SearchAmounts(candidates=40, keep=4))
    with Pool(0) as pool:
        LongRun(discovery).run(pool)
    for keep in (1, 2):
        discovery.amounts = SearchAmounts(keep=keep)
        assert len(discovery.found) == keep
