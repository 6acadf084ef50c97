"""Files are read within bounds, written whole or not at all, and never over somebody else's."""

import fcntl
import json
import os
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import pytest

from lineduel.arena.ledger import Ledger
from lineduel.errors import AlreadyExists, StorageError
from lineduel.record import read_record
from lineduel.rulebooks import find_rulebook
from lineduel.saves import Saves
from lineduel.session import Session
from lineduel.storage import put_aside, read_text, safe_name, write_atomically
from program import PYTHON_M, Program

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
        sessions.append(Session(find_rulebook("cross-over")))
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
    assert all("there already" in str(one) for one in refused)
    with begun:
        begun.append(b"{}\n")
    first, second = path.read_text().splitlines()
    assert (json.loads(first), second) == (begun.header, "{}")


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    """Neither a file, nor a link that leads nowhere; also where a file has but one name."""
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", lambda *_: (tmp_path / "nowhere").stat())
    path, link = tmp_path / "one", tmp_path / "link"
    link.symlink_to("gone")
    write_atomically(path, "first", new=True)
    for there in (path, link):
        with pytest.raises(AlreadyExists):
            write_atomically(there, "second", new=True)
    assert path.read_text() == "first"
    assert not (tmp_path / "gone").exists()
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
