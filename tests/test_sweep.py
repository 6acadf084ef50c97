"""Sweeps: one row for each combination, each game worked out once, nothing ever lost."""

import csv
import io
import json
import os
import signal
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from pyarrow import parquet

from cluster import cluster
from lineduel.errors import NotationError, RulebookError
from lineduel.lab.glance import glance
from lineduel.lab.identity import identity
from lineduel.lab.space import make_space
from lineduel.lab.sweep import columns
from lineduel.rulebooks import find_rulebook
from lineduel.rules import apply_changes
from program import PATIENCE, Program, wait_for

SMALL = ("ctf-tokens", "--vary", "track.length=8..14", "--vary", "move.steps=1,2|1,2,3|1,-1")
MANY = (
    "cross-over",
    "--vary",
    "track.length=9..12",
    "--vary",
    "move.steps=1,2|1,2,3|1,3|2,3|1,2,4",
    "--vary",
    "meet.own=blocked|shared",
    "--vary",
    "move.jump=true|false",
)


def rows_of(program: Program, *arguments: str) -> list[dict[str, Any]]:
    done = program("sweep", *arguments, "--json")
    assert done.status == 0, done.err
    rows: list[dict[str, Any]] = json.loads(done.out)["rows"]
    return rows


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a small sweep that is done."""
    folder = tmp_path_factory.mktemp("swept")
    rows_of(Program(folder), *SMALL)
    return (folder / "sweep.jsonl").read_text()


def test_every_row_has_the_figures_of_its_rulebook(program: Program) -> None:
    """What a sweep says is what a glance at each rulebook says."""
    rows = rows_of(program, *SMALL)
    assert len(rows) == 21
    space = make_space(find_rulebook("ctf-tokens"), SMALL[2::2])
    for row in rows:
        keys = {axis.key: row[axis.key] for axis in space.axes}
        expected = columns(glance(space.rulebook_at(keys)))
        assert {name: row[name] for name in expected} == pytest.approx(expected, nan_ok=True)


def test_a_longer_track_moves_what_lies_at_its_end() -> None:
    """Cross Over on 13 cells has its right camp there."""
    space = make_space(find_rulebook("cross-over"), ["track.length=13"])
    rules = space.rulebook_at({"track.length": "13"}).rules
    assert rules.player2.homes == (12, 11, 10)
    assert rules.player1.goal == (10, 11, 12)
    assert rules.player1.homes == (0, 1, 2)


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
    assert columns(glance(turned))["seat_level1"] == pytest.approx(rows[1]["seat_level1"])


def test_a_killed_sweep_goes_on_to_the_same_table(program: Program) -> None:
    """Ended at random moments as no program can prevent, and resumed each time."""
    rng = Random(3)
    whole = rows_of(program, *MANY, "--file", "whole.jsonl")
    file = program.folder / "killed.jsonl"
    arguments: tuple[str, ...] = (*MANY, "--file", file.name)
    for _ in range(5):
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


def test_an_interrupt_says_how_to_go_on(program: Program) -> None:
    file = program.folder / "sweep.jsonl"
    with program.started("sweep", *MANY) as process:
        wait_for(file, 2, process)
        os.kill(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Go on with: lineduel sweep --resume" in err
    assert "Traceback" not in err


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
        "--positions",
        "2000",
        "--file",
        "x.jsonl",
    )
    assert [row["track.length"] for row in rows] == [str(length) for length in range(5, 11)]
    assert rows[0]["status"].startswith("no rulebook:")
    assert rows[-1]["status"].startswith("too large: There are more than 2,000 positions")
    assert rows[-2]["status"] == "done"


def test_what_takes_too_long_is_reported(program: Program) -> None:
    rows = rows_of(program, "flag-chase", "--vary", "track.length=9", "--seconds", "0.001")
    assert rows[0]["status"] == "too slow: more than 0.001 seconds"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("cross-over",), "Nothing varies."),
        ((), "A sweep needs a rulebook to begin with"),
        (("cross-over", "--vary", "track.length=9..8"), "is an empty range"),
        (("cross-over", "--vary", "track.length"), "varies nothing"),
        (("cross-over", "--vary", "track.colour=red"), "varies nothing"),
        (("cross-over", "--vary", "move.steps=a|b"), "takes whole numbers"),
        (
            ("cross-over", "--vary", "move.jump=true", "--vary", "move.jump=false"),
            "move.jump varies twice",
        ),
        (("cross-over", "--vary", "move.steps=1|1"), "takes a value twice"),
        (
            ("cross-over", "--vary", "track.length=8..20", "--most", "10"),
            "Those are 13 combinations, and 10 are the limit.",
        ),
        (("--resume", "--file", "nothing.jsonl"), "There is no file nothing.jsonl"),
        (("cross-over", "--vary", "track.length=8..9", "--plot", "x=a", "z=b"), "--plot takes"),
        (("cross-over", "--vary", "track.length=8..9", "--svg", "a.svg"), "--svg needs"),
        (("cross-over", "--vary", "track.length=8..9", "--seconds", "nan"), "--positions takes 1"),
        (("cross-over", "--vary", "track.length=8..9", "--seconds", "0"), "--positions takes 1"),
        (("cross-over", "--vary", "track.length=8..9", "--positions", "0"), "--positions takes 1"),
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
    done = program("sweep", *SMALL)
    assert done.status == 2
    assert "is there already" in done.err


@pytest.mark.parametrize(
    "damage",
    [
        ('"number": 3', '"number": 300'),
        ('"number": 3', '"letter": 3'),
        ('"move.steps": "1,2"', '"move.jump": "1,2"'),
        ('["track.length", ["8"', '["track.length", ["x"'),
        ('"seconds": 60.0', '"seconds": "soon"'),
    ],
)
def test_a_damaged_file_gets_a_sentence(
    damage: tuple[str, str], swept: str, program: Program
) -> None:
    assert damage[0] in swept
    (program.folder / "sweep.jsonl").write_text(swept.replace(*damage, 1))
    done = program("sweep", "--resume")
    assert done.status == 2
    assert "sweep.jsonl is damaged." in done.err


def test_other_limits_are_not_taken_silently(swept: str, program: Program) -> None:
    (program.folder / "sweep.jsonl").write_text(swept)
    done = program("sweep", "--resume", "--positions", "5")
    assert done.status == 2
    assert "has other limits: 100,000 positions and 60 seconds" in done.err


def test_a_plot_of_nothing_says_what_there_is(program: Program) -> None:
    done = program("sweep", *SMALL, "--plot", "x=track.length", "y=beauty")
    assert done.status == 2
    assert "There is no column beauty. The columns: track.length, " in done.err
    assert not (program.folder / "sweep.jsonl").exists()


def test_axes_of_a_space() -> None:
    space = make_space(find_rulebook("cross-over"), ["track.length=8..10", "move.steps=1,2|1"])
    assert len(space) == 6
    assert [point.keys["track.length"] for point in space.points()] == [
        "8",
        "8",
        "9",
        "9",
        "10",
        "10",
    ]
    with pytest.raises(NotationError):
        make_space(find_rulebook("cross-over"), [])
    with pytest.raises(RulebookError):
        space.rulebook_at({"track.length": "70"})
