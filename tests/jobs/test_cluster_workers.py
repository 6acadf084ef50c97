"""Limited work on a Dask cluster: it is stopped there, too, and done here when nobody is free."""

import multiprocessing
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from distributed import Client

from lineduel.errors import LineduelError, TimeLimit, WorkStopped
from lineduel.jobs import ClusterWorkers, LimitedWorkers
from lineduel.rules import problems_of
from lineduel.web.computed_answers import study
from lineduel.web.design_work import judged
from lineduel.web.rulebook_shelf import RulebookText, shipped_text
from support.cluster import Cluster, cluster
from support.program import PATIENCE, Program, wait_until


class Clock:
    """Stands still until it is turned."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def workers_on(dask: Cluster, clock: Clock, notices: list[str]) -> Iterator[ClusterWorkers]:
    """Workers of a cluster that has answered."""
    here = LimitedWorkers(1)
    workers = ClusterWorkers(dask.address, here, None, notices.append, clock)
    try:
        wait_until(lambda: notices)
        yield workers
    finally:
        workers.close()
        workers.join()


def under_way(dask: Cluster) -> int:
    """How much the scheduler has for its workers."""
    with Client(dask.address, set_as_default=False) as client:
        tasks = client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
    return int(tasks)


def test_work_on_a_cluster_has_the_same_results_and_limits(program: Program) -> None:
    notices: list[str] = []
    with cluster(program, {}) as dask, workers_on(dask, Clock(), notices) as workers:
        assert workers.places == 1
        text, told = shipped_text("flag-chase", None), list[object]()
        assert workers.run(problems_of, text.toml, seconds=PATIENCE) == ()
        found = workers.run(judged, text, None, seconds=PATIENCE, listener=told.append)
        assert found.verdicts
        assert told
        with pytest.raises(LineduelError, match="not TOML"):
            workers.run(study, RulebookText("own", "?", ""), None, seconds=PATIENCE)
        with pytest.raises(TimeLimit):
            workers.run(time.sleep, PATIENCE, seconds=0.1)
        assert len(notices) == 1


def test_what_nobody_waits_for_is_stopped_on_the_cluster(program: Program) -> None:
    """The only worker is free for the next work; the clock stands still, so nobody gives up."""
    notices: list[str] = []
    with cluster(program, {}) as dask, workers_on(dask, Clock(), notices) as workers:
        stop = threading.Event()
        with ThreadPoolExecutor(2) as threads:
            asleep = threads.submit(workers.run, time.sleep, 10**6, seconds=10**6, stop=stop)
            wait_until(lambda: under_way(dask))
            waiting = threads.submit(workers.run, os.getpid, seconds=PATIENCE)
            stop.set()
            with pytest.raises(WorkStopped):
                asleep.result(PATIENCE)
            assert waiting.result(PATIENCE)
        assert len(notices) == 1


def test_work_that_waits_too_long_on_a_busy_cluster_is_done_here(program: Program) -> None:
    notices: list[str] = []
    clock, stop = Clock(), threading.Event()
    with (
        cluster(program, {}) as dask,
        workers_on(dask, clock, notices) as workers,
        ThreadPoolExecutor(2) as threads,
    ):
        asleep = threads.submit(workers.run, time.sleep, 10**6, seconds=10**6, stop=stop)
        wait_until(lambda: under_way(dask))
        waiting = threads.submit(workers.run, os.getppid, seconds=1)
        wait_until(lambda: under_way(dask) == 2)
        clock.now = 100
        assert waiting.result(PATIENCE) == os.getpid()
        stop.set()
        with pytest.raises(WorkStopped):
            asleep.result(PATIENCE)


def work_in_a_process() -> None:
    workers = LimitedWorkers(1)
    assert workers.run(os.getppid, seconds=PATIENCE) == os.getpid()
    workers.close()


def test_a_daemon_may_have_limited_workers() -> None:
    """As the workers of Dask are daemons of their nannies."""
    process = multiprocessing.get_context("spawn").Process(target=work_in_a_process, daemon=True)
    process.start()
    process.join(PATIENCE)
    assert process.exitcode == 0
