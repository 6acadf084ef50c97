"""Searches for repairs: kept in a file, told step by step, ranked by what a designer wants."""

import io
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tomli_w

from lineduel.cli import progress
from lineduel.cli.progress import Bar
from lineduel.jobs import Ledger, LongRun, Pool
from lineduel.lab import (
    REPAIR,
    RepairSearch,
    RepairWork,
    default_repair_file,
    repair_lines,
    track_lines,
    trade_off,
)
from lineduel.lab.analysis import quick_figures
from lineduel.lab.changes import Candidate
from lineduel.lab.claims import Ruling, Verdict
from lineduel.lab.figures import Figures
from lineduel.lab.repair import Repair, Weighed, weigh
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Claim, Property, Rulebook, Side, assign, rulebook_data
from lineduel.solve import Value
from lineduel.storage import cache_folder
from support.program import Program, wait_for, wait_until
from support.repairs import repair
from support.terminal import Sitting

SHUFFLE = ("move.steps=1,-1", "move.edge=stay", "meet.enemy=captured")
"""Tokens that can only shuffle to and fro."""


def unsound() -> Rulebook:
    return assign(find_rulebook("ctf-tokens"), SHUFFLE)


def write(rulebook: Rulebook, path: Path) -> None:
    path.write_text(tomli_w.dumps(rulebook_data(rulebook) | {"variants": {}}), encoding="utf-8")


class Here(Pool):
    """All work in this process, counted."""

    def __init__(self) -> None:
        self.done: dict[str, int] = {}

    def run(self, work: Any, items: Iterable[Any], **options: Any) -> Iterator[Any]:
        name = getattr(work, "__name__", "audit_all")
        for item in items:
            self.done[name] = self.done.get(name, 0) + 1
            yield work((item,))


# Going on after a stop


def found(search: RepairSearch) -> list[tuple[tuple[str, ...], Figures]]:
    return [(one.candidate.name, one.figures) for one in search.repairs]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8, 1.0])
def test_a_search_goes_on_where_it_was_stopped(share: float, tmp_path: Path) -> None:
    """Whatever part of the file is there, the result is the same, and nothing is tried twice."""
    whole = Here()
    with LongRun.begin(tmp_path / "whole.jsonl", RepairWork(unsound(), most=1, wanted=3)) as first:
        search = first.run(whole).search
    lines = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    kept = 1 + round(share * (len(lines) - 1))
    (tmp_path / "part.jsonl").write_bytes(b"".join(lines[:kept]) + lines[-1][:7])
    again, work = Here(), RepairWork(unsound(), most=1, wanted=3)
    with LongRun.go_on(tmp_path / "part.jsonl", REPAIR, work.resumed) as rest:
        known = len(work.weighed)
        resumed = rest.run(again).search
    assert found(resumed) == found(search)
    assert (resumed.tried, resumed.too_large) == (search.tried, search.too_large)
    assert resumed.excluded() == search.excluded()
    assert again.done.get("weigh", 0) == whole.done["weigh"] - known


def test_without_a_repair_the_closest_say_which_claim_stood_in_the_way() -> None:
    """One change from Blockade Duel some rulebooks fail in one claim only, and none in nothing."""
    work = RepairWork(find_rulebook("blockade-duel"), most=1, misses=2)
    for _ in work.steps(Here(), lambda lines: None):
        pass
    search = work.search
    assert (search.repairs, search.nearest, len(search.misses)) == ([], [], 2)
    best = search.misses[0]
    assert best.proved == set(search.wanted) - {Property.RULES_MATTER}
    lines = "\n".join(repair_lines(search, lambda rules: "lineduel play …", "--any-seat"))
    closest = lines.partition("\nClosest:\n")[2]
    assert "1. 1 change: " in closest
    assert "    in the way: every rule matters. Never used in a position" in closest


def test_ctrl_c_says_what_is_kept_and_how_to_go_on(tmp_path: Path) -> None:
    """The printed command goes on; the bar says what is being done, part by part."""
    program = Program(tmp_path)  # with a cache of its own, where nobody makes the same search
    # What nothing can have is looked for up to three changes away, which takes half a minute.
    arguments = ("repair", "cross-over", "--also", "neither seat favoured", "--cores", "1")
    with Sitting(program, *arguments, plain=False) as sitting:
        # That of one change may be over before the bar appears, which short work does not need.
        sitting.see("trying two changes: ")
        sitting.see(" of ")
        assert sitting.interrupt() == 130
        wait_until(lambda: sitting.gone)
    stopped = re.search(r"Stopped; what is known of ([\d,]+) rulebooks is kept\.", sitting.shown)
    assert stopped is not None
    command = re.search(r"Resume with: (.*)", sitting.shown)
    assert command is not None
    words = shlex.split(command[1])
    assert words == ["lineduel", *arguments, "--resume"]
    assert "Traceback" not in sitting.shown
    with Sitting(program, *words[1:], plain=False) as sitting:
        sitting.see(" changes: ")
        assert sitting.interrupt() == 130
    again = re.search(r"Stopped; what is known of ([\d,]+) rulebooks is kept\.", sitting.shown)
    assert again is not None
    assert int(again[1].replace(",", "")) >= int(stopped[1].replace(",", ""))


def test_a_killed_search_is_resumed_from_its_file(program: Program) -> None:
    """With --file nothing is lost either; the answer is that of a search in one go."""
    write(unsound(), program.folder / "broken.toml")
    arguments = ("repair", "broken.toml", "--max-changes", "1", "--cores", "1")
    path = program.folder / "search.jsonl"
    with program.started(*arguments, "--file", "search.jsonl") as process:
        wait_for(path, 8, process)
        process.kill()
    resumed = program(*arguments, "--file", "search.jsonl", "--resume")
    assert resumed.status == 0, resumed.err
    assert resumed.out == program(*arguments).out
    again = program(*arguments, "--file", "search.jsonl")
    assert again.status == 2
    assert "--resume" in again.err


def test_only_the_same_search_is_gone_on_with(program: Program) -> None:
    write(unsound(), program.folder / "broken.toml")
    few = ("--max-changes", "1", "--cores", "1", "--file", "search.jsonl")
    assert program("repair", "broken.toml", *few).status == 0
    for arguments, said in (
        (("flag-chase", *few), "belongs to another search"),
        (("broken.toml", "--any-seat", *few), "belongs to another search"),
        (("broken.toml", "--max-changes", "1", "--file", "no.jsonl"), "There is no file no.jsonl"),
        (("broken.toml", "--max-changes", "1"), "No stopped search with this game"),
    ):
        done = program("repair", *arguments, "--resume")
        assert done.status == 2
        assert said in done.err
    path = program.folder / "search.jsonl"
    path.write_text(path.read_text().replace('"too_large":false', '"too_large":"no"', 1))
    damaged = program("repair", "broken.toml", *few, "--resume")
    assert damaged.status == 2
    assert re.search(r"search\.jsonl, line \d+: ", damaged.err)


def test_the_same_search_twice_at_once_leaves_the_first_its_file(tmp_path: Path) -> None:
    """The second gives its answer all the same, and keeps nothing on the way."""
    program = Program(tmp_path)
    arguments = ("repair", "flag-chase", "--max-changes", "1", "--cores", "1")
    answer = program(*arguments).out
    work = RepairWork(find_rulebook("flag-chase"), most=1, prefer_fair=True)
    name = default_repair_file(work.header).relative_to(cache_folder())
    usual = Path(program.environment()["LINEDUEL_CACHE"]) / name
    first = Ledger.begin_again(usual, work.header)
    row = Weighed(tried=("move.steps=1",), possible=(), merit=(), too_large=False)
    first.append(msgspec.json.encode(row) + b"\n")
    second = program(*arguments)
    assert (second.status, second.out) == (0, answer)
    in_use = program(*arguments, "--resume")
    assert in_use.status == 2
    assert "Another program is writing to" in in_use.err
    first.close()
    LongRun.go_on(usual, REPAIR, work.resumed).close()
    assert list(work.weighed.values()) == [row]
    LongRun.begin_again(usual, work).remove()
    assert not usual.exists()


def test_nothing_is_left_in_the_cache_when_a_search_is_done(program: Program) -> None:
    write(unsound(), program.folder / "broken.toml")
    own = {"LINEDUEL_CACHE": str(program.folder / "cache")}
    assert program("repair", "broken.toml", "--max-changes", "1", "--cores", "1", **own).status == 0
    assert list((program.folder / "cache").glob("repairs/*.jsonl")) == []


LONG_AUDIT = ("audit", "cross-over", "--no-cache", "--set", "track.length=15")


def test_an_interrupted_audit_says_that_there_is_no_report(program: Program) -> None:
    with Sitting(program, *LONG_AUDIT, plain=False) as sitting:
        sitting.see("auditing cross-over")
        assert sitting.interrupt() == 130
    assert "Stopped before the audit was done" in sitting.shown
    assert "Traceback" not in sitting.shown


# What is being done


def test_every_part_of_a_search_is_named_and_told_to_its_end() -> None:
    """No part comes again once another has begun, and none runs backward."""
    told: list[tuple[str, float, int]] = []
    repair(unsound(), most=2, wanted=8, pool=Here(), report=lambda part: told.append(part[:3]))
    parts = list(dict.fromkeys(doing for doing, _, _ in told))
    assert parts[:3] == [
        "listing what is one change away",
        "trying one change",
        "auditing the best with one change",
    ]
    assert "trying two changes" in parts
    assert [doing for doing, _, _ in told] == sorted(
        (doing for doing, _, _ in told), key=parts.index
    )
    for part in parts:
        steps = [(done, total) for doing, done, total in told if doing == part]
        assert steps == sorted(steps)
        if part.startswith("trying"):
            assert steps[-1][0] == steps[-1][1] > 20


class Screen(io.StringIO):
    """A terminal to write to."""

    def isatty(self) -> bool:
        return True


def test_a_bar_is_there_within_a_second_though_nothing_was_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    assert progress._PATIENCE + progress._EVERY < 1
    with Bar("counting sheep") as bar:
        wait_until(lambda: "counting sheep (0:" in screen.getvalue())
        bar.stage("trying one change", 37, 466)
        wait_until(lambda: "trying one change: 37 of 466 [##" in screen.getvalue())
        bar.stage("trying one change", 37, 466, "the rest follows from these " * 2)
        wait_until(lambda: "37 of 466   8%   the rest follows" in screen.getvalue())
    assert screen.getvalue().endswith("\r\x1b[K")


def test_what_is_quick_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with Bar("counting sheep") as bar:
        bar(0.5)
    assert screen.getvalue() == ""


def test_in_a_pipe_there_is_a_line_from_time_to_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without codes for a terminal; none at all while the work is short."""
    piped = io.StringIO()
    monkeypatch.setattr(sys, "stderr", piped)
    with Bar("counting sheep") as bar:
        bar.stage("trying one change", 37, 466)
        assert piped.getvalue() == ""
        monkeypatch.setattr(progress, "_LINE_EVERY", -1.0)
        bar.stage("trying two changes", 100, 400)
    assert piped.getvalue() == "trying two changes: 100 of 400  25%\n"


def test_a_sweep_says_how_many_combinations_are_measured(program: Program) -> None:
    vary = ("--vary", "track.length=9..16", "--vary", "move.steps=1,2|1,2,3|1,3|2,3")
    with Sitting(program, "sweep", "cross-over", *vary, "--cores", "1", plain=False) as sitting:
        sitting.see("measuring combinations: ")
        sitting.see(" of 32 ")
        assert sitting.interrupt() == 130
    assert "rows are kept in sweep.jsonl" in sitting.shown
    assert "lineduel sweep --resume" in sitting.shown


# Which repairs come first


class Fabricated(Pool):
    """A world in which some candidates have even seats, and all others are won by player 1."""

    def __init__(self, fair: Callable[[Candidate], bool]) -> None:
        self.fair = fair
        self.figures = quick_figures(find_rulebook("ctf-tokens"))
        self.audited: list[tuple[str, ...]] = []

    def run(self, work: Any, items: Iterable[Any], **options: Any) -> Iterator[Any]:
        for candidate, wanted in items:
            if work is weigh:
                possible = tuple(set(wanted) - (set() if self.fair(candidate) else FAIR))
                merit = (len(candidate.changes), 0.0, 0.0, 0.0)
                yield [
                    Weighed(tried=candidate.name, possible=possible, merit=merit, too_large=False)
                ]
            else:
                assert isinstance(work, partial)
                self.audited.append(candidate.name)
                yield [self._repair(candidate, wanted)]

    def _repair(self, candidate: Candidate, wanted: tuple[Property, ...]) -> Repair:
        is_fair = self.fair(candidate)
        value = Value(0, 0) if is_fair else Value(1, 1, 7)
        rulings = {one: Ruling(Verdict.PROVED, "") for one in wanted}
        return Repair(candidate, replace(self.figures, value=value), rulings, True, is_fair)


FAIR = {Property.FAIR_SEATS}


def flag_chase() -> Rulebook:
    """With battles, so that even seats are possible whatever is promised."""
    return replace(find_rulebook("flag-chase"), claims=(Claim("It ends.", Property.NO_DRAW),))


def test_even_seats_come_first_where_the_best_repair_is_won_by_one_seat() -> None:
    """The search goes on to more changes until there is one, and no further."""
    world = Fabricated(lambda candidate: len(candidate.changes) == 2)
    search = repair(flag_chase(), prefer_fair=True, wanted=4, pool=world)
    assert search.fair_first
    assert search.sizes == 2
    assert search.repairs[0].is_fair
    assert len(search.repairs[0].candidate.changes) == 2
    fairness = [one.is_fair for one in search.repairs]
    assert fairness == sorted(fairness, reverse=True)


def test_without_the_preference_fewest_changes_come_first() -> None:
    world = Fabricated(lambda candidate: len(candidate.changes) == 2)
    search = repair(flag_chase(), wanted=4, pool=world)
    assert not search.fair_first
    assert {len(one.candidate.changes) for one in search.repairs} == {1}


def test_nothing_more_is_looked_for_where_the_best_repair_is_even_already() -> None:
    search = repair(flag_chase(), prefer_fair=True, wanted=4, pool=Fabricated(lambda _: True))
    assert (search.sizes, search.fair_first) == (1, False)


def test_candidates_that_cannot_be_even_are_not_audited_for_it() -> None:
    world = Fabricated(lambda _: False)
    search = repair(flag_chase(), prefer_fair=True, most=2, wanted=4, pool=world)
    assert search.fair_first
    assert len(world.audited) <= 8
    assert len(search.repairs) == 4


def test_where_even_seats_are_impossible_they_are_not_looked_for() -> None:
    """Without battles, a game without draws is won by somebody from the start."""
    search = repair(unsound(), prefer_fair=True, most=1, wanted=3, pool=Here())
    assert not search.can_be_fair
    assert not search.fair_first
    assert search.repairs


def test_the_report_says_why_and_how_to_switch_it_off(program: Program) -> None:
    """Where even seats are impossible, where there are none, and where nobody asks."""
    write(unsound(), program.folder / "broken.toml")
    few = ("--max-changes", "1", "--cores", "1")
    impossible = " ".join(program("repair", "broken.toml", *few).out.split())
    assert "won by one seat from the start. It cannot be otherwise" in impossible
    choices = replace(
        assign(find_rulebook("ctf-tokens"), ["move.steps=1,-1"]),
        claims=(Claim("Choices matter.", Property.CHOICES_MATTER),),
    )
    write(choices, program.folder / "choices.toml")
    none = " ".join(program("repair", "choices.toml", *few).out.split())
    assert "'neither seat favoured' were looked for as well, up to 1 change" in none
    assert "use --any-seat" in none
    off = program("repair", "choices.toml", *few, "--any-seat").out
    assert "neither seat favoured" not in off


def test_each_repair_has_its_track_and_the_best_are_compared(program: Program) -> None:
    write(unsound(), program.folder / "broken.toml")
    few = ("--max-changes", "1", "--cores", "1")
    out = program("repair", "broken.toml", *few).out
    repairs = re.split(r"^ ?\d+\. ", out, flags=re.MULTILINE)[1:]
    document = json.loads(program("repair", "broken.toml", *few, "--json").out)
    tracks = [one["track"] for one in document["repairs"]]
    assert len(tracks) >= 3
    for told, track in zip(repairs, tracks, strict=False):
        assert all(line in told for line in track)
    assert tracks[0][0].split() == ["-5", "-4", "-3", "-2", "-1", "0", "+1", "+2", "+3", "+4", "+5"]
    assert tracks[0][1].split() == ["P1", *"." * 9, "P2"]
    assert tracks[0][-1].startswith("Player 1 wins on ")
    table = out.partition("The best by what you may want most:\n")[2].splitlines()
    assert re.split(" {2,}", table[0].strip()) == ["fewest changes", "fairest", "deepest"]
    cells = [re.findall(r"(\d+)\. ", row) for row in table[1:4]]
    columns = [[int(number) - 1 for number in column] for column in zip(*cells, strict=True)]
    assert columns == list(document["trade_off"].values())


def test_a_track_in_text_shows_every_cell_and_piece() -> None:
    """Pieces stand under the labels of their cells, also where a long track is folded."""
    rulebook = assign(find_rulebook("ctf-soldiers"), ["track.length=40"])
    lines = track_lines(rulebook)
    assert max(map(len, lines)) <= 72
    text = "\n".join(lines[:-1])
    assert [int(one) for one in re.findall(r"\b\d+\b", text)] == list(range(40))
    for name in ("S1", "S2", "S3", "S4"):
        (row,) = (number for number, line in enumerate(lines) if name in line.split())
        above = next(line for line in reversed(lines[:row]) if re.search(r"\b\d+\b", line))
        end = lines[row].index(name) + 2
        home = next(
            piece.home
            for side in Side
            for piece in rulebook.rules.team(side).pieces
            if piece.name == name
        )
        assert above[:end].split()[-1] == str(home)


def test_the_best_by_each_measure() -> None:
    """The fairest repair and the deepest are first in their lists."""
    search = repair(unsound(), most=1, wanted=100, pool=Here())
    best = trade_off(search.repairs)
    assert {len(places) for places in best.values()} == {3}
    fairest, deepest = best["fairest"], best["deepest"]  # type: ignore[index]
    assert search.repairs[fairest[0]].seat_worth == min(one.seat_worth for one in search.repairs)
    assert search.repairs[deepest[0]].figures.elo_range == pytest.approx(
        max(one.figures.elo_range or 0 for one in search.repairs), abs=1
    )
