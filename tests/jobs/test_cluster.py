"""Work on a Dask cluster: what is lost is said and waited for, and who differs gets no work."""

import gc
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, Future as DaskFuture

import lineduel
from lineduel.errors import NoWorkers
from lineduel.jobs.cluster import check_fingerprint, fingerprint
from lineduel.jobs.pool import Pool
from support.cluster import Cluster, cluster, worker
from support.program import PATIENCE, Program, wait_for, wait_until


@contextmanager
def pool_on(dask: Cluster, notices: list[str], wait: int) -> Iterator[Pool]:
    """A pool that was connected with patience, and gives up soon what it loses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lineduel.jobs.cluster.CONNECT_SECONDS", PATIENCE)
        with Pool(cluster=dask.address, notice=notices.append) as pool:
            patch.setattr("lineduel.jobs.cluster.CONNECT_SECONDS", wait)
            patch.setattr("lineduel.jobs.cluster.WORKER_SECONDS", wait)
            yield pool


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", "tcp://", "ftp://x"])
def test_a_cluster_that_is_not_there_is_named(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one sentence, and the client that tried is closed, not left to the garbage collector."""
    monkeypatch.setattr("lineduel.jobs.cluster.CONNECT_SECONDS", 1)
    with pytest.raises(NoWorkers, match="No Dask cluster answers at"):
        Pool(cluster=address)
    # Proxies of what is gone are there, too, and have no class to ask for.
    left = [
        one for one in gc.get_objects() if issubclass(type(one), Client)
    ]  # dead proxies are met, too
    assert all(one.status == "closed" for one in left)
    assert not any(thread.name.startswith("IO loop") for thread in threading.enumerate())


def test_a_lost_scheduler_is_told_and_given_up(program: Program) -> None:
    """What was done until then has come back."""
    notices: list[str] = []
    with cluster(program, {}) as dask, pool_on(dask, notices, 1) as pool:
        work = pool.run(sum, count())
        next(work)
        dask.scheduler.kill()
        with pytest.raises(NoWorkers) as raised:
            list(work)
    named = f"The Dask cluster at {dask.address}"
    assert notices == [f"{named} does not answer any more. Waiting up to 1 seconds for it."]
    assert str(raised.value) == f"{named} does not answer any more: giving up after 1 seconds."


def test_lost_workers_are_waited_for(program: Program) -> None:
    """One that comes in time does what is left."""
    notices: list[str] = []
    with cluster(program, {}) as dask, pool_on(dask, notices, PATIENCE) as pool:
        work = pool.run(sum, count())
        next(work)
        dask.workers[0].kill()
        named = f"The Dask cluster at {dask.address}"
        with ThreadPoolExecutor(1) as thread:
            back = thread.submit(lambda: [next(work) for _ in range(10)])
            wait_until(lambda: notices)
            with worker(program, dask.address):
                back.result(PATIENCE)
    assert notices == [
        f"{named} has no workers left. Waiting up to {PATIENCE} seconds for it.",
        f"{named} is back.",
    ]


def test_a_result_that_is_lost_while_it_is_read_is_worked_out_again(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker that had it was lost after it was sent, and before Dask had noted its end."""
    status: Any = DaskFuture.status
    read: Any = DaskFuture._result
    losses, lost = iter([True]), set()

    async def result(future: Any, raiseit: bool = True) -> object:
        found = await read(future, raiseit)
        if next(losses, False):
            lost.add(future.key)
        return found

    def status_now(future: Any) -> object:
        if future.key in lost:
            lost.remove(future.key)
            return "pending"
        return status.fget(future)

    monkeypatch.setattr(DaskFuture, "_result", result)
    monkeypatch.setattr(DaskFuture, "status", property(status_now))
    with cluster(program, {}) as dask, pool_on(dask, [], PATIENCE) as pool:
        assert sum(pool.run(sum, range(5))) == 10


def test_workers_that_do_not_come_back_are_given_up(program: Program) -> None:
    """It is said how long they were waited for."""
    with cluster(program, {}) as dask, pool_on(dask, [], 1) as pool:
        work = pool.run(sum, count())
        next(work)
        dask.workers[0].kill()
        with pytest.raises(NoWorkers) as raised:
            list(work)
    assert str(raised.value) == (
        f"The Dask cluster at {dask.address} has no workers left: giving up after 1 seconds."
    )


def test_a_worker_with_other_source_files_is_refused_by_name(program: Program) -> None:
    """Before any work is sent: its results could be others."""
    changed = program.folder / "changed"
    shutil.copytree(
        Path(lineduel.__file__).parent,
        changed / "lineduel",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    with (changed / "lineduel" / "engine" / "game.py").open("a") as file:
        file.write("# other rules\n")
    with (
        cluster(program, {"PYTHONPATH": str(changed)}) as dask,
        pytest.raises(NoWorkers) as raised,
    ):
        Pool(cluster=dask.address)
    assert re.fullmatch(
        r"The worker at tcp://127\.0\.0\.1:\d+ has other source files of lineduel: "
        "use the same on every worker, or do without this one.",
        str(raised.value),
    )


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("lineduel", f"has lineduel other, not {lineduel.__version__}: "),
        ("numba", f"has numba other, not {version('numba')}: "),
        ("numpy", f"has numpy other, not {version('numpy')}: "),
        ("source", "has other source files of lineduel: "),
    ],
)
def test_what_a_refused_worker_differs_in_is_said(part: str, said: str) -> None:
    """Whatever results depend on; one that is the same is not refused."""
    check_fingerprint("tcp://1.2.3.4:5", fingerprint(), fingerprint())
    with pytest.raises(NoWorkers, match=re.escape(f"The worker at tcp://1.2.3.4:5 {said}")):
        check_fingerprint("tcp://1.2.3.4:5", fingerprint() | {part: "other"}, fingerprint())


def test_a_worker_that_joins_later_is_checked_too(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It refuses the work itself."""
    with cluster(program, {}) as dask, pool_on(dask, [], PATIENCE) as pool:
        assert list(pool.run(sum, [3])) == [3]
        other = fingerprint() | {"source": "other"}
        monkeypatch.setattr("lineduel.jobs.cluster.fingerprint", lambda: other)
        with pytest.raises(NoWorkers, match=r"The worker at tcp://.* has other source files"):
            list(pool.run(sum, [3]))


IMPATIENT = """
import sys
from lineduel.jobs import cluster
from lineduel.cli.main import main

connect = cluster.Cluster.__init__

def connect_and_hurry(*arguments):
    connect(*arguments)
    cluster.CONNECT_SECONDS = 1

cluster.Cluster.__init__ = connect_and_hurry
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""
"""The program, which gives up soon what it loses."""


@pytest.mark.parametrize(
    ("asked", "kept", "again"),
    [
        (
            "tournament ctf-tokens --players level:1 search --playouts 300 --games 400 --file mine",
            "mine",
            "tournament --resume --file mine",
        ),
        (
            "discover --meet captured --goal 'turns<=60' --folder mine --json",
            "mine/search.jsonl",
            "discover --resume --folder mine --json",
        ),
        (
            "sweep cross-over --vary track.length=8..30 --vary 'move.steps=1,2|1,3|1,4|2,3' "
            "--file mine --csv rows.csv",
            "mine",
            "sweep --resume --file mine --csv rows.csv",
        ),
        (
            "repair flag-chase --file mine --cluster {address}",
            "mine",
            "repair flag-chase --file mine --cluster {address} --resume",
        ),
    ],
    ids=lambda text: text.split()[0],
)
def test_long_work_says_how_to_go_on_without_its_cluster(
    program: Program, asked: str, kept: str, again: str
) -> None:
    """Two lines and exit status 2; what it says can be typed."""
    file = program.folder / kept
    with cluster(program, {}) as dask:
        words = shlex.split(asked.format(address=dask.address))
        where = () if "--cluster" in words else ("--cluster", dask.address)
        process = subprocess.Popen(
            [sys.executable, "-c", IMPATIENT, *words, *where],
            cwd=program.folder,
            env=program.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_for(file, 1, process)
        dask.scheduler.kill()
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, ""), err
    lost = f"The Dask cluster at {dask.address} does not answer any more"
    command = again.format(address=dask.address)
    assert err.endswith(
        f"{lost}. Waiting up to 1 seconds for it.\n"
        f"lineduel: {lost}: giving up after 1 seconds.\n"
        f"Finished work is saved. Resume with: lineduel {command}\n"
    )
    here = [word for word in shlex.split(command) if word not in ("--cluster", dask.address)]
    with program.started(*here) as process:
        lines = file.read_bytes().count(b"\n")
        wait_for(file, lines, process)
        assert file.read_bytes().count(b"\n") > lines
