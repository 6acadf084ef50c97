"""Sweeps: one row for each combination, each game worked out once, nothing ever lost."""

import csv
import io
import json
import os
import re
import shlex
import signal
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from pyarrow import parquet

from lineduel.cli.error_advice import advised
from lineduel.errors import LedgerError, NotationError, RulebookError
from lineduel.jobs.ledger import Ledger
from lineduel.jobs.long_work import LongRun
from lineduel.jobs.pool import Pool
from lineduel.lab import sweep
from lineduel.lab.analysis import quick_figures
from lineduel.lab.changes import identity
from lineduel.lab.export import to_csv
from lineduel.lab.grid import make_space
from lineduel.lab.sweep import SWEEP, CandidateLimits, Sweep, columns, resume
from lineduel.rulebooks import find_rulebook
from lineduel.rulebooks.catalogue import shipped_path
from lineduel.rules import apply_changes
from lineduel.rules.assignments import assign
from support.cluster import cluster
from support.program import PATIENCE, Program, wait_for
from support.repetition import tried

AXES = ("track.length=8..14", "move.steps=1,2|1,2,3|1,-1")
SMALL = ("ctf-tokens", "--cores", "1", "--vary", AXES[0], "--vary", AXES[1])
MANY = (
    "cross-over",
    "--vary",
    "track.length=8..11",
    "--vary",
    "move.steps=1,2|1,2,3|1,3|2,3|1,2,4",
    "--vary",
    "meet.own=blocked|shared",
    "--vary",
    "move.jump=true|false",
)

MANY_NUMBERS = "|".join(map(str, range(10_000)))
TOO_MANY = (
    *("--vary", "track.first=0..9999", "--vary", "track.last=0..9999"),
    *("--vary", "battle.numbers=0..9999", "--vary", f"move.steps={MANY_NUMBERS}"),
    *("--vary", f"player1.goal={MANY_NUMBERS}"),
)
"""More combinations than a machine word counts."""


def rows_of(program: Program, *arguments: str) -> list[dict[str, Any]]:
    done = program("sweep", *arguments, "--json")
    assert done.status == 0, done.err
    rows: list[dict[str, Any]] = json.loads(done.out)["rows"]
    return rows


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a small sweep that is done, its rows in order: number 0 in line 2."""
    folder = tmp_path_factory.mktemp("swept")
    rows_of(Program(folder), *SMALL)
    head, *rows = (folder / "sweep.jsonl").read_text().splitlines(keepends=True)
    return "".join((head, *sorted(rows, key=lambda row: int(json.loads(row)["number"]))))


def test_every_row_has_the_figures_of_its_rulebook(program: Program) -> None:
    """What a sweep says is what the quick figures of each rulebook say."""
    rows = rows_of(program, *SMALL)
    assert len(rows) == 21
    space = make_space(find_rulebook("ctf-tokens"), AXES)
    for row in rows:
        keys = {key: row[key] for key in space.axes}
        expected = columns(quick_figures(space.rulebook_at(keys)))
        assert {name: row[name] for name in expected} == pytest.approx(expected, nan_ok=True)


def test_the_length_takes_the_right_half_along_and_the_last_label_does_not() -> None:
    """Cross Over on 13 cells has its right camp on the last three; `track.last` moves nothing."""
    space = make_space(find_rulebook("cross-over"), ["track.length=13"])
    rules = space.rulebook_at({"track.length": "13"}).rules
    assert rules.player2.homes == (12, 11, 10)
    assert rules.player1.goal == (10, 11, 12)
    assert rules.player1.homes == (0, 1, 2)
    space = make_space(find_rulebook("cross-over"), ["track.last=12"])
    rules = space.rulebook_at({"track.last": "12"}).rules
    assert rules.player2.homes == (10, 9, 8)
    assert rules.player1.goal == (8, 9, 10)


@pytest.mark.parametrize("length", [3, 5, 7, 9, 11, 13, 63])
def test_what_lies_in_the_middle_stays_in_the_middle(length: int) -> None:
    """A piece and a goal halfway; with an even number of cells there is no middle."""
    keys = ["player1.pieces=A:0", "player1.goal=2", "player2.pieces=B:1", "player2.goal=0"]
    start = assign(
        find_rulebook("ctf-tokens"),
        ["track.first=0", "track.last=2", *keys],
    )
    rules = assign(start, [f"track.length={length}"]).rules
    assert rules.player2.homes == (length // 2,)
    assert (rules.player1.homes, rules.player1.goal) == ((0,), (length - 1,))
    with pytest.raises(RulebookError, match="between two cells"):
        assign(start, [f"track.length={length + 1}"])


def test_a_row_is_the_game_that_set_plays() -> None:
    """One meaning of a key everywhere: the keys of a row, given to --set, make its rulebook."""
    axes = ["track.length=9..13", "player2.pieces=A:8|A:6,B:7", "move.steps=1|1,2"]
    rulebook = find_rulebook("cross-over")
    space = make_space(rulebook, axes)
    for keys in map(space.keys_at, range(len(space))):
        texts = [f"{key}={value}" for key, value in keys.items()]
        for order in (texts, texts[::-1]):
            assert assign(rulebook, order).rules == space.rulebook_at(keys).rules


def test_the_same_game_is_worked_out_once(program: Program) -> None:
    """Who begins a symmetrical game only turns it round, figures and all."""
    rows = rows_of(program, "cross-over:no-jump", "--vary", "turn.first=player1|player2|either")
    done = json.loads((program("sweep", "--resume", "--json")).out)
    assert [row["value"] for row in rows] == [1, -1, 1]
    assert [row["seat_best"] for row in rows] == [1, -1, 1]
    assert rows[0]["skill1"] == rows[1]["skill2"]
    assert done["solved"] == 0  # all was in the file
    turned = apply_changes(find_rulebook("cross-over:no-jump"), {"turn": {"first": "player2"}})
    assert (
        identity(turned.rules).mirrored
        is not identity(find_rulebook("cross-over:no-jump").rules).mirrored
    )
    assert columns(quick_figures(turned))["seat_level1"] == pytest.approx(rows[1]["seat_level1"])


class HereAndNow(Pool):
    """Work that is done at once, all of it together."""

    def __init__(self) -> None: ...

    def run(
        self, work: Callable[[tuple[Any, ...]], Any], items: Iterable[Any], **_: object
    ) -> Iterator[Any]:
        yield work(tuple(items))


@pytest.mark.parametrize("order", permutations(("player1", "player2", "either")))
def test_it_does_not_matter_which_way_round_a_game_comes_first(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    """Each row has the figures of its own rulebook, whichever of them was worked out."""
    space = make_space(find_rulebook("ctf-tokens"), [f"turn.first={'|'.join(order)}"])
    sweep = Sweep(space, CandidateLimits())
    with LongRun.begin(tmp_path / "rows.jsonl", sweep) as running:
        running.run(HereAndNow())
    assert sweep.solved == 1
    for row in sweep.table():
        expected = columns(quick_figures(space.rulebook_at({"turn.first": row["turn.first"]})))
        assert {name: row[name] for name in expected} == pytest.approx(expected, nan_ok=True)
    assert {row["winner"] for row in sweep.table()} == {1, 2}


@tried(2, 5)
def test_a_killed_sweep_goes_on_to_the_same_table(program: Program, times: int) -> None:
    """Ended at random moments as no program can prevent, and resumed each time."""
    rng = Random(3)
    whole = rows_of(program, *MANY, "--file", "whole.jsonl")
    file = program.folder / "killed.jsonl"
    arguments: tuple[str, ...] = (*MANY, "--file", file.name)
    for _ in range(times):
        with program.started("sweep", *arguments) as process:
            lines = file.read_bytes().count(b"\n") if file.exists() else 0
            wait_for(file, lines + rng.randrange(8), process)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if file.exists():
            with file.open("ab") as torn:
                torn.write(b'{"number": 3, "val')  # as if the power had failed
            arguments = ("--resume", "--file", file.name)
    assert rows_of(program, *arguments) == whole
    kept = [json.loads(line)["number"] for line in file.read_text().splitlines()[1:]]
    assert sorted(kept) == list(range(80))


def test_a_terminal_that_closes_ends_a_sweep_in_silence(program: Program) -> None:
    """Everybody in the group is told at once, whoever looks after the semaphores included."""
    file = program.folder / "sweep.jsonl"
    with program.started("sweep", *MANY, "--file", "sweep.jsonl", "--cores", "2") as process:
        wait_for(file, 2, process)
        os.killpg(process.pid, signal.SIGHUP)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 129
    assert "Traceback" not in said


def test_an_interrupt_says_how_to_go_on(program: Program) -> None:
    file = program.folder / "sweep.jsonl"
    with program.started("sweep", *MANY) as process:
        wait_for(file, 2, process)
        os.kill(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Resume with: lineduel sweep --resume" in err
    assert "Traceback" not in err


def test_what_was_to_be_written_is_written_after_an_interrupt(program: Program) -> None:
    """The command that it names asks for the same files."""
    pictures = ("--plot", "x=track.length", "y=seat_best", "--svg", "a b.svg", "--csv", "rows.csv")
    with program.started("sweep", *MANY, *pictures) as process:
        wait_for(program.folder / "sweep.jsonl", 2, process)
        os.kill(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    told = re.search(r"Resume with: lineduel (.*)", err)
    assert told is not None
    done = program(*shlex.split(told[1]))
    assert done.status == 0, done.err
    assert (program.folder / "a b.svg").exists()
    rows = (program.folder / "rows.csv").read_text().splitlines()
    assert len(rows) == 1 + 4 * 5 * 2 * 2


@pytest.mark.parametrize(
    ("spread", "allowed"),
    [
        ("63..64", True),
        ("9998..9999", True),
        ("9999..10000", False),
        ("-9999..-9998", True),
        ("-10000..-9999", False),
        ("8..1000000", False),
        (f"8..{'9' * 5000}", False),
    ],
)
def test_a_range_ends_where_the_numbers_of_rules_do(spread: str, allowed: bool) -> None:
    """It is a range, so the answer says what is wrong with its ends."""
    tokens = find_rulebook("ctf-tokens")
    if allowed:
        assert len(make_space(tokens, [f"track.last={spread}"])) == 2
        return
    with pytest.raises(NotationError, match=r"out of range\. Allowed: -9999 to 9999") as raised:
        make_space(tokens, [f"track.last={spread}"])
    assert str(raised.value).startswith("track.last: '")
    assert len(str(raised.value)) < 200


def test_a_limit_of_combinations_holds_for_a_sweep_that_is_resumed(program: Program) -> None:
    """One less is refused, exactly as many and one more are not; without it all is as before."""
    program("sweep", *SMALL, "--max-combinations", "21")
    again = ("sweep", "--resume", "--cores", "1")
    few = program(*again, "--max-combinations", "20")
    assert few.status == 2
    assert "Those are 21 combinations, and 20 are the limit." in few.err
    for more in ((), ("--max-combinations", "21"), ("--max-combinations", "22")):
        assert program(*again, *more).status == 0


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("sweep", ("ctf-tokens", "--vary", "track.length=8..9")),
        ("tournament", ("ctf-tokens", "--players", "level:1", "level:2", "--games", "2")),
    ],
)
def test_work_that_begins_at_once_takes_a_file_each(
    program: Program, kind: str, asked: tuple[str, ...]
) -> None:
    with ExitStack() as running:
        all_of_them = [
            running.enter_context(program.started(kind, *asked, "--cores", "1")) for _ in range(4)
        ]
        said = [process.communicate(timeout=PATIENCE)[1] for process in all_of_them]
    assert [process.returncode for process in all_of_them] == [0] * 4, said
    names = sorted(one.name for one in program.folder.glob(f"{kind}*.jsonl"))
    assert names == [f"{kind}{mark}.jsonl" for mark in ("-2", "-3", "-4", "")]


def test_a_cluster_that_loses_a_worker_reaches_the_same_table(program: Program) -> None:
    """Two local worker processes of Dask, one killed in the middle."""
    whole = rows_of(program, *MANY, "--file", "whole.jsonl")
    file = program.folder / "cluster.jsonl"
    with (
        cluster(program) as dask,
        program.started(
            "sweep", *MANY, "--file", file.name, "--cluster", dask.address, "--json"
        ) as process,
    ):
        wait_for(file, 2, process)
        dask.workers[0].kill()
        out, _ = process.communicate(timeout=2 * PATIENCE)
    assert process.returncode == 0
    assert json.loads(out)["rows"] == whole


def test_tables_and_a_picture(program: Program) -> None:
    """CSV and Parquet hold the same rows; the picture is SVG with a dot for each."""
    more = ("--csv", "s.csv", "--parquet", "s.parquet", "--plot", "x=track.length", "y=seat_best")
    rows = rows_of(program, *SMALL, *more)
    written = list(csv.DictReader(io.StringIO((program.folder / "s.csv").read_text())))
    assert [int(row["number"]) for row in written] == [row["number"] for row in rows]
    table = parquet.read_table(program.folder / "s.parquet").to_pylist()
    assert [row["positions"] for row in table] == [row.get("positions") for row in rows]
    picture = ElementTree.parse(program.folder / "sweep.svg")
    dots = [one for one in picture.iter() if one.tag.endswith("circle") and len(one)]
    assert len(dots) == sum("value" in row for row in rows)


def test_what_cannot_be_worked_out_is_reported(program: Program) -> None:
    """Too large, or no rulebook at all: a row that says so."""
    rows = rows_of(
        program,
        "cross-over",
        "--vary",
        "track.length=5..10",
        "--max-positions",
        "2000",
        "--file",
        "x.jsonl",
    )
    assert [row["track.length"] for row in rows] == [str(length) for length in range(5, 11)]
    assert rows[0]["status"].startswith("no rulebook:")
    assert rows[-1]["status"].startswith("too large: There are more than 2,000 positions")
    assert rows[-2]["status"] == "done"


def test_what_takes_too_long_is_reported(program: Program) -> None:
    rows = rows_of(program, "flag-chase", "--vary", "track.length=9", "--max-seconds", "0.001")
    assert rows[0]["status"] == "too slow: more than 0.001 seconds"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("cross-over",), "There is nothing to vary."),
        ((), "Name a GAME to vary"),
        (("cross-over", "--vary", "track.length=9..8"), "is an empty range"),
        (("cross-over", "--vary", "track.length"), "does not say what to vary"),
        (("cross-over", "--vary", "track.colour=red"), "'track.colour' is not a rule"),
        (
            ("cross-over", "--vary", "track.length=8..9", "--vary", "track.last=8..9"),
            "track.length and track.last cannot go together.",
        ),
        (
            ("cross-over", "--vary", "track.length=8..9", "--set", "track.first=-1"),
            "track.length and track.first cannot go together.",
        ),
        (
            ("cross-over", "--vary", "track.last=10..11", "--set", "track.length=9"),
            "track.length and track.last cannot go together.",
        ),
        (
            ("cross-over", "--vary", "track.length=8..9", "--set", "track.length=9"),
            "track.length is both set and varied.",
        ),
        (
            ("cross-over", "--vary", "track.length=8..9", "--set", "player1.goal=9"),
            "Write --vary player1.goal=... in place of --set player1.goal=...",
        ),
        (("cross-over", "--vary", "meet.own=\x1b[31mred"), "cannot be '\\x1b[31mred'"),
        (
            ("cross-over", *TOO_MANY),
            "Those are 100,000,000,000,000,000,000 combinations; a sweep takes at most 1,000,000.",
        ),
        (
            ("cross-over", *TOO_MANY, "--max-combinations", "9" * 40),
            "a sweep takes at most 1,000,000.",
        ),
        (("cross-over", "--vary", "move.steps=a|b"), "takes whole numbers"),
        (
            ("cross-over", "--vary", "move.jump=true", "--vary", "move.jump=false"),
            "move.jump is given twice",
        ),
        (("cross-over", "--vary", "move.steps=1|1"), "has a value twice"),
        (
            ("cross-over", "--vary", "track.length=8..20", "--max-combinations", "10"),
            "Those are 13 combinations, and 10 are the limit.",
        ),
        (("--resume", "--file", "nothing.jsonl"), "There is no file nothing.jsonl"),
        (("cross-over", "--vary", "track.length=8..9", "--plot", "x=a", "z=b"), "--plot takes"),
        (("cross-over", "--vary", "track.length=8..9", "--svg", "a.svg"), "--svg needs"),
        (
            ("cross-over", "--vary", "track.length=8..9", "--max-seconds", "nan"),
            "--max-positions takes 1",
        ),
        (
            ("cross-over", "--vary", "track.length=8..9", "--max-seconds", "0"),
            "--max-positions takes 1",
        ),
        (
            ("cross-over", "--vary", "track.length=8..9", "--max-positions", "0"),
            "--max-positions takes 1",
        ),
        (("cross-over", "--vary", "track.length=8..9", "--cores", "0"), "--cores takes"),
    ],
)
def test_bad_questions_get_a_sentence(
    arguments: tuple[str, ...], said: str, program: Program
) -> None:
    done = program("sweep", *arguments)
    assert done.status == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert not (program.folder / "sweep.jsonl").exists()


def test_a_file_of_another_sweep_is_refused(swept: str, program: Program) -> None:
    (program.folder / "sweep.jsonl").write_text(swept)
    done = program("sweep", "cross-over", "--vary", "track.length=8..9", "--resume")
    assert done.status == 2
    assert "is another sweep" in done.err
    done = program("sweep", *SMALL, "--file", "sweep.jsonl")
    assert done.status == 2
    assert "already exists" in done.err


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('"number": 3', '"number": 300', 5, "its number is not one from 0 to 20"),
        ('"number": 3', '"number": -1', 5, "its number is not one from 0 to 20"),
        ('"number": 3', '"number": 3.0', 5, "its number is not one from 0 to 20"),
        ('"number": 3', '"number": true', 5, "its number is not one from 0 to 20"),
        ('"number": 3', '"letter": 3', 5, "its number is not one from 0 to 20"),
        ('"number": 3', '"number": 4', 5, "number 4 of this sweep has move.steps=1,2,3"),
        ('"move.steps": "1,2"', '"move.jump": "1,2"', 2, "has move.steps=1,2"),
        ('"track.length": "8"', '"track.length": 8', 2, "has track.length=8"),
        ('"status": "done"', '"status": "fine"', 2, "its status is not one that a sweep writes"),
        ('"status": "done"', '"status": "too slow: a"', 2, "but its status is not done"),
        ('"status": "done"', '"status": "done", "title": "x"', 2, "title is unknown"),
        ('"drama": ', '"drama": NaN, "x": ', 2, "drama: expected a number >= "),
        ('"drama": ', '"skill1": ', 2, "drama is missing"),
        ('"value": ', '"value": 2, "x": ', 2, "value: expected a number <= 1"),
        ('"winner": 1', '"winner": 2', 2, "its winner, value and plies contradict each other"),
        ('"plies": ', '"plies": 1e999, "x": ', 2, "plies: expected a whole number or null"),
        ('"positions": 1', f'"positions": {10**30}, "x": 1', 1, "positions: expected a whole"),
        ('"positions": 1', '"positions": 0, "x": 1', 1, "positions: expected a whole number >= 1"),
        ('"seconds": 60.0', '"seconds": "soon"', 1, "seconds: expected a number, got text"),
        ('"seconds": 60.0', '"seconds": NaN', 1, "seconds: expected a number > 0"),
        ('"seconds": 60.0', '"seconds": Infinity', 1, "seconds: expected a number <= 86400"),
        (', "seconds": 60.0', "", 1, "seconds is missing"),
        ('["track.length", ["8"', '["track.length", ["x"', 1, "takes whole numbers, not 'x'"),
        ('["track.length", ["8"', '["track.length", ["8", "8"', 1, "has a value twice"),
        ('["track.length", ["8"', '["track.length", ["1..9", "8"', 1, "takes whole numbers"),
        ('["track.length", ["8"', '["track.last", ["8"], "x", ["8"', 1, "vary[0]"),
        ('"title": "Capture', '"tittle": "Capture', 1, "title: missing"),
        ('"version": 2', '"version": 2, "x": 2', 1, "x is unknown"),
    ],
)
def test_a_damaged_file_gets_a_sentence(
    old: str, new: str, line: int, said: str, swept: str, tmp_path: Path
) -> None:
    """Whatever does not belong is named with its line, and the file stays as it is."""
    lines = swept.splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    file = tmp_path / "s.jsonl"
    file.write_text("".join(lines))
    with Ledger.go_on(file, SWEEP) as ledger, pytest.raises(LedgerError) as error:
        resume(ledger)
    what = str(error.value)
    assert f"s.jsonl, line {line}: " in what
    assert said in what
    assert advised(error.value, Namespace(command="sweep")).splitlines() == [
        what,
        "Restore the file, or begin a new sweep with another --file.",
    ]
    assert file.read_text() == "".join(lines)


def test_a_row_of_another_sweep_is_refused_by_the_program(swept: str, program: Program) -> None:
    file = program.folder / "sweep.jsonl"
    file.write_text(swept.replace('"move.steps": "1,2"', '"move.steps": "1,3"', 1))
    done = program("sweep", "--resume")
    assert done.status == 2
    assert "sweep.jsonl, line 2: number 0 of this sweep has move.steps=1,2." in done.err
    assert len(done.complaints) == 2


def test_of_a_row_that_stands_twice_the_first_counts(swept: str, program: Program) -> None:
    lines = swept.splitlines(keepends=True)
    other = json.loads(lines[1]) | {"drama": 0.123456}
    (program.folder / "sweep.jsonl").write_text("".join((*lines, json.dumps(other) + "\n")))
    done = program("sweep", "--resume", "--json")
    assert done.status == 0
    assert f"sweep.jsonl, line {len(lines) + 1}: repeats an earlier row; the first" in done.err
    assert json.loads(done.out)["rows"] == [json.loads(line) for line in lines[1:]]


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ("track.last", "was written by an earlier version, where track.last also moved what lies"),
        ("move.steps", "is a sweep of an earlier version"),
    ],
)
def test_a_file_of_an_earlier_version_is_refused_by_name(
    vary: str, said: str, swept: str, program: Program
) -> None:
    """Its rows would not mean what the others mean."""
    head = json.loads(swept.splitlines()[0])
    del head["version"]
    head["vary"] = [[vary, ["2", "3"]]]
    (program.folder / "old.jsonl").write_text(json.dumps(head) + "\n")
    done = program("sweep", "--resume", "--file", "old.jsonl")
    assert done.status == 2
    assert f"old.jsonl {said}" in done.err
    head["version"] = 99
    (program.folder / "old.jsonl").write_text(json.dumps(head) + "\n")
    done = program("sweep", "--resume", "--file", "old.jsonl")
    assert done.status == 2
    assert "old.jsonl is a sweep of version 99; this program reads 2." in done.err


def test_nothing_in_a_file_can_steer_the_terminal(swept: str, program: Program) -> None:
    """A status is shown on one line, with its escape sequences spelled out."""
    lines = swept.splitlines(keepends=True)
    row = json.loads(lines[1])
    kept = {name: row[name] for name in ("number", "track.length", "move.steps")}
    bad = kept | {"status": "too slow: \x1b[2J\n\u202e\x9bgone"}
    lines[1] = json.dumps(bad) + "\n"
    (program.folder / "sweep.jsonl").write_text("".join(lines))
    done = program("sweep", "--resume")
    assert done.status == 0
    assert "too slow: \\x1b[2J\\n\\u202e\\x9bgone\n" in done.out
    done = program("sweep", "--resume", "--json")
    assert done.out.rstrip("\n").isprintable()
    assert json.loads(done.out)["rows"][0] == bad


@pytest.mark.parametrize(
    "outputs",
    [
        ("--csv", "sweep.jsonl"),
        ("--parquet", "./sweep.jsonl"),
        ("--csv", "link.csv"),
        ("--csv", "a.csv", "--parquet", "a.csv"),
        ("--csv", "sweep.svg", "--plot", "x=track.length", "y=value"),
        ("--svg", "sweep.jsonl", "--plot", "x=track.length", "y=value"),
    ],
)
def test_an_output_never_takes_the_place_of_the_rows(
    outputs: tuple[str, ...], swept: str, program: Program
) -> None:
    """Two options that name one file are refused before anything is written."""
    file = program.folder / "sweep.jsonl"
    file.write_text(swept)
    (program.folder / "link.csv").symlink_to(file)
    done = program("sweep", "--resume", *outputs)
    assert done.status == 2
    assert "would be overwritten" in done.err or "the same name" in done.err
    assert file.read_text() == swept


def test_an_output_never_takes_the_place_of_the_rulebook(program: Program) -> None:
    mine = program.folder / "mine.toml"
    mine.write_bytes(shipped_path("ctf-tokens").read_bytes())
    before = mine.read_bytes()
    for game in ("mine.toml", "./mine.toml:some-variant"):
        done = program("sweep", game, "--vary", "track.length=9", "--csv", "mine.toml")
        assert done.status == 2
        assert "mine.toml is read by this command and would be overwritten." in done.err
    assert mine.read_bytes() == before


def test_no_cell_of_a_table_is_a_formula() -> None:
    """A quote before text that begins like one; numbers are numbers."""
    cells = {
        "=1+1": "'=1+1",
        "+1,2": "'+1,2",
        "-1,2": "'-1,2",
        "@me": "'@me",
        "-5": "-5",
        "+3": "+3",
        "1,-1": "1,-1",
        "": "",
    }
    text = to_csv([{"number": -1, "move.steps": cell, "value": -0.5} for cell in cells])
    written = list(csv.DictReader(io.StringIO(text)))
    assert [row["move.steps"] for row in written] == list(cells.values())
    assert {(row["number"], row["value"]) for row in written} == {("-1", "-0.5")}


def test_other_limits_are_not_taken_silently(swept: str, program: Program) -> None:
    (program.folder / "sweep.jsonl").write_text(swept)
    done = program("sweep", "--resume", "--max-positions", "5")
    assert done.status == 2
    assert "has other limits: 100,000 positions and 60 seconds" in done.err


def test_a_plot_of_nothing_says_what_there_is(program: Program) -> None:
    done = program("sweep", *SMALL, "--plot", "x=track.length", "y=beauty")
    assert done.status == 2
    assert "There is no column beauty. The columns: track.length, " in done.err
    assert not (program.folder / "sweep.jsonl").exists()


def test_a_space_has_every_combination_of_its_axes_in_order() -> None:
    space = make_space(find_rulebook("cross-over"), ["track.length=9..11", "move.steps=1,2|1"])
    assert len(space) == 6
    combinations = [tuple(space.keys_at(number).values()) for number in range(6)]
    assert combinations == list(product(("9", "10", "11"), ("1,2", "1")))
    with pytest.raises(NotationError):
        make_space(find_rulebook("cross-over"), [])
    with pytest.raises(RulebookError):
        space.rulebook_at({"track.length": "70"})


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_done_in_time_is_not_interrupted_later(fails: bool) -> None:
    """Nothing of the alarm is left, whether the work succeeded or failed."""
    before = signal.getsignal(signal.SIGALRM)
    with suppress(ZeroDivisionError), sweep._within(100.0):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
        if fails:
            _ = 1 / 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before
