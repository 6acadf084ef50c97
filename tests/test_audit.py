"""Audits: every verdict with its evidence, on the shipped games and on planted ones."""

import json
import os
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from playwright.sync_api import Browser, sync_playwright

from lineduel.engine import Game, Position
from lineduel.lab.audit import Audit, audit
from lineduel.lab.claims import Verdict
from lineduel.lab.glance import glance
from lineduel.lab.study import MIDDLING, Study
from lineduel.lab.telling import compared
from lineduel.lab.usage import Word
from lineduel.players import Level
from lineduel.record import read_record, write_record
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Property, Rulebook, Side, rulebook_data, rulebook_from_data
from lineduel.session import Session
from lineduel.solve import Solution
from program import Program
from strategies import ALL_GAMES, rulebooks

GOLDEN = Path(__file__).parent / "golden" / "audits.json"
UPDATE = "LINEDUEL_UPDATE_GOLDEN"


@lru_cache
def audited(address: str) -> Audit:
    return audit(find_rulebook(address), everything=True)


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
    """Every general claim of every rulebook and reading, as a golden fact."""
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
            standing = audited(address).study.solution.likeness.standing_for
            met = [standing(turn.before) for turn in session.turns]
            assert standing(session.position) in met
        if finding.claim.property is Property.FAIR_SEATS:
            assert session.winner is audited(address).figures.value.winner


def test_the_sentence_that_decides_cross_over() -> None:
    """What is known: player 2 in 20; with own pieces sharing, player 1 in 17."""
    readings = ("cross-over", "cross-over:own-may-share", "cross-over:no-jump")
    told = " ".join(" ".join(compared([audited(one) for one in readings])).split())
    assert "cannot be landed on. → player 2 in 20 plies;" in told
    assert "Own pieces may share a cell. → player 1 in 17 plies." in told


def test_words_that_never_count_are_named() -> None:
    """Blockade Duel never blocks, as its erratum says; from the bases it does."""
    used = {one.word: one.positions for one in audited("blockade-duel").study.words}
    assert used[Word.ENEMY_BLOCKS] == used[Word.PASS] == 0
    used = {one.word: one.positions for one in audited("blockade-duel:from-bases").study.words}
    assert used[Word.ENEMY_BLOCKS] > 0


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
        Property.WORDS_USED,
        Verdict.REFUTED,
    ),
    "two pieces a side that block, jump and are forced to pass use every word": (
        planted(cells=6, steps=(1, 2, 3), enemy="blocked", own="blocked", pieces=2),
        Property.WORDS_USED,
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


def test_readings_that_lose_a_claim_are_compared(program: Program) -> None:
    """A rulebook with battles and a reading without them, and no claims of its own."""
    data = rulebook_data(find_rulebook("flag-chase"))
    data.pop("claims")
    (program.folder / "bare.toml").write_text(tomli_w.dumps(data))
    done = program("audit", "bare.toml", "--readings")
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
    used = {one.word: one.in_best_play for one in audited("flag-chase").study.words}
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
    figures, solution = audited(address).figures, audited(address).study.solution
    found = figures.turning_points, figures.lead_changes, figures.drama
    assert found == pytest.approx(expected_course(solution), abs=1e-9)


@pytest.mark.parametrize("address", ["ctf-tokens", "cross-over:no-jump", "ctf-soldiers"])
def test_decisions_against_counting_one_by_one(address: str) -> None:
    """Positions with a choice, those where it matters, those with an only move."""
    study = audited(address).study
    solution, game = study.solution, study.game
    standing = solution.likeness.standing_for
    chosen = decided = only = moves = open_ = 0
    for position in study.atlas.positions:
        if game.outcome(position) is not None:
            continue
        open_ += 1
        moves += len(game.moves(position))
        after = {standing(game.play(position, move)) for move in game.moves(position)}
        values = [solution.value(one).for_side(position.side)[:2] for one in after]
        if len(after) > 1:
            chosen += 1
            decided += len(set(values)) > 1
            only += len(set(values)) > 1 and values.count(max(values)) == 1
    assert study.shape.branching == pytest.approx(moves / open_)
    assert study.shape.decisions == pytest.approx(decided / chosen)
    assert study.shape.only_moves == pytest.approx(only / chosen)


def test_lengths_add_up() -> None:
    """The distribution of lengths has the expected length of the chain."""
    study = audited("cross-over").study
    lengths = study.lengths
    middling = next(one for one in study.figures.equals if one.player == f"level:{MIDDLING}")
    assert lengths.sum() == pytest.approx(1)
    assert sum(ply * share for ply, share in enumerate(lengths)) == pytest.approx(middling.plies)


# A glance says the same as a whole study


def same(rulebook: Rulebook) -> None:
    quick, whole = glance(rulebook), Study(rulebook)
    assert quick.positions == len(whole.atlas)
    assert quick.value == whole.solution.value(whole.solution.start)
    assert quick.longest == whole.solution.longest
    shape, course = whole.shape, whole.course
    assert (quick.branching, quick.decisions) == pytest.approx((shape.branching, shape.decisions))
    assert (quick.turning_points, quick.lead_changes, quick.drama) == pytest.approx(
        tuple(course), abs=1e-8
    )


@pytest.mark.parametrize("address", ALL_GAMES)
def test_a_glance_at_a_shipped_game(address: str) -> None:
    same(find_rulebook(address))


@given(rulebooks().filter(lambda one: one.rules.battle is None))
def test_a_glance_at_a_random_game(rulebook: Rulebook) -> None:
    same(rulebook)


# The command


def test_strict_fails_only_where_a_claim_is_refuted(program: Program) -> None:
    assert program("audit", "ctf-tokens", "--strict").status == 0
    done = program("audit", "blockade-duel", "--strict")
    assert done.status == 1
    assert "failed" in done.out


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
        (("audit", "ctf-soldiers", "--readings"), "ctf-soldiers has no readings to compare."),
        (("audit", "cross-over", "--readings", "--html", "x.html"), "for one rulebook"),
        (("audit", "nothing"), "There is no game called 'nothing'."),
    ):
        done = program(*arguments)
        assert done.status == 2
        assert said in done.err
        assert "Traceback" not in done.err


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = which("chromium")
    if chromium is None:
        pytest.skip("there is no Chromium here; `make test` installs it where it may")
    with sync_playwright() as playwright:
        quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        started = playwright.chromium.launch(executable_path=chromium, args=quiet)
        yield started
        started.close()


@pytest.mark.parametrize("address", SHIPPED)
def test_the_page_opens_in_a_browser_without_network_or_error(
    address: str, browser: Browser, tmp_path: Path
) -> None:
    """One file: no request but for itself, nothing in the console, every picture drawn."""
    from lineduel.lab.page import page as written

    path = tmp_path / "audit.html"
    path.write_text(written(audited(address)), encoding="utf-8")
    shown = browser.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    shown.on("request", lambda request: asked.append(request.url))
    shown.on("console", lambda message: wrong.append(message.text))
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.goto(path.as_uri())
    assert [one for one in asked if not one.startswith("data:")] == [path.as_uri()]
    assert wrong == []
    assert shown.locator("svg").count() == 4
    assert all(
        (box := one.bounding_box()) is not None and box["width"] > 100
        for one in shown.locator("svg").all()
    )
    assert shown.locator(".claim").count() == len(audited(address).findings)
    shown.close()


def test_fractions_are_told_exactly() -> None:
    """A value in a battle game is a fraction, not a rounded number."""
    values: Mapping[str, Fraction] = {"undercut": Fraction(1, 47), "cyclic": Fraction(4, 111)}
    for wins, value in values.items():
        changed = find_rulebook("flag-chase")
        from lineduel.rules import apply_changes

        rulebook = apply_changes(changed, {"battle": {"wins": wins}})
        assert glance(rulebook).value.exact == value


def test_every_game_is_audited_from_its_own_start() -> None:
    """Who begins is the rulebook's word; a game with player 2 first is another game."""
    rulebook = planted(turn={"first": "player2"})
    assert Study(rulebook).solution.start == Game(rulebook).start()
    assert glance(rulebook).value == Study(rulebook).figures.value
