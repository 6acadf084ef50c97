"""Work for many processes: all of it is done, once, whatever happens to them."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import process
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import psutil
import pytest

from jobs.pool_work import die, die_once, kinds, mark, refuse, set_mark, squares, too_large
from lineduel.errors import LineduelError, NoWorkers
from lineduel.jobs.pool import GROWTH, MOST_LOSSES, Pool, _Chunk, _Chunks
from support.program import PATIENCE, wait_until


def test_everything_is_done_once() -> None:
    """In whatever order, and in chunks that grow."""
    with Pool(2) as pool:
        done = [one for part in pool.run(squares, range(500)) for one in part]
    assert sorted(done) == [number * number for number in range(500)]


def test_a_worker_prepares_before_its_first_work() -> None:
    """That is how the command line decides what its workers show."""
    with Pool(1, prepare=set_mark) as pool:
        assert list(pool.run(mark, [1])) == ["set"]


def test_a_closed_pool_leaves_no_thread_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one that takes its time: Python may complain of it on leaving."""
    tidy_up = process._ExecutorManagerThread.join_executor_internals

    def slowly(manager: process._ExecutorManagerThread) -> None:
        time.sleep(0.3)
        tidy_up(manager)

    monkeypatch.setattr(process._ExecutorManagerThread, "join_executor_internals", slowly)
    before = set(threading.enumerate())
    with Pool(1) as pool:
        assert list(pool.run(squares, [3])) == [[9]]
    assert set(threading.enumerate()) <= before


def test_chunks_are_of_one_kind_and_grow_to_the_time_they_are_to_take() -> None:
    """Twenty items of 2 ms make 40 ms; a new kind begins with one item."""
    with Pool(1) as pool:
        for found in pool.run(kinds, range(900, 3100), kind=lambda number: number // 1000):
            assert len(found) == 1
        lengths = list(pool.run(len, range(2000)))
        assert lengths[0] == 1
        assert max(lengths) > 1
        assert max(pool.run(len, range(200), largest=7)) == 7
    chunks = _Chunks(count(), lambda item: "kind", seconds=0.04, largest=1000)
    for items, taken, expected in ((1, 0.002, GROWTH), (GROWTH, 0.032, 20), (1, 5.0, 1)):
        chunks.learn(_Chunk("kind", tuple(range(items))), taken)
        chunk = chunks.next()
        assert chunk is not None
        assert len(chunk.items) == expected


def test_items_are_taken_only_when_they_are_needed() -> None:
    """There may be no end of them."""
    with Pool(1) as pool:
        work = pool.run(squares, count())
        assert next(work) in ([0], [1])  # whichever came back first
        work.close()  # type: ignore[attr-defined]


def test_a_lost_worker_costs_only_its_chunk(tmp_path: Path) -> None:
    """What it had is done again, and everything still once."""
    with Pool(2) as pool:
        work = partial(die_once, tmp_path)
        done = [one for part in pool.run(work, range(120), seconds=0.01) for one in part]
    assert (tmp_path / "died").exists()
    assert sorted(done) == [number * number for number in range(120)]


def test_work_that_kills_every_worker_is_given_up() -> None:
    """With a plain sentence, not for ever."""
    with Pool(1) as pool, pytest.raises(NoWorkers, match=f"lost {MOST_LOSSES + 1} times"):
        list(pool.run(die, range(3)))


def test_an_error_of_the_work_comes_out() -> None:
    """It is not taken for a lost worker."""
    with Pool(1) as pool, pytest.raises(ZeroDivisionError):
        list(pool.run(refuse, range(3)))


def test_a_refusal_of_ours_comes_out_as_a_sentence() -> None:
    """Whatever its class holds."""
    with Pool(1) as pool, pytest.raises(LineduelError, match="more than 5 positions"):
        list(pool.run(too_large, range(3)))


# A parent that is killed

PARENT = """
import sys
sys.path.insert(0, {tests!r})
from lineduel.jobs.pool import Pool
from jobs.pool_work import {work}

if __name__ == "__main__":
    with Pool(2) as pool:
        for _ in pool.run({work}, range(10_000), largest=1):
            print("done", flush=True)
"""


@contextmanager
def parent_of(work: str, folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """A program with two workers, under way. What workers print is on standard error."""
    script = folder / "parent.py"
    script.write_text(
        PARENT.format(tests=str(Path(__file__).parents[1]), work=work), encoding="utf-8"
    )
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as parent:
        assert parent.stdout
        for _ in range(2):
            assert parent.stdout.readline()
        try:
            yield parent
        finally:
            parent.kill()
            if parent.stdout:
                parent.stdout.close()


@pytest.mark.parametrize("work", ["compute_on_and_on", "squares"])
def test_no_worker_outlives_its_parent(work: str, tmp_path: Path) -> None:
    """Not even one that is amid a computation that lets nothing else run."""
    with parent_of(work, tmp_path) as parent:
        workers = psutil.Process(parent.pid).children(recursive=True)
        assert len(workers) >= 2
        parent.kill()
        parent.wait()
        _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
        assert alive == []


SLOW_WORKERS = """
import os, sys, time
from pathlib import Path

sys.path.insert(0, {tests!r})
from lineduel.jobs.pool import Pool
from jobs.test_pool import squares

if __name__ == "__main__":
    with Pool(2) as pool:
        list(pool.run(squares, range(10_000), largest=1))
else:  # a worker, which begins only after its parent has ended
    Path({folder!r}, f"worker-{{os.getpid()}}").touch()
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.01)
"""


def test_workers_whose_parent_is_killed_say_nothing(tmp_path: Path) -> None:
    """Neither those that were just starting, nor the process that removes the semaphores."""
    script = tmp_path / "parent.py"
    tests = str(Path(__file__).parents[1])
    script.write_text(SLOW_WORKERS.format(tests=tests, folder=str(tmp_path)), encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as parent:
        wait_until(lambda: len(list(tmp_path.glob("worker-*"))) == 2)
        parent.kill()
        said, _ = parent.communicate(timeout=PATIENCE)  # until the last of them has ended
    assert said == ""


TOLD_TO_LEAVE_IN_A_CALLBACK = """
import ctypes, os, signal
from lineduel.jobs.pool import settle_in

settle_in()
ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGTERM))()
print("went on")
"""


def test_a_worker_leaves_in_silence_from_a_callback_of_c_code() -> None:
    """Compilers call Python from C, where Python can raise nothing."""
    command = [sys.executable, "-c", TOLD_TO_LEAVE_IN_A_CALLBACK]
    left = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (left.returncode, left.stdout, left.stderr) == (1, "", "")


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="semaphores cannot be listed here")
def test_semaphores_of_a_killed_program_are_removed_by_the_next(tmp_path: Path) -> None:
    """The whole group is killed, so that nobody is left to remove them."""
    with parent_of("squares", tmp_path) as parent:
        left = list(Path("/dev/shm").glob(f"sem.lineduel-{parent.pid}-*"))
        assert left
        os.killpg(parent.pid, signal.SIGKILL)
        parent.wait()
    with Pool(1) as pool:
        assert list(pool.run(squares, range(1))) == [[0]]
        assert not [file for file in left if file.exists()]
