"""Files are read within bounds, written whole or not at all, and never over somebody else's."""

import fcntl
import json
import os
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import pytest

from lineduel import storage
from lineduel.engine import Game
from lineduel.errors import AlreadyExists, InUse, RecordError, StorageError
from lineduel.jobs import LimitedWorkers, Pool
from lineduel.jobs.ledger import Ledger
from lineduel.match import Hold, Match, Saves, save
from lineduel.play import Session
from lineduel.players import Process
from lineduel.record import read_record
from lineduel.rulebooks import find_rulebook
from lineduel.storage import (
    Output,
    check_outputs,
    put_aside,
    read_text,
    safe_name,
    write_atomically,
)
from lineduel.web.database import Database
from support.program import PYTHON_M, Program

Result = TypeVar("Result")


def at_once(number: int, work: Callable[[int], Result]) -> list[Result | StorageError]:
    """What that many who begin in the same moment get, or are told."""
    barrier = Barrier(number)

    def one(at: int) -> Result | StorageError:
        barrier.wait()
        try:
            return work(at)
        except StorageError as error:
            return error

    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(one, range(number)))


# Created by one alone


def test_games_begun_in_the_same_second_all_have_files_of_their_own() -> None:
    """However many begin at once, no game takes another's place."""
    now, sessions = datetime(2026, 5, 1, 12), []
    for _ in range(12):
        sessions.append(Session(Game(find_rulebook("cross-over"))))
        sessions[-1].play(sessions[-1].game.moves(sessions[-1].position)[0])
    records = [one.record([("Number", str(at))]) for at, one in enumerate(sessions)]
    paths = at_once(12, lambda at: Saves().add(records[at], now))
    assert len(set(map(str, paths))) == 12
    for path, record in zip(paths, records, strict=True):
        assert isinstance(path, Path)
        assert read_record(read_text(path)) == record


def test_of_several_who_begin_a_ledger_one_succeeds(tmp_path: Path) -> None:
    """The others are told that it is there, and it is whole."""
    path = tmp_path / "results.jsonl"
    ledgers = at_once(8, lambda at: Ledger.begin(path, {"lineduel": "test", "by": at}))
    (begun,) = [one for one in ledgers if isinstance(one, Ledger)]
    refused = [one for one in ledgers if isinstance(one, AlreadyExists)]
    assert len(refused) == 7
    assert all("already exists" in str(one) for one in refused)
    with begun:
        begun.append(b"{}\n")
    first, second = path.read_text().splitlines()
    assert (json.loads(first), second) == (begun.header, "{}")


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    """Neither a file, nor a link that leads nowhere; also where a file has but one name.

    Whoever looks first and then creates is too late, as if nothing were ever seen there.
    """
    monkeypatch.setattr(Path, "exists", lambda _: False)
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", lambda *_: (tmp_path / "nowhere").stat())
    path, link = tmp_path / "one", tmp_path / "link"
    link.symlink_to("gone")
    write_atomically(path, "first", new=True)
    for there in (path, link):
        with pytest.raises(AlreadyExists):
            write_atomically(there, "second", new=True)
    assert path.read_text() == "first"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link", "one"]


@pytest.mark.parametrize("links", [True, False])
def test_what_is_put_aside_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    """Each damaged file keeps its content under another name."""
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", lambda *_: (tmp_path / "nowhere").stat())
    path = tmp_path / "game.duel"
    for content in ("one", "two", "three"):
        path.write_text(content)
        assert put_aside(path).read_text() == content
        assert not path.exists()
    assert sorted(one.read_text() for one in tmp_path.iterdir()) == ["one", "three", "two"]


# As the user wants them


@pytest.mark.parametrize(("mask", "mode"), [("077", 0o600), ("022", 0o644), ("027", 0o640)])
def test_files_are_as_private_as_the_user_wants(program: Program, mask: str, mode: int) -> None:
    """What the umask takes away is taken away from saved games, kept games and certificates."""
    for typed, arguments in (
        ("1\nsave mine.duel\n", ("play", "blockade-duel")),
        ("", ("solve", "blockade-duel", "--certificate", "proof.txt")),
    ):
        subprocess.run(
            ["bash", "-c", f'umask {mask}; "$@"', "bash", *PYTHON_M, *arguments],
            input=typed.encode(),
            stdout=subprocess.DEVNULL,
            cwd=program.folder,
            env=program.environment(),
            check=True,
        )
    written = [program.folder / "mine.duel", program.folder / "proof.txt", *program.saved]
    assert len(written) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in written} == {mode}


@pytest.mark.parametrize(
    "text", ["../../../x", "/../x", "a\x1b[31mb", "x" * 300, "\udcff", "", ":", "ß…", "NUL\0"]
)
def test_a_name_made_of_any_text_is_safe(text: str) -> None:
    """Plain letters, digits and hyphens, not too many, and not none."""
    name = safe_name(text)
    assert 1 <= len(name) <= 60
    assert name.isascii()
    assert name.replace("-", "").isalnum()


# What was left behind


def test_what_a_killed_program_left_is_removed_by_the_next(program: Program) -> None:
    """But for what may still be written, and what only looks like it."""
    games = program.data / "games"
    games.mkdir(parents=True)
    left, young, held, other = (
        games / name
        for name in (
            ".lineduel-0123456789abcdef",
            ".lineduel-1123456789abcdef",
            ".lineduel-2123456789abcdef",
            ".lineduel-notes",
        )
    )
    for path in (left, young, held, other):
        path.write_text("half")
    an_hour_ago = time.time() - 3600
    for path in (left, held, other):
        os.utime(path, (an_hour_ago, an_hour_ago))
    with held.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = program("play", "blockade-duel", typed="1\n")
    assert (done.status, done.err) == (0, "")
    assert not left.exists()
    assert all(path.read_text() == "half" for path in (young, held, other))


def test_a_file_that_is_being_written_can_be_told_from_an_abandoned_one(tmp_path: Path) -> None:
    def written() -> Iterator[bytes]:
        [temporary] = tmp_path.iterdir()
        later = temporary.stat().st_mtime + 70
        storage._remove_abandoned.__wrapped__(tmp_path, lambda: later)
        yield b"whole"

    write_atomically(tmp_path / "file", written())
    assert (tmp_path / "file").read_bytes() == b"whole"


def test_a_program_that_is_killed_while_it_writes_leaves_the_old_file(program: Program) -> None:
    """The half that was written is nobody's, and is gone when the next program writes there."""
    path = program.folder / "file"
    path.write_text("old")
    script = """
import os, signal
from pathlib import Path
from lineduel.storage import write_atomically
def chunks():
    yield b"half"
    os.kill(os.getpid(), signal.SIGKILL)
write_atomically(Path("file"), chunks())
"""
    assert program.python("-c", script).status == -signal.SIGKILL
    assert path.read_text() == "old"
    (left,) = program.folder.glob(".lineduel-*")
    os.utime(left, (1, 1))
    program.python(
        "-c",
        "from pathlib import Path; from lineduel.storage import write_atomically as write;"
        "write(Path('file'), 'new')",
    )
    assert path.read_text() == "new"
    assert not left.exists()


# Outputs that a person names


RULEBOOK = """\
title = "Mine"
summary = "A rulebook of my own."
track = { first = 1, last = 5 }
player1 = { pieces = { Ant = 1 }, goal = [5] }
player2 = { pieces = { Bee = 5 }, goal = [1] }
move = { steps = [1, 2] }
meet = { enemy = "sent home" }
"""
VARY = ("--vary", "track.last=5..6", "--file", "rows.jsonl")
PLOT = ("--plot", "x=track.last", "y=positions", "--svg")
WRITERS = {
    "solve": ("solve", "mine.toml", "--certificate"),
    "ladder": ("ladder", "mine.toml", "--svg"),
    "review": ("review", "game.duel", "--svg"),
    "audit": ("audit", "mine.toml", "--html"),
    "repair": ("repair", "mine.toml", "--write"),
    "sweep csv": ("sweep", "mine.toml", *VARY, "--csv"),
    "sweep parquet": ("sweep", "mine.toml", *VARY, "--parquet"),
    "sweep svg": ("sweep", "mine.toml", *VARY, *PLOT),
}
"""Commands whose last word, still missing, is a file to write."""


@pytest.fixture
def mine(program: Program) -> Path:
    """A rulebook, and a game that was played by it."""
    path = program.folder / "mine.toml"
    path.write_text(RULEBOOK)
    program("play", "mine.toml", typed="1\nsave game.duel\n")
    return path


@pytest.mark.parametrize("writer", WRITERS)
def test_no_command_writes_over_somebody_elses_file(
    program: Program, mine: Path, writer: str
) -> None:
    """It says so before it works, and tells how to do it all the same."""
    precious = program.folder / "precious.txt"
    precious.write_text("precious")
    done = program(*WRITERS[writer], "precious.txt")
    assert (done.status, done.out) == (2, "")
    assert "precious.txt exists" in done.err
    assert "--force" in done.err
    assert precious.read_text() == "precious"
    assert not (program.folder / "rows.jsonl").exists()


@pytest.mark.parametrize("names", [("page", "page/rows"), ("page/rows", "page"), ("a/b/c", "a")])
def test_no_output_lies_in_another_whichever_is_named_first(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    outputs = [Output(tmp_path / name) for name in names]
    with pytest.raises(StorageError, match="cannot be both a file and a folder"):
        check_outputs(outputs)
    check_outputs([Output(tmp_path / name.replace("/", "-")) for name in names])


def test_no_output_is_the_folder_of_another(program: Program, mine: Path) -> None:
    """That is told before anything is written."""
    done = program("audit", "mine.toml", "--html", "page", "--evidence", "page")
    assert (done.status, done.out) == (2, "")
    assert "page cannot be both a file and a folder" in done.err
    assert not (program.folder / "page").exists()


@pytest.mark.parametrize("writer", WRITERS)
def test_no_command_writes_over_what_it_reads(program: Program, mine: Path, writer: str) -> None:
    """Whatever is asked for."""
    command = WRITERS[writer]
    read = program.folder / command[1]
    before = read.read_bytes()
    done = program(*command, read.name, "--force")
    assert (done.status, done.out) == (2, "")
    assert f"{read.name} is read by this command" in done.err
    assert read.read_bytes() == before


def test_no_command_writes_over_the_file_of_a_variant(program: Program, mine: Path) -> None:
    """A variant is read from its rulebook's file."""
    mine.write_text(
        f'{RULEBOOK}[variants.calm]\nsummary = "Calm."\nwhy = "It may be."\nmeet.enemy = "shared"\n'
    )
    before = mine.read_bytes()
    done = program("solve", "mine.toml:calm", "--certificate", "mine.toml", "--force")
    assert (done.status, done.out) == (2, "")
    assert "mine.toml is read by this command" in done.err
    assert mine.read_bytes() == before


def test_what_is_read_is_known_by_any_name(tmp_path: Path) -> None:
    """By another path, a link, or a second name of the same file."""
    read = tmp_path / "mine.toml"
    read.write_text(RULEBOOK)
    (tmp_path / "link").symlink_to(read.name)
    (tmp_path / "second").hardlink_to(read)
    for name in ("mine.toml", "../" + tmp_path.name + "/mine.toml", "link", "second"):
        with pytest.raises(StorageError, match="is read by this command"):
            check_outputs([Output(tmp_path / name, force=True)], [read])
    check_outputs([Output(tmp_path / "another", force=True)], [read])


def test_a_sweep_never_writes_over_its_own_rows(program: Program, mine: Path) -> None:
    """Nor one of its outputs over another, also before any of them is there."""
    sweep = ("sweep", "mine.toml", *VARY, "--force")
    done = program(*sweep, "--csv", "rows.jsonl")
    assert (done.status, "is read by this command" in done.err) == (2, True)
    done = program(*sweep, "--csv", "one", "--parquet", "./one")
    assert (done.status, "Two outputs have the same name" in done.err) == (2, True)
    assert not (program.folder / "one").exists()
    assert not (program.folder / "rows.jsonl").exists()


def test_two_names_of_one_file_are_known_before_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a way round, by a link, or from the root."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    monkeypatch.chdir(tmp_path)
    one = Output(Path("folder/new"))
    for name in ("folder/../folder/new", "link/new", f"{tmp_path}/folder/new"):
        with pytest.raises(StorageError, match="Two outputs have the same name"):
            check_outputs([one, Output(Path(name))])
        with pytest.raises(StorageError, match="is read by this command"):
            check_outputs([one], [Path(name)])
    check_outputs([one, Output(Path("new"))], [Path("folder/other")])


def test_an_audit_never_writes_its_page_over_its_evidence(program: Program, mine: Path) -> None:
    """Which are in a folder, by names of their own."""
    (program.folder / "lines").mkdir()
    done = program(
        "audit", "mine.toml", "--evidence", "lines", "--html", "lines/claim-1.duel", "--force"
    )
    assert (done.status, "Two outputs have the same name" in done.err) == (2, True)
    assert not [*(program.folder / "lines").iterdir()]


def test_what_the_same_command_wrote_is_written_anew(program: Program, mine: Path) -> None:
    """Its own kind is known by its beginning; another kind, and another's file, need --force."""
    proof, picture = program.folder / "proof.txt", program.folder / "game.svg"
    solve = ("solve", "mine.toml", "--certificate", "proof.txt")
    review = ("review", "game.duel", "--svg")
    proof.write_text("")  # an empty file holds nothing that could be lost
    assert program(*solve).status == 0
    first = proof.read_bytes()
    assert first.startswith(b"lineduel certificate ")
    assert program(*solve).status == 0
    assert proof.read_bytes() == first
    assert program(*review, "game.svg").status == 0
    assert program(*review, "game.svg").status == 0
    assert program(*review, "proof.txt").status == 2
    assert proof.read_bytes() == first
    assert program(*review, "proof.txt", "--force").status == 0
    assert proof.read_bytes() == picture.read_bytes()


def test_a_link_is_followed(program: Program, mine: Path) -> None:
    """It stays a link, and what it points to is written, whether or not it was there."""
    (program.folder / "there").mkdir()
    link = program.folder / "proof.txt"
    link.symlink_to("there/real.txt")
    for _ in range(2):
        done = program("solve", "mine.toml", "--certificate", "proof.txt")
        assert (done.status, done.err) == (0, "")
        assert link.is_symlink()
        assert (program.folder / "there/real.txt").read_bytes().startswith(b"lineduel cert")
    link.unlink()
    link.symlink_to("proof.txt")
    done = program("solve", "mine.toml", "--certificate", "proof.txt")
    assert (done.status, "proof.txt cannot be written" in done.err) == (2, True)


def test_a_device_is_written_to(program: Program, mine: Path) -> None:
    """It stays what it is; what it refuses is told.

    Pipes and devices of the test's own: a mistake must not replace those of the machine.
    """
    solve = ("solve", "mine.toml", "--json", "--certificate")
    alone = program("solve", "mine.toml", "--json").out
    pipe = program.folder / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        assert program(*solve, "pipe").out == alone
        assert reader.communicate()[0].startswith(b"lineduel certificate ")
    assert pipe.is_fifo()
    done = program(*solve, "/dev/stdout")
    assert done.out.startswith("lineduel certificate ")
    assert done.out.endswith(alone)


def test_a_full_device_is_told(program: Program, mine: Path) -> None:
    """And is still there afterwards."""
    full = program.folder / "full"
    try:
        os.mknod(full, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        full.open("wb").close()
    except PermissionError:
        pytest.skip("only an administrator makes devices")
    done = program("solve", "mine.toml", "--certificate", "full")
    assert (done.status, done.out) == (2, "")
    assert done.err == "lineduel: full cannot be written: no space left on device.\n"
    assert full.is_char_device()


def test_standard_output_that_is_a_file_gets_both(program: Program, mine: Path) -> None:
    """What is written to it by its name, and what is said, one after the other."""
    solve = ("solve", "mine.toml", "--certificate", "/dev/stdout")
    with (program.folder / "all.txt").open("w") as file:
        subprocess.run(
            [*PYTHON_M, *solve],
            stdout=file,
            cwd=program.folder,
            env=program.environment(),
            check=True,
        )
    assert (program.folder / "all.txt").read_text() == program(*solve).out


def test_a_folder_is_no_file_to_write(program: Program, mine: Path) -> None:
    """Nor is a file a folder."""
    done = program("solve", "mine.toml", "--certificate", ".")
    assert (done.status, done.err) == (2, "lineduel: . is a directory, not a file.\n")
    done = program("audit", "mine.toml", "--evidence", "mine.toml")
    assert (done.status, "cannot be written: not a directory" in done.err) == (2, True)


# A game that is open in one place


def test_a_game_that_is_let_go_leaves_nothing_beside_it(tmp_path: Path) -> None:
    """Neither a lock nor anything else, and others may have it."""
    path = tmp_path / "game.duel"
    save(Session(Game(find_rulebook("cross-over"))).record(), path)
    for _ in range(2):
        hold = Hold(path)
        with pytest.raises(InUse):
            Hold(path)
        hold.release()
        hold.release()
        assert [one.name for one in tmp_path.iterdir()] == ["game.duel"]


def test_a_game_that_cannot_be_read_is_not_held(tmp_path: Path) -> None:
    """Once it is mended it can be opened."""
    path = tmp_path / "game.duel"
    path.write_text("damaged")
    with pytest.raises(RecordError):
        Match.resume(path, Saves(tmp_path))
    assert [one.name for one in tmp_path.iterdir()] == ["game.duel"]
    save(Session(Game(find_rulebook("cross-over"))).record(), path)
    Match.resume(path, Saves(tmp_path)).close()


def test_a_game_that_is_deleted_leaves_nothing_behind(tmp_path: Path) -> None:
    """Neither its numbers nor its lock; one that is open stays."""
    saves = Saves(tmp_path)
    record = Session(Game(find_rulebook("flag-chase"))).record()
    path = saves.add(record, datetime(2026, 1, 2))
    held = Hold(path)
    with pytest.raises(InUse):
        saves.delete(path)
    held.release()
    saves.delete(path)
    assert list(tmp_path.iterdir()) == []


def test_what_was_closed_can_be_closed_again(tmp_path: Path) -> None:
    """Nothing else that was opened since is closed by that."""
    ledger = Ledger.begin(tmp_path / "rows.jsonl", {"lineduel": "test"})
    match = Match(Session(Game(find_rulebook("flag-chase"))), Saves(tmp_path))
    for one in (
        Process(["cat"]),
        ledger,
        match,
        Pool(0),
        LimitedWorkers(1),
        Database(f"sqlite:///{tmp_path}/live.sqlite"),
    ):
        one.close()
        others = [(tmp_path / str(number)).open("w") for number in range(4)]
        one.close()
        for other in others:
            other.write("still open")
            other.close()
