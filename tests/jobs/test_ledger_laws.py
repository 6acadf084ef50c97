"""Files of results: written, cut, killed, gone on with elsewhere; and writes that fail anywhere."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

import pytest

from lineduel.errors import LedgerError, StorageError
from lineduel.jobs import FollowedLedger, Ledger
from lineduel.jobs.pool import _Chunks
from lineduel.storage import write_atomically
from support.repetition import tried


class FullDisk:
    """A file that takes a number of bytes, and no more."""

    def __init__(self, file: BinaryIO, room: int) -> None:
        self._file, self._room = file, room

    def write(self, content: bytes) -> int:
        taken = self._file.write(content[: self._room])
        self._room -= taken
        if not taken:
            raise OSError(errno.ENOSPC, "No space left on device")
        return taken

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@contextmanager
def full(ledger: Ledger, room: int) -> Iterator[None]:
    file = ledger._file
    ledger._file = FullDisk(file, room)  # type: ignore[assignment]
    try:
        yield
    finally:
        ledger._file = file


def contents(path: Path) -> list[bytes]:
    with Ledger.go_on(path, "test") as ledger:
        return [line for _, line in ledger.contents()]


def test_a_file_that_is_being_written_is_not_begun_again(tmp_path: Path) -> None:
    """Its writer loses nothing; once it has gone, another may begin in its place."""
    path, header = tmp_path / "used.jsonl", {"lineduel": "test"}
    with Ledger.begin(path, header) as used:
        used.append(b"1\n")
        with pytest.raises(StorageError, match="Another program is writing"):
            Ledger.begin_again(path, header)
        used.append(b"2\n")
    assert contents(path) == [b"1\n", b"2\n"]
    Ledger.begin_again(path, header).close()
    assert contents(path) == []


@tried(25, 1000)
def test_what_was_appended_is_there_and_nothing_else(tmp_path: Path, times: int) -> None:
    """Each line once and in order, for whoever goes on with it, and for whoever follows it."""
    for seed in range(times):
        chance, path = Random(seed), tmp_path / f"{seed}.jsonl"
        kept: list[bytes] = []
        ledger = Ledger.begin(path, {"lineduel": "test"})
        followed, read = FollowedLedger(path, "test"), list[bytes]()
        for number in range(30):
            some = [b"%d %d\n" % (number, part) for part in range(chance.randint(1, 3))]
            match chance.choice(("append", "append", "full", "kill", "move", "second", "follow")):
                case "append":
                    ledger.append(b"".join(some))
                    kept += some
                case "full":
                    room = chance.randrange(len(some[0]))
                    with full(ledger, room), pytest.raises(StorageError):
                        ledger.append(b"".join(some))
                case "kill":
                    ledger.close()
                    with path.open("ab") as file:
                        file.write(some[0][: chance.randrange(len(some[0]))])
                    assert contents(path) == kept, seed
                    ledger = Ledger.go_on(path, "test")
                case "move":
                    copy = tmp_path / f"{seed}-{number}.jsonl"
                    shutil.copy(path, copy)
                    assert contents(copy) == kept, seed
                case "second":
                    with pytest.raises(StorageError, match="Another program is writing"):
                        Ledger.go_on(path, "test")
                case "follow":
                    read += [line for _, line in followed.contents()]
                    assert read == kept[: len(read)], seed
        ledger.close()
        read += [line for _, line in followed.contents()]
        assert read == contents(path) == kept, seed
        followed.close()


def test_lines_that_may_not_be_on_the_disk_are_cut_off_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though all of them were written: whoever wrote them writes them again."""
    with Ledger.begin(tmp_path / "rows.jsonl", {"lineduel": "test"}) as ledger:
        ledger.append(b"1\n")
        with monkeypatch.context() as patch:
            failing(os, "fsync")(patch)
            for _ in range(2):
                with pytest.raises(StorageError):
                    ledger.append(b"2\n3\n")
        ledger.append(b"2\n")
        ledger.append(b"3\n")
    assert contents(tmp_path / "rows.jsonl") == [b"1\n", b"2\n", b"3\n"]


@pytest.mark.parametrize("by", ["cutting it", "replacing it", "removing it"])
def test_a_followed_file_that_is_no_longer_the_same_is_not_read_on(tmp_path: Path, by: str) -> None:
    path, other = tmp_path / "rows.jsonl", tmp_path / "other.jsonl"
    with Ledger.begin(path, {"lineduel": "test"}) as ledger:
        ledger.append(b"1\n2\n")
    followed = FollowedLedger(path, "test")
    assert len(list(followed.contents())) == 2
    if by == "cutting it":
        os.truncate(path, path.stat().st_size - 2)
    elif by == "replacing it":
        shutil.copy(path, other)
        other.replace(path)
    else:
        path.unlink()
    with pytest.raises(LedgerError):
        list(followed.contents())
    followed.close()


def test_items_of_any_kinds_in_any_order_are_done_once() -> None:
    """Whatever the size of a chunk, and whichever chunks are lost with their workers."""
    for seed in range(40):
        chance = Random(seed)
        items = [(chance.randrange(3), number) for number in range(60)]
        chunks = _Chunks(iter(items), lambda item: item[0], seconds=1.0, largest=7)
        done: list[tuple[int, int]] = []
        while chunk := chunks.next():
            assert len({kind for kind, _ in chunk.items}) == 1
            if chunk.losses == 0 and chance.random() < 0.2:
                chunks.again(chunk, RuntimeError())
                continue
            chunks.learn(chunk, chance.random())
            done += chunk.items
        assert sorted(done) == sorted(items), seed


Failing = Callable[[pytest.MonkeyPatch], None]


def failing(owner: Any, name: str) -> Failing:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    return lambda patch: patch.setattr(owner, name, fail)


FAILURES: dict[str, Failing] = {
    "opening": failing(os, "open"),
    "syncing": failing(os, "fsync"),
    "putting in place": failing(Path, "replace"),
    "making the folder": failing(Path, "mkdir"),
}


@pytest.mark.parametrize("fails", FAILURES.values(), ids=FAILURES)
def test_a_write_that_fails_anywhere_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, fails: Failing
) -> None:
    path = tmp_path / "file"
    write_atomically(path, "old")
    with pytest.MonkeyPatch.context() as patch:
        fails(patch)
        with pytest.raises(StorageError):
            write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    write_atomically(path, "new")
    assert path.read_text() == "new"


@pytest.mark.parametrize("new", [True, False])
def test_a_file_is_on_the_disk_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new: bool
) -> None:
    """Otherwise a power cut could leave it empty."""
    path, synced, sync = tmp_path / "file", list[bool](), os.fsync

    def note(handle: int) -> None:
        synced.append(path.exists())
        sync(handle)

    monkeypatch.setattr(os, "fsync", note)
    write_atomically(path, "whole", new)
    assert synced == [False]
    with Ledger.begin(tmp_path / "rows", {"lineduel": "test"}) as ledger:
        synced.clear()
        ledger.append(b"1\n")
        assert len(synced) == 1
