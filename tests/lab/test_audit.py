"""Audits: every verdict with its evidence, on the shipped games and on planted ones."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w
from hypothesis import given, settings
from playwright.sync_api import Browser

from lineduel.cli.main import main
from lineduel.engine import PASS, Game, Numbers, Position
from lineduel.errors import TooLarge
from lineduel.graph.explore import explore_by_engine
from lineduel.lab.analysis import MIDDLING, Analysis, quick_figures
from lineduel.lab.audit import Audit, audit
from lineduel.lab.claims import Verdict
from lineduel.lab.measure import decision_counts
from lineduel.lab.report import audit_lines, compared
from lineduel.lab.usage import Word, usage
from lineduel.play import Session
from lineduel.players import Level, Perfect
from lineduel.record import read_record, write_record
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import (
    Property,
    Rulebook,
    Side,
    apply_changes,
    rulebook_data,
    rulebook_from_data,
)
from lineduel.rules.assignments import assign, parse_assignments
from lineduel.solve import Solution, Value
from support.browser_pages import opened_file
from support.program import Program
from support.solved import audited, result_between
from support.strategies import ALL_GAMES, battle_rulebooks, rulebooks

GOLDEN = Path(__file__).parents[1] / "golden" / "audits.json"
UPDATE = "LINEDUEL_UPDATE_GOLDEN"


def facts(found: Audit) -> dict[str, Any]:
    figures = found.figures
    return {
        "verdicts": {str(one.claim.property): str(one.ruling.verdict) for one in found.findings},
        "positions": figures.positions,
        "value": [str(figures.value.low), str(figures.value.high), figures.value.plies],
        "longest_game": figures.longest_game,
        "decisions": round(figures.decisions, 6),
        "only_moves": round(figures.only_moves, 6),
        "drama": round(figures.drama, 6),
    }


# The shipped games


@pytest.mark.parametrize("address", ALL_GAMES)
def test_verdicts_are_what_they_always_were(address: str) -> None:
    """Every general claim of every rulebook and variant, as a golden fact."""
    known = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    found = facts(audited(address))
    if os.environ.get(UPDATE):
        known[address] = found
        GOLDEN.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    assert found == known[address]


@pytest.mark.parametrize("address", ALL_GAMES)
def test_evidence_can_be_replayed(address: str) -> None:
    """A line of play is a record that reads back; one that is to come back does."""
    for finding in audited(address).findings:
        record = finding.evidence.record
        if record is None:
            continue
        session = Session.from_record(read_record(write_record(record)))
        endless = finding.claim.property in (Property.ALWAYS_ENDS, Property.NO_DRAW)
        if endless:
            assert session.times > 1 or session.game.outcome(session.position) is None
            standing = audited(address).analysis.solution.likeness.standing_for
            met = [standing(turn.before) for turn in session.turns]
            assert standing(session.position) in met
        if finding.claim.property is Property.FAIR_SEATS:
            assert session.winner is audited(address).figures.value.winner


def test_the_sentence_that_decides_cross_over() -> None:
    """What is known: player 2 in 20; with own pieces sharing, player 1 in 17."""
    variants = ("cross-over", "cross-over:own-may-share", "cross-over:no-jump")
    audit_lines = " ".join(" ".join(compared([audited(one) for one in variants])).split())
    assert "pieces on it. → player 2 in 20 turns;" in audit_lines
    assert "own pieces may share a cell. → player 1 in 17 turns." in audit_lines


def test_words_that_never_count_are_named() -> None:
    """Blockade Duel never blocks, as its erratum says; from the bases it does."""
    used = {one.word: one.positions for one in audited("blockade-duel").analysis.words}
    assert used[Word.ENEMY_BLOCKS] == used[Word.PASS] == 0
    used = {one.word: one.positions for one in audited("blockade-duel:from-bases").analysis.words}
    assert used[Word.ENEMY_BLOCKS] > 0


def seats_without_skill(found: Audit) -> dict[str, set[Side]]:
    """The seats in which the best player wins too little against a random one, played anew."""
    solution = found.analysis.solution
    best, random = Perfect(solution), Level(1, solution)
    scores = {
        Side.ONE: result_between(solution, best, random).score,
        Side.TWO: 1 - result_between(solution, random, best).score,
    }
    losing = {side for side, score in scores.items() if score < 0.5 - 1e-9}
    wavering = {side for side, score in scores.items() if score < 0.9 - 1e-9} - losing
    return {"loses to chance more often than it wins": losing, "does not win": wavering}


def check_seats_named(found: Audit) -> None:
    """The sentence about skill names exactly those seats."""
    rulings = {one.claim.property: one.ruling for one in found.findings}
    why = rulings[Property.SKILL_WINS].why
    names = {"the first seat": {Side.ONE}, "the second seat": {Side.TWO}, "both seats": set(Side)}
    for told, seats in seats_without_skill(found).items():
        named = re.search(rf"In ([a-z ]+) skill {told}", why)
        assert (names[named[1]] if named else set()) == seats, why


@pytest.mark.parametrize("address", ALL_GAMES)
def test_the_seats_in_which_skill_does_not_win_are_those_named(address: str) -> None:
    check_seats_named(audited(address))


@settings(max_examples=20)
@given(rulebooks().filter(lambda one: one.rules.battle is None))
def test_the_seats_named_are_right_for_random_rulebooks(rulebook: Rulebook) -> None:
    check_seats_named(audit(rulebook))


# Planted rulebooks


def planted(
    cells: int = 5,
    steps: tuple[int, ...] = (1, 2),
    enemy: str = "captured",
    own: str = "shared",
    pieces: int = 1,
    **others: Any,
) -> Rulebook:
    """A small symmetrical race."""
    last = cells - 1
    return rulebook_from_data(
        {
            "title": "Planted",
            "summary": "A planted rulebook.",
            "track": {"first": 0, "last": last},
            "player1": {"pieces": {f"A{n}": 0 for n in range(pieces)}, "goal": [last]},
            "player2": {"pieces": {f"B{n}": last for n in range(pieces)}, "goal": [0]},
            "move": {"steps": list(steps), **others.get("move", {})},
            "meet": {"own": own, "enemy": enemy},
            **{key: value for key, value in others.items() if key != "move"},
        },
        "planted",
    )


def verdict(rulebook: Rulebook, about: Property) -> Verdict:
    found = audit(rulebook, everything=True)
    return next(one.ruling.verdict for one in found.findings if one.claim.property is about)


PLANTED = {
    "a race that cannot come back ends": (planted(), Property.ALWAYS_ENDS, Verdict.PROVED),
    "so it has no draw": (planted(), Property.NO_DRAW, Verdict.PROVED),
    "where landing on the enemy wins, skill does": (
        planted(cells=11, steps=(1, 2, 3), enemy="wins"),
        Property.SKILL_WINS,
        Verdict.PROVED,
    ),
    "and choices matter": (
        planted(cells=11, steps=(1, 2, 3), enemy="wins"),
        Property.CHOICES_MATTER,
        Verdict.PROVED,
    ),
    "a race of single steps has no choice": (
        planted(steps=(1,), enemy="shared"),
        Property.CHOICES_MATTER,
        Verdict.REFUTED,
    ),
    "who goes to and fro for ever never ends": (
        planted(cells=3, steps=(1, -1), enemy="blocked", move={"edge": "stay"}),
        Property.ALWAYS_ENDS,
        Verdict.REFUTED,
    ),
    "and that is a draw in all but name": (
        planted(cells=3, steps=(1, -1), enemy="blocked", move={"edge": "stay"}),
        Property.NO_DRAW,
        Verdict.REFUTED,
    ),
    "though neither seat is favoured": (
        planted(cells=3, steps=(1, -1), enemy="blocked", move={"edge": "stay"}),
        Property.FAIR_SEATS,
        Verdict.PROVED,
    ),
    "nor is it quick": (
        planted(cells=3, steps=(1, -1), enemy="blocked", move={"edge": "stay"}),
        Property.ENDS_QUICKLY,
        Verdict.REFUTED,
    ),
    "a bare race is quick": (planted(enemy="shared"), Property.ENDS_QUICKLY, Verdict.PROVED),
    "who begins a bare race wins it": (
        planted(steps=(1,), enemy="shared"),
        Property.FAIR_SEATS,
        Verdict.REFUTED,
    ),
    "in a bare race skill counts for nothing": (
        planted(steps=(1,), enemy="shared"),
        Property.SKILL_WINS,
        Verdict.REFUTED,
    ),
    "a race of single steps never jumps or passes": (
        planted(steps=(1,), enemy="shared"),
        Property.RULES_MATTER,
        Verdict.REFUTED,
    ),
    "two pieces a side that block, jump and are forced to pass use every word": (
        planted(cells=6, steps=(1, 2, 3), enemy="blocked", own="blocked", pieces=2),
        Property.RULES_MATTER,
        Verdict.PROVED,
    ),
    "the highest number is always best": (
        planted(cells=3, steps=(1,), enemy="battle", battle={"numbers": 3, "wins": "higher"}),
        Property.NO_BEST_NUMBER,
        Verdict.REFUTED,
    ),
    "in a cyclic battle none is": (
        planted(cells=3, steps=(1,), enemy="battle", battle={"numbers": 3, "wins": "cyclic"}),
        Property.NO_BEST_NUMBER,
        Verdict.PROVED,
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_claims_are_decided(name: str) -> None:
    rulebook, about, expected = PLANTED[name]
    assert verdict(rulebook, about) is expected


def test_variants_that_lose_a_claim_are_compared(program: Program) -> None:
    """A rulebook with battles and a variant without them, and no claims of its own."""
    data = rulebook_data(find_rulebook("flag-chase"))
    data.pop("claims")
    (program.folder / "bare.toml").write_text(tomli_w.dumps(data))
    done = program("audit", "bare.toml", "--variants")
    assert done.status == 0, done.err
    line = next(one for one in done.out.splitlines() if one.startswith("no number is"))
    assert line.split()[-3:] == ["refuted", "-", "refuted"]


def test_best_play_that_comes_back_does_so_however_long_it_is() -> None:
    """The line is not cut short: its last position has stood before."""
    found = audit(planted(cells=64, steps=(1, -1), enemy="sent home", move={"edge": "stay"}), True)
    for finding in found.findings:
        if finding.claim.property is Property.NO_DRAW and finding.evidence.record:
            session = Session.from_record(finding.evidence.record)
            assert session.times > 1


def test_words_of_best_play_are_those_that_it_plays() -> None:
    """In Flag Chase best play never reaches a goal, though mistakes would."""
    used = {one.word: one.in_best_play for one in audited("flag-chase").analysis.words}
    assert used[Word.GOAL] == 0
    assert used[Word.BATTLE] > 0


def test_a_rulebook_without_claims_is_audited_against_the_general_ones() -> None:
    found = audit(planted())
    assert {one.claim.property for one in found.findings} == set(Property) - {
        Property.NO_BEST_NUMBER
    }


# Figures


def test_a_game_without_a_choice_by_hand() -> None:
    """Three cells, single steps: A, B, A, and player 1 is there."""
    figures = audit(planted(cells=3, steps=(1,), enemy="shared")).figures
    assert figures.positions == 4
    assert figures.branching == 1
    assert (figures.value.winner, figures.value.plies) == (Side.ONE, 3)
    assert figures.longest_game == figures.longest == 3
    assert figures.decisions == figures.only_moves == figures.lead_changes == figures.drama == 0
    assert [one.plies for one in figures.equals] == [3.0] * len(figures.equals)
    assert figures.skill == (1.0, 0.0)


def expected_course(solution: Solution) -> tuple[float, float, float]:
    """Turning points, lead changes and drama by going through all play, for a game that ends."""
    game = solution.game
    level = Level(MIDDLING, solution)

    @cache
    def worth(position: Position) -> int:
        value = solution.value(position)
        return 0 if value.winner is None else 1 if value.winner is Side.ONE else -1

    @cache
    def wins(position: Position) -> float:
        """The chance that player 1 wins."""
        winner = game.outcome(position)
        if winner is not None:
            return float(winner is Side.ONE)
        chances = level.chances(position, position.side)
        moves = game.moves(position)
        return sum(p * wins(game.play(position, m)) for m, p in zip(moves, chances, strict=True))

    @cache
    def course(position: Position) -> tuple[float, float, float, float]:
        if game.outcome(position) is not None:
            return 0.0, 0.0, 0.0, 0.0
        after = [game.play(position, move) for move in game.moves(position)]
        turning = float(len({worth(one) for one in after}) > 1)
        behind = {1: 1 - wins(position), 0: 0.0, -1: wins(position)}[worth(position)]
        found = [turning, 0.0, behind, 1.0]
        for one, chance in zip(after, level.chances(position, position.side), strict=True):
            found[1] += chance * (worth(position) * worth(one) < 0)
            found = [mine + chance * there for mine, there in zip(found, course(one), strict=True)]
        return found[0], found[1], found[2], found[3]

    turning, changes, behind, plies = course(solution.start)
    return turning, changes, behind / plies


@pytest.mark.parametrize(
    "address", ["ctf-tokens", "blockade-duel:from-bases", "cross-over:no-jump"]
)
def test_the_course_of_a_game_against_going_through_all_play(address: str) -> None:
    figures, solution = audited(address).figures, audited(address).analysis.solution
    found = figures.turning_points, figures.lead_changes, figures.drama
    assert found == pytest.approx(expected_course(solution), abs=1e-9)


def course_by_matrices(analysis: Analysis) -> tuple[float, float, float]:
    """The same for any small game, over the games that end: one dense system of equations.

    A state is a position and who led last.
    """
    solution, game, graph = analysis.solution, analysis.game, analysis.graph
    places = {(p, last): n for n, (p, last) in enumerate(product(graph.positions, (None, *Side)))}
    size, chances = len(places), analysis.middling_chances
    step, changes = np.zeros((size, size)), np.zeros((size, size))
    pays = np.zeros((size, 2))
    for at, position in enumerate(graph.positions):
        span = range(graph.first[at], graph.first[at + 1])
        for last in (None, *Side):
            here = places[position, last]
            if (winner := game.outcome(position)) is not None:
                pays[here, winner - 1] = 1
            for one in span:
                reached = graph.positions[graph.after[one]]
                ahead = leading(solution.value(reached)) or last
                there = places[reached, ahead]
                step[here, there] += chances[one]
                changes[here, there] = last is not None and ahead is not last
    power = np.eye(size) + step
    for _ in range(size.bit_length() + 1):
        power = np.minimum(power @ power, 1.0)
    can_end = (power @ pays.sum(axis=1)) > 0
    inside = np.flatnonzero(can_end & (pays.sum(axis=1) == 0))
    system = np.eye(len(inside)) - step[np.ix_(inside, inside)]
    wins = pays.copy()
    wins[inside] = np.linalg.solve(system, step[inside] @ pays)
    ends = wins.sum(axis=1)
    start = places[graph.positions[0], leading(solution.value(solution.start))]
    if start not in inside or ends[start] == 0:
        return 0.0, 0.0, 0.0
    begin = (inside == start).astype(float)
    visits = np.zeros(size)
    visits[inside] = np.linalg.solve(system.T, begin)
    turning = behind = plies = 0.0
    for (position, _), here in places.items():
        plies += visits[here] * ends[here]
        turning += visits[here] * ends[here] * deciding(solution, position)[1]
        for side in Side:
            if solution.value(position).hoped(side) == -1:
                behind += visits[here] * wins[here, side - 1]
    changed = float((visits[:, None] * step * changes * ends[None, :]).sum())
    return turning / ends[start], changed / ends[start], behind / plies


def leading(value: Value) -> Side | None:
    return Side.ONE if value.low > 0 else Side.TWO if value.high < 0 else None


def deciding(solution: Solution, position: Position) -> tuple[int, int, int]:
    """The decisions in a position, those that matter, and those with one good choice."""
    game, standing = solution.game, solution.likeness.standing_for
    value = solution.value(position)
    if game.outcome(position) is not None:
        return 0, 0, 0
    if position.battle is None:
        after = {standing(game.play(position, move)) for move in game.moves(position)}
        sure = max(solution.value(one).sure(position.side) for one in after)
        good = sum(solution.value(one).hoped(position.side) >= sure for one in after)
        return (1, int(good < len(after)), int(good == 1)) if len(after) > 1 else (0, 0, 0)
    matters = only = 0
    for side in Side:
        good = 0
        mixture = solution.mixture(position, side.other)
        for own in mixture:
            left = Fraction(0)
            for other, chance in mixture.items():
                pair = Numbers(own, other) if side is Side.ONE else Numbers(other, own)
                left += chance * solution.value(game.play(position, pair)).hoped(side)
            good += left >= value.sure(side)
        matters += good < len(mixture)
        only += good == 1
    return 2, matters, only


@given(rulebooks() | battle_rulebooks())
@settings(max_examples=60)
def test_the_course_of_any_game_against_dense_matrices(rulebook: Rulebook) -> None:
    """Even positions keep the last leader; only what is proved counts."""
    try:
        explore_by_engine(Game(rulebook), Game(rulebook).start(), 70)
    except TooLarge:
        return
    analysis = Analysis(rulebook)
    assert tuple(analysis.course) == pytest.approx(course_by_matrices(analysis), abs=1e-6, rel=1e-6)


@pytest.mark.parametrize("address", ALL_GAMES)
def test_compiled_counting_agrees_with_what_the_solution_proves(address: str) -> None:
    """One place decides what matters; the fast form of it says the same."""
    analysis = audited(address).analysis
    slow = decision_counts(analysis.solution, analysis.graph.positions)
    assert analysis.shape[:3] == pytest.approx(slow[:3])
    assert analysis.shape.matters.tolist() == slow.matters.tolist()


@pytest.mark.parametrize("address", ["ctf-tokens", "cross-over:no-jump", "flag-chase"])
def test_decisions_against_counting_one_by_one(address: str) -> None:
    """Decisions, those that matter, and those with an only choice; battles count twice."""
    analysis = audited(address).analysis
    solution, game = analysis.solution, analysis.game
    counted = [deciding(solution, position) for position in analysis.graph.positions]
    decisions, matter, only = (sum(one) for one in zip(*counted, strict=True))
    assert analysis.shape.decisions == pytest.approx(matter / decisions)
    assert analysis.shape.only_moves == pytest.approx(only / decisions)
    moving = [
        len(game.moves(position))
        for position in analysis.graph.positions
        if position.battle is None and game.moves(position)
    ]
    assert analysis.shape.branching == pytest.approx(sum(moving) / len(moving))


# Play without end


MENDED = ("battle.wins=undercut", "track.last=4", "player1.goal=4", "player2.pieces=P2:4")


def test_no_draw_is_not_proved_where_best_play_may_go_on_for_ever() -> None:
    """Flag Chase on four cells: both may step back for ever, and the line is the evidence."""
    found = audit(apply_changes(find_rulebook("flag-chase"), parse_assignments(MENDED)), True)
    by_property = {one.claim.property: one for one in found.findings}
    for about in (Property.NO_DRAW, Property.ALWAYS_ENDS):
        assert by_property[about].ruling.verdict is Verdict.IN_PART
        record = by_property[about].evidence.record
        assert record is not None
        assert list(map(str, record.moves)) == ["P1-1", "P2-1"]


def test_a_value_that_is_not_0_does_not_make_endless_play_best_play() -> None:
    """Staying is safe for ever, and never progress: best play of may-stay ends."""
    changes = parse_assignments(["battle.wins=undercut"])
    found = audit(apply_changes(find_rulebook("flag-chase:may-stay"), changes))
    assert found.figures.value.exact == Fraction(1, 47)
    assert found.figures.best.endless == 0
    assert found.figures.best.seat == pytest.approx(1 / 47)
    by_property = {one.claim.property: one for one in found.findings}
    assert by_property[Property.NO_DRAW].ruling.verdict is Verdict.PROVED


def test_quick_is_measured_by_the_shortest_game_and_the_slowest_level_is_named() -> None:
    """Blockade Duel with steps of 2 and 3: some games of level 1 never end."""
    changes = parse_assignments(["move.steps=2,3"])
    found = audit(apply_changes(find_rulebook("blockade-duel"), changes))
    quick = next(o for o in found.findings if o.claim.property is Property.ENDS_QUICKLY)
    assert found.figures.shortest_game == 3
    assert quick.ruling.verdict is Verdict.REFUTED
    assert "6% of their games never end" in quick.ruling.why
    assert "level 1" in quick.ruling.why
    assert quick.evidence.record is not None
    assert quick.evidence.record.moves[-2:] == (PASS, PASS)


def test_a_verdict_is_about_the_property_and_says_what_was_not_tested(program: Program) -> None:
    """Blocking never happens in Blockade Duel, whatever its choices are worth."""
    audit_lines = " ".join(program("audit", "blockade-duel").out.split())
    assert "Choices matter: proved. 35% of the decisions can change the result" in audit_lines
    assert "Tested for: “Advancing and blocking have to be weighed" in audit_lines
    assert "Not tested: whether blocking is among the choices." in audit_lines


def test_figures_are_about_what_can_come_up_though_a_table_knows_more() -> None:
    """61,109 positions can come up; a forced win in 13 is in the table, but never on the board."""
    rulebook = rulebook_from_data(
        {
            "title": "Table",
            "summary": "",
            "track": {"first": -9, "last": -1},
            "player1": {"pieces": {"A": -8, "B": -7, "C": -9}, "goal": [-1]},
            "player2": {"pieces": {"D": -1, "E": -3, "F": -3}, "goal": [-8]},
            "move": {"steps": [-1, 1, 0], "edge": "stay"},
            "meet": {"own": "shared", "enemy": "sent home"},
        },
        "table",
    )
    analysis = Analysis(rulebook)
    assert analysis.solution.counted == "solved"
    assert (analysis.solution.longest, analysis.longest) == (13, 11)
    assert quick_figures(rulebook).longest == 11


def test_lengths_add_up() -> None:
    """The distribution of lengths has the expected length of the chain."""
    analysis = audited("cross-over").analysis
    lengths = analysis.lengths
    middling = next(one for one in analysis.figures.equals if one.player == f"level:{MIDDLING}")
    assert lengths.sum() == pytest.approx(1)
    assert sum(ply * share for ply, share in enumerate(lengths)) == pytest.approx(middling.plies)


# Quick figures are those of a whole analysis


def same(rulebook: Rulebook) -> None:
    quick, whole = quick_figures(rulebook), Analysis(rulebook)
    assert quick.positions == len(whole.graph)
    assert quick.value == whole.solution.value(whole.solution.start)
    values = [whole.solution.value(position) for position in whole.graph.positions]
    assert quick.longest == whole.longest == (max(value.plies or 0 for value in values) or None)
    decision_counts, course = whole.shape, whole.course
    assert (quick.branching, quick.decisions) == pytest.approx(
        (decision_counts.branching, decision_counts.decisions)
    )
    assert (quick.turning_points, quick.lead_changes, quick.drama) == pytest.approx(
        tuple(course), abs=1e-8
    )


@pytest.mark.parametrize("address", ALL_GAMES)
def test_quick_figures_of_a_shipped_game(address: str) -> None:
    """The players are those of the ladder, and so are their results."""
    rulebook = find_rulebook(address)
    same(rulebook)
    quick, whole = quick_figures(rulebook), audited(address).figures
    assert quick.skill == pytest.approx(whole.skill)
    results = {one.player: one[1:] for one in whole.equals}
    for one in quick.equals:
        assert one[1:] == pytest.approx(results[one.player], abs=1e-9)


@given(rulebooks().filter(lambda one: one.rules.battle is None))
def test_quick_figures_of_a_random_game(rulebook: Rulebook) -> None:
    same(rulebook)


@pytest.mark.parametrize(
    ("change", "skill"),
    [("player1.pieces=A0:3", (1.0, 0.0)), ("turn.first=player2", (0.0, 1.0))],
    ids=["player 1", "player 2"],
)
def test_skill_is_told_of_the_seat_it_was_shown_in(change: str, skill: tuple[float, float]) -> None:
    """Where whoever begins wins with the next step, the best player does so in one seat only."""
    near = assign(planted(steps=(1,)), ["player1.pieces=A0:3", "player2.pieces=B0:1"])
    rulebook = assign(near, [change])
    assert quick_figures(rulebook).skill == skill
    assert Analysis(rulebook).figures.skill == skill


# The command


def test_strict_fails_only_where_a_claim_is_refuted(program: Program) -> None:
    assert program("audit", "ctf-tokens", "--strict").status == 0
    done = program("audit", "blockade-duel", "--strict")
    assert done.status == 1
    assert "refuted" in done.out


def test_strict_looks_at_every_variant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A variant that breaks a promise fails, though the rulebook itself keeps them all."""
    data = rulebook_data(find_rulebook("ctf-tokens"))
    shuffle = {"summary": "To and fro.", "why": "It may be.", "move": {"steps": [1, -1]}}
    monkeypatch.chdir(tmp_path)
    for variants, status in (({}, 0), ({"shuffle": shuffle}, 1)):
        Path("mine.toml").write_text(tomli_w.dumps(data | {"variants": variants}))
        more = ["--variants"] if variants else []
        assert main(["audit", "mine.toml", "--strict", *more]) == status
    assert "refuted" in capsys.readouterr().out


@pytest.mark.parametrize("address", ["ctf-tokens", "flag-chase", "blockade-duel"])
def test_it_is_said_where_who_begins_is_left_open(address: str) -> None:
    """And only there."""
    for first in ("player1", "player2", "either"):
        rulebook = apply_changes(find_rulebook(address), parse_assignments([f"turn.first={first}"]))
        found = replace(audited(address), analysis=Analysis(rulebook))
        said = "The rules leave open who begins; here player 1 does."
        assert (said in audit_lines(found)) == (first == "either")


@pytest.mark.parametrize("address", ["ctf-tokens", "flag-chase", "blockade-duel:from-bases"])
def test_the_example_of_a_word_is_the_nearest_to_the_start(address: str) -> None:
    """More positions, farther away, change no example."""
    game = Game(find_rulebook(address))
    positions = explore_by_engine(game, game.start(), 200_000).positions
    some = positions[: len(positions) // 2]
    near, all_ = (usage(game, few, {}) for few in (some, positions))
    for one, other in zip(near, all_, strict=True):
        assert one.example in (None, other.example)
    assert any(one.example for one in near)


def test_the_document_holds_evidence_that_replays(program: Program) -> None:
    done = program("audit", "flag-chase", "--json")
    document = json.loads(done.out)
    verdicts = {one["property"]: one["verdict"] for one in document["claims"]}
    assert verdicts["no number is always best"] == "refuted"
    assert len(document["pairs"]) == len(document["figures"]["equals"]) ** 2
    record = next(one for one in document["claims"] if one["property"] == "no draw")
    (program.folder / "line.duel").write_text(record["evidence"]["record"])
    assert program("replay", "line.duel").status == 0


def test_evidence_is_written_to_be_replayed(program: Program) -> None:
    done = program("audit", "ctf-soldiers", "--evidence", "lines")
    assert "Replay the evidence with: lineduel replay lines/claim-" in done.out
    written = sorted((program.folder / "lines").iterdir())
    assert written
    for path in written:
        assert program("replay", str(path)).status == 0


def test_bad_questions_get_a_sentence(program: Program) -> None:
    for arguments, said in (
        (("audit", "ctf-soldiers", "--variants"), "ctf-soldiers has no variants to compare."),
        (("audit", "cross-over", "--variants", "--html", "x.html"), "for one rulebook"),
        (("audit", "nothing"), "There is no game called 'nothing'."),
    ):
        done = program(*arguments)
        assert done.status == 2
        assert said in done.err
        assert "Traceback" not in done.err


@pytest.mark.parametrize("address", SHIPPED)
def test_the_page_opens_in_a_browser_without_network_or_error(
    address: str, browser: Browser, tmp_path: Path
) -> None:
    """One file: no request but for itself, nothing in the console, every picture drawn."""
    from lineduel.lab import audit_page as written

    path = tmp_path / "audit.html"
    path.write_text(written(audited(address), date(2026, 5, 4)), encoding="utf-8")
    evidence = [one.evidence for one in audited(address).findings]
    boards = sum(one.record is not None or one.position is not None for one in evidence)
    with opened_file(browser, path) as shown:
        assert shown.locator("svg").count() == 4 + boards
        assert all(
            (box := one.bounding_box()) is not None and box["width"] > 100
            for one in shown.locator("svg").all()
        )
        assert shown.locator(".claim").count() == len(audited(address).findings)


def test_fractions_are_told_exactly() -> None:
    """A value in a battle game is a fraction, not a rounded number."""
    values: Mapping[str, Fraction] = {"undercut": Fraction(1, 47), "cyclic": Fraction(4, 111)}
    for wins, value in values.items():
        rulebook = apply_changes(find_rulebook("flag-chase"), {"battle": {"wins": wins}})
        assert quick_figures(rulebook).value.exact == value


def test_every_game_is_audited_from_its_own_start() -> None:
    """Who begins is the rulebook's word; a game with player 2 first is another game."""
    rulebook = planted(turn={"first": "player2"})
    assert Analysis(rulebook).solution.start == Game(rulebook).start()
    assert quick_figures(rulebook).value == Analysis(rulebook).figures.value


def test_a_game_that_is_over_at_the_start_is_told_so() -> None:
    """Not that somebody wins in 0 turns, by a line of play without a move."""
    settings = ("turn.stuck=loses", "player1.pieces=A:4", "player2.pieces=B:5", "move.steps=1")
    rulebook = assign(find_rulebook("blockade-duel"), settings)
    found = audit(rulebook, everything=True)
    told = "\n".join(audit_lines(found))
    assert "The game is over at once: player 2 has won." in told
    assert "Computed over 1 position." in told
    assert "The game is over at the start." in told
    assert ":\n" not in "\n".join(one.evidence.text + "\n" for one in found.findings)
