"""Repairs: the smallest changes that keep what an author promises."""

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import pytest
import tomli_w
from hypothesis import given, strategies as st

from lineduel.cli.main import main
from lineduel.cli.repair import play_command
from lineduel.errors import NotationError, RulebookError
from lineduel.jobs import Pool
from lineduel.lab.audit import audit
from lineduel.lab.changes import alternatives, candidates, identity
from lineduel.lab.claims import Verdict
from lineduel.lab.figures import Figures
from lineduel.lab.repair import is_sound
from lineduel.lab.repair_search import mended_text
from lineduel.rulebooks import SHIPPED, find_rulebook, read_rulebook
from lineduel.rules import (
    Claim,
    Property,
    Rulebook,
    apply_changes,
    rulebook_data,
    rulebook_from_data,
)
from lineduel.rules.assignments import (
    assign,
    assignments_between,
    parse_assignments,
    parse_rules,
)
from support.program import PATIENCE, PYTHON_M, Program
from support.repairs import repair
from support.solved import audited
from support.strategies import ALL_GAMES, rulebooks

BEST = {
    "ctf-soldiers": ["move.steps=2,3", "player1.goal=8,9,10", "player2.goal=0,1,2"],
    "flag-chase": ["move.steps=1,2,-1", "battle.wins=undercut"],
    "blockade-duel": [
        "player1.pieces=P1:0,P1x:0",
        "player2.pieces=P2:10,P2x:10",
        "meet.own=shared",
    ],
}
"""A repair of each game that needs one, as the search finds it in at most three changes."""
SOUND = ("ctf-tokens", "cross-over")
"""Games that prove what they promise as they are."""


def unsound() -> Rulebook:
    """Tokens that can only shuffle to and fro; one change away from a game that is sound."""
    keys = parse_assignments(["move.steps=1,-1", "move.edge=stay", "meet.enemy=captured"])
    return apply_changes(find_rulebook("ctf-tokens"), keys)


@pytest.mark.parametrize("address", BEST)
def test_the_known_repairs_prove_every_claim(address: str) -> None:
    """The whole ladder agrees: nothing refuted, nothing held in part only."""
    mended = apply_changes(find_rulebook(address), parse_assignments(BEST[address]))
    assert [one.ruling.verdict for one in audit(mended).findings] == [Verdict.PROVED] * len(
        mended.claims
    )
    assert audit(find_rulebook(address)).refuted


@pytest.mark.parametrize("address", SOUND)
def test_what_is_sound_needs_no_repair(address: str, program: Program) -> None:
    rulebook = find_rulebook(address)
    assert is_sound(rulebook, [claim.property for claim in rulebook.claims])
    done = program("repair", address)
    assert done.status == 0
    assert "nothing to mend" in done.out


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """One worker for all searches: to start some for each takes longer than to search."""
    with Pool(1) as workers:
        yield workers


def test_a_repair_planted_one_change_away_is_found_first(pool: Pool) -> None:
    """The sound rulebook is among the repairs, and all that come first are one change away."""
    broken = unsound()
    sound = apply_changes(broken, parse_assignments(["move.steps=1,2,3"]))
    wanted = [claim.property for claim in broken.claims]
    assert not is_sound(broken, wanted)
    assert is_sound(sound, wanted)
    search = repair(broken, most=1, wanted=100, pool=pool)
    assert search.repairs
    assert all(len(one.candidate.changes) == 1 for one in search.repairs)
    keys = [identity(one.candidate.rulebook.rules).key for one in search.repairs]
    assert identity(sound.rules).key in keys
    for one, other in pairwise(search.repairs):
        if _unevenness(one.figures) == _unevenness(other.figures):
            assert round(one.figures.skill.worse, 3) >= round(other.figures.skill.worse, 3)
        else:
            assert _unevenness(one.figures) < _unevenness(other.figures)


def _unevenness(figures: Figures) -> float:
    """How much a seat is worth, with best play and at worst among equals."""
    seats = max(abs(one.seat) for one in figures.equals)
    return round(abs(float(figures.value.low + figures.value.high)) / 2 + seats, 3)


def test_a_repair_that_only_the_perfect_player_proves_is_found(pool: Pool) -> None:
    """Quick figures have but three players, so what they doubt is audited before it is given up."""
    keys = parse_assignments(["player1.pieces=P1:0", "player2.pieces=P2:10", "move.steps=1,-1"])
    rulebook = apply_changes(find_rulebook("blockade-duel"), keys)
    skill = replace(rulebook, claims=(Claim("Skill wins.", Property.SKILL_WINS),))
    search = repair(skill, most=1, wanted=100, pool=pool)
    found = [str(change) for one in search.repairs for change in one.candidate.changes]
    assert "move.steps=1,2,0" in found


@pytest.mark.parametrize("address", ["ctf-tokens", "blockade-duel", "flag-chase"])
@pytest.mark.parametrize("about", list(Property))
def test_sound_is_what_an_audit_proves(address: str, about: Property) -> None:
    proved = {
        one.claim.property: one.ruling.verdict is Verdict.PROVED
        for one in audited(address).findings
    }
    if about in proved:
        assert is_sound(find_rulebook(address), [about]) is proved[about]


class LastFirst(Pool):
    """Workers whose results come in the opposite order."""

    def run(self, *arguments: Any, **options: Any) -> Iterator[Any]:
        yield from reversed(list(super().run(*arguments, **options)))


def test_equally_good_repairs_come_in_the_same_order_whoever_finishes_first(pool: Pool) -> None:
    """For two runners that pass each other a shorter track is as good as wider goals."""
    runners = (
        "track.last=5",
        "player1.pieces=A:0",
        "player1.goal=5",
        "player2.pieces=B:5",
        "player2.goal=0",
        "move.steps=1,-1,0",
        "meet.enemy=shared",
    )
    rulebook = apply_changes(find_rulebook("blockade-duel"), parse_assignments(runners))
    claim = Claim("Somebody wins.", Property.NO_DRAW)
    rulebook = replace(rulebook, claims=(claim,))
    with LastFirst(1) as others:
        one, other = (repair(rulebook, most=1, wanted=100, pool=each) for each in (pool, others))
    names = [found.candidate.name for found in one.repairs]
    assert {("track.length=5",), ("player1.goal=4,5, player2.goal=0,1",)} <= set(names)
    assert names == [found.candidate.name for found in other.repairs]


def test_more_changes_are_tried_only_when_fewer_do_not_help(pool: Pool) -> None:
    search = repair(unsound(), most=2, wanted=1, pool=pool)
    assert (search.sizes, len(search.repairs)) == (1, 1)


def test_claims_that_exclude_each_other_are_proved_to(pool: Pool) -> None:
    """Where play always ends somebody wins with best play, so no seat is even."""
    also = [Property.FAIR_SEATS]
    search = repair(find_rulebook("ctf-tokens"), also=also, most=1, pool=pool)
    assert not search.repairs
    assert frozenset({Property.FAIR_SEATS, Property.NO_DRAW}) in search.excluded()


@pytest.mark.parametrize("address", SHIPPED)
def test_candidates_are_as_many_changes_away_as_they_say(address: str) -> None:
    """A candidate differs in one word at least, and no word is changed twice."""
    rulebook = find_rulebook(address)
    for candidate in candidates(rulebook, 1):
        assert candidate.rulebook.rules != rulebook.rules
        assert candidate.rulebook.claims == rulebook.claims
    for number, candidate in enumerate(candidates(rulebook, 2)):
        abouts = [change.about for change in candidate.changes]
        assert len(set(abouts)) == 2
        if number == 200:
            break


@pytest.mark.parametrize("address", ALL_GAMES)
def test_a_longer_track_keeps_its_shape(address: str) -> None:
    """Two cells more and two less again is the same game."""
    rulebook = find_rulebook(address)
    length = len(rulebook.rules.track)
    longer = assign(rulebook, [f"track.length={length + 2}"])
    assert len(longer.rules.track) == length + 2
    assert assign(longer, [f"track.length={length}"]).rules == rulebook.rules


def test_the_length_moves_the_right_half_and_the_last_label_moves_nothing() -> None:
    """`track.last` is that key alone; `track.length` takes goals and pieces along."""
    rulebook = find_rulebook("cross-over")
    rules = assign(rulebook, ["track.length=13"]).rules
    assert rules.track.last == 12
    assert (rules.player1.homes, rules.player2.homes) == ((0, 1, 2), (12, 11, 10))
    assert (rules.player1.goal, rules.player2.goal) == ((10, 11, 12), (0, 1, 2))
    rules = assign(rulebook, ["track.last=12"]).rules
    assert rules.track.last == 12
    assert rules.player1 == rulebook.rules.player1
    assert rules.player2 == rulebook.rules.player2


def test_the_length_comes_before_the_other_keys() -> None:
    """Wherever it stands, pieces that are set stay where they are set."""
    for texts in (
        ["track.length=13", "player2.pieces=B:9"],
        ["player2.pieces=B:9", "track.length=13"],
    ):
        rules = assign(find_rulebook("cross-over"), texts).rules
        assert rules.player2.homes == (9,)
        assert rules.player1.goal == (10, 11, 12)


def test_what_lies_in_the_middle_moves_half_as_far_or_not_at_all() -> None:
    """An even track has no middle cell, so the piece there has nowhere to go."""
    middle = assign(find_rulebook("cross-over"), ["player1.pieces=A:5,B:1"])
    assert assign(middle, ["track.length=15"]).rules.player1.homes == (7, 1)
    assert assign(middle, ["track.length=9"]).rules.player1.homes == (4, 1)
    with pytest.raises(RulebookError, match="12 puts what lies on 5, in the middle, between two"):
        assign(middle, ["track.length=12"])


@pytest.mark.parametrize("key", ["track.first", "track.last"])
def test_the_length_is_refused_beside_an_end(key: str, program: Program) -> None:
    done = program("rules", "cross-over", "--set", f"{key}=0", "--set", "track.length=9")
    assert done.status == 2
    assert f"track.length and {key} cannot go together." in done.err
    assert len(done.complaints) <= 2


def test_the_length_is_for_command_lines_only(program: Program) -> None:
    """What is written down says first and last, and nothing that is read says length."""
    program("play", "flag-chase", "--set", "track.length=7", typed="P1+1\nquit\n")
    (saved,) = program.saved
    assert "track.first=1; track.last=7;" in saved.read_text()
    assert "track.length" not in saved.read_text()
    certificate = program.folder / "f.cert"
    program("solve", "flag-chase", "--set", "track.length=4", "--certificate", str(certificate))
    assert "track.last=4" in certificate.read_text()
    assert "length" not in certificate.read_text()
    with pytest.raises(NotationError, match=r"'track.length' is not a rule"):
        parse_rules("track.length=7")


# The commands that play repairs


def assigned_by(command: str) -> list[str]:
    """The keys that a shell's command sets."""
    words = shlex.split(command)
    return [text for flag, text in pairwise(words) if flag == "--set"]


@pytest.mark.parametrize("address", SHIPPED)
def test_every_candidate_has_a_command_that_plays_it(address: str) -> None:
    """The keys in the command make the same rules, however many words were changed."""
    rulebook = find_rulebook(address)
    two = islice(candidates(rulebook, 2), 0, None, 97)
    for candidate in (*candidates(rulebook, 1), *islice(two, 40)):
        rules = candidate.rulebook.rules
        command = play_command(address, rulebook.rules, rules)
        assert command.startswith(f"lineduel play {address} --set ")
        assert assign(rulebook, assigned_by(command)).rules == rules


@given(before=rulebooks(), after=rulebooks(), data=st.data())
def test_any_rules_can_be_reached_by_setting_keys(
    before: Rulebook, after: Rulebook, data: st.DataObject
) -> None:
    texts = assignments_between(before.rules, after.rules)
    assert assign(before, texts).rules == after.rules
    length = data.draw(st.integers(2, 64))
    try:
        resized = assign(before, [f"track.length={length}"])
    except RulebookError:
        return
    assert len(assignments_between(before.rules, resized.rules)) <= 1
    assert assign(before, assignments_between(before.rules, resized.rules)).rules == resized.rules


def test_a_printed_command_can_be_pasted_into_a_shell(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The path of the rulebook and keys that were set before are in it, quoted."""
    folder = program.folder / "my games"
    folder.mkdir()
    data = rulebook_data(find_rulebook("ctf-tokens"))
    data.pop("variants")
    (folder / "it's mine.toml").write_text(tomli_w.dumps(data))
    before = ("meet.enemy=captured", "track.length=9", "move.edge=stay", "move.steps=1,-1")
    sets = [word for text in before for word in ("--set", text)]
    wanted = ("--max-changes", "1", "--cores", "1", "--write", "my games/mended.toml")
    monkeypatch.chdir(program.folder)
    assert main(["repair", "my games/it's mine.toml", *sets, *wanted]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("Play it with: lineduel play 'my games/mended.toml'\n")
    commands = re.findall(r"^    play it: (.*)$", printed, re.MULTILINE)
    for command, said in (("play", ""), ("rules", "9 cells in a row")):
        shell = commands[0].replace("lineduel play", f"{shlex.join(PYTHON_M)} {command}", 1)
        ran = subprocess.run(
            ["sh", "-c", shell],
            cwd=program.folder,
            env=program.environment(),
            input="quit\n",
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        assert said in ran.stdout


def test_the_document_has_the_commands_too(capsys: pytest.CaptureFixture[str]) -> None:
    sets = ("--set", "move.steps=1,-1", "--set", "move.edge=stay", "--set", "meet.enemy=captured")
    assert (
        main(["repair", "ctf-tokens", *sets, "--max-changes", "1", "--cores", "1", "--json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)["repairs"]
    rulebook = find_rulebook("ctf-tokens")
    for one in found:
        changed = assign(unsound(), one["changes"])
        assert assign(rulebook, assigned_by(one["play"])).rules == changed.rules
    assert found


def test_words_with_spaces_are_quoted() -> None:
    rules = find_rulebook("cross-over").rules
    after = assign(find_rulebook("cross-over"), ["meet.enemy=sent home"]).rules
    command = play_command("cross-over", rules, after)
    assert command == "lineduel play cross-over --set 'meet.enemy=sent home'"


@pytest.mark.parametrize("address", ALL_GAMES)
def test_every_alternative_is_another_word(address: str) -> None:
    rules = find_rulebook(address).rules
    made = alternatives(rules)
    assert {"track.length", "move.steps", "meet.enemy"} <= made.keys()
    assert {change.text for change in made["track.length"]} == {
        f"track.length={len(rules.track) + more}" for more in (-4, -3, -2, -1, 1, 2, 3, 4)
    }
    assert all(str(change) for changes in made.values() for change in changes)


def test_a_repair_is_written_as_a_rulebook_that_holds(program: Program) -> None:
    """The file can be played and audited, and its claims are proved."""
    broken = program.folder / "broken.toml"
    data = rulebook_data(unsound())
    data.pop("variants")
    broken.write_text(tomli_w.dumps(data))
    done = program("repair", "broken.toml", "--max-changes", "1", "--write", "mended.toml")
    assert done.status == 0, done.err
    assert "Play it with: lineduel play mended.toml" in done.out
    assert program("audit", "mended.toml", "--strict").status == 0
    assert program("play", "mended.toml", typed="quit\n").status == 0
    mended = read_rulebook(program.folder / "mended.toml")
    assert f"title = {mended.title!r}".replace("'", '"') in mended_text(mended)


def test_the_document_of_a_search(program: Program) -> None:
    """Where claims exclude each other, it has no repairs, and names them."""
    asked = ("ctf-tokens", "--also", "neither seat favoured", "--max-changes", "1")
    done = program("repair", *asked, "--cores", "1", "--json")
    document = json.loads(done.out)
    assert done.status == 1
    assert document["repairs"] == []
    assert ["neither seat favoured", "no draw"] in document["excluded"]
    assert document["tried"] > 20


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("flag-chase", "--max-changes", "4"), "--max-changes takes 1 to 3."),
        (("flag-chase", "--max-changes", "0"), "--max-changes takes 1 to 3."),
        (("flag-chase", "--also", "fun"), "--also takes "),
        (("nothing",), "There is no game called 'nothing'."),
        (("flag-chase", "--cores", "0"), "--cores takes a number of 1 or more."),
    ],
)
def test_bad_questions_get_a_sentence(
    arguments: tuple[str, ...], said: str, program: Program
) -> None:
    done = program("repair", *arguments)
    assert done.status == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_names_that_differ_are_the_same_game() -> None:
    """Renamed, relabelled or turned round, a rulebook is one game; another one is not."""
    rulebook = find_rulebook("cross-over")
    data = rulebook_data(rulebook)
    data["track"] = {"first": 5, "last": 15}
    for player in ("player1", "player2"):
        data[player] = {
            "pieces": {f"{name}z": cell + 5 for name, cell in data[player]["pieces"].items()},
            "goal": [cell + 5 for cell in data[player]["goal"]],
        }
    renamed = rulebook_from_data(data, "renamed")
    assert identity(renamed.rules) == identity(rulebook.rules)
    second = apply_changes(rulebook, {"turn": {"first": "player2"}})
    assert identity(second.rules).key == identity(rulebook.rules).key
    assert identity(second.rules).mirrored is not identity(rulebook.rules).mirrored
    other = apply_changes(rulebook, {"move": {"steps": [1, 3]}})
    assert identity(other.rules).key != identity(rulebook.rules).key


def test_battles_with_the_same_winners_are_the_same_game() -> None:
    """With two numbers, and with three, different rules are one up to counting from the end."""

    def key(numbers: int, wins: str) -> object:
        battle = {"battle": {"numbers": numbers, "wins": wins}}
        return identity(apply_changes(find_rulebook("flag-chase"), battle).rules).key

    assert key(2, "higher") == key(2, "undercut")
    assert key(3, "undercut") == key(3, "cyclic") != key(3, "higher")
    assert len({key(5, wins) for wins in ("higher", "undercut", "cyclic")}) == 3
    assert key(4, "undercut") != key(5, "undercut")
